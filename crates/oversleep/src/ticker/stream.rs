//! Ticks for an asynchronous task.

use super::{LockedTicker, Tick, Ticker, WallTicker};
use crate::machine::Machine;
use crate::{Monotonic, Wall};
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

/// Ticks for an asynchronous task, on any runtime: a thread of its own waits for each, because runtimes' timers round to
/// a millisecond or share one thread with everything else.
///
/// Asking for a tick is what [`Ticker::tick`] is for a thread: the ticker's thread begins to wait when the task asks, so a
/// task that comes late meets what the ticker's [`Missed`](super::Missed) policy says, and nobody waits while no one asks.
/// A tick whose wait was given up (in `select!`, say) is the next one handed out; none is lost. What the runtime takes to
/// wake the task is not in the tick's lateness.
///
/// The thread inherits the policy of the one that made the stream. It ends with the stream, at the latest when the tick is
/// due for which it waits.
///
/// ```
/// use oversleep::{Nanos, Period, Ticker};
///
/// # async fn example() -> std::io::Result<()> {
/// let mut ticks = Ticker::new(Period::every(Nanos::MILLISECOND).unwrap()).into_stream()?;
/// while let Some(tick) = ticks.next().await {
///     println!("tick {} was {}", tick.index, tick.lateness);
/// #   break;
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "a stream that nobody asks does not tick"]
pub struct TickStream<C = Monotonic>(Arc<Shared<C>>);

struct Shared<C> {
    state: Mutex<State<C>>,
    /// Told when a tick is asked for, and when the stream is dropped.
    changed: Condvar,
}

enum State<C> {
    /// Nobody asks.
    Idle,
    /// A task asks, and the thread waits for the tick.
    Asked(Waker),
    Ready(Tick<C>),
    /// The clock's range is over, or the thread has ended.
    Over,
    Dropped,
}

impl<C> Shared<C> {
    /// The state is whole between any two statements, so a poisoned lock is taken all the same.
    fn state(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a tick is asked for; `false` if the stream is no more.
    fn wait_until_asked(&self) -> bool {
        let mut state = self.state();
        loop {
            match *state {
                State::Asked(_) => return true,
                State::Over | State::Dropped => return false,
                State::Idle | State::Ready(_) => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Hands over what the thread has, and wakes who asked for it.
    fn answer(&self, answer: State<C>) {
        let mut state = self.state();
        if matches!(*state, State::Dropped) {
            return;
        }
        let asked = std::mem::replace(&mut *state, answer);
        drop(state);
        if let State::Asked(waker) = asked {
            waker.wake();
        }
    }
}

/// Ends the stream with its thread, however that ends.
struct Ending<C>(Arc<Shared<C>>);

impl<C> Drop for Ending<C> {
    fn drop(&mut self) {
        self.0.answer(State::Over);
    }
}

impl<C: Send + 'static> TickStream<C> {
    fn of(mut tick: impl FnMut() -> Option<Tick<C>> + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::new(State::Idle), changed: Condvar::new() });
        let ending = Ending(Arc::clone(&shared));
        thread::Builder::new().name("oversleep ticks".to_owned()).spawn(move || {
            let shared = &ending.0;
            while shared.wait_until_asked() {
                let Some(tick) = tick() else { return };
                shared.answer(State::Ready(tick));
            }
        })?;
        Ok(Self(shared))
    }
}

impl<C> TickStream<C> {
    /// Waits for the next tick; `None` when the clock's range is over.
    pub async fn next(&mut self) -> Option<Tick<C>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<C> Stream for TickStream<C> {
    type Item = Tick<C>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Tick<C>>> {
        let mut state = self.0.state();
        match std::mem::replace(&mut *state, State::Idle) {
            State::Ready(tick) => Poll::Ready(Some(tick)),
            State::Over | State::Dropped => {
                *state = State::Over;
                Poll::Ready(None)
            }
            State::Asked(_) => {
                *state = State::Asked(context.waker().clone());
                Poll::Pending
            }
            State::Idle => {
                *state = State::Asked(context.waker().clone());
                drop(state);
                self.0.changed.notify_one();
                Poll::Pending
            }
        }
    }
}

impl<C> Drop for TickStream<C> {
    fn drop(&mut self) {
        *self.0.state() = State::Dropped;
        self.0.changed.notify_one();
    }
}

impl<C> fmt::Debug for TickStream<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TickStream").finish_non_exhaustive()
    }
}

macro_rules! streams {
    ($($ticker:ident of $clock:ident;)+) => {$(
        impl<M: Machine + Send + 'static> $ticker<M> {
            /// Moves the ticker to a thread of its own, and returns its ticks for an asynchronous task.
            ///
            /// # Errors
            ///
            /// The system's, where it refuses a thread.
            #[cfg_attr(docsrs, doc(cfg(feature = "stream")))]
            pub fn into_stream(mut self) -> io::Result<TickStream<$clock>> {
                TickStream::of(move || self.tick())
            }
        }
    )+};
}

streams! {
    Ticker of Monotonic;
    WallTicker of Wall;
    LockedTicker of Monotonic;
}
