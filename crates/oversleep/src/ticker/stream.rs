//! Ticks for an asynchronous task.

use super::{LockedTicker, Tick, Ticker, WallTicker};
use crate::clock::{Monotonic, Wall};
use crate::machine::Machine;
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

/// Ticks for an asynchronous task, on any runtime: a separate thread waits for each, because runtimes' timers round to
/// a millisecond or share one thread with everything else.
///
/// A request for a tick is like a call of [`Ticker::tick`] on a thread: the ticker's thread begins to wait when the
/// task requests one, so a late task is subject to the ticker's [`Missed`](super::Missed) policy, and the thread does
/// not wait without a request. If the wait for a tick was cancelled (for example in `select!`), that tick is the next
/// one delivered; none is lost. The time that the runtime takes to wake the task is not part of the tick's lateness.
///
/// The thread inherits the policy of the thread that made the stream. It ends with the stream, at the latest when the
/// tick for which it waits is due.
///
/// ```
/// use oversleep::Ticker;
///
/// # async fn example() -> std::io::Result<()> {
/// let mut ticks = Ticker::hz(1_000).into_stream()?;
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
    state: Mutex<StreamState<C>>,
    /// Notified when a tick is requested, and when the stream is dropped.
    changed: Condvar,
}

/// What the task and the ticker's thread have to tell each other.
enum StreamState<C> {
    /// There is no request.
    Idle,
    /// A task requested a tick, and the thread waits for it.
    Asked(Waker),
    Ready(Tick<C>),
    /// The clock's range has ended, or the thread has.
    Over,
    Dropped,
}

impl<C> Shared<C> {
    /// Locks the state. It is valid between any two statements, so a poisoned lock is used all the same.
    fn state(&self) -> MutexGuard<'_, StreamState<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a tick is requested; returns `false` if the stream was dropped.
    fn wait_until_asked(&self) -> bool {
        let mut state = self.state();
        loop {
            match *state {
                StreamState::Asked(_) => return true,
                StreamState::Over | StreamState::Dropped => return false,
                StreamState::Idle | StreamState::Ready(_) => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Delivers the thread's result, and wakes the task that requested it.
    fn answer(&self, answer: StreamState<C>) {
        let mut state = self.state();
        if matches!(*state, StreamState::Dropped) {
            return;
        }
        let asked = std::mem::replace(&mut *state, answer);
        drop(state);
        if let StreamState::Asked(waker) = asked {
            waker.wake();
        }
    }
}

/// Ends the stream when its thread ends, for whatever reason.
struct Ending<C>(Arc<Shared<C>>);

impl<C> Drop for Ending<C> {
    fn drop(&mut self) {
        self.0.answer(StreamState::Over);
    }
}

impl<C: Send + 'static> TickStream<C> {
    fn ticking(mut tick: impl FnMut() -> Option<Tick<C>> + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::new(StreamState::Idle), changed: Condvar::new() });
        let ending = Ending(Arc::clone(&shared));
        thread::Builder::new().name("oversleep ticks".to_owned()).spawn(move || {
            let shared = &ending.0;
            while shared.wait_until_asked() {
                let Some(tick) = tick() else { return };
                shared.answer(StreamState::Ready(tick));
            }
        })?;
        Ok(Self(shared))
    }
}

impl<C> TickStream<C> {
    /// Waits for the next tick; returns `None` at the end of the clock's range.
    pub async fn next(&mut self) -> Option<Tick<C>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<C> Stream for TickStream<C> {
    type Item = Tick<C>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Tick<C>>> {
        let mut state = self.0.state();
        match std::mem::replace(&mut *state, StreamState::Idle) {
            StreamState::Ready(tick) => Poll::Ready(Some(tick)),
            StreamState::Over | StreamState::Dropped => {
                *state = StreamState::Over;
                Poll::Ready(None)
            }
            StreamState::Asked(_) => {
                *state = StreamState::Asked(context.waker().clone());
                Poll::Pending
            }
            StreamState::Idle => {
                *state = StreamState::Asked(context.waker().clone());
                drop(state);
                self.0.changed.notify_one();
                Poll::Pending
            }
        }
    }
}

impl<C> Drop for TickStream<C> {
    fn drop(&mut self) {
        *self.0.state() = StreamState::Dropped;
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
            /// The system's error, if the thread could not be created.
            #[cfg_attr(docsrs, doc(cfg(feature = "stream")))]
            pub fn into_stream(mut self) -> io::Result<TickStream<$clock>> {
                TickStream::ticking(move || self.tick())
            }
        }
    )+};
}

streams! {
    Ticker of Monotonic;
    WallTicker of Wall;
    LockedTicker of Monotonic;
}
