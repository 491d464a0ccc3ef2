//! A C program built and run against an installed prefix, shared and static.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the library: the tests' own lie in `deps` below it.
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

#[test]
fn a_c_program_finds_links_and_uses_the_installed_library() {
    let missing: Vec<_> = ["sh", "cc", "pkg-config"].into_iter().filter(|tool| *tool != "sh" && !has(tool)).collect();
    if !missing.is_empty() {
        eprintln!("not tested: this machine has no {}", missing.join(" and no "));
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
    let prefix = folder.path().join("prefix");
    run(Command::new("sh").arg(here.join("install.sh")).arg(built()).arg(&prefix));

    let flags = |arguments: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.args(arguments).arg("oversleep").env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        run(&mut command).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let shared = flags(&["--cflags", "--libs"]);
    // The archive by name, or the linker would take the shared library beside it.
    let archive = prefix.join("lib/liboversleep.a").display().to_string();
    let fixed: Vec<_> = flags(&["--static", "--cflags", "--libs"])
        .into_iter()
        .map(|flag| if flag == "-loversleep" { archive.clone() } else { flag })
        .collect();
    for (name, flags) in [("shared", shared), ("static", fixed)] {
        let program = folder.path().join(name);
        run(Command::new("cc")
            .args(["-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread", "-o"])
            .arg(&program)
            .arg(here.join("tests/c/smoke.c"))
            .args(&flags));
        let mut program = Command::new(&program);
        if name == "shared" {
            program.env("LD_LIBRARY_PATH", prefix.join("lib")).env("DYLD_LIBRARY_PATH", prefix.join("lib"));
        }
        assert_eq!(run(&mut program), "liboversleep works from C\n", "{name}");
    }
}
