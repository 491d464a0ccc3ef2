//! Where a simulated kernel's ticks truly lie on its clock, and which rules name the ticks at which its sleeps ended: from a twin
//! of the kernel that wakes without latency, and counting alone. Nothing here is an estimator's.

use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::plan::{Load, LoadKind, Plan};
use oversleep_recording::{Recording, Sample};
use oversleep_sim::{Kernel, Simulation, meta};
use std::collections::BTreeMap;

/// Ticks of constant length on the clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticks {
    /// The length in ns.
    pub(crate) length: f64,
    /// What the kernel believes it to be, in ns.
    pub(crate) nominal: f64,
    /// Some tick, in ns of the clock.
    phase: f64,
}

/// Ticks shorter than that, in ns, are of the size of latencies: which one ended a sleep is not told by when it ended.
const SHORTEST: f64 = 99_000.0;
/// How far beside its ticks the twin may wake, in ns: clocks that count microseconds, and the way out of the kernel.
const BESIDE: f64 = 3_000.0;
/// Share of a method's sleeps that a rule must name the tick of, to be its rule.
const NAMED: f64 = 0.9;

/// Returns the ticks of a kernel in a plan, as `probe` begins to tell their length; `None` where they do not keep one length.
pub(crate) fn of(kernel: &Kernel, plan: &Plan, probe: &Plan, seed: u64, nominal: f64) -> Option<Ticks> {
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

/// Ends of sleeps beside which nobody was busy, in order.
fn ends(kernel: &Kernel, plan: &Plan, seed: u64) -> Vec<f64> {
    let mut recording = Recording::new(meta(kernel, plan));
    Simulation::new(kernel, plan, seed).run(&mut recording);
    let mut ends: Vec<f64> = timed(&recording).map(|sample| sample.end.as_f64()).collect();
    ends.sort_by(f64::total_cmp);
    ends
}

/// Sleeps that asked for some time and met nobody.
fn timed(recording: &Recording) -> impl Iterator<Item = &Sample> {
    let busy = |load: Option<Load>| load.is_some_and(|load| load.threads > 0 && load.kind != LoadKind::Neighbour);
    let cells = &recording.meta.plan.cells;
    let left_out: Vec<u32> = cells.iter().filter(|cell| busy(cell.conditions.load)).map(|cell| cell.id).collect();
    recording.samples.iter().filter(move |sample| asked(sample) > 0.0 && !left_out.contains(&sample.cell))
}

fn asked(sample: &Sample) -> f64 {
    sample.deadline.map_or(sample.requested, |deadline| deadline.saturating_sub(sample.start)).as_f64()
}

/// The ticks' length by counting them: from gaps that are counted without doubt to longer ones.
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

/// How far a time lies beside a whole number of ticks.
fn beside(time: f64, length: f64) -> f64 {
    time - length * (time / length).round()
}

impl Ticks {
    /// How much longer they are than the kernel believes, in ppm.
    pub(crate) fn drift_ppm(&self) -> f64 {
        (self.length / self.nominal - 1.0) * 1e6
    }

    /// Returns the rules that name the tick at which nearly every sleep of some method ended; `None` where ticks are too short to
    /// tell.
    pub(crate) fn rules(&self, recording: &Recording) -> Option<Vec<Rounding>> {
        if self.length < SHORTEST {
            return None;
        }
        let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
        let cells: BTreeMap<u32, &str> =
            recording.meta.plan.cells.iter().map(|cell| (cell.id, cell.method.as_str())).collect();
        for sample in timed(recording) {
            let Some(method) = cells.get(&sample.cell) else { continue };
            let count = counts.entry(method).or_default();
            count[3] += 1;
            for (at, rule) in Rounding::ALL.into_iter().enumerate() {
                count[at] += usize::from((self.ended(sample) - self.named(sample, rule)).abs() < 0.5);
            }
        }
        let holds = |at: usize| counts.values().any(|count| count[at] as f64 >= NAMED * count[3] as f64);
        Some(Rounding::ALL.into_iter().enumerate().filter(|(at, _)| holds(*at)).map(|(_, rule)| rule).collect())
    }

    fn place(&self, time: f64) -> f64 {
        (time - self.phase) / self.length
    }

    /// The tick at which a sleep ended, latency after it.
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
        }
    }
}
