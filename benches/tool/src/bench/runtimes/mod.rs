//! `runtimes`: the timers of the installed runtimes, and rules planted in a runtime made for the test.

mod planted;
mod table;

use super::Options;
use super::sheet;
use super::tool;
use std::path::{Path, PathBuf};

/// Parts that can be measured; `write` measures the table and writes it into docs/RUNTIMES.md.
const PARTS: [&str; 3] = ["table", "write", "planted"];

pub(super) fn run(options: &Options) -> Result<(), String> {
    // A file is a build of `oversleep` to measure with, instead of a new one.
    let (files, parts): (Vec<&String>, Vec<&String>) = options.own.iter().partition(|own| Path::new(own).is_file());
    if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(&part.as_str())) {
        return Err(format!("no part is called '{unknown}'; use {}, or the file of a build", PARTS.join(", ")));
    }
    let wanted = |part: &str| parts.is_empty() && part != "write" || parts.iter().any(|own| *own == part);
    let ours = files.first().map_or_else(tool::release, |file| Ok(PathBuf::from(file)))?;
    println!("{}", sheet::place());
    if wanted("table") || wanted("write") {
        table::run(options, &ours, wanted("write"))?;
    }
    if wanted("planted") { planted::run(options, &ours) } else { Ok(()) }
}
