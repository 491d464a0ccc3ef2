//! A late sleep as environment variables of a command.

use oversleep_recording::document::late::NamedLateSleep;
use oversleep_sys::units::Nanos;

/// Returns the names and values of the environment variables.
pub fn environment(sleep: &NamedLateSleep) -> Vec<(&'static str, String)> {
    let number = |time: Nanos| time.get().to_string();
    vec![
        ("OVERSLEEP_METHOD", sleep.method.clone()),
        ("OVERSLEEP_REQUESTED_NS", number(sleep.requested)),
        ("OVERSLEEP_DEADLINE_NS", number(sleep.due())),
        ("OVERSLEEP_END_NS", number(sleep.at)),
        ("OVERSLEEP_LATE_NS", number(sleep.length)),
        ("OVERSLEEP_CELL", sleep.cell.to_string()),
        ("OVERSLEEP_THREAD", sleep.thread.to_string()),
        ("OVERSLEEP_SEQUENCE", sleep.sequence.to_string()),
        ("OVERSLEEP_CPU", sleep.cpu.map_or_else(String::new, |cpu| cpu.to_string())),
        ("OVERSLEEP_CAUSE", sleep.cause.clone()),
        ("OVERSLEEP_EXPLANATION", sleep.explanation()),
        ("OVERSLEEP_WITNESS", sleep.witness_name().to_owned()),
        ("OVERSLEEP_WITNESS_REFUSED", sleep.refused.join("; ")),
        ("OVERSLEEP_TRACE_FILE", sleep.trace.clone().unwrap_or_default()),
    ]
}
