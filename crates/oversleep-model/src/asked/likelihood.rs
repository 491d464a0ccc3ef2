//! How probable stated figures are under a distribution of sleeps' lengths.

use super::candidate::log_sum;
use super::distribution::{Noise, Piece, below, moments};
use oversleep_recording::asked::{AskedPair, Figure, Reading};

/// Share of sleeps that anything may delay or cut, whatever the law.
const STRAY: f64 = 0.004;
/// The same where a figure is of the tail itself: what made that tail is the question.
const STRAY_IN_TAIL: f64 = 1e-5;
/// Share of the strays that are early.
const STRAY_EARLY: f64 = 0.05;
/// The lengths between which such a sleep may last, in ns: 100 ns to a day, evenly in their logarithm.
const STRAY_FROM: f64 = 1e2;
const STRAY_TO: f64 = 8.64e13;
/// A law's parameters are known to about this share of a lateness.
const PRECISION: f64 = 0.02;
/// Number of sleeps that a statistic is taken to stand for if nobody says.
const USUAL_COUNT: f64 = 30.0;
/// Sleeps of one run depend on each other: no statistic counts as more than this many.
const MOST_COUNT: f64 = 100.0;
/// The same of sleeps that were counted one by one.
const MOST_COUNTED: f64 = 1e3;
/// Sleeps after which a run tells as much of its share of longer ones as what is known of it beforehand.
const RUNS_ALIKE: f64 = 100.0;
/// Half of the step from one cost of waking that is tried to the next, as a share of it.
const BETWEEN_COSTS: f64 = 0.3;
/// Numbers of sleeps that a range without one is taken to be of.
const RANGES_OF: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
/// By how much of its width people round the ends of a range.
const ROUNDED: f64 = 0.05;
/// How many times the cost of waking a sleep may last longer than its law says and still be one of that law.
pub(super) const REACH: f64 = 12.0;
/// How far a quantile's share may be off for reasons of its own.
const SHARE_ERROR: f64 = 0.02;

/// A distribution of lengths with strays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths<'a> {
    pieces: &'a [Piece],
    noise: Noise,
    /// Requested duration in ns, and its place among the lengths of strays: fewer sleeps stray to before it than to after it.
    requested: f64,
    place: f64,
    /// Whether some sleeps are strays.
    strays: bool,
}

/// Returns the place of a length (ns) among those that a stray may have, 0 to 1.
fn place_of_stray(length: f64) -> f64 {
    ((length.max(STRAY_FROM) / STRAY_FROM).ln() / (STRAY_TO / STRAY_FROM).ln()).clamp(0.0, 1.0)
}

impl<'a> Lengths<'a> {
    /// Returns the distribution of sleeps of this request, some of which are strays.
    pub(super) fn new(pieces: &'a [Piece], noise: Noise, requested: f64) -> Self {
        Self { pieces, noise, requested, place: place_of_stray(requested), strays: true }
    }

    /// Returns the share of sleeps that last at most `x`, this share of which are strays.
    fn with_strays(&self, x: f64, strays: f64) -> f64 {
        let (own, asked) = (place_of_stray(x), self.place);
        let stray = if x < self.requested {
            STRAY_EARLY * own / asked.max(1e-9)
        } else {
            STRAY_EARLY + (1.0 - STRAY_EARLY) * (own - asked) / (1.0 - asked).max(1e-9)
        };
        let strays = if self.strays { strays } else { 0.0 };
        (1.0 - strays) * below(self.pieces, self.noise, x) + strays * stray
    }

    fn below(&self, x: f64) -> f64 {
        self.with_strays(x, STRAY)
    }

    fn in_tail(&self, x: f64) -> f64 {
        self.with_strays(x, STRAY_IN_TAIL)
    }

    /// Returns the logarithm of the probability of the figures of one request.
    pub(super) fn ln(&self, pair: &AskedPair) -> f64 {
        let count = count(pair);
        let figures = pair.figures.iter().map(|figure| self.figure(pair, figure, count));
        let (sum, all) = figures.fold((0.0, 0.0), |(sum, all), ln| (sum + ln, all + 1.0));
        sum * effective(all) / f64::max(all, 1.0)
    }

