//! The idle states that a cell's sleeps allow, as far as the recording has the machine's states and the conditions.

use super::Features;
use oversleep_recording::document::evidence::DeepestIdle;
use oversleep_recording::machine::IdleState;
use oversleep_sys::units::Nanos;

/// Returns the deepest idle state that a processor may enter in a view's sleeps: one that is not switched off, whose
/// target residency is no longer than the median request, and whose exit latency a latency hold permits. `None` where
/// no states were recorded, where none of them takes time to leave, and beside busy threads.
///
/// Whether it was entered is not known from this: governors predict the length of a stay, and other wake-ups end it.
pub fn deepest(features: &Features<'_>, view: usize) -> Option<DeepestIdle> {
    fitting(features, view, Nanos::new(features.views[view].requested))
}

/// Returns the exit latency of the deepest state that fits sleeps of this length under a view's conditions; zero where
/// none is known.
pub fn exit_latency(features: &Features<'_>, view: usize, length: Nanos) -> Nanos {
    fitting(features, view, length).map_or(Nanos::ZERO, |state| Nanos::new(state.exit_latency_ns))
}

fn fitting(features: &Features<'_>, view: usize, length: Nanos) -> Option<DeepestIdle> {
    let group = &features.groups[features.views[view].group];
    if group.conditions.load.is_some_and(|load| load.threads > 0) {
        return None;
    }
    let hold = group.obtained.as_ref().and_then(|got| got.latency_hold).or(group.conditions.latency_hold);
    among(&features.recording.meta.machine.idle.states, length, hold)
}

fn among(states: &[IdleState], requested: Nanos, hold: Option<Nanos>) -> Option<DeepestIdle> {
    let allowed = |state: &&IdleState| {
        let latency = state.latency.unwrap_or(Nanos::ZERO);
        latency > Nanos::ZERO
            && state.disabled != Some(true)
            && state.residency.is_none_or(|stay| stay <= requested)
            && hold.is_none_or(|hold| latency <= hold)
    };
    let deepest = states.iter().filter(allowed).max_by_key(|state| state.latency)?;
    Some(DeepestIdle { deepest_idle: deepest.name.clone(), exit_latency_ns: deepest.latency?.get() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_state_is_on_fits_the_sleep_and_is_permitted() {
        let us = Nanos::from_micros;
        let state = |name: &str, latency: i64, residency: i64, disabled: bool| IdleState {
            name: name.into(),
            latency: Some(us(latency)),
            residency: Some(us(residency)),
            disabled: Some(disabled),
        };
        let states = [
            state("POLL", 0, 0, false),
            state("C1E", 10, 20, false),
            state("C6", 133, 600, false),
            state("C8", 300, 900, true),
        ];
        let name =
            |requested: i64, hold: Option<Nanos>| among(&states, us(requested), hold).map(|found| found.deepest_idle);
        assert_eq!(name(1_000, None).as_deref(), Some("C6"));
        assert_eq!(name(500, None).as_deref(), Some("C1E"));
        assert_eq!(name(1_000, Some(us(20))).as_deref(), Some("C1E"));
        assert_eq!(name(1_000, Some(Nanos::ZERO)), None);
        assert_eq!((name(10, None), among(&[], us(1_000), None)), (None, None));
        assert_eq!(among(&states, us(1_000), None).map(|found| found.exit_latency_ns), Some(133_000));
    }
}
