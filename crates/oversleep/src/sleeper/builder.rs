//! What can be asked of a sleeper, before there is one.

use super::Sleeper;
use super::options::{Aim, Options};
use crate::Nanos;
use crate::machine::{Here, Machine};

/// What is asked of a sleeper. Made by [`Sleeper::builder`]; one builder can make any number of sleepers, one for each
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
    options: Options,
}

impl SleeperBuilder {
    /// Returns a sleeper for the thread that will sleep on it.
    pub fn build(self) -> Sleeper {
        self.build_on(Here)
    }

    /// Returns a sleeper on any machine.
    pub fn build_on<M: Machine>(self, machine: M) -> Sleeper<M> {
        Sleeper::with_options(machine, self.options)
    }

    /// Sets the share of sleeps to be awake before their deadline, so that only the fine wait decides how late they end:
    /// 0.99 unless set; held between 0.5 and 0.9999. NaN is taken as 0.99.
    ///
    /// The share is kept in the long run, within half a point over 10 000 sleeps (a tenth of one at 0.999), unless a
    /// ceiling stands in the way: then [`Achieved::limited_by`](crate::Achieved::limited_by) says which, and what share
    /// can be had under it. Its price is processor time, and rises steeply with the share where the kernel now and then
    /// wakes very late: [`Achieved::spun_per_sleep`](crate::Achieved::spun_per_sleep) tells.
    pub fn on_time(mut self, share: f64) -> Self {
        self.options.aim = Aim::OnTime(Options::share(share));
        self
    }

    /// Sets the most of the time slept that may on average be spent in fine waiting: 0 to 1, 0.5 unless set. It goes
    /// before [`on_time`](Self::on_time); what some sleeps leave, others may spend. At 1, sleeps too short to be slept are waited finely altogether. NaN is
    /// taken as 0.5.
    ///
    /// A sleep that was measured to take as much of the processor as waiting finely all the while (going to sleep and
    /// waking up cost 20 to 40 µs on virtual machines) is not slept, whatever the ceiling: nothing would be saved.
    pub fn cpu_ceiling(mut self, share: f64) -> Self {
        self.options.cpu_ceiling = Options::ceiling(share);
        self
    }

    /// Asks for wake-ups near the deadline at next to no cost: a margin that almost no sleep has to wait for. Slack is left as it is and
    /// made up for like every other lateness, as the calls that change it cost more than they save.
    pub fn eco(mut self) -> Self {
        self.options.aim = Aim::Eco;
        self
    }

    /// Sets the longest single fine wait. 20 ms unless set; negative is zero.
    pub fn spin_ceiling(mut self, ceiling: impl Into<Nanos>) -> Self {
        self.options.spin_ceiling = ceiling.into().max(Nanos::ZERO);
        self
    }

    /// Sets the longest single fine wait under a real-time policy (`SCHED_FIFO` and the like), where nothing else runs on
    /// the processor meanwhile. 1 ms unless set; negative is zero.
    pub fn real_time_ceiling(mut self, ceiling: impl Into<Nanos>) -> Self {
        self.options.real_time_ceiling = ceiling.into().max(Nanos::ZERO);
        self
    }

    /// Leaves the thread's timer slack as it is, as [`eco`](Self::eco) always does. Otherwise it is 1 ns for each coarse
    /// wait and put back after it.
    pub fn leave_slack(mut self) -> Self {
        self.options.least_slack = false;
        self
    }

    /// Lets a sleep end up to this long before its deadline. Zero unless set: never early.
    pub fn early_window(mut self, window: impl Into<Nanos>) -> Self {
        self.options.early_window = window.into().max(Nanos::ZERO);
        self
    }
}
