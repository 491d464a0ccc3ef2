//! The slack that was in force for a cell's sleeps.

use oversleep_recording::Recording;
use oversleep_sys::units::Nanos;

/// Returns the slack that was read back; zero under a real-time policy, whatever was read (Linux before 6.13 returns
/// what would apply under another policy). `None` where nothing was read.
pub(super) fn slack(recording: &Recording, cell: u32) -> Option<Nanos> {
    let conditions = &recording.note.obtained.iter().find(|note| note.cell == cell)?.conditions;
    if conditions.is_real_time() { Some(Nanos::ZERO) } else { conditions.timer_slack }
}
