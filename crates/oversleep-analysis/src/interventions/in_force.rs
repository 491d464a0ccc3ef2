//! The conditions that were in force for a cell's sleeps.

use oversleep_recording::Recording;
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;

/// Returns the slack that was read back; zero under a real-time policy, whatever was read (Linux before 6.13 returns
/// what would apply under another policy). `None` where nothing was read.
pub(super) fn slack(recording: &Recording, cell: u32) -> Option<Nanos> {
    let conditions = obtained(recording, cell)?;
    if conditions.is_real_time() { Some(Nanos::ZERO) } else { conditions.timer_slack }
}

/// Returns the wake-up latency that was held; `None` where none was.
pub(super) fn latency_hold(recording: &Recording, cell: u32) -> Option<Nanos> {
    obtained(recording, cell)?.latency_hold
}

fn obtained(recording: &Recording, cell: u32) -> Option<&Conditions> {
    Some(&recording.note.obtained.iter().find(|note| note.cell == cell)?.conditions)
}
