//! The library as a user installs it, and compilers for programs that use it.
#![allow(dead_code)] // each test uses its part

use std::path::{Path, PathBuf};
use std::process::Command;

/// Flags for which the header, the examples and the documents' programs give no warning.
pub(crate) const STRICT: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror"];

/// Returns the folder of this crate.
pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command that must succeed, and returns its standard output.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The tools that a test of the installed library needs.
pub(crate) fn is_lacking(tools: &[&str]) -> bool {
    let missing: Vec<_> = tools.iter().copied().filter(|tool| !has(tool)).collect();
    if !missing.is_empty() {
        println!("not tested: this machine has no {}", missing.join(" and no "));
    }
    !missing.is_empty()
}

/// The library, installed below a folder that vanishes with it.
pub(crate) struct Installed {
    /// A user's home: the README's commands look for the library in it.
    pub(crate) home: tempfile::TempDir,
    pub(crate) prefix: PathBuf,
    /// Folder in which cargo built the library.
    pub(crate) built: PathBuf,
}

impl Installed {
    /// Builds and installs the library, because `cargo test` builds the `rlib` only.
    pub(crate) fn new() -> Self {
        let test = std::env::current_exe().unwrap();
        // The tests' own folder is `deps` below it.
        let built = test.ancestors().nth(2).unwrap().to_owned();
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        run(Command::new(cargo)
            .args(["build", "--quiet", "--package", "oversleep-capi", "--profile", profile, "--target-dir"])
            .arg(built.parent().unwrap())
            .current_dir(here()));
        let home = tempfile::tempdir().unwrap();
        let prefix = home.path().join(".local");
        run(Command::new("sh").arg(here().join("install.sh")).arg(&built).arg(&prefix));
        Self { home, prefix, built }
    }

    fn flags(&self, arguments: &[&str]) -> Vec<String> {
        let mut command = Command::new("pkg-config");
        command.args(arguments).arg("oversleep").env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"));
        run(&mut command).split_whitespace().map(str::to_owned).collect()
    }

    /// Returns the flags that compile and link a program with the shared library.
    pub(crate) fn shared(&self) -> Vec<String> {
        self.flags(&["--cflags", "--libs"])
    }

    /// Returns the flags for the archive. As in the manual page with `-static`, because the linker would otherwise take
    /// the shared library next to the archive. On systems without static C libraries the archive is named instead.
    pub(crate) fn fixed(&self) -> Vec<String> {
        let mut flags = self.flags(&["--static", "--cflags", "--libs"]);
        if cfg!(target_os = "linux") {
            flags.insert(0, "-static".to_owned());
        } else {
            let archive = self.prefix.join("lib/liboversleep.a").display().to_string();
            flags.iter_mut().filter(|flag| *flag == "-loversleep").for_each(|flag| flag.clone_from(&archive));
        }
        flags
    }

    /// Returns a command that starts a program with the shared library.
    pub(crate) fn start(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let library = self.prefix.join("lib");
        command.env("LD_LIBRARY_PATH", &library).env("DYLD_LIBRARY_PATH", library);
        command
    }
}

/// Returns a compiler with its language standard and [`STRICT`] flags.
pub(crate) fn strict(compiler: &str, standard: &str) -> Command {
    let mut command = Command::new(compiler);
    command.arg(format!("-std={standard}")).args(STRICT).args(["-D_GNU_SOURCE", "-pthread"]);
    command
}

/// The compilers that this machine has, with the standards that the header must suit.
pub(crate) fn compilers() -> Vec<(&'static str, &'static str)> {
    const C: [&str; 3] = ["cc", "gcc", "clang"];
    const CPP: [&str; 3] = ["c++", "g++", "clang++"];
    let c = C.into_iter().flat_map(|compiler| ["c99", "c11"].map(|standard| (compiler, standard)));
    let cpp = CPP.into_iter().flat_map(|compiler| ["c++11", "c++20"].map(|standard| (compiler, standard)));
    c.chain(cpp).filter(|(compiler, _)| has(compiler)).collect()
}

/// Returns whether a standard is one of C++.
pub(crate) fn is_cpp(standard: &str) -> bool {
    standard.starts_with("c++")
}
