//! The options of a sleeper.

use super::Sleeper;
use super::options::{Aim, SleeperOptions};
use crate::Nanos;
use crate::machine::{Machine, ThisMachine};
use crate::option_error::{OptionError, or_panic};

/// The options of a sleeper. Made by [`Sleeper::builder`]; one builder can make any number of sleepers, one for each
/// thread.
///
/// ```
/// use oversleep::Sleeper;
/// use std::time::Duration;
///
/// let audio = Sleeper::builder().on_time(0.999).spin_ceiling(Duration::from_millis(2));
/// let workers: Vec<_> = (0..2)
///     .map(|_| std::thread::spawn(move || audio.build().sleep_for(Duration::from_micros(300))))
///     .collect();
/// for worker in workers {
///     println!("{}", worker.join().unwrap());
/// }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[must_use = "a builder sleeps for nobody; build() makes the sleeper"]
pub struct SleeperBuilder {
    options: SleeperOptions,
}

impl SleeperBuilder {
    /// Returns a sleeper for the thread that will sleep on it.
    ///
    /// # Panics
    /// If an option is out of its range. [`try_build`](Self::try_build) returns an error instead.
    #[track_caller]
    pub fn build(self) -> Sleeper {
        or_panic(self.try_build())
    }

    /// Returns a sleeper for the thread that will sleep on it; an error if an option is out of its range.
    ///
    /// ```
    /// use oversleep::{OptionError, Sleeper};
    ///
    /// let error = Sleeper::builder().on_time(99.0).try_build().unwrap_err();
    /// assert_eq!(error, OptionError::OnTime(99.0));
    /// assert_eq!(error.to_string(), "on_time is a share from 0.5 to 0.9999, not 99; 99 % is 0.99");
    /// ```
    pub fn try_build(self) -> Result<Sleeper, OptionError> {
        self.try_build_on(ThisMachine)
    }

    /// Returns a sleeper on any machine.
    ///
    /// # Panics
    /// As [`build`](Self::build).
    #[track_caller]
    pub fn build_on<M: Machine>(self, machine: M) -> Sleeper<M> {
        or_panic(self.try_build_on(machine))
    }

    /// Returns a sleeper on any machine, with the errors of [`try_build`](Self::try_build).
    pub fn try_build_on<M: Machine>(self, machine: M) -> Result<Sleeper<M>, OptionError> {
        self.options.check()?;
        Ok(Sleeper::with_options(machine, self.options))
    }

    /// Sets the share of sleeps to be awake before their deadline, so that only the fine wait decides how late they
    /// end: 0.5 to 0.9999. By default no share is requested: sleeps are on time as often as is worth the processor time
    /// ([`Sleeper`]).
    ///
    /// The share is kept in the long run, within half a percentage point over 10 000 sleeps (a tenth of one at 0.999),
    /// unless a ceiling prevents it: then [`SleepStats::limited_by`](crate::SleepStats::limited_by) says which, and
    /// what share is possible under it. It costs processor time, which rises steeply with the share where the kernel
    /// sometimes wakes very late: [`SleepStats::spun_per_sleep`](crate::SleepStats::spun_per_sleep) gives the amount.
    pub fn on_time(mut self, share: f64) -> Self {
        self.options.aim = Aim::OnTime(share);
        self
    }

    /// Sets the largest average share of the time slept that may be spent in fine waiting: 0 to 1, by default
    /// 0.02, or 0.5 with [`on_time`](Self::on_time). It has precedence over the share; what some sleeps leave, others
    /// may use. At 1, sleeps too short to be slept are fine waits altogether.
    ///
    /// With a requested share, a sleep that was measured to use as much of the processor as a fine wait of its length
    /// (going to sleep and waking up cost 20 to 40 µs on virtual machines) is not slept, whatever the ceiling, because
    /// nothing would be saved.
    pub fn cpu_ceiling(mut self, share: f64) -> Self {
        self.options.cpu_ceiling = Some(share);
        self
    }

    /// Requests wake-ups close to the deadline at almost no cost: with a margin for which almost no sleep has to wait.
    /// Slack is left as it is and compensated for like any other lateness, because the calls that change it cost more
    /// than they save.
    pub fn eco(mut self) -> Self {
        self.options.aim = Aim::Eco;
        self
    }

    /// Sets the longest single fine wait: by default 0.2 ms, or 20 ms with [`on_time`](Self::on_time);
    /// not negative.
    pub fn spin_ceiling(mut self, ceiling: impl Into<Nanos>) -> Self {
        self.options.spin_ceiling = Some(ceiling.into());
        self
    }

    /// Sets the longest single fine wait under a real-time policy (`SCHED_FIFO` and similar), when nothing else can run
    /// on the processor. By default 1 ms; not negative.
    pub fn real_time_ceiling(mut self, ceiling: impl Into<Nanos>) -> Self {
        self.options.real_time_ceiling = ceiling.into();
        self
    }

    /// Leaves the thread's timer slack and time slice as they are, as [`eco`](Self::eco) always does. Otherwise the
    /// slack is set to 1 ns for each coarse wait, and, where other threads delay wake-ups, the slice to the shortest
    /// that the system gives; both are restored after it. A seccomp filter that refuses `sched_setattr`
    /// does no harm; under one that kills for it, set this option.
    pub fn leave_slack(mut self) -> Self {
        self.options.least_slack = false;
        self
    }

    /// Lets a sleep end up to this long before its deadline. Not negative; by default zero: never early.
    pub fn early_window(mut self, window: impl Into<Nanos>) -> Self {
        self.options.early_window = window.into();
        self
    }
}
