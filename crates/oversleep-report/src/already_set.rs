//! What was set before a run by whoever started it: a shell, a service manager, `oversleep tune`.

use oversleep_figures::CellSummary;
use oversleep_recording::Meta;
use oversleep_recording::cpus::list_text;
use oversleep_sys::units::Nanos;

/// The timer slack that threads have unless somebody sets another (`init/init_task.c` of Linux).
const USUAL_SLACK: Nanos = Nanos::from_micros(50);

/// Returns the processors, timer slack and held latency that the run found set, where they are not the usual ones and the
/// run did not ask for its own, which are conditions. `None` if there are none. An inherited policy is with the
/// conditions.
pub(super) fn already_set(meta: &Meta, cells: &[CellSummary]) -> Option<String> {
    if !meta.plan.kind.has_sleeps() {
        return None;
    }
    let online = &meta.machine.processor.online;
    let cells: Vec<_> =
        cells.iter().filter_map(|cell| Some((&cell.cell.conditions, cell.obtained.as_ref()?))).collect();
    let cpus = cells.iter().filter(|(asked, _)| asked.affinity.is_none()).filter_map(|(_, got)| got.affinity.as_ref());
    let mut narrower = cpus.filter(|cpus| !online.iter().all(|cpu| cpus.contains(cpu)));
    // Threads of real-time policies have no slack, whatever they inherited.
    let slack = cells.iter().filter(|(asked, got)| asked.timer_slack.is_none() && !got.is_real_time());
    let mut unusual = slack.filter_map(|(_, got)| got.timer_slack).filter(|slack| *slack != USUAL_SLACK);
    let parts = [
        narrower.next().map(|cpus| format!("processors {} of {}", list_text(cpus), list_text(online))),
        unusual.next().map(|slack| format!("slack {slack}")),
        meta.machine.idle.latency_hold.map(|held| format!("latency hold {held}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("already set when it began: {}", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_figures::Summariser;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::build::{Grid, measure};
    use oversleep_recording::plan::{Conditions, Pattern, Policy};
    use oversleep_recording::{Note, Obtained, Origin, Sink};

    /// Returns the remark on a run on processors 0 to 3 that asked for `asked` and got `got`.
    fn remark(asked: &Conditions, got: &Conditions, hold: Option<Nanos>) -> Option<String> {
        let requests = [Pattern::fixed(Nanos::MILLISECOND)];
        let grid =
            Grid { rows: &[MethodId::Nanosleep.row()], requests: &requests, conditions: std::slice::from_ref(asked) };
        let mut meta = Meta::new("test", Origin::Live, measure(&grid, 1, 0));
        meta.machine.processor.online = vec![0, 1, 2, 3];
        meta.machine.idle.latency_hold = hold;
        let mut summary = Summariser::new(&meta);
        let obtained = vec![Obtained { cell: 0, thread: 0, conditions: got.clone() }];
        summary.note(&Note { obtained, ..Note::default() });
        already_set(&meta, &summary.finish())
    }

    #[test]
    fn what_was_inherited_is_told_and_what_is_usual_or_asked_for_is_not() {
        let all = Conditions {
            affinity: Some(vec![0, 1, 2, 3]),
            timer_slack: Some(USUAL_SLACK),
            policy: Some(Policy::Other),
            ..Conditions::default()
        };
        let free = Conditions::default();
        assert_eq!(remark(&free, &all, None), None);
        assert_eq!(remark(&free, &free, None), None, "a system that tells nothing");
        let few = Conditions { affinity: Some(vec![1, 2]), timer_slack: Some(Nanos::new(1)), ..all.clone() };
        let expected = "already set when it began: processors 1-2 of 0-3, slack 1 ns, latency hold 20.0 µs";
        assert_eq!(remark(&free, &few, Some(Nanos::from_micros(20))).as_deref(), Some(expected));
        assert_eq!(remark(&few, &few, None), None);
        let fifo = Conditions { policy: Some(Policy::Fifo { priority: 80 }), timer_slack: Some(Nanos::ZERO), ..all };
        assert_eq!(remark(&free, &fifo, None), None);
    }
}
