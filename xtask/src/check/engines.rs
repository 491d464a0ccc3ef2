//! Checks that other programs read our files: `DuckDB`, polars and pyarrow recordings and Parquet made of them, promtool and
//! Prometheus the figures, HdrHistogram's Java original the logs, systemd the unit, Perfetto's `trace_processor` a trace,
//! Spark a fleet's dataset, and Jupyter the notebook of it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::child;
use crate::outcome::{Outcome, StepResult, passed, timed};
use crate::toolchain;

pub(super) fn check(root: &Path) -> Vec<StepResult> {
    let mut built = None;
    let row = timed("engines: build", || match build(root) {
        Ok(folder) => {
            built = Some(folder);
            Outcome::Passed
        }
        Err(why) => Outcome::Failed(why),
    });
    let mut rows = vec![row];
    let Some(folder) = built else { return rows };
    let oversleep = text(&folder.join("oversleep"));
    let contrib = text(&root.join("contrib"));
    rows.push(timed("engines: parquet", || script(root, "parquet", "requirements.txt", &[&oversleep, &contrib])));
    rows.push(timed("engines: prometheus", || match prometheus(root) {
        Ok([server, tool]) => script(root, "metrics", "requirements.txt", &[&oversleep, &server, &tool, &contrib]),
        Err(why) => Outcome::Skipped(why),
    }));
    rows.push(timed("engines: hlog", || hlog(root, &oversleep)));
    rows.push(timed("engines: unit", || unit(root)));
    rows.push(timed("engines: perfetto", || {
        script(root, "perfetto_trace", "requirements-perfetto.txt", &[&oversleep])
    }));
    rows.push(timed("engines: fleet", || match java(root) {
        Ok(()) => script(root, "fleet", "requirements-spark.txt", &[&oversleep, &contrib]),
        Err(why) => Outcome::Skipped(why),
    }));
    rows.push(timed("engines: notebook", || {
        script(root, "notebook", "requirements-notebook.txt", &[&oversleep, &contrib])
    }));
    rows
}

/// Builds the program; returns the folder it is in.
fn build(root: &Path) -> Result<PathBuf, String> {
    let build = ["cargo", "build", "--workspace", "--bin", "oversleep"];
    passed(child::run(child::command(root, &build)), "cargo build")?;
    Ok(root.join("target/debug"))
}

/// Runs a script with the Python packages that it needs. Its exit code 77 means a skip: something else cannot be had.
fn script(root: &Path, name: &str, requirements: &str, words: &[&str]) -> Outcome {
    let python = match toolchain::python_environment(root, requirements) {
        Ok(python) => python,
        Err(why) => return Outcome::Skipped(why),
    };
    let file = text(&root.join(toolchain::ENGINES).join(format!("{name}.py")));
    let output = child::command(root, &[&[python.as_str(), &file], words].concat()).output();
    let output = match output {
        Ok(output) => output,
        Err(error) => return Outcome::Failed(format!("{python}: {error}")),
    };
    print!("{}", String::from_utf8_lossy(&output.stdout));
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message").trim().to_owned();
    match output.status.code() {
        Some(0) => Outcome::Passed,
        Some(77) => Outcome::Skipped(last),
        _ => Outcome::Failed(last),
    }
}

/// Reads `.hlog` with HdrHistogram's Java original.
fn hlog(root: &Path, oversleep: &str) -> Outcome {
    let jar = java(root).and_then(|()| unpacked(root, "libhdrhistogram-java", ["share/java/hdrhistogram.jar"]));
    match jar {
        Ok([jar]) => {
            let foreign = text(&root.join("crates/oversleep-lab/tests/data/imports/jhiccup.hlog"));
            script(root, "hlog", "requirements.txt", &[oversleep, &jar, &foreign])
        }
        Err(why) => Outcome::Skipped(why),
    }
}

/// Looks for Java; the error is the reason for a skip.
fn java(root: &Path) -> Result<(), String> {
    let missing = "Java is not installed; `apt-get install openjdk-17-jre-headless` gets it";
    child::output(root, &["java", "-version"]).map(drop).map_err(|_| missing.to_owned())
}

/// Returns the paths of Prometheus and promtool.
fn prometheus(root: &Path) -> Result<[String; 2], String> {
    let names = ["prometheus", "promtool"];
    if names.iter().all(|name| child::output(root, &[name, "--version"]).is_ok()) {
        return Ok(names.map(str::to_owned));
    }
    unpacked(root, "prometheus", ["bin/prometheus", "bin/promtool"])
}

/// Returns the paths of files in `/usr` of a package of Debian's: the installed ones, or those of the package, which is only
/// unpacked, so that no service starts.
fn unpacked<const N: usize>(root: &Path, package: &str, files: [&str; N]) -> Result<[String; N], String> {
    let folder = root.join("target/tools").join(package);
    for place in [Path::new("/"), folder.as_path()] {
        let paths = files.map(|file| place.join("usr").join(file));
        if paths.iter().all(|path| path.exists()) {
            return Ok(paths.map(|path| text(&path)));
        }
    }
    if !toolchain::may_install() {
        return Err(format!("{package} is not installed; `apt-get install {package}` or --install gets it"));
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let cannot = |why| format!("Debian's package {package} cannot be had: {why}");
    child::output(&folder, &["apt-get", "download", package]).map_err(cannot)?;
    let entries = fs::read_dir(&folder).ok().into_iter().flatten().flatten().map(|entry| entry.path());
    let file = entries.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "deb"));
    let file = file.ok_or_else(|| cannot("apt-get left no file".to_owned()))?;
    child::output(&folder, &["dpkg", "-x", &text(&file), "."]).map_err(cannot)?;
    Ok(files.map(|file| text(&folder.join("usr").join(file))))
}

/// Highest exposure level that the unit may have, as systemd computes it.
const EXPOSURE: f64 = 1.5;

fn unit(root: &Path) -> Outcome {
    let file = "contrib/systemd/oversleep.service";
    if child::output(root, &["systemd-analyze", "--version"]).is_err() {
        return Outcome::Skipped("systemd-analyze is not installed; `apt-get install systemd` gets it".to_owned());
    }
    match child::output(root, &["systemd-analyze", "security", "--offline=true", file]) {
        Ok(said) => match exposure(&said) {
            Some(found) if found <= EXPOSURE => Outcome::Passed,
            Some(found) => Outcome::Failed(format!("{file}: an exposure of {found}, and {EXPOSURE} is allowed")),
            None => Outcome::Failed("systemd-analyze says no exposure".to_owned()),
        },
        Err(why) => Outcome::Failed(why),
    }
}

fn exposure(said: &str) -> Option<f64> {
    let line = said.lines().find(|line| line.contains("Overall exposure level"))?;
    line.split_once(".service: ")?.1.split_whitespace().next()?.parse().ok()
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::exposure;

    #[test]
    fn the_exposure_is_read_from_what_systemd_says() {
        assert_eq!(exposure("a\n→ Overall exposure level for oversleep.service: 1.1 OK 🙂\n"), Some(1.1));
        assert_eq!(exposure("no unit"), None);
    }
}
