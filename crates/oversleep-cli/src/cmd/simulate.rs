//! `simulate`: the experiments of `measure` on a kernel model instead of this machine.

use super::measure::{self, Samples};
use crate::args::{LateArgs, OutArgs, OutputArgs, OverArgs, PlanArgs, WorkArgs, names};
use crate::failure::Failure;
use crate::input::refuse_overwriting;
use crate::{running, show};
use clap::{ArgGroup, Args as ClapArgs};
use oversleep_lab::report::kernels;
use oversleep_lab::session::{Results, Runner, frequency_changes, is_standard, kernel, open_bytes, plan};
use oversleep_recording::Sink;
use oversleep_recording::plan::{Kind, Plan, Policy};
use oversleep_sim::document::swept;
use oversleep_sim::{Arithmetic, Cut, FrequencyChange, Kernel, Sweep, sweep};
use std::io::Read;
use std::path::Path;

/// A simulation that the command line asks for: its arguments, plan and changes of the clock's frequency.
struct Request<'a> {
    args: &'a SimulateArgs,
    plan: Plan,
    changes: Vec<FrequencyChange>,
}

pub(crate) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    check_duration(&args.plan)?;
    let model = changed(&load(&args.kernel)?, &args.set)?;
    let kernels = [Some(&args.kernel), args.vs.as_ref()].into_iter().flatten();
    refuse_overwriting(args.out.out.as_deref(), kernels.map(Path::new))?;
    args.plan.check()?;
    args.work.check(args.plan.interval)?;
    args.over.refuse_beside(args.output.csv.then_some("--csv"))?;
    args.output.checks.before(args.plan.keeps_schedule(), args.work.work)?;
    let plan = plan(&args.plan.request())?;
    check_priorities(&plan)?;
    let changes = frequency_changes(args.at.iter().map(String::as_str)).map_err(Failure::usage)?;
    model.accepts(&changes)?;
    let request = Request { args, plan, changes };
    if args.vary.is_some() || args.vs.is_some() {
        args.output.checks.refuse("a limit is checked on one kernel at a time")?;
        args.over.refuse_beside(Some("--vs and --vary"))?;
        if args.work.work.is_some() {
            return Err(Failure::usage("--work counts the periods of one kernel; leave out --vs and --vary"));
        }
    }
    if let Some(over) = &args.vary {
        return simulate_sweep(&request, &model, over);
    }
    match &args.vs {
        None => simulate_one(&request, &model),
        Some(other) => {
            let other = changed(&load(other)?, &args.set)?;
            other.accepts(&request.changes)?;
            simulate_two(&request, &model, &other)
        }
    }
}

/// Refuses `--duration` where it has no meaning. Simulated time passes at once, so a duration can only set the number
/// of sleeps.
fn check_duration(plan: &PlanArgs) -> Result<(), Failure> {
    let refuse = |why| Err(Failure::usage(format!("on a simulated kernel --duration {why}")));
    match plan.experiment {
        _ if plan.duration.is_none() => Ok(()),
        _ if plan.count.is_some() => refuse("and --count both say how many sleeps to make; leave one of them out"),
        Some(Kind::Sweep | Kind::Load) => refuse("has no effect on this experiment; leave it out"),
        _ => Ok(()),
    }
}

/// Refuses priorities that no system gives to a real-time thread.
fn check_priorities(plan: &Plan) -> Result<(), Failure> {
    for policy in plan.cells.iter().filter_map(|cell| cell.conditions.policy) {
        if let Policy::Fifo { priority } | Policy::Rr { priority } = policy
            && !(1..=99).contains(&priority)
        {
            return Err(Failure::usage(format!("{policy}: on a simulated kernel a priority is 1 to 99")));
        }
    }
    Ok(())
}

/// Number of presets that an error suggests.
const SIMILAR: usize = 4;

/// Largest file, in bytes, that is read as a kernel model.
const LARGEST: u64 = 1 << 20;

/// Returns the preset called `name`, or else the kernel model in the file of that name.
fn load(name: &str) -> Result<Kernel, Failure> {
    kernel(name, || {
        if !is_standard(Path::new(name)) && !Path::new(name).exists() {
            return Err(no_kernel(name));
        }
        let (name, bytes) = open_bytes(Path::new(name)).map_err(Failure::trouble)?;
        let mut read = Vec::new();
        let length = bytes.take(LARGEST + 1).read_to_end(&mut read);
        let length = length.map_err(|error| Failure::trouble(format!("cannot read {name}: {error}")))?;
        let text = String::from_utf8(read).map_err(|_| {
            Failure::trouble(format!(
                "{name} is not text, so it describes no kernel; to compare recordings with a simulated one, keep that: oversleep \
                 simulate PRESET -o sim.arrows, then oversleep compare sim.arrows FILE"
            ))
        })?;
        if length as u64 > LARGEST {
            return Err(Failure::trouble(format!("{name}: more than a MiB, so it describes no kernel")));
        }
        Ok((name, text))
    })
}

/// Returns the error that no kernel has this name, with the presets whose names contain it.
fn no_kernel(name: &str) -> Failure {
    let wanted = name.to_lowercase();
    let similar: Vec<&str> =
        oversleep_sim::preset_names().filter(|preset| preset.contains(&wanted)).take(SIMILAR).collect();
    let similar = match similar.as_slice() {
        [] => String::new(),
        _ if wanted.is_empty() => String::new(),
        some => format!("did you mean {}? ", some.join(", ")),
    };
    Failure::usage(format!(
        "no preset and no file is called '{name}'; {similar}`oversleep list presets` shows the presets"
    ))
}

