//! The controller of the margin, which keeps a share of sleeps on time by feedback.

#[cfg(test)]
mod tests;

use super::window::Window;
use crate::Nanos;

/// Number of sleeps in which only order statistics set the margin, before feedback: a share of fewer means little.
const FIRST: usize = 8;
/// Increase of the margin by one late sleep (its part above the median, as a logarithm). A sleep on time lowers it by
/// that times the share that may be late over the share that may not, so that both balance at the requested share.
const STEP: f64 = 0.15;
/// Minimum of the level's part above the median, in ns: a value that is multiplied must not vanish. It is subtracted
/// again in the end, so that a kernel that is always equally late costs no wait.
const LEAST_EXCESS: f64 = 100.0;
/// Limits of the number of sleeps for which late ones count as recent, which is that in which half a late sleep is
/// allowed.
const RECENT: (f64, f64) = (32.0, 256.0);
/// Rate at which a margin far above everything remembered falls with each sleep (as a logarithm).
const FALL: f64 = 1.0 / 16.0;
/// How far above the remembered quantile a margin may be without falling, as a factor.
const FAR: f64 = 2.0;
/// Factor of the largest recent oversleep above which the deficit does not raise a margin.
const ABOVE_PEAK: f64 = 1.5;
/// Rate at which the largest oversleep is forgotten, per number of sleeps of which one may be late (as a logarithm). A
/// sleep can exceed it by [`ABOVE_PEAK`] only once in a few e-foldings: so rarely that the promise holds.
const PEAK_FALL: f64 = 0.2;
/// Divisors of the largest recent oversleep below which a margin is not made to fall: the second, and gradually the
/// first where the share is beyond the window's memory. What happens once in a thousand sleeps may be absent in a
/// hundred.
const STEEP: (f64, f64) = (2.0, 16.0);
/// Limit of the deficit: no more late sleeps are compensated for, nor more early ones used up.
const LARGEST_DEFICIT: f64 = 60.0;
/// Limit of the factor by which the deficit raises or lowers the margin, as a logarithm: from 100 ns to 100 ms.
const LARGEST_STEER: f64 = 14.0;

/// Computes how long before its deadline a sleep should be woken so that a share of all sleeps is awake in time, and
/// learns from each how late the kernel woke it. It reads no clock and makes no system calls.
///
/// It has three parts, each with one task:
///
/// * a **level**, which follows the requested quantile of the oversleeps: up by a step when one exceeds it, down by a
///   small one when not (stochastic approximation of a quantile; the learning rule of adaptive conformal inference,
///   Gibbs and Candès 2021, in the logarithm of the part above the median, which suits tails of any weight);
/// * the **deficit**, the number of late sleeps minus the number allowed so far, which raises the margin above the
///   level or lowers it (the integral term of conformal PID control, Angelopoulos, Candès and Tibshirani 2023). As long
///   as the oversleeps are bounded, so is the deficit, *whatever their order*: the share of late sleeps in n sleeps
///   differs from the allowed one by at most deficit / n. The promise rests on this; the other parts make it cheap;
/// * a **jump** to the latest oversleep when more were late recently than chance explains: a sudden load is followed
///   within a few sleeps.
///
/// It learns from what the margin in force would have achieved, so a margin that a ceiling cuts causes no deficit that
/// could not be compensated for.
#[derive(Debug, Clone)]
pub(super) struct ShareController {
    share: f64,
    window: Window,
    /// Estimate of the quantile, in ns.
    level: f64,
    /// Late sleeps minus those allowed.
    deficit: f64,
    /// The same for recent sleeps, older ones weighing less.
    recent: f64,
    /// Largest oversleep, slowly forgotten, in ns.
    peak: f64,
    margin: Nanos,
}

impl ShareController {
    /// Returns a controller without any data, for a share between 0.5 and 1, exclusive.
    pub(super) fn new(share: f64) -> Self {
        Self { share, window: Window::new(), level: 0.0, deficit: 0.0, recent: 0.0, peak: 0.0, margin: Nanos::ZERO }
    }

    /// Returns the margin for the next sleep; zero without data.
    pub(super) fn margin(&self) -> Nanos {
        self.margin
    }

    /// Returns the oversleeps that are remembered.
    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    /// Counts late sleeps from zero again.
    pub(super) fn restart(&mut self) {
        (self.deficit, self.recent) = (0.0, 0.0);
        self.steer();
    }

    /// Learns how late the kernel woke a sleep for which the margin in force was meant.
    pub(super) fn observe(&mut self, oversleep: Nanos) {
        self.count(oversleep > self.margin);
        self.learn(oversleep);
    }

    /// Returns whether fewer sleeps were late so far than are allowed.
    pub(super) fn has_credit(&self) -> bool {
        self.deficit < 0.0
    }

    /// Remembers an oversleep without changing the margin.
    pub(super) fn remember(&mut self, oversleep: Nanos) {
        self.window.insert(oversleep);
    }

