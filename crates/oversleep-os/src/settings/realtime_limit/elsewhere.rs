//! Systems without `RLIMIT_RTTIME`.

use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

pub(super) fn read() -> Result<Option<Nanos>, Refusal> {
    Err(Refusal::Unavailable("RLIMIT_RTTIME exists on Linux only".into()))
}

pub(super) fn set(_limit: Option<Nanos>) -> Result<(), Refusal> {
    read().map(|_| ())
}
