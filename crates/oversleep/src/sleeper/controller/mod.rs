//! Which margin keeps a share of sleeps on time: steered by what was achieved.

#[cfg(all(test, not(loom)))]
mod tests;

use super::window::Window;
use crate::Nanos;

/// Sleeps that set the margin by their order alone, before it is steered: a share of fewer says nothing.
const FIRST: usize = 8;
/// By how much one late sleep raises the margin (its part above the median, as a logarithm). One in time lowers it by as
/// much times the share that may be late over the share that may not, so that both balance at the share asked for.
const STEP: f64 = 0.15;
/// The level's part above the median is at least this, nanoseconds: what is multiplied must not vanish. It is taken off
/// again in the end, so that a kernel that is always equally late costs no wait.
const LEAST_EXCESS: f64 = 100.0;
/// Late sleeps are recent while half a late sleep is allowed: for at least and at most these numbers of sleeps.
const RECENT: (f64, f64) = (32.0, 256.0);
/// A margin far above everything remembered falls by this part of itself (as a logarithm) with each sleep.
const FALL: f64 = 1.0 / 16.0;
/// How far above the remembered quantile a margin may be without falling.
const FAR: f64 = 2.0;
/// The deficit raises a margin no farther than this times the largest oversleep of late.
const ABOVE_PEAK: f64 = 1.5;
/// The largest oversleep is forgotten by this part of itself (as a logarithm) while one sleep may be late. A sleep can only
/// exceed the largest by [`ABOVE_PEAK`] once in a few e-foldings of it: so seldom that the promise holds.
const PEAK_FALL: f64 = 0.2;
/// Nor does a margin fall below one part in this many of the largest oversleep of late, or one in two where the share
/// is beyond the window's memory: what is seen once in a thousand sleeps is not gone when it is not seen in a hundred.
const STEEP: (f64, f64) = (2.0, 16.0);
/// More late sleeps than these are not made up for, nor more early ones used up.
const LARGEST_DEFICIT: f64 = 60.0;
/// The most by which the deficit may raise or lower the margin, as a logarithm: from 100 ns to 100 ms.
const LARGEST_STEER: f64 = 14.0;

/// Says how long before its deadline a sleep should be woken so that a share of all sleeps is awake in time, and learns
/// from each how late the kernel woke it. It has no clock and asks no system.
///
/// Three parts, each with one task:
///
/// * a **level**, which follows the wanted quantile of the oversleeps: up by a step when one exceeds it, down by a small
///   one when not (stochastic approximation of a quantile; the learning rule of adaptive conformal inference, Gibbs and
///   Candès 2021, in the logarithm of the part above the median, which suits tails of any weight);
/// * the **deficit**, the number of late sleeps less the number allowed so far, which raises the margin above the level
///   or lowers it (the integral term of conformal PID control, Angelopoulos, Candès and Tibshirani 2023). As long as the
///   oversleeps are bounded, so is the deficit, *whatever their order*: late sleeps in n sleeps differ from the share
///   asked for by at most deficit / n. This is what the promise rests on; the rest makes it cheap;
/// * a **jump** to the latest oversleep when more were late recently than chance explains: a sudden load is followed
///   within a few sleeps.
///
/// It learns from what the margin in force would have done, so a margin that a ceiling cuts leads to no deficit that
/// could not be made up for.
#[derive(Debug, Clone)]
pub(super) struct ShareController {
    share: f64,
    window: Window,
    /// The quantile as followed, nanoseconds.
    level: f64,
    /// Late sleeps less those allowed.
    deficit: f64,
    /// The same of the latest sleeps, older ones counting less.
    recent: f64,
    /// The largest oversleep, slowly forgotten, nanoseconds.
    peak: f64,
    margin: Nanos,
}

impl ShareController {
    /// Returns one that knows nothing, for a share between 0.5 and 1, both excluded from the ends.
    pub(super) fn new(share: f64) -> Self {
        Self { share, window: Window::new(), level: 0.0, deficit: 0.0, recent: 0.0, peak: 0.0, margin: Nanos::ZERO }
    }

    /// Returns the margin for the next sleep. Zero where nothing is known.
    pub(super) fn margin(&self) -> Nanos {
        self.margin
    }

    /// Returns the oversleeps remembered.
    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    /// Asks for another share, which has no deficit yet.
    pub(super) fn aim_at(&mut self, share: f64) {
        if share.to_bits() != self.share.to_bits() {
            (self.share, self.deficit, self.recent) = (share, 0.0, 0.0);
        }
    }

    /// Learns how late the kernel woke a sleep that the margin in force was for.
    pub(super) fn observe(&mut self, oversleep: Nanos) {
        self.count(oversleep > self.margin);
        self.learn(oversleep);
    }

    /// Remembers an oversleep, for those who have no use for the margin.
    pub(super) fn remember(&mut self, oversleep: Nanos) {
        self.window.insert(oversleep);
    }

    /// Counts a sleep that was late or on time, without saying how late the kernel would have woken it.
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

    /// For how many sleeps late ones are recent.
    fn recency(&self) -> f64 {
        (0.5 / self.may_be_late()).clamp(RECENT.0, RECENT.1)
    }

    fn median(&self) -> f64 {
        self.window.quantile(0.5).unwrap_or(Nanos::ZERO).as_f64()
    }

    /// The level's part above the median.
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

    /// Whether more sleeps were late recently than two standard deviations of their number explain.
    fn is_surprised(&self) -> bool {
        let variance = self.recency() / 2.0 * self.may_be_late() * self.share;
        self.recent > 1.0 + 2.0 * variance.sqrt()
    }

    /// How far above the median a level may stay. Where the share is beyond what the memory can tell, its largest is taken
    /// for the beginning of a tail whose excess grows with the square root of the rarity.
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

    /// By what the deficit multiplies the part above the median: a little for each late sleep, much where the promise is
    /// about to be broken (10 of 10 000 at 99.9 %, 50 at less).
    fn factor(&self) -> f64 {
        let deficit = self.deficit;
        let power = if deficit >= 0.0 {
            let many = (1_000.0 * self.may_be_late()).clamp(6.0, 12.0);
            0.08 * deficit + (deficit / many).powi(2)
        } else {
            // Slowly: sleeps that were on time without need are no reason for many late ones at once.
            0.03 * deficit - (deficit / 30.0).powi(2)
        };
        power.clamp(-LARGEST_STEER, LARGEST_STEER).exp()
    }
}

/// The margin from a few oversleeps: their quantile with something on top, and no more than twice their upper quartile.
/// Where the latest were all longer than the quartile, the shortest of them counts instead: the machine has changed, and
/// three in a row are no tail.
fn first_margin(window: &Window, share: f64) -> Nanos {
    let known = i64::try_from(window.len()).unwrap_or(i64::MAX);
    let wanted = window.quantile(share).unwrap_or(Nanos::ZERO);
    // Few are a bad guide to the largest to come: one is doubled, five get a fifth on top.
    let careful = wanted.saturating_add(Nanos::new(wanted.get() / known.max(1)));
    let bulk = window.quantile(0.75).max(window.least_of_latest(3)).unwrap_or(Nanos::ZERO);
    careful.min(bulk.saturating_mul(2))
}
