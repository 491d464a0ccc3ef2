//! True ticks of a simulated kernel on its clock, and the rules that predict the ticks at which its sleeps ended. Both
//! come from a twin of the kernel without latency, and from counting; no estimator is involved.

use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::plan::{Load, LoadKind, Plan};
use oversleep_recording::{Recording, Sample};
use oversleep_sim::{Kernel, Simulation, meta};
use std::collections::BTreeMap;

/// Ticks of constant length on the clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticks {
    /// Length of a tick, in ns.
    pub(crate) length: f64,
    /// Length that the kernel assumes, in ns.
    pub(crate) nominal: f64,
    /// Time of one tick, in ns of the clock.
    phase: f64,
}

/// Length, in ns, below which ticks are as short as latencies, so that the end of a sleep does not show which tick
/// ended it.
const SHORTEST: f64 = 99_000.0;
/// How far from its ticks the twin may wake, in ns: from clocks that count microseconds, and the return from the
/// kernel.
const BESIDE: f64 = 3_000.0;
/// Share of a method's sleeps whose tick a rule must predict to be its rule.
const NAMED: f64 = 0.9;

/// Returns the ticks of a kernel in a plan; `probe` gives a first estimate of their length. `None` if their length
/// varies.
pub(crate) fn find(kernel: &Kernel, plan: &Plan, probe: &Plan, seed: u64, nominal: f64) -> Option<Ticks> {
    let still = [("irq_us", "0"), ("lat_base_us", "0"), ("lat_exp_us", "0"), ("daemon_ticks", "0")];
    let twin = kernel.set_all(&still).expect("a kernel without latency");
    let length = length(&ends(&twin, probe, seed), nominal)?;
    let ends = ends(&twin, plan, seed);
    let length = self::length(&ends, length)?;
    let first = *ends.first()?;
    let mut off: Vec<f64> = ends.iter().map(|end| beside(end - first, length)).collect();
    off.sort_by(f64::total_cmp);
    let middle = off[off.len() / 2];
    let kept = off.iter().filter(|off| (*off - middle).abs() < BESIDE).count();
    (kept * 100 >= off.len() * 95).then_some(Ticks { length, nominal, phase: first + middle })
}

/// Returns the ends of sleeps without busy threads, in order of time.
fn ends(kernel: &Kernel, plan: &Plan, seed: u64) -> Vec<f64> {
    let mut recording = Recording::new(meta(kernel, plan));
    Simulation::new(kernel, plan, seed).run(&mut recording);
    let mut ends: Vec<f64> = timed(&recording).map(|sample| sample.end.as_f64()).collect();
    ends.sort_by(f64::total_cmp);
    ends
}

/// Returns the sleeps with a positive request and without busy threads.
fn timed(recording: &Recording) -> impl Iterator<Item = &Sample> {
    let busy = |load: Option<Load>| load.is_some_and(|load| load.threads > 0 && load.kind != LoadKind::Neighbour);
    let cells = &recording.meta.plan.cells;
    let left_out: Vec<u32> = cells.iter().filter(|cell| busy(cell.conditions.load)).map(|cell| cell.id).collect();
    recording.samples.iter().filter(move |sample| asked(sample) > 0.0 && !left_out.contains(&sample.cell))
}

fn asked(sample: &Sample) -> f64 {
    sample.deadline.map_or(sample.requested, |deadline| deadline.saturating_sub(sample.start)).as_f64()
}

/// Returns the length of a tick by counting ticks: first in gaps short enough to count without doubt, then in longer
/// ones.
fn length(ends: &[f64], about: f64) -> Option<f64> {
    let gaps: Vec<f64> = ends.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.5 * about).collect();
    let mut length = about;
    let mut most = 8.0;
    loop {
        let short = || gaps.iter().filter(|gap| **gap <= most * about);
        let counted: f64 = short().map(|gap| (gap / length).round()).sum();
        if counted > 0.0 {
            length = short().sum::<f64>() / counted;
        }
        if short().count() == gaps.len() {
            return (counted > 0.0).then_some(length);
        }
        most *= 4.0;
    }
}

/// Returns the distance of a time from the nearest whole number of ticks, in ns.
fn beside(time: f64, length: f64) -> f64 {
    time - length * (time / length).round()
}

impl Ticks {
    /// Returns how much longer the ticks are than the kernel assumes, in ppm.
    pub(crate) fn drift_ppm(&self) -> f64 {
        (self.length / self.nominal - 1.0) * 1e6
    }

    /// Returns the rules that predict the tick at which nearly every sleep of some method ended; `None` if ticks are
    /// too short to distinguish them.
    pub(crate) fn rules(&self, recording: &Recording) -> Option<Vec<Rounding>> {
        if self.length < SHORTEST {
            return None;
        }
        let mut counts: BTreeMap<&str, (usize, [usize; Rounding::ALL.len()])> = BTreeMap::new();
        let cells: BTreeMap<u32, &str> =
            recording.meta.plan.cells.iter().map(|cell| (cell.id, cell.method.as_str())).collect();
        for sample in timed(recording) {
            let Some(method) = cells.get(&sample.cell) else { continue };
            let (all, count) = counts.entry(method).or_default();
            *all += 1;
            for (at, rule) in Rounding::ALL.into_iter().enumerate() {
                // Both are whole numbers of ticks.
                count[at] += usize::from((self.ended(sample) - self.named(sample, rule)).abs() < 0.5);
            }
        }
        let holds = |at: usize| counts.values().any(|(all, count)| count[at] as f64 >= NAMED * *all as f64);
        Some(Rounding::ALL.into_iter().enumerate().filter(|(at, _)| holds(*at)).map(|(_, rule)| rule).collect())
    }

    fn place(&self, time: f64) -> f64 {
        (time - self.phase) / self.length
    }

    /// Returns the number of the tick at which a sleep ended.
    fn ended(&self, sample: &Sample) -> f64 {
        self.place(sample.end.as_f64() + BESIDE).floor()
    }

    fn named(&self, sample: &Sample, rule: Rounding) -> f64 {
        let start = sample.start.as_f64();
        let began = self.place(start + BESIDE).floor();
        let need = (asked(sample) / self.nominal - 1e-6).ceil();
        match rule {
            Rounding::Up => (self.place(start + asked(sample)) - 1e-6).ceil(),
            Rounding::UpPlusOne => began + need + 1.0,
            Rounding::Early => began + need,
            Rounding::Down => began + (asked(sample) / self.nominal + 1e-6).floor(),
        }
    }
}
