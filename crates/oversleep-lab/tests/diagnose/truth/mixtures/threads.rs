//! Several methods or threads, each with costs of its own.

use super::super::super::random::Dice;
use super::costs::on_timers;
use super::log::{Log, LoggedSleep};
use super::programs::{Kind, Program, sleeps, some};
use super::wakes::{Cost, Tick};
use super::{Case, Truth};
use oversleep_lab::analysis::patterns::Cause;
use oversleep_recording::document::evidence::Rounding;
use std::collections::BTreeMap;

/// Ways to sleep in different runtimes.
const METHODS: &[&str] = &["nanosleep", "condvar", "asyncio", "thread_join", "epoll", "Timer", "spin"];

/// Returns sleeps of methods that each cost something else.
pub(crate) fn mixture_methods(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let number = dice.choose(&[2, 3, 4]);
    let methods = some(dice, METHODS, number);
    let cost = |dice: &mut Dice| {
        let base = dice.between(1e3f64.ln(), 250e3f64.ln()).exp();
        Cost { base, jitter: base * dice.choose(&[0.05, 0.1, 0.3]), outliers: 0.0 }
    };
    let costs: BTreeMap<&str, Cost> = methods.iter().map(|method| (*method, cost(dice))).collect();
    log.note(&costs);
    let kinds = [Kind::Choose, Kind::Random, Kind::Repeat, Kind::Millisecond];
    let program = Program::any_of(dice, &kinds).with(&methods);
    program.run(&mut log, dice, |dice, sleep| sleep.due() + costs[sleep.method].draw(dice));
    let usual = costs.iter().map(|(method, cost)| (*method, cost.usual())).collect();
    let truth = Truth { costs: usual, ..Truth::timer(&costs[methods[0]]) };
    log.case("mixture_methods", truth)
}

/// Returns sleeps of several threads, on ticks or on timers that cost each thread something else.
pub(crate) fn threads(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (begin, threads, all) = (log.now, dice.choose(&[2, 4]), sleeps(dice));
    let hz = dice.choose(&[None, Some(250.0), Some(1000.0), Some(100.0)]);
    let tick = hz.map(|hz| Tick::new(dice, 0.0, hz, 0.0, Rounding::Up));
    let (kind, slack) = (dice.choose(&[Kind::Choose, Kind::Random, Kind::Millisecond]), dice.choose(&[0.0, 50e3]));
    let mut truth: Option<Truth> = None;
    let mut rows: Vec<LoggedSleep> = Vec::new();
    for thread in 0..threads {
        log.now = begin + dice.between(0.0, 1e6);
        let program = Program::any_of(dice, &[kind]).times((all / threads).max(12));
        let so = if let Some(tick) = tick {
            let cost = Cost { base: 4e3, jitter: 1e3, outliers: 0.0 };
            program.run(&mut log, dice, |dice, sleep| tick.end(sleep) + cost.draw(dice));
            Truth::tick(tick, &cost)
        } else {
            let cost = Cost::of_timer(dice);
            on_timers(&mut log, dice, &program, &cost, |_, _| slack);
            // Two kinds of wake-ups, as threads differ.
            truth.take().map_or_else(|| Truth::slack(slack, &cost), |truth| truth.or_cost(&cost))
        };
        truth = Some(so);
        rows.extend(log.rows.drain(..).map(|row| LoggedSleep { thread, ..row }));
    }
    rows.sort_by(|one, other| one.start.total_cmp(&other.start));
    log.rows = rows;
    let truth = truth.unwrap_or_default();
    let differ = truth.cost.0 < truth.cost.1;
    log.case("threads", if differ { truth.and(&[Cause::Bimodal]) } else { truth })
}
