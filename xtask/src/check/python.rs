//! Tests the two Python packages from Python, outside the source tree. The package for sleeping is tested before the
//! laboratory is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Root;
use crate::{child, toolchain};

/// A Python package and the crate of its compiled half.
struct Package {
    /// Name of the distribution.
    name: &'static str,
    /// Name under which it is imported.
    import: &'static str,
    folder: &'static str,
    library: &'static str,
    example: &'static str,
}

/// The folder of the guide, whose Python programs are run.
const GUIDE: &str = "docs/guide";

const SLEEPING: Package = Package {
    name: "oversleep",
    import: "oversleep",
    folder: "crates/oversleep-py",
    library: "oversleep_py",
    example: "examples/frames.py",
};
const LABORATORY: Package = Package {
    name: "oversleep-lab",
    import: "oversleep_lab",
    folder: "crates/oversleep-py-lab",
    library: "oversleep_py_lab",
    example: "examples/notebook.py",
};
/// Files in the tests of [`SLEEPING`] that those of [`LABORATORY`] need too.
const SHARED: [&str; 3] = ["conftest.py", "documents.py", "nonsense.py"];
/// Oldest Python that the wheel supports.
const OLDEST: (u32, u32) = (3, 11);

/// Tests the packages assembled from the workspace's build; in the full tier the library's own installed from its wheel.
/// The laboratory's wheel, for which most dependencies would be compiled again with other features, is made, installed and
/// used by `cargo xtask release --check`.
pub(super) fn check(root: &Root) -> Result<(), String> {
    with_environment(root, |environment| {
        let target = environment.workspace_built()?;
        environment.tested(|package| {
            if root.full && package.name == SLEEPING.name {
                environment.installed(package)
            } else {
                environment.assembled(package, &target)
            }
        })
    })
}

