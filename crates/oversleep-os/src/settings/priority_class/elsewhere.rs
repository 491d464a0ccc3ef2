//! Systems without priority classes.

use oversleep_recording::plan::PriorityClass;
use oversleep_sys::Refusal;

pub(super) fn read() -> Result<PriorityClass, Refusal> {
    Err(Refusal::Unavailable("priority classes are a thing of Windows; here a thread has a policy and niceness".into()))
}

pub(super) fn set(_class: PriorityClass) -> Result<(), Refusal> {
    read().map(|_| ())
}
