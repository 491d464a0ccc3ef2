//! A candidate: laws that would explain the figures, with their parameters left open, and how probable it is beforehand.

use super::distribution::{Noise, Piece};
use super::likelihood::{self, Lengths, REACH, bounds};
use super::sentence::time;
use super::unknown::centre;
use crate::density;
use oversleep_recording::asked::{AskedPair, Figure};
use oversleep_sim::law::Law;

/// Laws with all parameters chosen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variant {
    /// Weight among the variants of a candidate.
    pub(super) weight: f64,
    /// Laws in order: of the runtime, of the kernel.
    pub(super) laws: Vec<Law>,
    /// What happens to some of the sleeps beside.
    pub(super) event: Event,
}

/// Something that happens to sleeps beside the laws that they always follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Event {
    /// Nothing.
    None,
    /// A share of the sleeps is delayed by a time between two, evenly in its logarithm.
    Delay { share: f64, from: f64, to: f64 },
    /// A share of the sleeps is delayed by a time between two, evenly.
    Even { share: f64, from: f64, to: f64 },
    /// All sleeps last a constant longer.
    Constant(f64),
    /// All sleeps last a multiple.
    Ratio(f64),
    /// A share of the sleeps may end at any time before theirs.
    Cut { share: f64 },
    /// All sleeps end at once, or at any time up to this one.
    AtOnce(f64),
    /// Most sleeps are delayed by about the same time, as the phase of a schedule that they share makes them; the others by
    /// anything up to `most`.
    Plateau { from: f64, to: f64, most: f64 },
}

/// A candidate.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Identifier in kebab-case.
    pub(super) id: &'static str,
    /// Name of the cause as a phrase.
    pub(super) name: String,
    /// How probable it is before any figure, relative to the others.
    pub(super) prior: f64,
    /// What was stated that speaks for it.
    pub(super) reasons: Vec<String>,
    /// Its variants.
    pub(super) variants: Vec<Variant>,
    /// Whether its delay comes after the timer's interrupt.
    pub(super) after_interrupt: bool,
    /// Whether the machine's clocks part company in it: a wall clock beside one that stands still.
    pub(super) parts_clocks: bool,
    /// What removes it.
    pub(super) remedy: String,
    /// What would show whether it is the cause.
    pub(super) test: String,
}

/// How the sleeps that the figures are of began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// At any time.
    Random,
    /// When the one before ended; most timers with leeway fire at its end.
    BackToBack,
    /// The same on an idle machine: all fire at its end.
    Alone,
    /// At any time; timers with leeway fire in time but for a few, which wait for another timer.
    Shared,
    /// They are a schedule's, and figures are the times between its wake-ups.
    Schedule,
}

impl Start {
    /// Returns whether each sleep begins when the one before ended.
    const fn is_in_a_row(self) -> bool {
        matches!(self, Self::BackToBack | Self::Alone)
    }
}

/// A logarithm for each cost of waking, [`COSTS`].
#[derive(Debug, Clone)]
pub(super) struct ByCost(pub(super) [f64; COSTS.len()]);

/// A candidate's best variant, for the answer.
#[derive(Debug, Clone)]
pub(super) struct Best {
    pub(super) variant: Variant,
    pub(super) start: Start,
    pub(super) noise: Noise,
    /// Logarithm of its probability, weight included.
    pub(super) ln: f64,
    /// Variants with ticks of other lengths that explain the figures nearly as well.
    pub(super) rivals: Vec<Variant>,
}

/// Typical cost of waking in ns, of the call and system.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost(pub(super) f64);

