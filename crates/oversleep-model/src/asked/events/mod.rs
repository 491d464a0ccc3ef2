//! What happens to sleeps beside the laws of their call: other threads, power saving, quotas, suspension, clocks, slips of
//! units, and laws of libraries that nobody has told us of.

mod clocks;
mod early;
mod libraries;
mod machine;
mod pages;
mod requests;

use super::candidate::{Candidate, Event, Variant, is_early};
use super::systems::Stated;
use super::unknown::centre;
use oversleep_recording::asked::{AskedPair, Platform, Question};
use oversleep_sim::law::Law;

const US: f64 = 1e3;
const MS: f64 = 1e6;
const S: f64 = 1e9;

/// What every event is built from: what was stated, and the likeliest law of the stated call, which goes on beside it.
struct Ground<'a> {
    stated: &'a Stated<'a>,
    base: Vec<Law>,
    is_runtime: bool,
    platform: Option<Platform>,
}

/// Returns the candidates beside the laws of the call, of which `expected` are those.
pub(super) fn candidates(stated: &Stated<'_>, expected: &[Candidate]) -> Vec<Candidate> {
    // A law that holds in the background alone is not the one on top of which other events come.
    let ordinary = expected.iter().filter(|candidate| !matches!(candidate.id, "app-nap" | "background-band"));
    let likeliest = ordinary.max_by(|a, b| a.prior.total_cmp(&b.prior));
    let base = likeliest.and_then(|candidate| candidate.variants.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)));
    let ground = Ground {
        stated,
        base: base.map(|variant| variant.laws.clone()).unwrap_or_default(),
        is_runtime: stated.question.call_row().is_some_and(|row| !row.runtime.is_empty()),
        platform: stated.question.platform(),
    };
    let mut all = vec![
        machine::run_queue(&ground),
        machine::host(&ground),
        clocks::suspended(&ground),
        clocks::clock_step(&ground),
    ];
    all.extend(clocks::guest_clock(&ground));
    all.extend(machine::idle_exit(&ground));
    all.extend(machine::interference(&ground));
    all.extend(machine::quotas(&ground));
    all.extend(machine::collections(&ground));
    all.extend(pages::slow_timers(&ground));
    all.extend(early::early(&ground));
    all.push(requests::refused(&ground));
    all.extend(requests::overflow(&ground));
    all.extend(requests::simulated(&ground));
    all.extend(requests::units(&ground));
    all.extend(requests::rate_and_cut(&ground));
    all.extend(libraries::of_libraries(&ground));
    // An event that is smaller than what the laws themselves do is part of their scatter, and no cause.
    let alone = ground.with(1.0, Event::None);
    let tells = |variant: &Variant| {
        let size = match variant.event {
            Event::Delay { to, .. } | Event::Even { to, .. } => to,
            // A slip that the laws hide explains no more than they do alone.
            Event::None | Event::Ratio(_) => {
                let is_beyond = |pair: &AskedPair| {
                    let asked = pair.requested.as_f64();
                    let ((least, most, _), (own_least, own_most, _)) = (variant.lengths(asked), alone.lengths(asked));
                    let by = 0.01 * alone.change(asked) + 1.0;
                    // What ends sleeps early cannot explain figures none of which is.
                    least < own_least - by && is_early(pair) || most > own_most + by
                };
                return ground.stated.question.pairs.iter().any(is_beyond);
            }
            Event::Constant(_) | Event::Cut { .. } | Event::AtOnce(_) | Event::Plateau { .. } => return true,
        };
        ground.requests().any(|asked| size > alone.change(asked))
    };
    for candidate in &mut all {
        let whole: f64 = candidate.variants.iter().map(|variant| variant.weight).sum();
        candidate.variants.retain(tells);
        // What is left is as probable as it was among all.
        candidate.prior *= candidate.variants.iter().map(|variant| variant.weight).sum::<f64>() / whole.max(1e-9);
    }
    all.extend(pages::display_rate(&ground));
    all.retain(|candidate| candidate.prior > 0.0 && !candidate.variants.is_empty());
    all
}

impl Ground<'_> {
    fn with(&self, weight: f64, event: Event) -> Variant {
        Variant { weight, laws: self.base.clone(), event }
    }

    /// Returns delays of each size, of few, some or nearly all sleeps.
    fn delays(&self, sizes: &[(f64, f64, f64)]) -> Vec<Variant> {
        let shares = [(0.001, 0.1), (0.004, 0.1), (0.03, 0.2), (0.3, 0.25), (0.95, 0.35)];
        let each = sizes.iter().flat_map(|(weight, from, to)| {
            shares.map(|(share, often)| self.with(weight * often, Event::Delay { share, from: *from, to: *to }))
        });
        each.collect()
    }

    fn is_linux(&self) -> bool {
        self.platform.is_none_or(|platform| platform == Platform::Linux)
    }

    fn is_small(&self) -> bool {
        self.platform.is_some_and(Platform::is_small)
    }

    fn requests(&self) -> impl Iterator<Item = f64> {
        self.stated.question.pairs.iter().map(|pair| pair.requested.as_f64())
    }

    /// Returns whether every sleep lasted at all: one that did not tells no ratio and no constant.
    fn slept(&self) -> bool {
        self.stated.question.pairs.iter().all(|pair| pair.requested.get() == 0 || centre(pair) > 0.0)
    }

    fn longest(&self) -> f64 {
        self.requests().fold(0.0, f64::max)
    }
}

/// Shares of the sleeps that something ends early, where it ends any.
const CUT_SHARES: [f64; 2] = [1.0, 0.2];

/// Weight of a ratio that the figures themselves propose: it costs what a ratio chosen beforehand would have had to hit.
const PROPOSED: f64 = 0.02;

/// How much a law counts that one request alone would show by chance.
const ONE_REQUEST: f64 = 0.2;

/// Returns the middle one of the ratios of what the sleeps took to what was asked for; `None` where nothing was.
pub(super) fn middle_ratio(question: &Question) -> Option<f64> {
    let asked = question.pairs.iter().filter(|pair| pair.requested.get() > 0);
    let mut ratios: Vec<f64> = asked.map(|pair| centre(pair) / pair.requested.as_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied()
}
