//! Arguments of `runtimes`.

use super::{ConditionArgs, ConditionOption, ConditionSet, KeepArgs, OutputFormat, chosen, names, values};
use clap::Args as ClapArgs;
use oversleep_recording::runtimes::{APIS, Api, RUNTIMES, Runtime};
use oversleep_sys::units::Nanos;

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
