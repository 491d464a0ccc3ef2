//! Made-up tables: sleeps written without any kernel, each with the truth about it.

use super::super::random::Dice;
use super::Case;
use super::verdict::Truth;
use oversleep_lab::analysis::patterns::Cause;
use oversleep_lab::import::{self, Ending, ImportOptions};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::Rounding;
use std::fmt::Write as _;

/// A table while its rows are written, on one clock.
pub(crate) struct Table {
    text: String,
    /// Current time, in ns.
    pub(crate) now: f64,
    /// Resolution to which times are truncated, in ns.
    step: f64,
}

impl Table {
    pub(crate) fn new(dice: &mut Dice) -> Self {
        let text = "method,requested_ns,start_ns,end_ns\n".into();
        Self { text, now: dice.between(1e9, 1e12).round(), step: 1.0 }
    }

    fn stamped(mut self, step: f64) -> Self {
        self.step = step;
        self
    }

    pub(crate) fn pause(&mut self, ns: f64) {
        self.now += ns;
    }

    /// Writes a sleep that ends at `end`; it need not agree with the request `asked`.
    pub(crate) fn until(&mut self, asked: f64, end: f64) {
        let stamp = |at: f64| (at / self.step).floor() * self.step;
        let (start, stop) = (stamp(self.now), stamp(end.max(self.now)));
        let _ = writeln!(self.text, "nanosleep,{asked:.0},{start:.0},{stop:.0}");
        self.now = end.max(self.now);
    }

    /// Writes a sleep of `asked` ns that is `late` ns late.
    pub(crate) fn sleep(&mut self, asked: f64, late: f64) {
        let asked = asked.round();
        self.until(asked, self.now + asked + late);
    }

    pub(crate) fn case(self, class: &'static str, truth: Truth) -> Case {
        let recording = read(&self.text);
        Case { class, recording, truth }
    }
}

/// Reads a table with a mapping that confirms its units; otherwise wrong units would be refused.
fn read(text: &str) -> Recording {
    let columns = "requested=requested_ns:ns,start=start_ns:ns,end=end_ns:ns".parse().expect("a mapping");
    let mut source =
        import::open_with("made.csv", text.as_bytes(), &ImportOptions { columns, ..ImportOptions::default() })
            .expect("a table");
    let mut recording = Recording::new(source.meta().clone());
    assert!(matches!(source.read_into(&mut recording), Ending::Complete), "a table that can be read");
    recording
}

/// Returns a normally distributed number.
pub(crate) fn normal(dice: &mut Dice, mean: f64, sd: f64) -> f64 {
    let (radius, turn) = ((-2.0 * (1.0 - dice.share()).ln()).sqrt(), dice.share());
    mean + sd * radius * (std::f64::consts::TAU * turn).cos()
}

/// Returns the cost of a wake-up, in ns: `base` with some scatter, and if `noisy` occasionally much more.
pub(crate) fn cost(dice: &mut Dice, base: f64, noisy: bool) -> f64 {
    let usual = base + dice.exponential(if noisy { 0.25 * base } else { 0.05 * base });
    usual + if noisy && dice.share() < 0.03 { dice.exponential(500e3) } else { 0.0 }
}

/// Returns 2 to 20 sleeps of a kernel whose timers fire when due.
pub(crate) fn few(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let (base, noisy) = (dice.between(10e3, 60e3), dice.share() < 0.7);
    let (sleeps, whole) = (dice.choose(&[2, 5, 10, 12, 15, 20]), dice.share() < 0.5);
    for _ in 0..sleeps {
        let asked = if whole { 1e6 } else { dice.between(200e3, 60e6) };
        let late = cost(dice, base, noisy);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 30e3));
    }
    table.case("few sleeps", Truth::cost(150e3).and(&[Cause::FirstCall]))
}

/// Returns sleeps on a program's own schedule: deadlines at equal distances, 30 to 90 µs late with little scatter.
pub(crate) fn schedule(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let every = dice.choose(&[1e6, 4e6, 10e6, 10e6, 20e6, 100e6]);
    let (late, sd) = (dice.between(30e3, 90e3), dice.between(2e3, 8e3));
    table.now = (table.now / every).ceil() * every + dice.between(0.0, every);
    for _ in 0..dice.choose(&[60, 120, 300]) {
        // Work between the deadlines.
        table.pause(dice.between(5e3, 0.4 * every));
        let due = (table.now / every).ceil() * every;
        let late = normal(dice, late, sd).max(1e3);
        table.until((due - table.now).round(), due + late);
    }
    table.case("own schedule", Truth::cost(150e3))
}