/// Factors about the typical cost, and their weights: machines differ by a hundred.
pub(super) const COSTS: [(f64, f64); 9] = [
    (0.1, 0.03),
    (0.18, 0.06),
    (0.32, 0.1),
    (0.56, 0.16),
    (1.0, 0.22),
    (1.8, 0.18),
    (3.2, 0.12),
    (5.6, 0.08),
    (10.0, 0.05),
];
/// How many times as late as a candidate reaches the longest sleep has to be to count as unexplained.
const FAR: f64 = 3.0;
/// Up to this factor a ratio has to fit closely, as there are others near it.
const NEAR_RATIO: f64 = 100.0;
/// By which share, and how many times the usual cost of waking beside, figures may miss it.
const MISSED: (f64, f64) = (0.1, 2.0);
/// The same of ratios beyond it, such as a thousand, which have no others near them.
const MISSED_FAR: (f64, f64) = (2.0, 30.0);
/// By how much less, as a logarithm, another tick may explain figures and be named beside the best one: ten times.
const AS_GOOD: f64 = 2.3;
/// By how much, as a logarithm, ticks differ that are told apart: those of 250 and 300 Hz do not.
const OTHER_TICK: f64 = 0.25;
/// Most other ticks that are named.
const MOST_RIVALS: usize = 2;
/// Shares of timers with leeway that fire in time and at the leeway's end; the others are ended by another interrupt.
const fn of_leeway(start: Start) -> (f64, f64) {
    match start {
        Start::BackToBack => (0.0, 0.85),
        Start::Alone => (0.0, ALONE),
        Start::Random | Start::Schedule => (0.0, 0.3),
        Start::Shared => (0.9, 0.0),
    }
}
/// Share of the sleeps of a loop that begin where a tick ended the one before.
const IN_STEP: f64 = 0.9;
/// The same on an idle machine, and the share of timers with leeway that fire at its end there.
const ALONE: f64 = 0.998;
/// Parts into which an even logarithm is cut.
const PARTS: i32 = 5;

impl Variant {
    /// Returns the shortest, the longest and the usual length in a loop, in ns, before events.
    pub(super) fn lengths(&self, asked: f64) -> (f64, f64, f64) {
        let asked = if let Event::Ratio(ratio) = self.event { asked * ratio } else { asked };
        self.laws.iter().fold((asked, asked, asked), |(least, most, usual), law| {
            let (low, high, loops) = (law.lengths(least), law.lengths(most), law.lengths(usual));
            (low.least.min(high.least), high.most.max(low.most), loops.back_to_back)
        })
    }

    /// Returns whether sleeps of a loop begin at the ticks of its laws.
    pub(super) fn is_in_step(&self) -> bool {
        self.laws.iter().any(|law| {
            matches!(
                law,
                Law::TickUp(_)
                    | Law::Counted(_)
                    | Law::FromLast(_)
                    | Law::FreeRtos(_)
                    | Law::Wheel(_)
                    | Law::Quantum(_)
            )
        })
    }

    /// Returns the length of the ticks at which its sleeps end, in ns.
    pub(super) fn tick(&self) -> Option<f64> {
        self.laws.iter().find_map(|law| match law {
            Law::TickUp(law) => Some(law.ticks.period),
            Law::FromLast(law) => Some(law.ticks.period),
            Law::Counted(law) => Some(law.ticks.period),
            Law::FreeRtos(law) => Some(law.ticks.period),
            Law::Wheel(law) => Some(law.ticks.period),
            _ => None,
        })
    }

    /// Returns the time in which sleeps wait for the wind-up of a cached clock, before their leeway begins.
    fn wind_up(&self) -> f64 {
        self.laws
            .iter()
            .map(|law| if let Law::CachedStart(law) = law { law.windup.period } else { 0.0 })
            .fold(0.0, f64::max)
    }

    /// Returns how long sleeps last.
    pub(super) fn pieces(&self, asked: f64, start: Start) -> Vec<Piece> {
        let (least, most, usual) = self.lengths(asked);
        let piece = |weight, from, to, anchored| Piece { weight, from, to, anchored };
        let in_step = self.is_in_step();
        let base = if most - least < 1.0 {
            vec![piece(1.0, most, most, in_step && start.is_in_a_row() && most > 0.0)]
        } else if in_step && start.is_in_a_row() {
            let in_step = if start == Start::Alone { ALONE } else { IN_STEP };
            vec![piece(in_step, usual, usual, true), piece(1.0 - in_step, least, most, false)]
        } else if in_step {
            vec![piece(1.0, least, most, false)]
        } else {
            let (in_time, late) = of_leeway(start);
            vec![
                piece(in_time, least, least, false),
                piece(late, most - self.wind_up(), most, false),
                piece(1.0 - in_time - late, least, most, false),
            ]
        };
        let mut pieces = Vec::new();
        for base in base {
            let weight = base.weight;
            let moved = |share: f64, from: f64, to: f64| Piece {
                weight: weight * share,
                from: base.from + from,
                to: base.to + to,
                anchored: base.anchored && to - from < 1.0,
            };
            match self.event {
                Event::None | Event::Ratio(_) => pieces.push(base),
                Event::AtOnce(most) => pieces.push(piece(weight, 0.0, most, false)),
                // A constant is one of both clocks' readings or of a way there and back: waking costs both.
                Event::Constant(more) => pieces.push(Piece { anchored: true, ..moved(1.0, more, more) }),
                Event::Even { share, from, to } => {
                    pieces.extend([moved(1.0 - share, 0.0, 0.0), moved(share, from, to)]);
                }
                Event::Plateau { from, to, most } => pieces.extend([moved(0.75, from, to), moved(0.25, 0.0, most)]),
                Event::Cut { share } => {
                    pieces.push(moved(1.0 - share, 0.0, 0.0));
                    pieces.push(Piece { from: 0.0, weight: weight * share, ..base });
                }
                Event::Delay { share, from, to } => {
                    pieces.push(moved(1.0 - share, 0.0, 0.0));
                    let step = (to / from).powf(1.0 / f64::from(PARTS));
                    pieces.extend((0..PARTS).map(|part| {
                        moved(share / f64::from(PARTS), from * step.powi(part), from * step.powi(part + 1))
                    }));
                }
            }
        }
        if start == Start::Schedule {
            // A late wake-up makes the period after it as much shorter.
            for piece in &mut pieces {
                piece.anchored |= piece.to - piece.from < 1.0;
            }
            let mirrored = |piece: &Piece| Piece {
                from: (2.0 * asked - piece.to).max(0.0),
                to: (2.0 * asked - piece.from).max(0.0),
                weight: piece.weight / 2.0,
                ..*piece
            };
            pieces = pieces
                .iter()
                .flat_map(|piece| [Piece { weight: piece.weight / 2.0, ..*piece }, mirrored(piece)])
                .collect();
        }
        pieces
    }

