//! Checks of the report page's front end: the committed bundle is what the sources give, the types fit, the tests pass,
//! and the pages work in a browser.

use std::fs;
use std::path::Path;

use crate::{child, toolchain};

const BUNDLE: &str = "crates/oversleep-report/src/html/bundle";

/// Rebuilds the bundle and the types, and returns an error for each file that is not what was committed; then checks
/// the types and runs the tests.
pub(super) fn bundle(root: &Path) -> Result<Vec<String>, String> {
    installed(root)?;
    let (web, made) = (root.join("web"), root.join("target").join("web"));
    fs::create_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    let types = made.join("document.ts");
    child::output(&web, &["node", "build.mjs", &made.display().to_string()])?;
    child::output(&web, &["node", "types.mjs", &types.display().to_string()])?;
    let mut faults = Vec::new();
    let files = ["report.js", "report.js.sha256", "report.css"]
        .map(|file| (root.join(BUNDLE).join(file), made.join(file), "build"));
    for (kept, made, script) in files.into_iter().chain([(web.join("src/document.ts"), types, "types")]) {
        if fs::read(&kept).ok() != fs::read(&made).ok() {
            faults.push(format!("{}: not what web/ gives; run `npm run {script}` there", kept.display()));
        }
    }
    child::run(child::command(&web, &["npm", "run", "--silent", "check"]))?;
    child::run(child::command(&web, &["npm", "test", "--silent"]))?;
    Ok(faults)
}

/// Opens pages of every kind in headless Chromium, without network access.
pub(super) fn page(root: &Path) -> Result<(), String> {
    installed(root)?;
    child::output(root, &["chromium", "--version"])
        .map_err(|_| "Chromium is not installed; `apt-get install chromium` gets it".to_owned())?;
    let program = toolchain::oversleep(root)?;
    let [pages, pictures] =
        ["pages", "pictures"].map(|name| root.join("target").join("page").join(name).display().to_string());
    child::run(child::command(&root.join("web"), &["node", "pages.mjs", &program, &pages]))?;
    child::run(child::command(&root.join("web"), &["node", "page.mjs", &pages, &pictures]))
}

/// Installs the pinned packages if they are missing or out of date.
fn installed(root: &Path) -> Result<(), String> {
    let web = root.join("web");
    // A copy of the lock file with which the packages were installed.
    let stamp = web.join("node_modules/.oversleep-lock");
    let lock = fs::read(web.join("package-lock.json")).map_err(|error| format!("package-lock.json: {error}"))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    child::output(&web, &["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]).map_err(|why| {
        format!("the front end's packages cannot be had (`apt-get install nodejs npm` gets npm): {why}")
    })?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}
