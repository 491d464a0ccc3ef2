//! Options that an experiment does not hear are refused: whoever gave one believes that it was in force.

use crate::args::{Experiment, MeasureArgs};
use oversleep_recording::plan::Pattern;

/// Every option that only some experiments heed, and those lists of which an experiment takes one value.
pub(super) fn all(args: &MeasureArgs) -> Result<(), String> {
    use Experiment::{Herman, Oneill, Periodic, Rizzo};
    let this = args.experiment;
    let heard = |given: bool, option: &str, by: &[Option<Experiment>], who: &str| {
        if !given || by.contains(&this) { Ok(()) } else { Err(format!("{option} is for {who}; leave it out here")) }
    };
    heard(args.period.is_some(), "--period", &[Some(Periodic)], "--experiment periodic")?;
    heard(args.from.is_some(), "--from", &[Some(Rizzo)], "--experiment rizzo")?;
    heard(args.to.is_some(), "--to", &[Some(Rizzo)], "--experiment rizzo")?;
    heard(args.as_published, "--as-published", &[Some(Herman)], "--experiment herman")?;
    heard(args.debug, "--debug", &[Some(Herman)], "--experiment herman")?;
    let grids = [None, Some(Rizzo)];
    heard(!args.request.is_empty(), "--request", &grids, "plain measurements and --experiment rizzo")?;
    if !args.request.is_empty() && (args.from.is_some() || args.to.is_some()) {
        return Err("--request names the requests, so there is no sweep --from or --to".to_owned());
    }
    if args.load_kind.is_some() && args.load.is_empty() && this != Some(Oneill) {
        return Err("--load-kind says what busy threads do, and there are none; add --load".to_owned());
    }
    let lists = [("--policy", args.policy.len()), ("--slack", args.slack.len()), ("--load", args.load.len())];
    let several = lists.iter().find(|(name, values)| *values > 1 && !(*name == "--load" && this == Some(Oneill)));
    match (this, several) {
        (Some(_), Some((name, _))) => Err(format!("an experiment takes one value of {name}; run it once for each")),
        _ => Ok(()),
    }
}

/// The most sleeps of a cell that are traced: what is recorded of each is kept until the end.
const MOST_TRACED: u64 = 100_000;

/// What cannot be traced.
pub(super) fn traced(args: &MeasureArgs) -> Result<(), String> {
    let random = args.request.iter().any(|request| !matches!(request, Pattern::Fixed { .. }));
    let not = [
        (args.experiment.is_some(), "--trace is for plain measurements; leave --experiment out"),
        (args.threads > 1, "--trace watches one thread; leave --threads out"),
        (random, "--trace takes single requests, not ranges"),
        (args.phase.is_some(), "--trace leaves nothing between two sleeps but what it records; leave --phase out"),
        (args.late_tier.late_tier.is_some(), "with --trace, --tier says which evidence is used; leave --late-tier out"),
        (args.flush_every.is_some(), "--flush-every is not for --trace"),
        (args.repeats.is_some_and(|repeats| repeats > MOST_TRACED), "--trace takes at most 100000 sleeps"),
    ];
    match not.iter().find(|(given, _)| *given) {
        Some((_, why)) => Err((*why).to_owned()),
        None => all(args),
    }
}