    /// Returns how many of the figures of a request are there only because anything may delay a sleep, and how many are not.
    pub(super) fn unexplained(&self, pair: &AskedPair) -> (usize, usize) {
        let count = count(pair);
        let without = Lengths { strays: false, ..*self };
        let ends = self.pieces.iter().filter(|piece| piece.weight > 0.0);
        let (least, most) =
            ends.fold((f64::MAX, 0.0), |(least, most), piece| (piece.from.min(least), piece.to.max(most)));
        let reach = REACH * self.noise.cost;
        let is_out_of_reach = |figure: &Figure| match figure {
            Figure::Value(at) | Figure::Mean(at) | Figure::Min(at) | Figure::Wall(at) => {
                let (low, high) = bounds(at, pair.requested.as_f64());
                low > most + reach || high < least - reach
            }
            Figure::Longer { longer, limit, .. } => *longer > 0 && limit.as_f64() > most + reach,
            _ => false,
        };
        let is_stray = |figure: &&Figure| {
            is_out_of_reach(figure) || without.figure(pair, figure, count) < self.figure(pair, figure, count) - 5.0
        };
        let strays = pair.figures.iter().filter(is_stray).count();
        (strays, pair.figures.len() - strays)
    }

    fn figure(&self, pair: &AskedPair, figure: &Figure, count: f64) -> f64 {
        let requested = pair.requested.as_f64();
        // Between these two, a figure is the same for all that is known.
        let bounds = |reading: &Reading| bounds(reading, requested);
        let share = |reading: &Reading, rise: &dyn Fn(f64) -> f64| {
            let (low, high) = bounds(reading);
            ln(rise(high) - rise(low))
        };
        match figure {
            Figure::Value(at) | Figure::Wall(at) | Figure::Uptime(at) => share(at, &|x| self.below(x)),
            Figure::Min(at) => {
                // The least cost may lie between two of those that are tried, for which it is as probable.
                let (low, high) = bounds(at);
                let (half, middle) = ((high - low) / 2.0, f64::midpoint(low, high));
                let wide = half.max(BETWEEN_COSTS * self.noise.cost);
                let rise = |x: f64| 1.0 - (1.0 - self.below(x)).powf(count);
                ln((rise(middle + wide) - rise(middle - wide)) * half / wide)
            }
            Figure::Max(at) => share(at, &|x| self.in_tail(x).powf(count)),
            Figure::Range(from, to) => {
                // Of how many sleeps it is the range is not known, and people round its ends.
                let half = ROUNDED * (to.time - from.time).as_f64();
                let rounded = |at: &Reading| Reading { half_digit_ns: at.half_digit_ns.max(half), ..*at };
                let of = |few: f64| {
                    share(&rounded(from), &|x| 1.0 - (1.0 - self.below(x)).powf(few))
                        + share(&rounded(to), &|x| self.in_tail(x).powf(few))
                };
                match pair.count {
                    Some(_) => of(count.min(10.0)),
                    None => log_sum(&RANGES_OF.map(of)) - (RANGES_OF.len() as f64).ln(),
                }
            }
            Figure::Quantile(quantile, at) => {
                let error =
                    (quantile * (1.0 - quantile) / count + SHARE_ERROR.powi(2) * quantile.min(1.0 - quantile)).sqrt();
                share(at, &|x| normal((self.in_tail(x) - quantile) / error))
            }
            Figure::Mean(at) => {
                let (mean, variance) = moments(self.pieces, self.noise);
                let error = (variance / count.min(USUAL_COUNT) + (PRECISION * (mean - requested)).powi(2) + 1e4).sqrt();
                let stray = share(at, &place_of_stray);
                let (low, high) = bounds(at);
                let strays = if self.strays { STRAY } else { 0.0 };
                ln((1.0 - strays) * (normal((high - mean) / error) - normal((low - mean) / error))
                    + strays * stray.exp())
            }
            Figure::Longer { longer, of, limit } => {
                let scale = (MOST_COUNTED / *of as f64).min(1.0);
                // One that was seen was seen.
                let (long, short) =
                    ((*longer as f64 * scale).max((*longer).min(1) as f64), (*of - *longer) as f64 * scale);
                let at_most = self.in_tail(limit.as_f64()).clamp(1e-6, 1.0 - 1e-6);
                // How many are as late differs from run to run: the share itself scatters (beta-binomial distribution).
                let (a, b) = (RUNS_ALIKE * (1.0 - at_most), RUNS_ALIKE * at_most);
                ln_ways(long, short) + ln_beta(long + a, short + b) - ln_beta(a, b)
            }
            Figure::Interrupt(_) => 0.0,
        }
    }
}

