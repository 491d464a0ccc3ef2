//! The slack that a cell's sleeps really had.

use oversleep_recording::Recording;
use oversleep_sys::units::Nanos;

/// As read back; none under a real-time policy, whatever is read there (Linux before 6.13 answers what would hold
/// under another). `None` where nothing was read.
pub(super) fn slack(recording: &Recording, cell: u32) -> Option<Nanos> {
    let conditions = &recording.note.obtained.iter().find(|note| note.cell == cell)?.conditions;
    if conditions.is_real_time() { Some(Nanos::ZERO) } else { conditions.timer_slack }
}
