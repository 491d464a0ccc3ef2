//! `simulate`: the experiments of `measure` on a kernel model instead of this machine.

pub(crate) mod presets;
mod sweep;
mod versus;

use super::measure::{self, Samples};
use crate::args::{Experiment, Keep, MeasureArgs};
use crate::failure::Failure;
use crate::input::{Input, is_standard};
use crate::{running, show};
use clap::Args as ClapArgs;
use oversleep_lab::session::{Results, Run, frequency_changes, kernel, plan};
use oversleep_recording::Sink;
use oversleep_recording::plan::Plan;
use oversleep_sim::{FrequencyChange, Kernel, Sweep};
use std::io::Read;
use std::path::Path;

#[derive(ClapArgs)]
pub(crate) struct SimulateArgs {
    /// A preset (`oversleep list presets`), or a TOML file (`-`: standard input): `base = "a preset"`, then `[parameters]`
    #[arg(value_name = "PRESET|FILE")]
    pub(crate) kernel: String,
    /// Change a parameter, such as hz=1000 or round=ceil; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// A second kernel to put beside it
    #[arg(long, value_name = "PRESET|FILE", conflicts_with = "sweep")]
    pub(crate) vs: Option<String>,
    /// Run on many kernels: hz=100..20000 (geometric; /N for how many) or hz=100,1000,5000
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) sweep: Option<Sweep>,
    /// Change the clock's frequency in mid-run, as ntptime does: '300s ntp_ppm=-10'; may be repeated
    #[arg(long, value_name = "TIME CHANGE", num_args = 1..=2, action = clap::ArgAction::Append, allow_hyphen_values = false)]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) measure: Box<MeasureArgs>,
}

/// `NAME=VALUE`.
fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write it as hz=1000".to_owned()),
    }
}

/// A simulation told by the command line.
struct Told<'a> {
    args: &'a SimulateArgs,
    plan: Plan,
    changes: Vec<FrequencyChange>,
}

pub(crate) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    if args.measure.time_limit.is_some() {
        return Err(Failure::usage("--time-limit is for machines; simulated time takes none, so use --repeats"));
    }
    if args.measure.trace.trace {
        return Err(Failure::usage("--trace is for machines; a simulated kernel keeps no trace"));
    }
    let model = changed(&load(&args.kernel)?, &args.set)?;
    args.measure.check()?;
    if args.measure.trace.trace {
        return Err(Failure::usage("--trace is for machines; a simulated kernel keeps no trace"));
    }
    let plan = plan(&args.measure.request())?;
    let told =
        Told { args, plan, changes: frequency_changes(args.at.iter().map(String::as_str)).map_err(Failure::usage)? };
    if args.sweep.is_some() || args.vs.is_some() {
        args.measure.output.no_checks("a limit is checked on one kernel at a time")?;
    }
    if let Some(over) = &args.sweep {
        return sweep::run(&told, &model, over);
    }
    match &args.vs {
        None => alone(&told, &model),
        Some(other) => versus::run(&told, &model, &changed(&load(other)?, &args.set)?),
    }
}

/// Bytes beyond which a file describes no kernel: there is not that much to say.
const LARGEST: u64 = 1 << 20;

/// Returns the preset of that name, or else the kernel in that file.
fn load(name: &str) -> Result<Kernel, Failure> {
    kernel(name, || {
        if !is_standard(Path::new(name)) && !Path::new(name).exists() {
            return Err(Failure::usage(format!(
                "no preset and no file is called '{name}'; `oversleep list presets` shows the presets"
            )));
        }
        let Input { name, bytes } = Input::open(Path::new(name))?;
        let mut text = String::new();
        let read = bytes.take(LARGEST + 1).read_to_string(&mut text);
        let read = read.map_err(|error| Failure::trouble(format!("cannot read {name}: {error}")))?;
        if read as u64 > LARGEST {
            return Err(Failure::trouble(format!("{name}: more than a MiB, so it describes no kernel")));
        }
        Ok((name, text))
    })
}

fn changed(kernel: &Kernel, set: &[(String, String)]) -> Result<Kernel, Failure> {
    let set: Vec<(&str, &str)> = set.iter().map(|(name, value)| (&**name, &**value)).collect();
    kernel.set_all(&set).map_err(Failure::usage)
}

/// One kernel: same recording, same tables as a measurement.
fn alone(told: &Told<'_>, kernel: &Kernel) -> Result<(), Failure> {
    let args = &told.args.measure;
    let herman = args.experiment == Some(Experiment::Herman) && !args.output.json && !args.output.csv;
    // In the unit of the article, so that a reader who has it recognises the numbers.
    let mut printer = measure::Printer::new(true, args.debug);
    let lines = herman.then_some(&mut printer as &mut dyn Sink);
    let mut csv = Samples::new(&args.output, &told.plan);
    let results = carry_out(told, kernel, lines.or(csv.sink()))?;
    csv.close(&results)?;
    printer.finish()?;
    if args.output.csv || herman && args.as_published {
        return Ok(());
    }
    show::results(&results, &args.output)
}

/// Runs the plan on a kernel. A simulation can be repeated from its seed, so it is kept only if a file is named.
fn carry_out(told: &Told<'_>, kernel: &Kernel, subscriber: Option<&mut dyn Sink>) -> Result<Results, Failure> {
    let args = &told.args.measure;
    let keep = Keep { no_save: args.keep.out.is_none(), ..args.keep.clone() };
    let run = Run { keep: keep.place()?, subscriber, late: args.late.request(None), ..running::unstoppable() };
    Ok(run.simulate(kernel, &told.plan, &told.changes)?)
}