    /// Returns the logarithm of the probability of all figures.
    fn ln(&self, pairs: &[AskedPair], start: Start, noise: Noise) -> f64 {
        let of = |pair: &AskedPair| {
            let pieces = self.pieces(pair.requested.as_f64(), start);
            Lengths::new(&pieces, noise, pair.requested.as_f64()).ln(pair)
        };
        pairs.iter().map(of).sum()
    }
}

impl Variant {
    /// Returns the logarithm of the probability of all figures and that its event met one of their sleeps at least: one that met
    /// none of them explains nothing.
    fn ln_met(&self, pairs: &[AskedPair], start: Start, noise: Noise) -> f64 {
        let ln = self.ln(pairs, start, noise);
        let (Event::Delay { share, from, .. } | Event::Even { share, from, .. }) = self.event else { return ln };
        if pairs.iter().all(|pair| likelihood::latest(pair).is_some_and(|latest| latest < from)) {
            return f64::NEG_INFINITY;
        }
        let alone = Self { event: Event::None, ..self.clone() };
        let sleeps: f64 = pairs.iter().map(likelihood::sleeps).sum();
        let met_none = sleeps * (1.0 - share).ln() + alone.ln(pairs, start, noise);
        if met_none < ln { ln + (-(met_none - ln).exp()).ln_1p() } else { f64::NEG_INFINITY }
    }

    /// Returns whether all figures lie within the lengths that it allows, give or take a share of these and `beside` ns.
    fn is_hit(&self, pairs: &[AskedPair], share: f64, beside: f64) -> bool {
        pairs.iter().all(|pair| {
            let (least, most, _) = self.lengths(pair.requested.as_f64());
            let by = |length: f64| share * length + beside;
            (least - by(least)..=most + by(most)).contains(&centre(pair))
        })
    }

    /// Returns by how much its laws alone may change a request, in ns.
    pub(super) fn change(&self, asked: f64) -> f64 {
        let (least, most, _) = self.lengths(asked);
        (most - asked).max(asked - least)
    }
}

impl Candidate {
    /// Returns a candidate that nothing stated speaks for yet.
    pub(super) fn new(
        id: &'static str,
        name: impl Into<String>,
        prior: f64,
        variants: Vec<Variant>,
        remedy: &str,
        test: &str,
    ) -> Self {
        Self {
            id,
            name: name.into(),
            prior,
            reasons: Vec::new(),
            variants,
            after_interrupt: false,
            parts_clocks: false,
            remedy: remedy.to_owned(),
            test: test.to_owned(),
        }
    }

