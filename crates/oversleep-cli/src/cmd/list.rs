//! `list`: shows sleep methods, timers of runtimes, simulated kernels or recordings.

mod recordings;

use crate::args::{ListArgs, Listed};
use crate::failure::Failure;
use crate::show::json;
use oversleep_lab::report::{methods, runtime_apis};
use oversleep_os::method;
use oversleep_recording::catalog::{ROWS, System};
use oversleep_recording::document::{Methods, RuntimeApis};
use oversleep_recording::runtimes::APIS;
use std::io::Write;

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    if args.all && args.what != Listed::Methods {
        return Err(Failure::usage("--all is for `oversleep list methods`; the others are not listed by system"));
    }
    match args.what {
        Listed::Methods => {}
        Listed::Runtimes => return runtimes(args),
        Listed::Presets => return super::simulate::presets::list(args.shown),
        Listed::Recordings => return recordings::list(args.shown),
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
    if args.shown.json {
        json(&mut out, &Methods::from_rows(&shown))?;
    } else {
        write!(out, "{}", methods::text(&shown, args.shown.screen()))?;
    }
    Ok(out.flush()?)
}

/// Lists the timers of language runtimes. It does not find out which are installed; `runtimes` does.
fn runtimes(args: &ListArgs) -> Result<(), Failure> {
    let found = RuntimeApis::from_rows(APIS);
    let mut out = anstream::stdout().lock();
    if args.shown.json {
        json(&mut out, &found)?;
    } else {
        write!(out, "{}", runtime_apis::text(&found, args.shown.screen()))?;
    }
    Ok(out.flush()?)
}
