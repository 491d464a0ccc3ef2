//! Systems where programs cannot request a timer resolution.

use super::Guard;
use oversleep_recording::machine::TimerResolution;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

pub(super) fn read() -> Result<TimerResolution, Refusal> {
    Err(Refusal::Unavailable("a timer resolution that programs ask for is a thing of Windows".into()))
}

pub(super) fn apply(_asked: Nanos) -> Result<Guard<Nanos>, Refusal> {
    Err(read().map_or_else(|refusal| refusal, |_| Refusal::Unavailable(String::new())))
}
