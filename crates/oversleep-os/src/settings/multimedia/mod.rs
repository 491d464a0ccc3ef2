//! The multimedia class scheduler (MMCSS), which raises a thread's priority for a task that the registry describes
//! (Windows).

#[cfg(windows)]
mod windows;

#[cfg(windows)]
use windows as here;

use super::Guard;
use super::condition::{self, Setting};
use oversleep_sys::Refusal;

#[cfg(not(windows))]
mod here {
    use super::{Guard, Refusal};

    pub(super) fn apply(_task: &str) -> Result<Guard<String>, Refusal> {
        Err(Refusal::Unavailable(
            "the multimedia class scheduler is a thing of Windows; here a thread has a policy".into(),
        ))
    }
}

/// The condition `multimedia_task`.
pub(super) const SETTING: Setting =
    Setting::new("multimedia_task", |value| condition::apply(value, |task: String| apply(&task)), condition::unread);

/// Registers the calling thread for a task such as `Pro Audio` or `Games` until the guard is dropped.
///
/// Windows does not report the priority that it gives; [`Guard::obtained`] returns the task that accepted the thread.
///
/// # Errors
/// [`Refusal::Unavailable`] for a task that the registry does not know, and on systems without the scheduler.
pub fn apply(task: &str) -> Result<Guard<String>, Refusal> {
    here::apply(task)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_task_is_taken_and_given_back_or_refused_with_a_reason() {
        for _ in 0..3 {
            match super::apply("Pro Audio") {
                Ok(guard) => assert_eq!(guard.obtained(), "Pro Audio"),
                Err(refusal) => assert!(!refusal.reason().is_empty()),
            }
        }
    }
}
