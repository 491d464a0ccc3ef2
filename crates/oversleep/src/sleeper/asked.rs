//! What can be asked of a sleeper.

use super::Sleeper;
use super::wish::{Aim, Wish};
use crate::Nanos;
use crate::machine::Machine;

impl<M: Machine> Sleeper<M> {
    /// The share of sleeps that should wake before their deadline, so that only the fine wait decides how late they
    /// end. 0.99 unless set; held between 0.5 and 0.99, which is what 128 remembered sleeps can promise. NaN is
    /// taken as 0.99.
    ///
    /// A long tail is not followed beyond twice the upper quartile of the oversleeps (1.8 times at 0.97): on a loaded
    /// machine that share may not be reached. [`Sleeper::achieved`] tells.
    pub fn on_time(mut self, share: f64) -> Self {
        self.wish.aim = Aim::OnTime(Wish::share(share));
        self
    }

    /// The most of the time slept that may on average be spent in fine waiting: 0 to 1, 0.5 unless set. It goes
    /// before [`on_time`](Self::on_time). At 1, sleeps too short to be slept are waited finely altogether. NaN is
    /// taken as 0.5.
    ///
    /// A sleep that was measured to take as much of the processor as waiting finely all the while (going to sleep and
    /// waking up cost 20 to 40 µs on virtual machines) is not slept, whatever the ceiling: nothing would be saved.
    pub fn cpu_ceiling(mut self, share: f64) -> Self {
        self.wish.cpu_ceiling = Wish::ceiling(share);
        self
    }

    /// Near the deadline at next to no cost: a margin that almost no sleep has to wait for. Slack is left as it is and
    /// made up for like every other lateness, as the calls that change it cost more than they save.
    pub fn eco(mut self) -> Self {
        self.wish.aim = Aim::Eco;
        self
    }

    /// The longest single fine wait. 20 ms unless set; negative is zero.
    pub fn spin_ceiling(mut self, ceiling: impl Into<Nanos>) -> Self {
        self.wish.spin_ceiling = ceiling.into().max(Nanos::ZERO);
        self
    }

    /// The longest single fine wait under a real-time policy (`SCHED_FIFO` and the like), where nothing else runs on
    /// the processor meanwhile. 1 ms unless set; negative is zero.
    pub fn real_time_ceiling(mut self, ceiling: impl Into<Nanos>) -> Self {
        self.wish.real_time_ceiling = ceiling.into().max(Nanos::ZERO);
        self
    }

    /// Leaves the thread's timer slack as it is, as [`eco`](Self::eco) always does. Otherwise it is 1 ns for each coarse
    /// wait and put back after it.
    pub fn leave_slack(mut self) -> Self {
        self.wish.least_slack = false;
        self
    }

    /// Lets a sleep end up to this long before its deadline. Zero unless set: never early.
    pub fn early_window(mut self, window: impl Into<Nanos>) -> Self {
        self.wish.early_window = window.into().max(Nanos::ZERO);
        self
    }
}
