//! The timers of the runtimes that are installed, and the rules planted in one that is not.

mod planted;
mod table;

use super::Options;
use super::sheet;
use super::tool;

/// What is measured; `write` also puts the table into docs/RUNTIMES.md.
const PARTS: [&str; 3] = ["table", "write", "planted"];

pub(super) fn run(options: &Options) -> Result<(), String> {
    if let Some(unknown) = options.own.iter().find(|part| !PARTS.contains(&part.as_str())) {
        return Err(format!("no part is called '{unknown}'; use {}", PARTS.join(", ")));
    }
    let wanted = |part: &str| options.own.is_empty() && part != "write" || options.own.iter().any(|own| own == part);
    let ours = tool::release()?;
    println!("{}", sheet::place());
    if wanted("table") || wanted("write") {
        table::run(options, &ours, wanted("write"))?;
    }
    if wanted("planted") { planted::run(options, &ours) } else { Ok(()) }
}
