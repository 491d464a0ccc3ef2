//! `runtimes`: measures what the timers of language runtimes add to the kernel's lateness.

use super::probes::{command, conditions, draw, name, traced};
use crate::args::{ConditionArgs, ConditionOption, ConditionSet, KeepArgs, OutputFormat, chosen, names, values};
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::say::say;
use crate::{running, show};
use clap::Args as ClapArgs;
use oversleep_lab::capture::runtimes::{Launch, SleepCounts, judged, runtimes};
use oversleep_lab::session::{ExtraSleeps, Runner, method};
use oversleep_recording::End;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Plan};
use oversleep_recording::runtimes::{APIS, Api, RUNTIMES, Runtime};
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

/// Conditions that runtimes inherit.
#[derive(Clone)]
pub(crate) struct OfRuntimes;

impl ConditionSet for OfRuntimes {
    fn options() -> Vec<ConditionOption> {
        chosen(&[
            ("affinity", "Processors the runtimes may use, such as 0 or 0-3"),
            ("policy", "Scheduling policy of the runtimes: other, batch or idle"),
            ("timer_slack", "Timer slack of the runtimes, such as 1ns"),
            (
                "load",
                "Number of busy threads during the sleeps, or of callbacks, goroutines and threads inside the runtimes (--load-kind)",
            ),
            (
                "load_kind",
                "With --load: what is busy: spin, memory (walk memory), syscalls, timers (sleep shortly), or runtime (inside the runtimes)",
            ),
        ])
    }
}

/// What `runtimes` accepts.
#[derive(ClapArgs)]
pub(crate) struct RuntimesArgs {
    /// Only these runtimes or APIs, such as python,go-ticker [default: every one that is installed]
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = named)]
    pub(crate) only: Vec<ApiName>,
    /// Measure this command instead, which prints a table of its sleeps (docs/RUNTIMES.md says how)
    #[arg(long, value_name = "CMD", conflicts_with = "only", value_parser = values::command_line)]
    pub(crate) command: Option<String>,
    /// With --command: the kernel's primitive that it should stand on, measured in turns with it, as `oversleep list`
    /// names it [default: an absolute sleep]
    #[arg(long, value_name = "METHOD", requires = "command", conflicts_with = "only", value_parser = names::METHOD, hide_possible_values = true)]
    pub(crate) native: Option<String>,
    /// Requests [default: 100us,1ms,1.5ms,16.67ms]
    #[arg(long, short, value_delimiter = ',', value_name = "TIME", value_parser = values::positive, allow_hyphen_values = true)]
    pub(crate) request: Vec<Nanos>,
    /// Sleeps of each API and request, at most 100000 [default: 300 of up to 1 ms; of longer ones as many as take 150 ms]
    #[arg(long, short = 'n', value_name = "N", value_parser = values::whole::<u64>(1..=100_000))]
    pub(crate) count: Option<u64>,
    /// End the run after this time
    #[arg(long, short, value_parser = values::duration, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs<OfRuntimes>,
    /// Then sleep some more with the system calls recorded, and say which calls the sleeps became and which times the kernel got
    /// (Linux, needs root)
    #[arg(long)]
    pub(crate) trace: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
}

/// The name of a runtime or of an API.
#[derive(Debug, Clone)]
pub(crate) struct ApiName(pub(crate) String);

fn named(name: &str) -> Result<ApiName, String> {
    let runtime = Runtime::from_written(name).map(|runtime| runtime.name);
    if let Some(known) = runtime.or_else(|| Api::from_written(name).map(|api| api.name)) {
        return Ok(ApiName(known.to_owned()));
    }
    let bare = name.to_lowercase();
    let is_near = |api: &&Api| !bare.is_empty() && (api.call.to_lowercase() == bare || api.name.contains(&bare));
    let similar: Vec<&str> = APIS.iter().filter(is_near).map(|api| api.name).collect();
    let runtime = bare.split(['-', '.', ' ']).next().and_then(Runtime::from_written);
    let known: Vec<&str> = match runtime {
        _ if !similar.is_empty() => similar,
        Some(runtime) => {
            let apis = APIS.iter().filter(|api| api.is_of(runtime)).map(|api| api.name);
            [runtime.name].into_iter().chain(apis).collect()
        }
        None => RUNTIMES.iter().map(|runtime| runtime.name).collect(),
    };
    Err(format!("no runtime or API is called '{name}'; use {}", known.join(", ")))
}