/// Returns the logarithm of the beta function.
fn ln_beta(a: f64, b: f64) -> f64 {
    libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b)
}

/// Returns the logarithm of in how many ways some sleeps can be the longer ones.
fn ln_ways(long: f64, short: f64) -> f64 {
    libm::lgamma(long + short + 1.0) - libm::lgamma(long + 1.0) - libm::lgamma(short + 1.0)
}

/// Returns how many sleeps the figures of a request are taken to tell of.
pub(super) fn sleeps(pair: &AskedPair) -> f64 {
    let of_figure = |figure: &Figure| match figure {
        Figure::Longer { of, .. } => (*of as f64).min(MOST_COUNTED),
        Figure::Range(..) if pair.count.is_none() => RANGES_OF[RANGES_OF.len() - 1],
        Figure::Value(_) | Figure::Wall(_) | Figure::Uptime(_) | Figure::Interrupt(_) => pair.figures.len() as f64,
        _ => count(pair),
    };
    pair.figures.iter().map(of_figure).fold(0.0, f64::max)
}

/// Returns how long the longest sleep of a request was, if it is stated.
pub(super) fn longest(pair: &AskedPair) -> Option<&Reading> {
    pair.figures.iter().find_map(|figure| match figure {
        Figure::Max(at) | Figure::Range(_, at) => Some(at),
        _ => None,
    })
}

/// Returns by how much the latest sleep of a request was late at most, in ns, if it is stated.
pub(super) fn latest(pair: &AskedPair) -> Option<f64> {
    longest(pair).map(|at| at.time.as_f64() + at.half_digit_ns - pair.requested.as_f64())
}

/// Returns how many sleeps a statistic counts as.
fn count(pair: &AskedPair) -> f64 {
    pair.count.map_or(USUAL_COUNT, |count| count as f64).clamp(1.0, MOST_COUNT)
}

/// Returns the times between which a reading may truly lie.
pub(super) fn bounds(reading: &Reading, requested: f64) -> (f64, f64) {
    let at = reading.time.as_f64();
    // What hardly slept at all is known as well as it is long.
    // Of `0s` the last digit is a whole second, which may be longer than the request.
    let written = if at > 0.0 { reading.half_digit_ns } else { reading.half_digit_ns.min(ROUNDED * requested) };
    let half = written.max(PRECISION * (at - requested).abs().min(at)).max(100.0);
    (at - half, at + half)
}

/// Returns how many independent figures so many dependent ones are worth.
pub(super) fn effective(figures: f64) -> f64 {
    if figures <= 4.0 { figures } else { 4.0 + 0.3 * (figures - 4.0) }
}

/// Returns the logarithm of a probability that may have been lost to rounding.
fn ln(probability: f64) -> f64 {
    probability.max(1e-30).ln()
}

/// Returns the normal distribution, by Abramowitz and Stegun 7.1.26 (absolute error below 2e-7).
fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let error = 1.0 - poly * (-x * x).exp();
    if z >= 0.0 { f64::midpoint(1.0, error) } else { f64::midpoint(1.0, -error) }
}
