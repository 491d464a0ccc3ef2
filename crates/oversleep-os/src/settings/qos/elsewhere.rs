//! Systems without quality-of-service classes.

use oversleep_recording::plan::Qos;
use oversleep_sys::Refusal;

pub(super) fn read() -> Result<Qos, Refusal> {
    Err(Refusal::Unavailable("quality-of-service classes are a thing of macOS".into()))
}

pub(super) fn set(_class: Qos) -> Result<(), Refusal> {
    read().map(|_| ())
}
