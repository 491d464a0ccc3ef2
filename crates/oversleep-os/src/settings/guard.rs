//! Guards, which keep a setting in force and restore the previous one.

use oversleep_sys::Refusal;
use std::fmt;
use std::marker::PhantomData;

/// A setting that is in force until the guard is dropped, also by a panic.
///
/// Not `Send`: most settings belong to the thread that made them, and only that thread can restore them.
/// Guards taken one after another are dropped in the opposite order, as local variables are.
#[must_use = "the setting lasts only as long as its guard"]
pub struct Guard<T> {
    obtained: T,
    undo: Option<Box<dyn FnOnce()>>,
    thread_bound: PhantomData<*const ()>,
}

impl<T> Guard<T> {
    /// Makes a guard; `obtained` is the value read back from the system after setting; `undo` restores the previous
    /// one.
    ///
    /// A setting that cannot be read back is undone at once, because the value in force would be unknown.
    pub fn new(obtained: Result<T, Refusal>, undo: impl FnOnce() + 'static) -> Result<Self, Refusal> {
        match obtained {
            Ok(obtained) => Ok(Self { obtained, undo: Some(Box::new(undo)), thread_bound: PhantomData }),
            Err(refusal) => {
                undo();
                Err(refusal)
            }
        }
    }

    /// Sets a value until the guard is dropped, which sets the one before again.
    pub(super) fn set(
        asked: T,
        read: fn() -> Result<T, Refusal>,
        set: fn(T) -> Result<(), Refusal>,
    ) -> Result<Self, Refusal>
    where
        T: 'static,
    {
        let before = read()?;
        set(asked)?;
        Self::new(read(), move || {
            // It was in force when the guard was made; a refusal now could not be reported to anyone.
            let _ = set(before);
        })
    }

    /// Returns the value that the system reported after setting.
    pub fn obtained(&self) -> T
    where
        T: Clone,
    {
        self.obtained.clone()
    }

    /// Returns the same guard with the obtained value as another type.
    pub fn map<U>(mut self, convert: impl FnOnce(&T) -> U) -> Guard<U> {
        Guard { obtained: convert(&self.obtained), undo: self.undo.take(), thread_bound: PhantomData }
    }

    /// Leaves the setting in force for the rest of the thread's (or process's) life; returns the value in force.
    pub fn keep(mut self) -> T
    where
        T: Clone,
    {
        if let Some(undo) = self.undo.take() {
            // What the undo owns may itself keep the setting in force (an open file), so it is not dropped either.
            std::mem::forget(undo);
        }
        self.obtained.clone()
    }
}

impl<T> Drop for Guard<T> {
    fn drop(&mut self) {
        if let Some(undo) = self.undo.take() {
            undo();
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Guard<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("obtained", &self.obtained).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn dropping_undoes_once_and_keeping_never() {
        let undone = Rc::new(Cell::new(0));
        let count = |undone: &Rc<Cell<i32>>| {
            let undone = Rc::clone(undone);
            move || undone.set(undone.get() + 1)
        };
        drop(Guard::new(Ok(1), count(&undone)).unwrap());
        assert_eq!(undone.get(), 1);
        assert_eq!(Guard::new(Ok(7), count(&undone)).unwrap().keep(), 7);
        assert_eq!(undone.get(), 1);
        let unread = Guard::<i32>::new(Err(Refusal::Failed("no answer".into())), count(&undone));
        assert!(unread.is_err());
        assert_eq!(undone.get(), 2);
    }
}
