//! The schedules of tickers, on either clock, and how they change.

use crate::Status;
use crate::ticker::Tick;
use crate::ticker_options::TickerOptions;
use oversleep::{Nanos, Period, Sleeper, WallTicker};

/// A ticker on either clock.
pub(crate) enum Schedule {
    Monotonic(oversleep::Ticker),
    Wall(WallTicker),
}

impl Schedule {
    /// Returns a ticker on the monotonic clock.
    ///
    /// # Safety
    /// `options`, and its `sleeper`, are null or point to options of the size that they state.
    pub(crate) unsafe fn monotonic(period: Period, options: *const TickerOptions) -> Result<Self, Status> {
        // SAFETY: as the caller promises.
        let options = unsafe { TickerOptions::checked(options) }?;
        let mut builder = oversleep::Ticker::builder(period).missed(options.missed);
        if let Some(start) = options.start {
            builder = builder.starting_at(start);
        }
        Ok(Self::Monotonic(builder.build_with(options.sleeper)))
    }

    /// Returns a ticker on the wall clock.
    ///
    /// # Safety
    /// `options`, and its `sleeper`, are null or point to options of the size that they state.
    pub(crate) unsafe fn wall(period: Period, phase: Nanos, options: *const TickerOptions) -> Result<Self, Status> {
        // SAFETY: as the caller promises.
        let options = unsafe { TickerOptions::checked(options) }?;
        if options.start.is_some() {
            return Err(Status::WallClock);
        }
        let builder = WallTicker::builder(period).phase(phase).missed(options.missed);
        Ok(Self::Wall(builder.try_build_with(options.sleeper)?))
    }

    /// Waits for the next tick; `None` at the end of the clock's range.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Tick> {
        match self {
            Self::Monotonic(ticker) => ticker.tick().map(Tick::from),
            Self::Wall(ticker) => ticker.tick().map(Tick::from),
        }
    }

    pub(crate) fn sleeper(&self) -> &Sleeper {
        match self {
            Self::Monotonic(ticker) => ticker.sleeper(),
            Self::Wall(ticker) => ticker.sleeper(),
        }
    }

    /// Returns when the next tick is due; `None` at the end of the clock's range.
    pub(crate) fn next_deadline(&self) -> Option<Nanos> {
        match self {
            Self::Monotonic(ticker) => ticker.next_deadline().map(oversleep::clock::Time::as_nanos),
            Self::Wall(ticker) => ticker.next_deadline().map(oversleep::clock::Time::as_nanos),
        }
    }

    /// Restarts the schedule: the next tick is due a period from now.
    pub(crate) fn reset(&mut self) -> Result<(), Status> {
        match self {
            Self::Monotonic(ticker) => {
                oversleep::now().checked_add(ticker.period().nanos()).ok_or(Status::Ended)?;
                ticker.reset();
            }
            Self::Wall(ticker) => ticker.reset(),
        }
        Ok(())
    }

    /// Changes the period: the next tick is due a new one after the latest.
    pub(crate) fn set_period(&mut self, new: Period) -> Result<(), Status> {
        match self {
            Self::Monotonic(ticker) => {
                let before = ticker.period();
                ticker.set_period(new);
                if ticker.next_deadline().is_none() {
                    ticker.set_period(before);
                    return Err(Status::Ended);
                }
            }
            Self::Wall(ticker) => ticker.try_set_period(new)?,
        }
        Ok(())
    }
}
