//! The process's priority class: the rank of its threads among those of other processes (Windows).

#[cfg(windows)]
mod windows;

#[cfg(windows)]
use windows as here;

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::plan::PriorityClass;
use oversleep_sys::Refusal;

#[cfg(not(windows))]
unsupported!(
    PriorityClass,
    PriorityClass,
    "priority classes are a thing of Windows; here a thread has a policy and niceness"
);

/// The condition `priority_class`.
pub(super) const SETTING: Setting =
    Setting::new("priority_class", |value| condition::apply(value, apply), || read().map(|value| value.value()));

/// Returns the class of this process.
pub fn read() -> Result<PriorityClass, Refusal> {
    here::read()
}

/// Sets the class of this process until the guard is dropped.
///
/// Without the privilege to increase priorities Windows replaces `realtime` by `high` without an error;
/// [`Guard::obtained`] shows that.
pub fn apply(asked: PriorityClass) -> Result<Guard<PriorityClass>, Refusal> {
    let before = read()?;
    here::set(asked)?;
    Guard::new(read(), move || {
        // It was in force when the guard was made; a refusal now could not be reported to anyone.
        let _ = here::set(before);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_put_on_and_taken_off_again() {
        let before = match read() {
            Ok(before) => before,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        let guard = apply(PriorityClass::BelowNormal).expect("a lower class needs no privilege");
        assert_eq!((guard.obtained(), read()), (PriorityClass::BelowNormal, Ok(PriorityClass::BelowNormal)));
        drop(guard);
        assert_eq!(read(), Ok(before));
    }
}
