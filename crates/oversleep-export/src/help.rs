//! What each metric is, in words.

pub(super) const LATENESS: &str = "How much later than requested sleeps ended; negative is early";
pub(super) const EARLY: &str = "Sleeps that ended before the requested time";
pub(super) const INTERRUPTED: &str = "Sleeps that a signal ended";
pub(super) const FAILED: &str = "Sleeps that the system refused";
pub(super) const LOST: &str = "Sleeps that were made and not recorded";
pub(super) const CONFIDENCE: &str =
    "Findings in the last round of samples, by cause: the share of such findings that are right";
pub(super) const SHARE: &str = "Findings in the last round of samples, by cause: their share of the lateness";
pub(super) const STALLS: &str = "Sleeps later than the threshold, by the cause of most of their lateness";
pub(super) const STALLED: &str = "Lateness of stalls, by cause";
pub(super) const THRESHOLD: &str = "Lateness above which a sleep is a stall";
pub(super) const DRIFT: &str = "How much faster a clock runs than the monotonic clock, over the last ten minutes: for the raw clock, the opposite of NTP's correction";
pub(super) const DRIFT_ERROR: &str = "Half of the 95 % interval of a clock's drift";
pub(super) const COVERAGE: &str =
    "Share of the time since the start in which a sleep was being measured: what happens in the rest is not seen";
pub(super) const MEASURED: &str =
    "Time in which a sleep was being measured; its rate is the coverage of any stretch of time";
pub(super) const KEPT: &str = "1 while samples are kept in recordings, 0 while they are not";
pub(super) const PROCESSOR: &str = "Processor time that this exporter has used";
