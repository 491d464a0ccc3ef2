//! Options that each experiment uses. Any other option is refused, because whoever gave it would believe it was in
//! force.

use super::error::RequestError;
use super::request::MeasureRequest;
use Kind::{Load, Periodic, Sweep, WallSecond};
use oversleep_recording::plan::{Kind, Pattern};

/// An option, the experiments that use it, whether plain measurements use it, and whether it was given.
struct Accepted {
    option: &'static str,
    by: &'static [Kind],
    plain: bool,
    given: fn(&MeasureRequest) -> bool,
}

const ALL: &[Kind] = Kind::EXPERIMENTS;
const NOT_PERIODIC: &[Kind] = &[WallSecond, Sweep, Load];

const fn accepted(
    option: &'static str,
    by: &'static [Kind],
    plain: bool,
    given: fn(&MeasureRequest) -> bool,
) -> Accepted {
    Accepted { option, by, plain, given }
}

/// Every option but the seed.
const OPTIONS: &[Accepted] = &[
    accepted("method", ALL, true, |request| !request.methods.is_empty()),
    accepted("request", &[Sweep], true, |request| !request.requests.is_empty()),
    accepted("repeats", ALL, true, |request| request.repeats.is_some()),
    accepted("period", &[Periodic], false, |request| request.period.is_some()),
    accepted("from", &[Sweep], false, |request| request.from.is_some()),
    accepted("to", &[Sweep], false, |request| request.to.is_some()),
    accepted("policy", ALL, true, |request| !request.policies.is_empty()),
    accepted("nice", ALL, true, |request| request.nice.is_some()),
    accepted("affinity", ALL, true, |request| request.affinity.is_some()),
    accepted("one-cpu-each", ALL, true, |request| request.one_cpu_each),
    accepted("slack", ALL, true, |request| !request.slacks.is_empty()),
    accepted("mlock", ALL, true, |request| request.lock_memory),
    accepted("latency-hold", ALL, true, |request| request.latency_hold.is_some()),
    accepted("timer-resolution", ALL, true, |request| !request.timer_resolutions.is_empty()),
    accepted("priority-class", ALL, true, |request| request.priority_class.is_some()),
    accepted("multimedia-task", ALL, true, |request| request.multimedia_task.is_some()),
    accepted("qos", ALL, true, |request| request.qos.is_some()),
    accepted("no-throttling", ALL, true, |request| request.unthrottled),
    accepted("load", ALL, true, |request| !request.loads.is_empty()),
    accepted("load-kind", ALL, true, |request| request.load_kind.is_some()),
    accepted("threads", ALL, true, |request| request.threads.is_some_and(|threads| threads > 1)),
    accepted("phase", NOT_PERIODIC, true, |request| request.phase.is_some()),
];

/// Largest number of sleeps of a cell that can be traced: what is recorded of each is kept in memory until the end.
pub(super) const MOST_TRACED: u64 = 100_000;

/// Checks that the request can be traced; otherwise returns the first option that rules it out.
pub(super) fn check_traced(request: &MeasureRequest) -> Result<(), RequestError> {
    let random = request.requests.iter().any(|request| !matches!(request, Pattern::Fixed { .. }));
    let against = [
        (request.period.is_some(), "period", "keeps no schedule"),
        (request.experiment.is_some(), "experiment", "is for plain measurements"),
        (request.threads.is_some_and(|threads| threads > 1), "threads", "watches one thread"),
        (random, "request", "takes single requests, not ranges"),
        (request.phase.is_some(), "phase", "has nothing between two sleeps but what it records"),
        (request.repeats.is_some_and(|repeats| repeats > MOST_TRACED), "repeats", "takes at most 100000 sleeps"),
    ];
    match against.iter().find(|(given, ..)| *given) {
        Some((_, option, why)) => Err(RequestError::NotTraced { option, why }),
        None => Ok(()),
    }
}

