//! Checks of the report page's front end: the committed bundle is what the sources give, the types fit, the tests pass,
//! and the pages work in a browser.

mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use crate::child;
use crate::outcome::{Outcome, from_faults, passed};
use crate::toolchain;

const BUNDLE: &str = "crates/oversleep-lab/src/report/html/bundle";
const FILES: [&str; 3] = ["report.js", "report.js.sha256", "report.css"];

/// Rebuilds the bundle and the types and compares them byte for byte; then checks the types and runs the tests.
pub(super) fn bundle(root: &Path) -> Outcome {
    if let Err(why) = installed(root) {
        return Outcome::Skipped(why);
    }
    match bundled(root) {
        Ok(faults) => from_faults(&faults),
        Err(why) => Outcome::Failed(why),
    }
}

fn bundled(root: &Path) -> Result<Vec<String>, String> {
    let web = root.join("web");
    let made = root.join("target").join("web");
    fs::create_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    child::output(&web, &["node", "build.mjs", &made.display().to_string()])?;
    let types = made.join("document.ts");
    child::output(&web, &["node", "types.mjs", &types.display().to_string()])?;
    let mut faults: Vec<String> =
        FILES.iter().filter_map(|file| differs(&root.join(BUNDLE).join(file), &made.join(file), "build")).collect();
    faults.extend(differs(&web.join("src/document.ts"), &types, "types"));
    for (what, words) in
        [("types", &["npm", "run", "--silent", "check"][..]), ("tests", &["npm", "test", "--silent"][..])]
    {
        faults.extend(passed(child::run(child::command(&web, words)), what).err());
    }
    Ok(faults)
}

/// Returns an error if a committed file differs from the one just made.
fn differs(kept: &Path, made: &Path, script: &str) -> Option<String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    match (read(kept), read(made)) {
        (Ok(kept), Ok(made)) if kept == made => None,
        (Ok(_), Ok(_)) => Some(format!("{}: not what web/ gives; run `npm run {script}` there", kept.display())),
        (Err(why), _) | (_, Err(why)) => Some(why),
    }
}

/// Installs the pinned packages if they are missing or out of date; the error is the reason for a skip.
fn installed(root: &Path) -> Result<(), String> {
    let web = root.join("web");
    for tool in ["node", "npm"] {
        child::output(root, &[tool, "--version"])
            .map_err(|_| format!("{tool} is not installed; `apt-get install nodejs npm` gets it"))?;
    }
    // A copy of the lock file with which the packages were installed.
    let stamp = web.join("node_modules/.oversleep-lock");
    let lock = fs::read(web.join("package-lock.json")).map_err(|error| format!("package-lock.json: {error}"))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    child::output(&web, &["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .map_err(|why| format!("the front end's packages cannot be had: {why}"))?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Opens pages of every kind in headless Chromium, without network access.
pub(super) fn page(root: &Path) -> Outcome {
    let ready = installed(root).and_then(|()| chromium(root));
    if let Err(why) = ready {
        return Outcome::Skipped(why);
    }
    match made(root) {
        Ok((pages, pictures)) => {
            let [pages, pictures] = [pages, pictures].map(|path| path.display().to_string());
            child::run(child::command(&root.join("web"), &["node", "page.mjs", &pages, &pictures]))
        }
        Err(why) => Outcome::Failed(why),
    }
}

fn chromium(root: &Path) -> Result<(), String> {
    if Path::new("/usr/bin/chromium").exists() {
        return Ok(());
    }
    toolchain::install(root, "Chromium", &["apt-get", "install", "-y", "--no-install-recommends", "chromium"])
}

/// Recordings for the pages: simulated ones, which do not depend on the machine, and a short one of each other kind.
const RECORDINGS: &[(&str, &str)] = &[
    ("methods", "simulate linux-2.6-hrtimer -m nanosleep,select -r 100us,1ms -n 400"),
    ("sweep", "simulate freebsd-8-hz4000 --experiment sweep"),
    ("seconds", "simulate dragonfly-1.0 --experiment wall-second"),
    ("load", "simulate windows-98 --experiment load"),
    ("schedule", "measure --experiment periodic -n 500"),
    ("million", "simulate linux-2.6-hrtimer -m nanosleep -r 1ms -n 1000000"),
    ("one", "measure -m nanosleep -r 1ms -n 1"),
    ("traced", "measure --trace -m nanosleep -r 1ms -n 100"),
    ("stalls", "stalls -d 2s"),
    ("clocks", "clocks"),
];

/// Makes pages and tables; returns their folder, and the folder for pictures.
fn made(root: &Path) -> Result<(PathBuf, PathBuf), String> {
    child::output(root, &["cargo", "build", "--quiet", "--workspace", "--bin", "oversleep"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("debug").join(format!("oversleep{}", std::env::consts::EXE_SUFFIX)).display().to_string();
    let place = root.join("target").join("page");
    let (pages, pictures) = (place.join("pages"), place.join("pictures"));
    let _ = fs::remove_dir_all(&place);
    let told = |error: std::io::Error| format!("{}: {error}", place.display());
    fs::create_dir_all(&pages).map_err(told)?;
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    for (name, words) in RECORDINGS {
        let file = pages.join(format!("{name}.arrows"));
        let mut line: Vec<&str> = std::iter::once(program.as_str()).chain(words.split(' ')).collect();
        let out = file.display().to_string();
        line.extend(["-q", "--out", &out]);
        match child::output(root, &line) {
            Ok(_) => files.push((name, file)),
            // Stalls need two processors, and tracing needs privileges.
            Err(why) => println!("not opened: {name}: {why}"),
        }
    }
    for (name, table) in tables::TABLES {
        let file = pages.join(format!("table-{name}"));
        fs::write(&file, table()).map_err(told)?;
        files.push((name, file));
    }
    for (name, file) in &files {
        let (file, page) = (file.display().to_string(), pages.join(format!("{name}.html")).display().to_string());
        child::output(root, &[&program, "report", &file, "-o", &page, "--force"])?;
        // Clocks have no samples, and the page of more than a million has not all of them.
        if !["clocks", "planted"].contains(name) {
            let csv = child::output(root, &[&program, "export", &file, "--csv"])?;
            fs::write(pages.join(format!("{name}.csv")), csv).map_err(told)?;
        }
    }
    let of = |name: &str| pages.join(format!("{name}.arrows")).display().to_string();
    let (several, one, two, three) =
        (pages.join("several.html").display().to_string(), of("methods"), of("seconds"), of("one"));
    child::output(root, &[&program, "report", &one, &two, &three, "-o", &several, "--force"])?;
    Ok((pages, pictures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_or_missing_file_is_told() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [kept, made] = ["kept", "made"].map(|name| folder.path().join(name));
        fs::write(&made, "b").expect("file");
        assert!(differs(&kept, &made, "build").expect("a fault").contains("kept: "));
        fs::write(&kept, "a").expect("file");
        assert!(differs(&kept, &made, "build").expect("a fault").ends_with("run `npm run build` there"));
        fs::write(&kept, "b").expect("file");
        assert_eq!(differs(&kept, &made, "build"), None);
    }
}