fn changed(kernel: &Kernel, set: &[(String, String)]) -> Result<Kernel, Failure> {
    let set: Vec<(&str, &str)> = set.iter().map(|(name, value)| (&**name, &**value)).collect();
    kernel.set_all(&set).map_err(Failure::usage)
}

/// Simulates one kernel and shows the same tables as for a measurement.
fn simulate_one(request: &Request<'_>, kernel: &Kernel) -> Result<(), Failure> {
    let SimulateArgs { plan, output, .. } = request.args;
    let lines_wanted = plan.prints_lines() && !output.json() && !output.csv;
    // In the article's unit, so that its readers recognise the numbers.
    let mut printer = measure::Printer::new(true, plan.debug);
    let lines = lines_wanted.then_some(&mut printer as &mut dyn Sink);
    let mut csv = Samples::new(output, &request.plan);
    let mut results = carry_out(request, kernel, lines.or(csv.sink()))?;
    csv.close(&results)?;
    printer.finish()?;
    if output.csv || lines_wanted && plan.as_published {
        return Ok(());
    }
    request.args.work.judge(None, |work| results.judge_by_work(work))?;
    request.args.over.count(&mut results)?;
    show::print_results(&results, output.shown, &output.checks)?;
    check_all_woke(results.note.hung.len(), "sleep")
}

/// Simulates many kernels that differ in one parameter, and shows them in one table and one plot.
fn simulate_sweep(request: &Request<'_>, kernel: &Kernel, over: &Sweep) -> Result<(), Failure> {
    let output = &request.args.output;
    if output.csv || request.args.out.out.is_some() {
        return Err(Failure::usage("--vary keeps statistics only; for samples or a file simulate one kernel"));
    }
    let rows = sweep(kernel, over, &request.plan, request.args.plan.seed, &request.changes, Arithmetic::Fixed);
    let document = swept(kernel, over, &request.plan, &rows);
    if output.json() {
        show::json(&mut anstream::stdout().lock(), &document)?;
    } else {
        show::print(Err(kernels::sweep(&document, &request.plan, output.screen())))?;
    }
    if rows.iter().all(|row| row.result.is_err()) {
        return Err(Failure::usage("no kernel can have any of these values; the lines above say why"));
    }
    let cut = rows.iter().filter_map(|row| row.result.as_ref().ok()).flat_map(|(_, outcome)| &outcome.cut);
    check_all_woke(cut.filter(|cut| cut.cut == Cut::Hangs).count(), "cell")
}

/// Simulates two kernels and shows them side by side.
fn simulate_two(request: &Request<'_>, one: &Kernel, two: &Kernel) -> Result<(), Failure> {
    let output = &request.args.output;
    if output.csv || request.args.out.out.is_some() {
        return Err(Failure::usage(
            "--vs shows the figures of two kernels; for samples or a file simulate one at a time",
        ));
    }
    let (a, b) = (carry_out(request, one, None)?, carry_out(request, two, None)?);
    if output.json() {
        let both = [a.document(), b.document()];
        return show::json(&mut anstream::stdout().lock(), &both);
    }
    let figures = kernels::versus(&a.cells, &b.cells, output.screen());
    show::print(Err(format!("A  {}\nB  {}\n\n{figures}", one.name(), two.name())))
}

/// Returns an error if sleeps of a simulation never ended.
fn check_all_woke(hung: usize, noun: &str) -> Result<(), Failure> {
    match hung {
        0 => Ok(()),
        1 => Err(Failure::trouble(format!(
            "one {noun} never ended: this kernel rounds it to no ticks, and waits for ever"
        ))),
        _ => Err(Failure::trouble(format!(
            "{hung} {noun}s never ended: this kernel rounds them to no ticks, and waits for ever"
        ))),
    }
}

/// Simulates the plan on a kernel. A simulation can be repeated from its seed, so its recording is kept only with
/// `--out`.
fn carry_out(request: &Request<'_>, kernel: &Kernel, subscriber: Option<&mut dyn Sink>) -> Result<Results, Failure> {
    let args = request.args;
    let run = Runner { keep: args.out.place()?, subscriber, late: args.late.request(None), ..running::unstoppable() };
    Ok(run.simulate(kernel, &request.plan, &request.changes)?)
}

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("csv or work").args(["csv", "work"])))]
pub(crate) struct SimulateArgs {
    /// A preset (`oversleep list presets`), or a TOML file (`-`: standard input): `base = "a preset"`, then `[parameters]`
    #[arg(value_name = "PRESET|FILE", value_parser = names::PRESETS, hide_possible_values = true)]
    pub(crate) kernel: String,
    /// Change a parameter, such as hz=1000 or round=ceil; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// A second kernel to compare it with
    #[arg(long, value_name = "PRESET|FILE", conflicts_with = "vary", value_parser = names::PRESETS, hide_possible_values = true)]
    pub(crate) vs: Option<String>,
    /// Run on many kernels: hz=100..20000 (geometric; /N for how many) or hz=100,1000,5000
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) vary: Option<Sweep>,
    /// Change the clock's frequency in mid-run, as ntptime does: '300s ntp_ppm=-10'; may be repeated
    #[arg(long, value_name = "TIME CHANGE", num_args = 1..=2, action = clap::ArgAction::Append, allow_hyphen_values = false)]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Parses `NAME=VALUE`.
fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write it as hz=1000".to_owned()),
    }
}