/// Checks that every given option is used, and has no more values than are used; otherwise returns the first that is
/// not.
pub(super) fn check(request: &MeasureRequest) -> Result<(), RequestError> {
    for row in OPTIONS.iter().filter(|row| (row.given)(request)) {
        let heeded = request.experiment().map_or(row.plain, |experiment| row.by.contains(&experiment));
        if !heeded {
            let (option, heeded_by) = (row.option, row.by.to_vec());
            return Err(RequestError::NotHeeded {
                option,
                heeded_by,
                plain: row.plain,
                experiment: request.experiment(),
            });
        }
    }
    if !request.requests.is_empty() && (request.from.is_some() || request.to.is_some()) {
        return Err(RequestError::SweepAndRequests);
    }
    // O'Neill's experiment has busy threads already.
    if request.load_kind.is_some() && request.loads.is_empty() && request.experiment() != Some(Load) {
        return Err(RequestError::KindWithoutLoad);
    }
    if request.one_cpu_each && request.affinity.is_none() {
        return Err(RequestError::OneEachWithoutAffinity);
    }
    let Some(experiment) = request.experiment() else { return Ok(()) };
    let lists = [
        ("policy", request.policies.len()),
        ("slack", request.slacks.len()),
        ("timer-resolution", request.timer_resolutions.len()),
        ("load", request.loads.len()),
    ];
    match lists.iter().find(|(option, values)| *values > 1 && (experiment, *option) != (Load, "load")) {
        Some((option, _)) => Err(RequestError::OneValue { option, experiment }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Interface;
    use oversleep_recording::plan::{LoadKind, Phase, Policy, PriorityClass, Qos};
    use oversleep_sys::units::Nanos;

    fn with(experiment: Option<Kind>, set: fn(&mut MeasureRequest)) -> Result<(), RequestError> {
        let mut request = MeasureRequest { experiment, ..MeasureRequest::default() };
        set(&mut request);
        check(&request)
    }

    #[test]
    fn an_option_is_refused_where_it_is_not_heeded() {
        let period = |request: &mut MeasureRequest| request.period = Some(Nanos::MILLISECOND);
        assert_eq!(with(Some(Periodic), period), Ok(()));
        assert_eq!(with(None, period), Ok(()), "a period alone asks for a schedule");
        let error = with(Some(Sweep), period).unwrap_err();
        assert!(error.text(Interface::CommandLine).starts_with("--interval is for --experiment periodic"), "{error:?}");
        assert!(error.text(Interface::Python).starts_with("period is for experiment='periodic'"), "{error:?}");
        let error = with(Some(Periodic), |request| request.phase = Some(Phase::BackToBack)).unwrap_err();
        assert_eq!(
            error.text(Interface::CommandLine),
            "--phase is for plain measurements, --experiment wall-second, --experiment sweep and --experiment load; \
             leave it out with --experiment periodic"
        );
    }

    #[test]
    fn the_checkup_heeds_nothing() {
        let sets: [fn(&mut MeasureRequest); 22] = [
            |request| request.methods = vec!["all".into()],
            |request| request.requests = vec![Pattern::fixed(Nanos::SECOND)],
            |request| request.repeats = Some(1),
            |request| request.period = Some(Nanos::SECOND),
            |request| request.from = Some(Nanos::SECOND),
            |request| request.to = Some(Nanos::SECOND),
            |request| request.policies = vec![Policy::Idle],
            |request| request.nice = Some(1),
            |request| request.affinity = Some(vec![0]),
            |request| request.one_cpu_each = true,
            |request| request.slacks = vec![Nanos::SECOND],
            |request| request.lock_memory = true,
            |request| request.latency_hold = Some(Nanos::ZERO),
            |request| request.timer_resolutions = vec![Nanos::MILLISECOND],
            |request| request.priority_class = Some(PriorityClass::High),
            |request| request.multimedia_task = Some("Games".into()),
            |request| request.qos = Some(Qos::Utility),
            |request| request.unthrottled = true,
            |request| request.loads = vec![1],
            |request| request.load_kind = Some(LoadKind::Spin),
            |request| request.threads = Some(2),
            |request| request.phase = Some(Phase::BackToBack),
        ];
        assert_eq!(sets.len(), OPTIONS.len());
        for (set, row) in sets.into_iter().zip(OPTIONS) {
            let refused = matches!(
                with(Some(Kind::CheckUp), set),
                Err(RequestError::NotHeeded { option, .. }) if option == row.option
            );
            assert!(refused, "{}", row.option);
        }
        assert_eq!(with(Some(Kind::CheckUp), |request| request.seed = Some(7)), Ok(()));
    }

    #[test]
    fn an_experiment_takes_one_value_of_a_list_and_load_needs_threads() {
        let two: fn(&mut MeasureRequest) = |request| request.loads = vec![0, 1];
        assert_eq!(with(Some(Load), two), Ok(()));
        assert_eq!(with(None, two), Ok(()));
        let error = with(Some(WallSecond), two).unwrap_err();
        assert_eq!(
            error.text(Interface::Python),
            "experiment='wall-second' takes one load: measure once for each value and compare the recordings; without an experiment or \
             interval lists are crossed"
        );
        let kind: fn(&mut MeasureRequest) = |request| request.load_kind = Some(LoadKind::Timers);
        assert_eq!(with(None, kind), Err(RequestError::KindWithoutLoad));
        assert_eq!(with(Some(Load), kind), Ok(()));
    }
}
