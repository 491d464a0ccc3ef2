//! Systems on which threads have no policies with these names.
//!
//! Windows has priority classes and the multimedia scheduler, which are separate conditions; illumos has
//! `priocntl`; OpenBSD has only niceness.

use crate::settings::Guard;
use oversleep_recording::catalog::System;
use oversleep_recording::plan::Policy;
use oversleep_sys::Refusal;

/// Takes any policy: it is refused when it is applied, with what there is instead.
#[allow(clippy::unnecessary_wraps)] // other systems refuse some
pub(super) fn check(_: Policy) -> Result<(), Refusal> {
    Ok(())
}

pub(super) fn read() -> Result<Policy, Refusal> {
    Err(Refusal::Unavailable(format!("threads have no scheduling policy that oversleep knows on {}", here())))
}

pub(super) fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    let instead = match System::HERE {
        Some(System::Windows) => "; it has priority classes and multimedia tasks",
        Some(System::OpenBsd) => "; it has niceness",
        _ => "",
    };
    Err(Refusal::Unavailable(format!("{} has no policy '{asked}' for threads{instead}", here())))
}

pub(super) fn enter(asked: Policy) -> Result<Policy, Refusal> {
    apply(asked).map(Guard::keep)
}

fn here() -> &'static str {
    System::HERE.map_or("this system", System::name)
}