    /// Returns the logarithm of the probability of all figures under this candidate for each cost of waking, its prior left
    /// out, and its best variant; `None` if the figures exclude it. `sought`: whether the figures' cause is sought, which an event is
    /// not that met none of the sleeps.
    pub(super) fn weigh(
        &self,
        pairs: &[AskedPair],
        is_schedule: bool,
        cost: Cost,
        sought: bool,
    ) -> Option<(ByCost, Best)> {
        let pairs = self.parted(pairs)?;
        let starts: &[(Start, f64)] = match (is_schedule, pairs.iter().any(is_on_both_sides)) {
            (true, _) => &[(Start::Schedule, 1.0)],
            (false, true) => &[
                (Start::BackToBack, 0.35),
                (Start::Alone, 0.15),
                (Start::Random, 0.35),
                (Start::Shared, 0.1),
                (Start::Schedule, 0.05),
            ],
            (false, false) => {
                &[(Start::BackToBack, 0.38), (Start::Alone, 0.15), (Start::Random, 0.37), (Start::Shared, 0.1)]
            }
        };
        let total_weight: f64 = self.variants.iter().map(|variant| variant.weight).sum();
        let (mut by_cost, mut each) = (ByCost([f64::NEG_INFINITY; COSTS.len()]), Vec::<Best>::new());
        // An event that ends sleeps early cannot explain figures none of which is early.
        let early = pairs.iter().any(is_early);
        let fits = |variant: &&Variant| match variant.event {
            Event::Cut { .. } => early,
            Event::Ratio(ratio) if (1.0 / NEAR_RATIO..=NEAR_RATIO).contains(&ratio) => {
                variant.is_hit(&pairs, MISSED.0, MISSED.1 * cost.0)
            }
            Event::Ratio(_) => variant.is_hit(&pairs, MISSED_FAR.0, MISSED_FAR.1 * cost.0),
            _ => true,
        };
        for variant in self.variants.iter().filter(fits) {
            let mut best: Option<Best> = None;
            for (start, share) in starts {
                let is_length = matches!(variant.event, Event::Ratio(_) | Event::Cut { .. });
                if *start == Start::Schedule && is_length && !is_schedule {
                    continue;
                }
                for (at, (factor, weight)) in COSTS.into_iter().enumerate() {
                    // What scatters more than the cost of waking has another cause.
                    let bare = self.id == "wake-up-cost";
                    if bare && factor > 5.0 {
                        continue;
                    }
                    let noise = Noise { cost: (cost.0 * factor).max(floor(variant)), tails: !bare };
                    let ln =
                        if sought { variant.ln_met(&pairs, *start, noise) } else { variant.ln(&pairs, *start, noise) };
                    let ln = ln + (share * variant.weight / total_weight).ln();
                    by_cost.0[at] = density::add(by_cost.0[at], ln);
                    let ln = ln + weight.ln();
                    if best.as_ref().is_none_or(|best| ln > best.ln) {
                        best = Some(Best { variant: variant.clone(), start: *start, noise, ln, rivals: Vec::new() });
                    }
                }
            }
            each.extend(best);
        }
        each.sort_by(|a, b| b.ln.total_cmp(&a.ln));
        let mut each = each.into_iter();
        let mut best = each.next()?;
        let least = best.ln - AS_GOOD;
        each.take_while(|other| other.ln > least).for_each(|other| best.add_rival(other));
        if best.is_impossible(&pairs) { None } else { Some((by_cost, best)) }
    }

    /// Adds a timer's interrupt that was in time to the reasons of what comes after it.
    pub(super) fn reason_by_interrupt(&mut self, pairs: &[AskedPair]) {
        if let Some(late) = pairs.iter().find_map(interrupt_in_time).filter(|_| self.after_interrupt) {
            self.reasons.push(format!(
                "the timer's interrupt was {} late, so that most of the delay came after it",
                time(late)
            ));
        }
    }

    /// Returns the pairs as this candidate takes them; `None` if they exclude it. Of two clocks the wall clock tells what is
    /// explained, unless the clocks part; an interrupt that was in time leaves only what comes after it.
    fn parted(&self, pairs: &[AskedPair]) -> Option<Vec<AskedPair>> {
        if !self.after_interrupt && pairs.iter().any(|pair| interrupt_in_time(pair).is_some()) {
            return None;
        }
        let mut parted = pairs.to_vec();
        for pair in &mut parted {
            let uptime =
                pair.figures.iter().find_map(|figure| if let Figure::Uptime(at) = figure { Some(*at) } else { None });
            if let Some(uptime) = uptime {
                let (low, high) = bounds(&uptime, 0.0);
                let is_apart = |wall: f64| wall > high || wall < low;
                let apart =
                    pair.figures.iter().any(|figure| matches!(figure, Figure::Wall(at) if is_apart(at.time.as_f64())));
                if apart != self.parts_clocks {
                    return None;
                }
                if apart {
                    pair.figures.retain(|figure| !matches!(figure, Figure::Uptime(_)));
                }
            }
        }
        Some(parted)
    }
}

