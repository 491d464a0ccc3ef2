//! A C program built and run against an installed prefix, shared and static.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder with the library: the tests' own are in `deps` below it.
fn built() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Checks that a program loads the library by its interface version, and finds it by that name alone: the name that
/// linkers look for belongs to a development package.
fn records_the_interface(program: &Path, prefix: &Path) {
    let development = prefix.join("lib/liboversleep.so");
    if !development.exists() {
        println!("not tested: shared libraries carry no soname here");
        return;
    }
    std::fs::remove_file(development).unwrap();
    if !has("readelf") {
        println!("not tested: this machine has no readelf to show what the program asks for");
        return;
    }
    let needed = |file: &Path| run(Command::new("readelf").arg("--dynamic").arg(file).env("LC_ALL", "C"));
    let asked = needed(program);
    assert!(asked.contains("Shared library: [liboversleep.so.0]"), "{asked}");
    assert!(!asked.contains("[liboversleep.so]") && !asked.contains("_capi"), "{asked}");
    let called = needed(&prefix.join("lib/liboversleep.so.0"));
    assert!(called.contains("Library soname: [liboversleep.so.0]"), "{called}");
}

fn compiler() -> Command {
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread"]);
    command
}

/// Runs the README's commands for another prefix, unchanged, on the README's example.
fn follows_the_readme(here: &Path, home: &Path) {
    let readme = std::fs::read_to_string(here.join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.into_iter().find(|block| block.contains("PKG_CONFIG_PATH")).unwrap();
    std::fs::copy(here.join("examples/frames.c"), home.join("frames.c")).unwrap();
    let mut shell = Command::new("sh");
    let said =
        run(shell.args(["-e", "-c", commands]).env("HOME", home).env_remove("LD_LIBRARY_PATH").current_dir(home));
    let starts: Vec<_> = said.lines().map(|line| line.split_once(" was ").map(|(start, _)| start)).collect();
    assert_eq!(starts, [Some("frame 1"), Some("frame 2"), Some("frame 3")], "{said}");
}

#[test]
fn what_cannot_be_installed_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let shell = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    let refused = |arguments: &[&str], reason: &str| {
        let output = match Command::new("sh").arg(&shell).args(arguments).current_dir(folder.path()).output() {
            Ok(output) => output,
            Err(error) => return println!("skipped: this machine has no sh ({error})"),
        };
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("install.sh: {reason}\n"));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    };
    let usage = "usage: install.sh BUILT PREFIX, such as install.sh target/release /usr/local";
    for arguments in [&[][..], &["target/release"], &["target/release", "/usr", "local"]] {
        refused(arguments, usage);
    }
    refused(&[".", "local"], "PREFIX must be an absolute path, and 'local' is none");
    for prefix in ["/a b", "/a'b", "/a\\b", "/a$b", "/a&b", "/a#b", "/a]b"] {
        let why = "PREFIX must have no spaces, quotes or other characters that a shell reads";
        refused(&[".", prefix], &format!("{why}, and '{prefix}' has one"));
    }
    let unbuilt = "'.' has no liboversleep_capi.a; build with cargo build -p oversleep-capi";
    refused(&[".", &folder.path().join("prefix").display().to_string()], unbuilt);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was installed");
}

/// Compiles and links the example in C++.
fn compiles_in_cpp(here: &Path, folder: &Path, flags: &[String]) {
    if !has("c++") {
        println!("not tested: this machine has no c++ for examples/frames.cpp");
        return;
    }
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread", "-o"]);
    run(compiler.arg(folder.join("frames-cpp")).arg(here.join("examples/frames.cpp")).args(flags));
}

#[test]
fn a_c_program_finds_links_and_uses_the_installed_library() {
    let missing: Vec<_> = ["sh", "cc", "pkg-config"].into_iter().filter(|tool| *tool != "sh" && !has(tool)).collect();
    if !missing.is_empty() {
        println!("skipped: this machine has no {}", missing.join(" and no "));
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // `cargo test` builds the `rlib` only.
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = built().parent().unwrap().to_owned();
    run(Command::new(cargo)
        .args(["build", "--quiet", "--package", "oversleep-capi", "--profile", profile, "--target-dir"])
        .arg(target)
        .current_dir(here));
    let folder = tempfile::tempdir().unwrap();
    // This is where the README's commands look for the library, if this is the user's home.
    let prefix = folder.path().join(".local");
    run(Command::new("sh").arg(here.join("install.sh")).arg(built()).arg(&prefix));

    let flags = |arguments: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.args(arguments).arg("oversleep").env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        run(&mut command).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let shared = flags(&["--cflags", "--libs"]);
    // As in the manual page; `-static`, because the linker would otherwise take the shared library beside the archive.
    // On systems without static C libraries the archive is named on the command line.
    let mut fixed = flags(&["--static", "--cflags", "--libs"]);
    if cfg!(target_os = "linux") {
        fixed.insert(0, "-static".to_owned());
    } else {
        let archive = prefix.join("lib/liboversleep.a").display().to_string();
        fixed.iter_mut().filter(|flag| *flag == "-loversleep").for_each(|flag| flag.clone_from(&archive));
    }
    compiles_in_cpp(here, folder.path(), &shared);
    for (name, flags) in [("shared", shared), ("static", fixed)] {
        let program = folder.path().join(name);
        run(compiler().arg("-o").arg(&program).arg(here.join("tests/c/smoke.c")).args(&flags));
        for example in ["frames.c", "ticker.c"] {
            let source = here.join("examples").join(example);
            run(compiler().arg("-o").arg(folder.path().join("frames")).arg(source).args(&flags));
        }
        if name == "shared" {
            follows_the_readme(here, folder.path());
            records_the_interface(&program, &prefix);
        }
        let mut program = Command::new(&program);
        if name == "shared" {
            program.env("LD_LIBRARY_PATH", prefix.join("lib")).env("DYLD_LIBRARY_PATH", prefix.join("lib"));
        }
        assert_eq!(run(&mut program), "liboversleep works from C\n", "{name}");
    }
}
