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
    let (files, words): (Vec<&String>, Vec<&String>) = options.own.iter().partition(|own| Path::new(own).is_file());
    let mut planted = planted::Wanted::default();
    let parts: Vec<&String> = words.into_iter().filter(|word| !planted.add(word)).collect();
    if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(&part.as_str())) {
        let planted = "planted with quiet or loaded and the names of rules";
        return Err(format!(
            "no part is called '{unknown}'; use {} ({planted}), or the file of a build",
            PARTS.join(", ")
        ));
    }
    let all = parts.is_empty() && planted.is_empty();
    let wanted = |part: &str| all && part != "write" || parts.iter().any(|own| *own == part);
    let ours = files.first().map_or_else(tool::release, |file| Ok(PathBuf::from(file)))?;
    println!("{}", sheet::place());
    if wanted("table") || wanted("write") {
        table::run(options, &ours, wanted("write"))?;
    }
    if wanted("planted") || !planted.is_empty() { planted::run(options, &planted, &ours) } else { Ok(()) }
}