impl ByCost {
    /// Returns the logarithm of the probability whatever the cost of waking.
    pub(super) fn ln(&self) -> f64 {
        let terms = self.0.iter().zip(COSTS).map(|(ln, (_, weight))| ln + weight.ln());
        log_sum(&terms.collect::<Vec<f64>>())
    }

    /// Returns it for each cost, changed by `with` and another's.
    pub(super) fn map(&self, other: &Self, with: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|at| with(self.0[at], other.0[at])))
    }

    /// Returns it with a factor, the logarithm of which is given.
    pub(super) fn times(&self, ln: f64) -> Self {
        Self(self.0.map(|own| own + ln))
    }
}

impl Best {
    /// Returns the longest sleep that is stated, in ns, if it is beyond all that this candidate lets last.
    pub(super) fn longest_left(&self, pairs: &[AskedPair]) -> Option<f64> {
        pairs.iter().find_map(|pair| {
            let asked = pair.requested.as_f64();
            let pieces = self.variant.pieces(asked, self.start);
            let most = pieces.iter().map(|piece| piece.to).fold(asked, f64::max) + REACH * self.noise.cost;
            let longest = likelihood::longest(pair)?.time.as_f64();
            (longest - asked > FAR * (most - asked)).then_some(longest)
        })
    }

    /// Adds another variant to the rivals, if the length of its ticks differs from that of all that are known.
    fn add_rival(&mut self, other: Self) {
        let differs = |known: &Variant| match (known.tick(), other.variant.tick()) {
            (Some(own), Some(tick)) => (own / tick).ln().abs() > OTHER_TICK,
            _ => false,
        };
        let none = |variant: &Variant| variant.event == Event::None;
        let is_new = std::iter::once(&self.variant).chain(&self.rivals).all(|known| differs(known) && none(known));
        if is_new && none(&other.variant) && self.rivals.len() < MOST_RIVALS {
            self.rivals.push(other.variant);
        }
    }

    /// Returns whether most figures are none of its doing: they have the wrong sign or size for it.
    fn is_impossible(&self, pairs: &[AskedPair]) -> bool {
        let each = pairs.iter().map(|pair| {
            let pieces = self.variant.pieces(pair.requested.as_f64(), self.start);
            Lengths::new(&pieces, self.noise, pair.requested.as_f64()).unexplained(pair)
        });
        let (strays, others) = each.fold((0, 0), |(strays, others), (more, rest)| (strays + more, others + rest));
        strays > others
    }
}

/// Returns how late a timer's interrupt was, in ns, if it came in less than a half of a sleep's lateness.
fn interrupt_in_time(pair: &AskedPair) -> Option<f64> {
    let late = pair.figures.iter().map(|figure| match figure {
        Figure::Value(at) | Figure::Max(at) => (at.time - pair.requested).as_f64(),
        _ => 0.0,
    });
    let latest = late.fold(0.0, f64::max);
    let mut interrupts = pair.figures.iter().filter_map(|figure| match figure {
        Figure::Interrupt(at) => Some(at.time.as_f64()),
        _ => None,
    });
    interrupts.find(|late| *late < latest / 2.0)
}

/// Returns whether a figure is shorter than the request.
pub(super) fn is_early(pair: &AskedPair) -> bool {
    pair.figures.iter().any(|figure| match figure {
        Figure::Longer { limit, longer, of } => longer < of && *limit <= pair.requested,
        other => other.ends().is_some_and(|(from, _)| from.time < pair.requested),
    })
}

/// Returns whether figures lie on both sides of the request, as the times between a schedule's wake-ups do.
fn is_on_both_sides(pair: &AskedPair) -> bool {
    let of_sleeps = pair.figures.iter().filter(|figure| !matches!(figure, Figure::Wall(_) | Figure::Uptime(_)));
    let (mut above, mut below) = (false, false);
    for (from, to) in of_sleeps.filter_map(Figure::ends) {
        above |= to.time > pair.requested;
        below |= from.time <= pair.requested;
    }
    above && below
}

/// Returns the least cost of waking beside an event: what is late by seconds scatters by more than microseconds.
fn floor(variant: &Variant) -> f64 {
    match variant.event {
        Event::Constant(more) => 0.04 * more.abs(),
        _ => 0.0,
    }
}

/// Returns the logarithm of a sum of exponentials.
pub(super) fn log_sum(terms: &[f64]) -> f64 {
    terms.iter().copied().fold(f64::NEG_INFINITY, density::add)
}
