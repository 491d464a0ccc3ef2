//! `runtimes`: measures what the timers of language runtimes add to the kernel's lateness.

use super::probes::{command, conditions, draw, name, traced};
use crate::args::{ApiName, RuntimesArgs};
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::say::say;
use crate::{running, show};
use oversleep_lab::capture::runtimes::{Launch, SleepCounts, judged, runtimes};
use oversleep_lab::session::{ExtraSleeps, Runner, method};
use oversleep_recording::End;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Plan};
use oversleep_recording::runtimes::{APIS, Api};
use oversleep_sys::units::Nanos;

/// Default requests: a frame at 60 Hz, a period at 1000 Hz, and requests that are not whole milliseconds.
const REQUESTS: [Nanos; 4] =
    [Nanos::from_micros(100), Nanos::MILLISECOND, Nanos::from_micros(1_500), Nanos::from_micros(16_670)];
/// Sleeps of each API before its first sample, to warm up compilers and caches.
const WARM_UP: u64 = 50;

pub(crate) fn run(args: &RuntimesArgs) -> Result<(), Failure> {
    let requests = if args.request.is_empty() { &REQUESTS[..] } else { &args.request };
    let Subjects { plan, launches, warm_up } = subjects(args, requests, &conditions(&args.conditions.requested)?)?;
    let bar = new_bar(args.quiet, 20);
    let run = Runner { keep: args.keep.place()?, time_limit: args.duration, ..running::run()? };
    let results =
        run.runtimes(plan, &launches, ExtraSleeps { warm_up, traced: traced(args.trace) }, &mut |progress| {
            draw(&bar, progress);
        })?;
    bar.finish_and_clear();
    if results.note.end == Some(End::Interrupted) {
        say!("interrupted; this is what was measured until then");
    }
    show::print(if args.shown.json { Ok(results.json()) } else { Err(results.text(args.shown.screen())) })?;
    match &results.runtimes {
        Some(found) if found.apis.is_empty() => {
            Err(Failure::trouble(format!("no runtime could be measured: {}", show::reason(&results))))
        }
        _ => Ok(()),
    }
}

/// The plan, and the programs that carry it out.
struct Subjects {
    plan: Plan,
    launches: Vec<Launch>,
    warm_up: u64,
}

fn subjects(args: &RuntimesArgs, requests: &[Nanos], conditions: &Conditions) -> Result<Subjects, Failure> {
    let counts = SleepCounts { sleeps: args.count };
    let Some(line) = &args.command else {
        let apis: Vec<&'static Api> = APIS.iter().filter(|api| is_wanted(api, &args.only)).collect();
        let plan = runtimes(&apis, requests, counts, conditions);
        return Ok(Subjects { plan, launches: apis.into_iter().map(Launch::Api).collect(), warm_up: WARM_UP });
    };
    let native = match &args.native {
        Some(name) => method(name)?.id,
        None => DEFAULT_METHODS.periodic,
    };
    let name = name(line);
    let plan = judged(&name, native, requests, counts, conditions).map_err(Failure::usage)?;
    let most = plan.cells.iter().map(|cell| plan.sleeps(cell)).max().unwrap_or_default();
    let launch = command(line, name, requests, most);
    // A program that takes no orders makes its sleeps in one go, without a warm-up: its first sleeps count.
    Ok(Subjects { plan, launches: vec![launch], warm_up: 0 })
}

fn is_wanted(api: &Api, only: &[ApiName]) -> bool {
    only.is_empty() || only.iter().any(|ApiName(name)| api.name == name || api.runtime().name == name)
}
