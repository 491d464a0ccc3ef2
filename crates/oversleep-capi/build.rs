//! Names the shared library as the programs that link against it will look for it.
//!
//! The number is that of the interface: it changes when a program built against an older header would no longer work.

use std::env;

/// As in `install.sh`, which makes the links of these names.
const INTERFACE: &str = "0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    match (target("FAMILY").as_str(), target("VENDOR").as_str()) {
        ("unix", "apple") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liboversleep.{INTERFACE}.dylib");
        }
        ("unix", _) => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liboversleep.so.{INTERFACE}"),
        // Windows finds a DLL by its file's name.
        _ => {}
    }
}
