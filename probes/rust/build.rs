//! Passes the versions of the compiler and of the runtimes to the program.

use std::env;
use std::fs;
use std::process::Command;

const RUNTIMES: [&str; 4] = ["tokio", "async-io", "smol", "crossbeam-channel"];

fn main() {
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string("Cargo.lock").expect("Cargo.lock stands beside Cargo.toml");
    for name in RUNTIMES {
        let version = version(&lock, name).unwrap_or("?");
        println!("cargo::rustc-env=VERSION_{}={version}", name.replace('-', "_"));
    }
    let compiler = Command::new(env::var("RUSTC").expect("cargo names the compiler")).arg("--version").output();
    let said = compiler.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    println!("cargo::rustc-env=VERSION_rust={}", said.split_whitespace().nth(1).unwrap_or("?"));
}

fn version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let package = lock.split("[[package]]").find(|package| package.contains(&format!("name = \"{name}\"\n")))?;
    package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
}