/// Returns a few noisy sleeps to whole seconds, of a kernel whose timers fire when due.
pub(crate) fn seconds(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let base = dice.between(10e3, 80e3);
    for _ in 0..dice.choose(&[12, 20, 40, 60]) {
        table.pause(dice.between(5e3, 80e3));
        let due = (table.now / 1e9).ceil() * 1e9;
        let late = cost(dice, base, true);
        table.until((due - table.now).round(), due + late);
    }
    table.case("second-aligned, few", Truth::cost(250e3))
}

/// Returns sleeps that end when due, on a clock with a coarse resolution.
pub(crate) fn coarse(dice: &mut Dice) -> Case {
    let step = dice.choose(&[100e3, 1e6, 10e6, 15_625e3]);
    let mut table = Table::new(dice).stamped(step);
    let random = dice.share() < 0.7;
    let fixed = dice.choose(&[1.0, 2.0, 2.5, 3.3]) * step;
    for _ in 0..dice.choose(&[60, 200, 400]) {
        let asked = if random { dice.between(0.3 * step, 20.0 * step) } else { fixed };
        let late = cost(dice, 8e3, false);
        table.sleep(asked, late);
        table.pause(dice.between(1e3, 0.7 * step));
    }
    table.case("coarse time stamps", Truth::cost(60e3).mainly(&[]).and(&[Cause::ConstantCost]))
}

/// Returns sleeps whose lateness has some distribution, independent of the time they were due.
pub(crate) fn spread_out(class: &'static str, dice: &mut Dice, truth: Truth, late: impl Fn(&mut Dice) -> f64) -> Case {
    let mut table = Table::new(dice);
    let fixed = dice.choose(&[None, Some(1e6), Some(5e6)]);
    for _ in 0..dice.choose(&[60, 200, 400]) {
        let asked = fixed.unwrap_or_else(|| dice.between(200e3, 40e6));
        let late = late(dice);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 30e3));
    }
    table.case(class, truth)
}

/// Returns sleeps with a lateness of U(0 to 100 µs).
pub(crate) fn uniform(dice: &mut Dice) -> Case {
    spread_out("uniform to 100 us", dice, Truth::cost(60e3), |dice| dice.between(0.0, 100e3))
}

/// Returns sleeps with a lateness of N(230, 20) µs.
pub(crate) fn bell(dice: &mut Dice) -> Case {
    spread_out("normal, 230 us", dice, Truth::cost(260e3), |dice| normal(dice, 230e3, 20e3))
}

/// Returns sleeps with a slack of 50 µs that nothing ends early.
pub(crate) fn slack(dice: &mut Dice) -> Case {
    let base = dice.between(4e3, 30e3);
    let truth = Truth { slack: 50e3, ..Truth::cost(60e3).mainly(&[Cause::TimerSlack]).and(&[Cause::ConstantCost]) };
    spread_out("slack of 50 us", dice, truth, move |dice| 50e3 + cost(dice, base, false))
}

/// Returns sleeps with a lateness of a gamma distribution of shape 2, or with a heavy tail.
pub(crate) fn skewed(dice: &mut Dice) -> Case {
    if dice.share() < 0.5 {
        return spread_out("gamma", dice, Truth::cost(90e3), |dice| dice.exponential(20e3) + dice.exponential(20e3));
    }
    spread_out("heavy tail", dice, Truth::cost(60e3), |dice| (15e3 / (1.0 - dice.share()).powf(0.8)).min(50e6))
}

/// Returns sleeps with two kinds of wake-ups.
pub(crate) fn two_kinds(dice: &mut Dice) -> Case {
    let truth = Truth::cost(160e3).and(&[Cause::Bimodal]);
    spread_out("two kinds", dice, truth, |dice| {
        let base = if dice.share() < 0.3 { 120e3 } else { 20e3 };
        base + dice.exponential(3e3)
    })
}

