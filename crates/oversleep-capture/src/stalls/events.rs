//! Selection of the kernel events to keep: those around stalls.

use oversleep_recording::StallWindow;
use oversleep_recording::trace::KernelEvents;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Periods of time on each processor, from and until.
pub(super) type Spans = BTreeMap<u16, Vec<(Nanos, Nanos)>>;

/// Keeps the events of each processor that are within one of its spans, or at most [`StallWindow::MARGIN`] from one.
/// Spans must be in order of time; so must events, and their order is kept. Gaps in the events are all kept.
pub(super) fn around(batch: KernelEvents, spans: &Spans) -> KernelEvents {
    let within = |cpu: u16, at: Nanos| {
        let spans = spans.get(&cpu).map_or(&[][..], Vec::as_slice);
        let next = spans.partition_point(|(_, until)| until.saturating_add(StallWindow::MARGIN) < at);
        spans.get(next).is_some_and(|(from, _)| from.saturating_sub(StallWindow::MARGIN) <= at)
    };
    let events = batch.events.into_iter().filter(|event| within(event.cpu, event.at)).collect();
    KernelEvents { events, gaps: batch.gaps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::trace::{Event, EventKind};

    #[test]
    fn events_up_to_the_margin_of_a_stall_on_their_processor_are_kept() {
        let us = Nanos::from_micros;
        let event = |cpu, at| Event { at: us(at), cpu, thread: 1, kind: EventKind::TimerInterrupt };
        let all = [(1, 7), (1, 8), (2, 9), (1, 10), (1, 15), (1, 22), (1, 23), (1, 99), (2, 100)];
        let events = all.map(|(cpu, at)| event(cpu, at)).to_vec();
        let spans = Spans::from([(1, vec![(us(10), us(20)), (us(100), us(101))]), (3, vec![(us(0), us(200))])]);
        let nearby = around(KernelEvents { events, gaps: Vec::new() }, &spans);
        let nearby: Vec<_> = nearby.events.iter().map(|event| (event.cpu, event.at)).collect();
        assert_eq!(nearby, [(1, us(8)), (1, us(10)), (1, us(15)), (1, us(22)), (1, us(99))]);
    }
}
