//! Measurements that decide an open question, as commands: on this machine or on the simulated kernel. For another
//! program's samples, in words, because their machine may be another one.

use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Cell, Conditions};
use oversleep_recording::{Origin, exact_time, shell_option, simulate_command};

/// Returns the measurement of random requests at random phase, under the settings that the sleeps in question had: these
/// show tick, rate, rounding and slack. Without load, which hides them.
pub(super) fn random_phase(origin: &Origin, method: &str, under: &Conditions, sleeps: u32) -> String {
    let known = MethodId::from_name(method).map(MethodId::name);
    // A method of another program may not be in the catalogue.
    let mut options = format!("-m {} -r 200us..60ms --phase random -n {sleeps}", known.unwrap_or("NAME"));
    options += &settings(under);
    match origin {
        Origin::Live => format!("oversleep measure {options} && oversleep explain"),
        Origin::Simulated { model, .. } => {
            // A simulation is kept only in a file that is named.
            format!("{} {options} -o random.arrows && oversleep explain random.arrows", simulate_command(model))
        }
        Origin::Imported { .. } => {
            let command = known.map_or_else(String::new, |_| format!(" (there: oversleep measure {options})"));
            format!(
                "{sleeps} sleeps of {method} of random lengths from 200 µs to 60 ms, each after a random pause{command}"
            )
        }
    }
}

/// Returns the diagnosis of a cell on a machine that does nothing else, with kernel events.
pub(super) fn diagnosis(origin: &Origin, base: &Cell) -> String {
    let request = base.pattern.requested().map_or_else(String::new, |asked| format!(" -r {}", exact_time(asked)));
    let command = format!("oversleep diagnose --trace -m {}{request}{}", base.method, settings(&base.conditions));
    match origin {
        Origin::Live => command,
        Origin::Simulated { .. } | Origin::Imported { .. } => format!("while nothing else runs (there: {command})"),
    }
}

/// Returns the options of a cell's settings.
fn settings(under: &Conditions) -> String {
    under.settings().map(|(option, value)| shell_option(option, &value)).collect()
}

/// Returns the watch for processors that were taken away, which shows whether the whole machine stood still.
pub(super) fn stalls(origin: &Origin) -> String {
    let command = "oversleep stalls -d 60s && oversleep explain";
    match origin {
        Origin::Live => command.to_owned(),
        Origin::Simulated { .. } | Origin::Imported { .. } => {
            format!("for 60 s, when a processor was taken away (there: {command})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::{Load, LoadKind, Policy};

    #[test]
    fn what_was_measured_is_measured_again() {
        let simulated = Origin::Simulated { model: "linux-2.4 hz=250".to_owned(), parameters: serde_json::Value::Null };
        let imported = Origin::Imported { format: "csv".to_owned(), file: "a.csv".to_owned() };
        for (origin, method, expected) in [
            (
                &Origin::Live,
                "select",
                "oversleep measure -m select -r 200us..60ms --phase random -n 400 && oversleep explain",
            ),
            (
                &simulated,
                "select",
                "oversleep simulate linux-2.4 --set hz=250 -m select -r 200us..60ms --phase random -n 400 \
                 -o random.arrows && oversleep explain random.arrows",
            ),
            (
                &imported,
                "select",
                "400 sleeps of select of random lengths from 200 µs to 60 ms, each after a random pause \
                 (there: oversleep measure -m select -r 200us..60ms --phase random -n 400)",
            ),
            (
                &imported,
                "their-wait",
                "400 sleeps of their-wait of random lengths from 200 µs to 60 ms, each after a random pause",
            ),
        ] {
            assert_eq!(random_phase(origin, method, &Conditions::default(), 400), expected);
        }
        let under = Conditions {
            policy: Some(Policy::Fifo { priority: 80 }),
            memory_locked: Some(true),
            load: Some(Load { threads: 2, kind: LoadKind::Spin }),
            ..Conditions::default()
        };
        assert_eq!(
            random_phase(&Origin::Live, "select", &under, 400),
            "oversleep measure -m select -r 200us..60ms --phase random -n 400 --policy fifo:80 --mlock && oversleep explain"
        );
    }
}