/// Returns sleeps whose lateness climbs, or changes at one sleep.
pub(crate) fn moving(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let (step, sleeps) = (dice.share() < 0.5, 300);
    for number in 0..sleeps {
        let part = f64::from(number) / f64::from(sleeps);
        let more = if step { f64::from(u8::from(part > 0.5)) } else { part };
        let late = 20e3 + 80e3 * more + dice.exponential(2e3);
        let asked = dice.between(200e3, 20e6);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 30e3));
    }
    let truth = Truth::cost(160e3).and(&[Cause::ChangePoint, Cause::Bimodal]);
    table.case("climbing or stepping", truth)
}

/// Returns sleeps under the idle policy beside a busy thread: late by about 3, 10 or 111 ms each, whenever they were
/// due.
pub(crate) fn idle_policy(dice: &mut Dice) -> Case {
    let turn = dice.choose(&[2.95e6, 2.95e6, 9.9e6, 111e6]);
    let sd = dice.between(0.005, 0.03) * turn;
    let truth = Truth::cost(100e3).mainly(&[Cause::RunQueue]);
    spread_out("idle policy beside a busy thread", dice, truth, move |dice| normal(dice, turn, sd).max(1e3))
}

/// Returns a schedule of 39.0625 ms on a 60 Hz tick, or a loop of whole ticks with a clock that is 6400 ppm off.
pub(crate) fn alias(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let scheduled = dice.share() < 0.5;
    let (hz, off) = if scheduled { (60.0, 0.0) } else { (1000.0, 6_400.0) };
    let tick = 1e9 / hz * (1.0 + off * 1e-6);
    let phase = dice.between(0.0, tick);
    let start = table.now;
    for number in 0..dice.choose(&[60u32, 120, 300]) {
        table.pause(dice.between(3e3, 30e3));
        let due = if scheduled { start + 39_062_500.0 * f64::from(number + 1) } else { table.now + 2e6 };
        let due = due.max(table.now + 1e3);
        let end = phase + ((due - phase) / tick).ceil() * tick + 5e3 + dice.exponential(1e3);
        table.until((due - table.now).round(), end);
    }
    let truth = Truth::tick(hz, &[Rounding::Up]).drifting(off);
    table.case("aliases", truth)
}

/// Returns sleeps that end at ticks, rounded up, with random or equal requests.
pub(crate) fn ticks(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let hz = dice.choose(&[64.0, 100.0, 250.0, 300.0, 1000.0]);
    let tick = 1e9 / hz;
    let phase = dice.between(0.0, tick);
    let fixed = dice.choose(&[None, None, Some(tick), Some(2.0 * tick), Some(0.3 * tick)]);
    for _ in 0..dice.choose(&[12, 20, 60, 200, 400]) {
        table.pause(dice.between(2e3, 40e3));
        let asked = fixed.unwrap_or_else(|| dice.between(0.1 * tick, 20.0 * tick)).round();
        let end = phase + ((table.now + asked - phase) / tick).ceil() * tick + 8e3 + dice.exponential(2e3);
        table.until(asked, end);
    }
    table.case("a tick's grid", Truth::tick(hz, &[Rounding::Up]).drifting(0.0))
}

/// Returns a table with each row written twice, or with rows in random order.
pub(crate) fn mangled(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let base = dice.between(10e3, 60e3);
    for _ in 0..dice.choose(&[40, 200]) {
        let asked = dice.between(200e3, 40e6);
        let late = cost(dice, base, false);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 30e3));
    }
    let mut rows: Vec<String> = table.text.lines().skip(1).map(str::to_owned).collect();
    if dice.share() < 0.5 {
        rows = rows.iter().flat_map(|row| [row.clone(), row.clone()]).collect();
    } else {
        for at in (1..rows.len()).rev() {
            let other = usize::try_from(dice.next() % (at as u64 + 1)).unwrap_or(0);
            rows.swap(at, other);
        }
    }
    table.text = "method,requested_ns,start_ns,end_ns\n".to_owned() + &rows.join("\n") + "\n";
    table.case("duplicated or shuffled rows", Truth::cost(100e3))
}

/// Returns a table with requests in µs under the name of ns: no statement about it can be true.
pub(crate) fn wrong_units(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    for _ in 0..dice.choose(&[40, 200]) {
        let asked = dice.between(200e3, 40e6);
        let late = cost(dice, 30e3, false);
        let end = table.now + asked + late;
        table.until(asked / 1e3, end);
        table.pause(dice.between(2e3, 30e3));
    }
    table.case("requests in us", Truth::cost(0.0).mainly(&[]))
}