fn with_environment(root: &Path, run: impl Fn(&Environment) -> Result<(), String>) -> Result<(), String> {
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
        let requirements = root.join(SLEEPING.folder).join("requirements-test.txt");
        let failure = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let wanted = fs::read_to_string(&requirements).map_err(|error| failure(&requirements, error))?;
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
        fs::create_dir_all(&folder).map_err(|error| failure(&folder, error))?;
        child::output(root, &[python, "-m", "venv", "--clear", &text(&venv)])?;
        let inside = inside().ok_or("the virtual environment has no Python in it")?;
        let environment = Self { root: root.to_path_buf(), python: text(inside), folder };
        let tools = environment.pip(&["install", "--retries", "1", "--requirement", &text(&requirements)]);
        // The last line of pip's message, without the command line.
        tools.map_err(|why| format!("the test tools cannot be had: {}", why.rsplit("`: ").next().unwrap_or(&why)))?;
        fs::write(&stamp, wanted).map_err(|error| failure(&stamp, error))?;
        Ok(environment)
    }

    fn pip(&self, words: &[&str]) -> Result<String, String> {
        let pip = [&self.python, "-m", "pip", "--quiet", "--disable-pip-version-check"];
        child::output(&self.root, &[&pip, words].concat())
    }

    /// Assembles a package in the virtual environment from the Python sources and the compiled library.
    fn assembled(&self, package: &Package, target: &Path) -> Result<(), String> {
        let packages = self.packages()?;
        copied(&self.root.join(package.folder).join("python"), &packages, &[package.import])?;
        let library = format!("{}{}{}", std::env::consts::DLL_PREFIX, package.library, std::env::consts::DLL_SUFFIX);
        let module = if std::env::consts::DLL_EXTENSION == "dll" { "_native.pyd" } else { "_native.abi3.so" };
        let failure = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let library = target.join(library);
        fs::copy(&library, packages.join(package.import).join(module)).map_err(|error| failure(&library, error))?;
        let (name, version) = (package.name, env!("CARGO_PKG_VERSION"));
        let about = packages.join(format!("{}-{version}.dist-info", package.import));
        let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
        fs::create_dir_all(&about)
            .and_then(|()| fs::write(about.join("METADATA"), metadata))
            .map_err(|error| failure(&about, error))
    }

    /// Returns the folder of installed packages.
    fn packages(&self) -> Result<PathBuf, String> {
        let purelib = "import sysconfig; print(sysconfig.get_path('purelib'))";
        Ok(PathBuf::from(child::output(&self.root, &[&self.python, "-c", purelib])?.trim()))
    }

    /// Removes our packages from the folder of installed ones.
    fn remove_packages(&self) -> Result<(), String> {
        let packages = self.packages()?;
        let failure = |error: std::io::Error| format!("{}: {error}", packages.display());
        for entry in fs::read_dir(&packages).map_err(failure)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with("oversleep") {
                fs::remove_dir_all(entry.path()).map_err(failure)?;
            }
        }
        Ok(())
    }

    /// Builds a package's wheel, unoptimised like the other tests, and installs it.
    fn installed(&self, package: &Package) -> Result<(), String> {
        let wheels = self.folder.join("wheels").join(package.name);
        // A folder of wheels from earlier versions would make `*.whl` ambiguous.
        let _ = fs::remove_dir_all(&wheels);
        let folder = self.root.join(package.folder);
        let mut build = self.command_in(&folder, &["-m", "maturin", "build", "--quiet", "--profile", "dev"]);
        build.args(["--interpreter", &self.python, "--out", &text(&wheels)]);
        child::run(build)?;
        let entries = fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
        let wheel =
            entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
        let wheel = wheel.ok_or("maturin made no wheel")?;
        self.pip(&["install", "--no-deps", &text(&wheel)]).map(drop)
    }

    /// Installs the packages one after the other with `install`, and tests each, in a folder without the sources.
    fn tested(&self, install: impl Fn(&Package) -> Result<(), String>) -> Result<(), String> {
        let away = std::env::temp_dir().join(format!("oversleep-python-{}", std::process::id()));
        let shown = copied_files(&self.root, &away, &["README.md"])
            .and_then(|()| copied_files(&self.root.join(GUIDE), &away.join(GUIDE), &["sleep-on-time.md"]));
        let outcome = shown.and_then(|()| self.remove_packages()).and_then(|()| {
            for package in [SLEEPING, LABORATORY] {
                install(&package)?;
                self.tested_one(&package, &away)?;
            }
            // Now that everything is there that the first one's types name.
            self.same_as_stubs(&SLEEPING, &away)?;
            self.same_as_stubs(&LABORATORY, &away)
        });
        let _ = fs::remove_dir_all(&away);
        outcome
    }

    /// Runs a package's tests, with the programs of its documents, and type-checks its example.
    fn tested_one(&self, package: &Package, away: &Path) -> Result<(), String> {
        let (from, to) = (self.root.join(package.folder), away.join(package.folder));
        copied(&from, &to, &["tests", "examples"])?;
        copied_files(&from, &to, &["README.md"])?;
        copied_files(&self.root.join(SLEEPING.folder).join("tests"), &to.join("tests"), &SHARED)?;
        let mut pytest = self.command_in(&to, &["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
        if package.name == LABORATORY.name {
            pytest.env("OVERSLEEP_BINARY", self.command_line()?);
        }
        child::run(pytest)?;
        let strict = ["-m", "mypy", "--strict", package.example];
        child::run(self.command_in(&to, &strict))
    }

    /// Compares a package's stubs with the installed package.
    fn same_as_stubs(&self, package: &Package, away: &Path) -> Result<(), String> {
        let mut stubtest = self.command_in(away, &["-m", "mypy.stubtest", package.import]);
        let allowed = self.root.join(package.folder).join("tests/stubtest-allowed.txt");
        if allowed.exists() {
            stubtest.arg("--allowlist").arg(allowed);
        }
        child::run(stubtest)
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

    fn command_in(&self, folder: &Path, words: &[&str]) -> Command {
        let mut command = child::command(folder, &[&[self.python.as_str()], words].concat());
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command
    }
}

/// Copies the files of some folders, one level deep.
fn copied(from: &Path, to: &Path, folders: &[&str]) -> Result<(), String> {
    let failure = |error: std::io::Error| format!("{}: {error}", to.display());
    for folder in folders {
        let entries = fs::read_dir(from.join(folder)).map_err(failure)?.flatten();
        let files = entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
        let files: Vec<_> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        copied_files(&from.join(folder), &to.join(folder), &files)?;
    }
    Ok(())
}

/// Copies files from one folder into another.
fn copied_files(from: &Path, to: &Path, files: &[&str]) -> Result<(), String> {
    let failure = |error: std::io::Error| format!("{}: {error}", to.display());
    fs::create_dir_all(to).map_err(failure)?;
    for file in files {
        fs::copy(from.join(file), to.join(file)).map_err(failure)?;
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
