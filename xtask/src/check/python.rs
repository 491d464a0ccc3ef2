//! Tests the Python package from Python, outside the source tree: assembled from what the other tests have built (the
//! step `python`), and installed from a wheel (the step `wheel`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{child, toolchain};

const CRATE: &str = "crates/oversleep-py";
/// Oldest Python that the wheel supports.
const OLDEST: (u32, u32) = (3, 11);

/// Tests the package assembled from the workspace's build. A wheel's build selects other features of most dependencies,
/// and would compile them all again.
pub(super) fn check(root: &Path) -> Result<(), String> {
    within(root, |environment| environment.assembled().and_then(|()| environment.tested()))
}

/// Tests the package installed from a wheel.
pub(super) fn wheel(root: &Path) -> Result<(), String> {
    within(root, |environment| environment.installed().and_then(|()| environment.tested()))
}

fn within(root: &Path, run: impl Fn(&Environment) -> Result<(), String>) -> Result<(), String> {
    let (python, version) = found(root)?;
    run(&Environment::prepare(root, &python, &version)?)
}

/// Returns the name and version of a Python that is new enough.
fn found(root: &Path) -> Result<(String, String), String> {
    let python = "python3".to_owned();
    let version = child::output(root, &[&python, "-c", "import sys; print(*sys.version_info[:2])"])?;
    if new_enough(&version) {
        return Ok((python, version.trim().to_owned()));
    }
    Err(format!("python3 is {}; {}.{} is needed", version.trim().replace(' ', "."), OLDEST.0, OLDEST.1))
}

fn new_enough(version: &str) -> bool {
    let mut parts = version.split_whitespace().map_while(|part| part.parse().ok());
    parts.next().zip(parts.next()).is_some_and(|version: (u32, u32)| version >= OLDEST)
}

/// A virtual environment with the pinned tools, kept from run to run.
struct Environment {
    root: PathBuf,
    folder: PathBuf,
    python: String,
}

