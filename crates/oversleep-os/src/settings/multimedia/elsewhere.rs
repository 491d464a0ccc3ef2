//! Systems without a multimedia class scheduler.

use super::Guard;
use oversleep_sys::Refusal;

pub(super) fn apply(_task: &str) -> Result<Guard<String>, Refusal> {
    Err(Refusal::Unavailable("the multimedia class scheduler is a thing of Windows; here a thread has a policy".into()))
}
