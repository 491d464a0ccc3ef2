//! Simulated kernels in designs that were once misread.

use super::super::random::{self, Dice};
use super::Case;
use super::verdict::Truth;
use oversleep_lab::analysis::patterns::Cause;
use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_sim::Kernel;
use oversleep_sys::units::Nanos;

fn case(class: &'static str, preset: &str, plan: &Plan, dice: &mut Dice, truth: Truth) -> Case {
    let kernel = Kernel::preset(preset).expect("a preset");
    Case { class, recording: random::record(&kernel, plan, dice.next()), truth }
}

fn fixed(us: i64, sleeps: u64, window_us: Option<i64>) -> Plan {
    let pattern = Pattern::Fixed { requested: Nanos::from_micros(us) };
    random::plan("nanosleep", &[(pattern, sleeps)], window_us.map(Nanos::from_micros))
}

/// Returns a case whose requests and phases make all sleeps due in one part of the tick.
pub(crate) fn part_of_a_tick(dice: &mut Dice) -> Case {
    let (preset, hz, request, window) = dice.choose(&[
        ("linux-nohighres-hz250", 250.0, 1_000, 1_000),
        ("linux-nohighres-hz100", 100.0, 5_000, 3_000),
        ("linux-nohighres-hz1000", 1000.0, 500, 200),
    ]);
    let truth = Truth::tick(hz, &[Rounding::Up]).drifting(0.0);
    case("part of a tick", preset, &fixed(request, 400, Some(window)), dice, truth)
}

/// Returns a case with whole milliseconds back to back.
pub(crate) fn back_to_back(dice: &mut Dice) -> Case {
    let (preset, hz, rules): (_, _, &[Rounding]) = dice.choose(&[
        ("linux-nohighres-hz100", 100.0, &[Rounding::Up][..]),
        ("linux-nohighres-hz250", 250.0, &[Rounding::Up][..]),
        ("linux-nohighres-hz1000", 1000.0, &[Rounding::Up][..]),
        ("linux-2.4", 100.0, &[Rounding::UpPlusOne][..]),
    ]);
    let request = dice.choose(&[1_000, 2_000, 4_000, 10_000, 20_000]);
    let truth = Truth::tick(hz, rules).drifting(0.0);
    case("back to back on a tick", preset, &fixed(request, dice.choose(&[60, 200, 400]), None), dice, truth)
}

/// Returns a case with Windows NT's rule, in any design.
pub(crate) fn windows(dice: &mut Dice) -> Case {
    let (preset, hz, rule) = dice.choose(&[
        ("windows-nt-15.6ms", 64.0, Rounding::Early),
        ("windows-nt-10ms", 100.0, Rounding::Early),
        ("windows-10-1ms", 1000.0, Rounding::Early),
        ("windows-hires-waitable", 2000.0, Rounding::UpPlusOne),
    ]);
    let tick = Nanos::from_f64(1e9 / hz);
    let window = dice.choose(&[None, Some(tick)]);
    let plan = match dice.share() {
        s if s < 0.3 => random::random_phase(),
        s if s < 0.6 => random::sweep("nanosleep", 20, Nanos::SECOND, tick),
        s if s < 0.8 => random::aligned("usleep", 300),
        _ => fixed(dice.choose(&[1_000, 5_000, 10_000, 16_000, 50_000]), 300, window.map(|tick| tick.get() / 1_000)),
    };
    let length = Kernel::preset(preset).map_or(0.0, |kernel| kernel.parameters().tick_period_us);
    let drift = if length > 0.0 { (length * hz * 1e-6 - 1.0) * 1e6 } else { 0.0 };
    let truth = Truth::tick(hz, &[rule]).drifting(drift).and(&[Cause::EarlyWake]);
    case("Windows' rule", preset, &plan, dice, truth)
}

/// Returns a case with FreeBSD's allowed deviation, in designs other than a sweep.
pub(crate) fn alloweddeviation(dice: &mut Dice) -> Case {
    let plan = match dice.share() {
        s if s < 0.4 => random::random_phase(),
        s if s < 0.7 => fixed(dice.choose(&[500, 1_000, 5_000, 10_000, 50_000]), 300, None),
        _ => fixed(dice.choose(&[500, 1_000, 5_000, 10_000, 50_000]), 300, Some(10_000)),
    };
    let truth = Truth { share: 0.0625, ..Truth::cost(100e3) }
        .mainly(&[Cause::ProportionalSlack])
        .and(&[Cause::ConstantCost, Cause::CachedClock]);
    case("alloweddeviation", dice.choose(&["freebsd-10", "freebsd-10-busy"]), &plan, dice, truth)
}
