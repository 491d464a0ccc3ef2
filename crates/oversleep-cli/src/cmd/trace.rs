//! `trace`: where each microsecond of an oversleep went, by the kernel's own account.

use crate::args::{LateArgs, look, values};
use crate::failure::Failure;
use crate::late::Deeds;
use crate::say::say;
use crate::session;
use clap::{Args, ColorChoice};
use oversleep_lab::capture::trace::{BLOCK, Options, Tier, run_watching as sleep};
use oversleep_lab::report::breakdown::Findings;
use oversleep_lab::report::late;
use oversleep_os::trace::Setup;
use oversleep_recording::Note;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Load, LoadKind, Policy};
use oversleep_sys::units::Nanos;
use std::io::Write;

/// What `trace` can be told.
#[derive(Args)]
pub(crate) struct TraceArgs {
    /// The method, as `oversleep list` names it
    #[arg(long, short, default_value = DEFAULT_METHODS.trace.name(), value_name = "NAME")]
    method: String,
    /// How long to sleep
    #[arg(long, short, default_value = "1ms", value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    request: Nanos,
    /// Traced sleeps; as many are made untraced, in turns
    #[arg(long, short = 'n', default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    repeats: u64,
    /// Sleeps of a block before tracing is turned on or off
    #[arg(long, default_value_t = BLOCK, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    block: u64,
    /// Scheduling policy: other, batch, idle, fifo:80, rr:10, deadline:100us/1ms
    #[arg(long, short, value_name = "POLICY")]
    policy: Option<Policy>,
    /// Timer slack, such as 1ns
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    slack: Option<Nanos>,
    /// Processors the thread may use, such as 0 or 0-3
    #[arg(long, short, value_parser = values::cpus, value_name = "CPUS")]
    affinity: Option<values::Cpus>,
    /// Busy threads beside the sleeper
    #[arg(long, short, value_name = "N")]
    load: Option<u16>,
    /// The best evidence to use: events, switches, counters or slack
    #[arg(long, default_value = "events", value_parser = values::tier, value_name = "TIER")]
    tier: Tier,
    /// Record the chain of marks alone: fewer events, less disturbance, no interrupts among the culprits
    #[arg(long)]
    marks_only: bool,
    #[command(flatten)]
    late: LateArgs,
    /// Results as JSON
    #[arg(long)]
    json: bool,
    /// With --json, every sleep's breakdown as well
    #[arg(long, requires = "json")]
    every: bool,
    /// When to use colour
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    color: ColorChoice,
}

/// Sleeps and shows. Nothing is printed while sleeping.
pub(crate) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let options = options(args)?;
    let stamp: String = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let mut deeds = Deeds::new(&args.late, &options.stop, Some(format!("oversleep-{stamp}").into()));
    let mut note = Note::default();
    let rule = args.late.rule(Some(args.tier));
    let (run, late) =
        sleep(&options, rule, &mut |finding| note.marks.push(deeds.act(finding))).map_err(Failure::trouble)?;
    deeds.finish();
    note.late = late;
    let findings = Findings::new(&options, &run);
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut document = findings.json(args.every);
        if note.late.is_some() {
            document["late"] = late::json(&note);
        }
        writeln!(out, "{document:#}")?;
    } else {
        let look = look(args.color);
        write!(out, "{}", findings.text(look))?;
        write!(out, "{}", late::text(&note, |_| args.method.clone(), look))?;
    }
    out.flush()?;
    let traced = run.breakdowns.len() as u64;
    if options.stop.stopped() && traced < options.sleeps && !note.late.is_some_and(|late| late.stopped) {
        say!("interrupted; this is what was traced until then: {traced} of {} sleeps", options.sleeps);
    }
    if run.breakdowns.is_empty() && !note.late.is_some_and(|late| late.stopped) {
        return Err(Failure::trouble("no sleep was traced; the lines above say why"));
    }
    Ok(())
}

fn options(args: &TraceArgs) -> Result<Options, Failure> {
    let method = values::method(&args.method).map_err(Failure::usage)?.id;
    let conditions = Conditions {
        policy: args.policy,
        timer_slack: args.slack,
        affinity: args.affinity.clone().map(|cpus| cpus.0),
        load: args.load.map(|threads| Load { threads, kind: LoadKind::Spin }),
        ..Conditions::default()
    };
    Ok(Options {
        method,
        requested: args.request,
        sleeps: args.repeats,
        block: args.block,
        conditions,
        best: args.tier,
        setup: Setup { explain: !args.marks_only, ..Setup::default() },
        stop: session::on_signals()?,
    })
}
