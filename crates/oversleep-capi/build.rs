//! Sets the name by which programs that link against the shared library look for it at run time.
//!
//! The name contains the interface version, which changes when programs built against an older header would no longer
//! work.

use std::env;

/// Interface version; `install.sh`, which makes the links of these names, has the same.
const INTERFACE: &str = "0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    match (target("FAMILY").as_str(), target("VENDOR").as_str()) {
        ("unix", "apple") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liboversleep.{INTERFACE}.dylib");
        }
        ("unix", _) => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liboversleep.so.{INTERFACE}"),
        // Windows finds a DLL by its file name.
        _ => {}
    }
}
