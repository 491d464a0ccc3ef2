//! The schedules of tickers, on either clock, and how they change.

use crate::Status;
use crate::ticker::Tick;
use crate::ticker_options::TickerOptions;
use oversleep::{Missed, Moment, Nanos, Period, Sleeper, WallTicker};

/// A ticker on either clock, with what is needed to make it again with another schedule.
pub(crate) struct Schedule {
    kind: Kind,
    period: Period,
    missed: Missed,
    /// Index of the next tick.
    next: u64,
    /// Index of the first tick of the present schedule.
    first: u64,
    /// When the tick before that was due, if it counts.
    before: Option<Moment>,
}

enum Kind {
    Monotonic(oversleep::Ticker),
    Wall { ticker: WallTicker, phase: Nanos },
}

impl Schedule {
    /// Returns a ticker on the monotonic clock.
    ///
    /// # Safety
    /// `options`, and its `sleeper`, are null or point to options of the size that they state.
    pub(crate) unsafe fn monotonic(period: Period, options: *const TickerOptions) -> Result<Self, Status> {
        // SAFETY: as the caller promises.
        let options = unsafe { TickerOptions::checked(options) }?;
        let missed = options.missed;
        let kind = Kind::Monotonic(monotonic(period, missed, options.start, options.sleeper));
        Ok(Self { kind, period, missed, next: 0, first: 0, before: None })
    }

    /// Returns a ticker on the wall clock.
    ///
    /// # Safety
    /// `options`, and its `sleeper`, are null or point to options of the size that they state.
    pub(crate) unsafe fn wall(period: Period, phase: Nanos, options: *const TickerOptions) -> Result<Self, Status> {
        // SAFETY: as the caller promises.
        let options = unsafe { TickerOptions::checked(options) }?;
        if options.start.is_some() || options.missed == Missed::Delay {
            return Err(Status::WallClock);
        }
        check_phase(phase, period)?;
        let missed = options.missed;
        let kind = Kind::Wall { ticker: wall(period, phase, missed, options.sleeper), phase };
        Ok(Self { kind, period, missed, next: 0, first: 0, before: None })
    }

    /// Waits for the next tick; `None` at the end of the clock's range.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Tick> {
        let tick = match &mut self.kind {
            Kind::Monotonic(ticker) => {
                let mut tick = Tick::from(ticker.tick()?);
                tick.index += self.first;
                tick
            }
            Kind::Wall { ticker, .. } => Tick::from(ticker.tick()?),
        };
        self.next = tick.index + 1;
        Some(tick)
    }

    pub(crate) fn sleeper(&self) -> &Sleeper {
        match &self.kind {
            Kind::Monotonic(ticker) => ticker.sleeper(),
            Kind::Wall { ticker, .. } => ticker.sleeper(),
        }
    }

    /// Restarts the schedule: the next tick is due a period from now.
    pub(crate) fn reset(&mut self) -> Result<(), Status> {
        let start = oversleep::now().checked_add(self.period.nanos()).ok_or(Status::Ended)?;
        self.before = None;
        self.restart(start);
        Ok(())
    }

    /// Changes the period: the next tick is due a new one after the latest.
    pub(crate) fn set_period(&mut self, period: Period) -> Result<(), Status> {
        if period == self.period {
            return Ok(());
        }
        let mut start = Moment::from_nanos(Nanos::ZERO);
        match &self.kind {
            Kind::Monotonic(ticker) => {
                let next = ticker.next_deadline().ok_or(Status::Ended)?;
                let latest =
                    if self.next > self.first { Some(next.saturating_sub(self.period.nanos())) } else { self.before };
                start = latest.map_or(Some(next), |latest| latest.checked_add(period.nanos())).ok_or(Status::Ended)?;
                self.before = latest;
            }
            Kind::Wall { phase, .. } => check_phase(*phase, period)?,
        }
        self.period = period;
        self.restart(start);
        Ok(())
    }

    /// Makes the ticker again; `start` is for the monotonic clock. What its sleeper knows and has counted is kept.
    fn restart(&mut self, start: Moment) {
        let sleeper = self.sleeper().clone();
        match &mut self.kind {
            Kind::Monotonic(ticker) => *ticker = monotonic(self.period, self.missed, Some(start), sleeper),
            Kind::Wall { ticker, phase } => *ticker = wall(self.period, *phase, self.missed, sleeper),
        }
        self.first = self.next;
    }
}

fn monotonic(period: Period, missed: Missed, start: Option<Moment>, sleeper: Sleeper) -> oversleep::Ticker {
    let mut builder = oversleep::Ticker::builder(period).missed(missed);
    if let Some(start) = start {
        builder = builder.starting_at(start);
    }
    builder.build_with(sleeper)
}

fn wall(period: Period, phase: Nanos, missed: Missed, sleeper: Sleeper) -> WallTicker {
    WallTicker::builder(period).phase(phase).missed(missed).build_with(sleeper)
}

/// Refuses a phase that would put the first tick years ahead, or beyond the clock's range.
fn check_phase(phase: Nanos, period: Period) -> Result<(), Status> {
    if phase.saturating_abs() >= period.nanos() { Err(Status::BadPhase) } else { Ok(()) }
}