impl Environment {
    fn prepare(root: &Path, python: &str, version: &str) -> Result<Self, String> {
        let folder = root.join("target").join("python");
        let venv = folder.join("venv");
        let requirements = root.join(CRATE).join("requirements-test.txt");
        let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let wanted = fs::read_to_string(&requirements).map_err(|error| told(&requirements, error))?;
        let wanted = format!("{python} {version}\n{wanted}");
        // This file is written when everything is installed.
        let stamp = folder.join("installed.txt");
        let inside = ["bin/python", "Scripts/python.exe"].map(|place| venv.join(place));
        let inside = || inside.iter().find(|place| place.exists());
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted)
            && let Some(inside) = inside()
        {
            return Ok(Self { root: root.to_path_buf(), python: text(inside), folder });
        }
        fs::create_dir_all(&folder).map_err(|error| told(&folder, error))?;
        child::output(root, &[python, "-m", "venv", "--clear", &text(&venv)])?;
        let inside = inside().ok_or("the virtual environment has no Python in it")?;
        let environment = Self { root: root.to_path_buf(), python: text(inside), folder };
        let tools = environment.pip(&["install", "--retries", "1", "--requirement", &text(&requirements)]);
        // The last line of pip's message, without the command line.
        tools.map_err(|why| format!("the test tools cannot be had: {}", why.rsplit("`: ").next().unwrap_or(&why)))?;
        fs::write(&stamp, wanted).map_err(|error| told(&stamp, error))?;
        Ok(environment)
    }

    fn pip(&self, words: &[&str]) -> Result<String, String> {
        let pip = [&self.python, "-m", "pip", "--quiet", "--disable-pip-version-check"];
        child::output(&self.root, &[&pip, words].concat())
    }

    /// Assembles the package in the virtual environment from the Python sources and the compiled library.
    fn assembled(&self) -> Result<(), String> {
        let target = self.workspace_built()?;
        let packages = self.emptied()?;
        let package = packages.join("oversleep");
        copied(&self.root.join(CRATE).join("python"), &packages, &["oversleep"])?;
        let library = format!("{}oversleep_py{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let module = if std::env::consts::DLL_EXTENSION == "dll" { "_native.pyd" } else { "_native.abi3.so" };
        let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        fs::copy(target.join(&library), package.join(module)).map_err(|error| told(&target.join(&library), error))?;
        let version = env!("CARGO_PKG_VERSION");
        let about = packages.join(format!("oversleep-{version}.dist-info"));
        let metadata = format!("Metadata-Version: 2.1\nName: oversleep\nVersion: {version}\n");
        fs::create_dir_all(&about)
            .and_then(|()| fs::write(about.join("METADATA"), metadata))
            .map_err(|error| told(&about, error))
    }

    /// Removes our package from the folder of installed packages; returns that folder.
    fn emptied(&self) -> Result<PathBuf, String> {
        let purelib = "import sysconfig; print(sysconfig.get_path('purelib'))";
        let packages = PathBuf::from(child::output(&self.root, &[&self.python, "-c", purelib])?.trim());
        let told = |error: std::io::Error| format!("{}: {error}", packages.display());
        for entry in fs::read_dir(&packages).map_err(told)?.flatten() {
            let name = entry.file_name();
            if name == "oversleep" || name.to_string_lossy().starts_with("oversleep-") {
                fs::remove_dir_all(entry.path()).map_err(told)?;
            }
        }
        Ok(packages)
    }

    /// Builds the wheel, unoptimised like the other tests, and installs it in place of an earlier one.
    fn installed(&self) -> Result<(), String> {
        self.emptied()?;
        let wheels = self.folder.join("wheels");
        // A folder of wheels from earlier versions would make `*.whl` ambiguous.
        let _ = fs::remove_dir_all(&wheels);
        let mut build = self.within(&self.root.join(CRATE), &["-m", "maturin", "build", "--quiet", "--profile", "dev"]);
        build.args(["--interpreter", &self.python, "--out", &text(&wheels)]);
        child::run(build)?;
        let entries = fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
        let wheel =
            entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
        let wheel = wheel.ok_or("maturin made no wheel")?;
        self.pip(&["install", "--no-deps", &text(&wheel)]).map(drop)
    }

    /// Runs the tests, compares the stubs with the installed package, and type-checks the example, in a folder without
    /// the sources.
    fn tested(&self) -> Result<(), String> {
        let away = std::env::temp_dir().join(format!("oversleep-python-{}", std::process::id()));
        let outcome = copied(&self.root.join(CRATE), &away, &["tests", "examples"]).and_then(|()| {
            let mut pytest = self.within(&away, &["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
            pytest.env("OVERSLEEP_BINARY", self.command_line()?);
            child::run(pytest)?;
            let allowed = self.root.join("crates/oversleep-py/tests/stubtest-allowed.txt").display().to_string();
            let stubtest = ["-m", "mypy.stubtest", "oversleep", "--allowlist", &allowed];
            child::run(self.within(&away, &stubtest))?;
            let strict = ["-m", "mypy", "--strict", "examples/frames.py"];
            child::run(self.within(&away, &strict))
        });
        let _ = fs::remove_dir_all(&away);
        outcome
    }

    /// Returns the path of the command-line program, whose documents are compared with the package's.
    fn command_line(&self) -> Result<PathBuf, String> {
        Ok(self.workspace_built()?.join(format!("oversleep{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Builds the workspace with the features with which its tests were built, so that what they compiled is used
    /// again; returns the folder of libraries and programs.
    fn workspace_built(&self) -> Result<PathBuf, String> {
        let build = child::command(&self.root, &["cargo", "build", "--workspace", "--all-targets", "--quiet"]);
        child::run(build)?;
        Ok(toolchain::target_folder(&self.root).join("debug"))
    }

    fn within(&self, folder: &Path, words: &[&str]) -> Command {
        let mut command = child::command(folder, &[&[self.python.as_str()], words].concat());
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command
    }
}

/// Copies the files of some folders, one level deep.
fn copied(from: &Path, to: &Path, folders: &[&str]) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", to.display());
    for folder in folders {
        fs::create_dir_all(to.join(folder)).map_err(told)?;
        for entry in fs::read_dir(from.join(folder)).map_err(told)?.flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), to.join(folder).join(entry.file_name())).map_err(told)?;
            }
        }
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