    /// Counts a sleep that was late or on time, when it is not known how late the kernel would have woken it.
    pub(super) fn count(&mut self, late: bool) {
        let change = f64::from(u8::from(late)) - self.may_be_late();
        let at_its_least = change < 0.0 && self.deficit < 0.0 && self.excess() * self.factor() <= LEAST_EXCESS;
        let change = if at_its_least { 0.0 } else { change };
        self.deficit = (self.deficit + change).clamp(-LARGEST_DEFICIT, LARGEST_DEFICIT);
        self.recent += change - self.recent / self.recency();
        self.steer();
    }

    /// Learns from an oversleep without counting it.
    pub(super) fn learn(&mut self, oversleep: Nanos) {
        self.window.insert(oversleep);
        self.peak = (self.peak * (-PEAK_FALL * self.may_be_late()).exp()).max(oversleep.as_f64());
        if self.window.len() < FIRST {
            self.level = first_margin(&self.window, self.share).as_f64();
        } else {
            self.follow(oversleep.as_f64());
        }
        self.steer();
    }

    fn may_be_late(&self) -> f64 {
        1.0 - self.share
    }

    /// Returns the number of sleeps for which late ones count as recent.
    fn recency(&self) -> f64 {
        (0.5 / self.may_be_late()).clamp(RECENT.0, RECENT.1)
    }

    fn median(&self) -> f64 {
        self.window.quantile(0.5).unwrap_or(Nanos::ZERO).as_f64()
    }

    /// Returns the level's part above the median.
    fn excess(&self) -> f64 {
        (self.level - self.median()).max(LEAST_EXCESS)
    }

    fn follow(&mut self, oversleep: f64) {
        let median = self.median();
        let excess = (self.level - median).max(LEAST_EXCESS);
        let step = if oversleep > self.level { self.share } else { -self.may_be_late() };
        self.level = median + excess * (STEP * step).exp();
        if oversleep > self.level && self.is_surprised() {
            self.level = oversleep;
        }
        if self.level > median + self.farthest(median) {
            self.level = median + (self.level - median) * (-FALL).exp();
        }
    }

    /// Returns whether more sleeps were late recently than two standard deviations of their number explain.
    fn is_surprised(&self) -> bool {
        let variance = self.recency() / 2.0 * self.may_be_late() * self.share;
        self.recent > 1.0 + 2.0 * variance.sqrt()
    }

    /// Returns how far above the median a level may stay. Where the share is beyond the window's memory, its largest
    /// value is taken as the beginning of a tail whose excess grows with the square root of the rarity.
    fn farthest(&self, median: f64) -> f64 {
        let quantile = self.window.quantile(self.share).unwrap_or(Nanos::ZERO).as_f64();
        let rarity = (self.may_be_late() * (self.window.len() + 1) as f64).min(1.0);
        let known = FAR * (quantile - median).max(LEAST_EXCESS) / rarity.sqrt();
        known.max((self.peak - median) / (STEEP.1 * rarity).max(STEEP.0))
    }

    /// Sets the margin from level and deficit.
    fn steer(&mut self) {
        if self.window.len() < FIRST {
            self.margin = Nanos::from_f64(self.level);
            return;
        }
        let steered = self.median() + (self.excess() * self.factor() - LEAST_EXCESS).max(0.0);
        let highest = self.level.max(ABOVE_PEAK * self.peak);
        self.margin = Nanos::from_f64(steered.min(highest).ceil());
    }

    /// Returns the factor by which the deficit multiplies the part above the median: slightly above 1 for each late
    /// sleep, large when the promise is about to be broken (10 of 10 000 at 99.9 %, 50 at lower shares).
    fn factor(&self) -> f64 {
        let deficit = self.deficit;
        let power = if deficit >= 0.0 {
            let many = (1_000.0 * self.may_be_late()).clamp(6.0, 12.0);
            0.08 * deficit + (deficit / many).powi(2)
        } else {
            // Slowly: an excess of sleeps on time must not lead to many late ones at once.
            0.03 * deficit - (deficit / 30.0).powi(2)
        };
        power.clamp(-LARGEST_STEER, LARGEST_STEER).exp()
    }
}

/// Returns the margin from a few oversleeps: their quantile plus a supplement, and at most twice their upper quartile.
/// Where the latest three were all longer than the quartile, the shortest of them replaces it: the machine has changed,
/// because three in a row are no tail.
fn first_margin(window: &Window, share: f64) -> Nanos {
    let known = i64::try_from(window.len()).unwrap_or(i64::MAX);
    let wanted = window.quantile(share).unwrap_or(Nanos::ZERO);
    // A small sample underestimates the largest future value: one oversleep is doubled, five are increased by a fifth.
    let careful = wanted.saturating_add(Nanos::new(wanted.get() / known.max(1)));
    let bulk = window.quantile(0.75).max(window.least_of_latest(3)).unwrap_or(Nanos::ZERO);
    careful.min(bulk.saturating_mul(2))
}
