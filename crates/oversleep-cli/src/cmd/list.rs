//! `list`: what can be measured here.

use crate::args::{ListArgs, Listed};
use crate::failure::Failure;
use crate::show::json;
use oversleep_lab::report::methods;
use oversleep_os::method;
use oversleep_recording::catalog::{ROWS, System};
use oversleep_recording::document::Methods;
use std::io::Write;

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    args.output.no_csv("--json is for programs")?;
    args.output.no_checks("nothing is measured")?;
    if args.what == Listed::Presets {
        return super::simulate::presets::list(&args.output);
    }
    let here: Vec<_> = method::entries().map(|entry| entry.id).collect();
    let shown: Vec<_> = ROWS
        .iter()
        .filter(|row| {
            args.all || here.contains(&row.id) || System::HERE.is_some_and(|here| row.systems.contains(&here))
        })
        .map(|row| (row, here.contains(&row.id)))
        .collect();
    let mut out = anstream::stdout().lock();
    if args.output.json {
        json(&mut out, &Methods::of(&shown))?;
    } else {
        write!(out, "{}", methods::table(&shown, args.output.look()))?;
    }
    Ok(out.flush()?)
}
