//! Runs of A compared with other runs of A, where both sides were measured in turns.

use super::super::interventions::signed;
use super::super::style::Screen;
use super::rows::size;
use super::verdict::enough;
use oversleep_recording::document::{Compared, ComparedCell, QuantileShift, ShiftVerdict};

/// Returns the largest difference that a verdict leaves unseen, or else the size of the one that was seen, in ns.
fn sensitivity(shift: &QuantileShift) -> Option<f64> {
    match shift.verdict {
        ShiftVerdict::Later | ShiftVerdict::Earlier => Some(shift.size_ns.abs()),
        ShiftVerdict::NotSeen => Some(shift.low_ns.abs().max(shift.high_ns.abs())),
        ShiftVerdict::Open => None,
    }
}

/// Returns a line for each cell of the control; empty if there is none.
pub(super) fn controlled(compared: &Compared, screen: Screen) -> String {
    let judged = &compared.cells;
    let Some(control) = &compared.control else { return String::new() };
    control
        .iter()
        .filter_map(|cell| {
            let shift = cell.shifts.first()?;
            let name = shift.figure.name();
            // What cannot fail tells nothing: it is said, and not shown as a control that held.
            let few = if shift.verdict == ShiftVerdict::Open {
                format!(
                    "; this check is undecided: its interval has a confidence of only {:.0} %; {}",
                    shift.confidence * 100.0,
                    longer(compared, control)
                )
            } else {
                String::new()
            };
            let seen = judged.iter().find(|judged| judged.a == cell.a).and_then(|judged| judged.shifts.first());
            let weak = seen.and_then(sensitivity).is_some_and(|least| shift.size_ns.abs() > least);
            let text = match shift.verdict {
                ShiftVerdict::Later | ShiftVerdict::Earlier => {
                    let text = format!(
                        "WARNING: runs of A differ from other runs of A by {} at {name}: the machine changed while it measured, so do not \
                         trust the verdict above",
                        signed(shift.size_ns)
                    );
                    screen.warning(&text)
                }
                _ if weak => screen.warning(&format!(
                    "WARNING: runs of A differ from other runs of A at {name} by {}, more than the difference that the verdict above \
                     is about, which is therefore weak{few}",
                    size(shift)
                )),
                _ if few.is_empty() => {
                    format!("check: runs of A compared with other runs of A show no difference at {name}: {}", size(shift))
                }
                _ => format!("check: runs of A compared with other runs of A at {name}: {}{few}", size(shift)),
            };
            Some(screen.lines(0, &text))
        })
        .collect()
}

/// Says how many blocks, and how long a time, the control needs.
fn longer(compared: &Compared, control: &[ComparedCell]) -> String {
    // Two blocks make two pairs of runs of A.
    let (blocks, done) = (enough(control.len(), true).next_multiple_of(2), compared.a.len() / 2);
    let text = format!("{blocks} blocks A B B A would do");
    match compared.took {
        Some(took) if done > 0 => {
            // A tenth more than the blocks so far took: one that would end after the time is not begun.
            let seconds = (took.as_secs_f64() / done as f64 * blocks as f64 * 1.1).ceil();
            format!("{text}: compare -d {seconds:.0}s, before --run")
        }
        _ => format!("{text} (a longer -d of compare, before --run)"),
    }
}
