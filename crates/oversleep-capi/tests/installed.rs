//! C programs built and run against an installed prefix, shared and static.

mod common;

use common::{Installed, compilers, has, here, is_cpp, is_lacking, run, strict};
use std::path::Path;
use std::process::Command;

/// Checks that a program loads the library by its interface version, and finds it only by that name: the name that
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

/// Checks that the installed archive carries neither debug information nor the compiler's intermediate code.
fn carries_only_code(installed: &Installed) {
    if !cfg!(target_os = "linux") || !has("readelf") || !has("objcopy") {
        println!("not tested: whether the archive carries code alone");
        return;
    }
    let sections = |archive: &Path| run(Command::new("readelf").args(["--section-headers", "--wide"]).arg(archive));
    let built = sections(&installed.built.join("liboversleep_capi.a"));
    let installed_sections = sections(&installed.prefix.join("lib/liboversleep.a"));
    for section in [" .debug_info ", " .debug_str ", " .llvmbc "] {
        assert!(built.contains(section), "the built archive has no{section}: nothing to take out any more?");
        assert!(!installed_sections.contains(section), "the installed archive has{section}");
    }
}

/// Runs the README's commands for another prefix, unchanged, on the README's example.
fn follows_the_readme(home: &Path) {
    let readme = std::fs::read_to_string(here().join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.into_iter().find(|block| block.contains("PKG_CONFIG_PATH")).unwrap();
    std::fs::copy(here().join("examples/frames.c"), home.join("frames.c")).unwrap();
    let mut shell = Command::new("sh");
    let output =
        run(shell.args(["-e", "-c", commands]).env("HOME", home).env_remove("LD_LIBRARY_PATH").current_dir(home));
    let starts: Vec<_> = output.lines().map(|line| line.split_once(" was ").map(|(start, _)| start)).collect();
    assert_eq!(starts, [Some("frame 1"), Some("frame 2"), Some("frame 3")], "{output}");
}

#[test]
fn what_cannot_be_installed_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let shell = here().join("install.sh");
    let refused = |arguments: &[&str], reason: &str| {
        let output = match Command::new("sh").arg(&shell).args(arguments).current_dir(folder.path()).output() {
            Ok(output) => output,
            Err(error) => return println!("not tested: this machine has no sh ({error})"),
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

#[test]
fn a_c_program_finds_links_and_uses_the_installed_library() {
    if is_lacking(&["cc", "pkg-config"]) {
        return;
    }
    let installed = Installed::new();
    let home = installed.home.path();
    carries_only_code(&installed);
    for (name, flags) in [("shared", installed.shared()), ("static", installed.fixed())] {
        let compiled = |source: &str, name: &str| {
            let program = home.join(name);
            let mut compiler = strict("cc", "c99");
            run(compiler.arg("-o").arg(&program).arg(here().join("tests/c").join(source)).args(&flags));
            program
        };
        let smoke = compiled("smoke.c", name);
        let misuse = compiled("misuse.c", &format!("misuse-{name}"));
        if name == "shared" {
            follows_the_readme(home);
            records_the_interface(&smoke, &installed.prefix);
        }
        assert_eq!(run(&mut installed.start(&smoke)), "liboversleep works from C\n", "{name}");
        let output = run(&mut installed.start(&misuse));
        let refused: usize = output.strip_suffix(" misuses refused\n").unwrap().parse().unwrap();
        assert!(refused > 300, "{output}");
    }
}

/// A program that ignores results explicitly.
const IGNORES: &str = "#include <oversleep.h>
int main(void) {
    oversleep_sleeper *sleeper;
    (void)oversleep_sleeper_new(0, &sleeper);
    (void)oversleep_sleeper_sleep_for(sleeper, 1, 0);
    oversleep_sleep(1, 0);
    (void)oversleep_sleep_until(1, 0);
    oversleep_sleeper_free(sleeper);
    return 0;
}
";

#[test]
fn results_may_be_ignored_in_so_many_words_under_every_standard() {
    let folder = tempfile::tempdir().unwrap();
    let compilers = compilers();
    if compilers.is_empty() {
        return println!("not tested: this machine has no compiler for C");
    }
    for (compiler, standard) in compilers {
        let compile = |text: &str| {
            let source = folder.path().join(if is_cpp(standard) { "ignores.cpp" } else { "ignores.c" });
            std::fs::write(&source, text).unwrap();
            let mut command = strict(compiler, standard);
            command.arg("-fsyntax-only").arg("-I").arg(here().join("include")).arg(&source).output().unwrap()
        };
        let output = compile(IGNORES);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler} -std={standard}: {errors}");
        // Where the compiler can be asked for it, a status that is silently dropped is a warning, and here an error.
        if is_cpp(standard) {
            let dropped = IGNORES.replace("(void)oversleep_sleeper_new", "oversleep_sleeper_new");
            assert!(!compile(&dropped).status.success(), "{compiler} -std={standard} says nothing");
        }
    }
}
