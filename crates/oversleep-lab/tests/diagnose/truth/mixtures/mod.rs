//! Mixtures of a program, a kernel, a clock and what runs beside them, each class with several parameters that real
//! recordings have and that no other class combines.
//!
//! The classes and the judgement are those of an adversary who knew the documents and not the code.

mod clocks;
mod costs;
mod interference;
mod judge;
mod log;
mod programs;
mod schedules;
mod slack;
mod threads;
mod ticks;
mod truth;
mod wakes;

pub(crate) use truth::Truth;

use super::{Case, Make};

/// Classes of mixtures.
pub(crate) const MIXTURES: &[Make<Truth>] = &[
    ticks::tick_odd,
    schedules::tick_sched,
    ticks::tick_noisy,
    ticks::tick_preempt,
    clocks::tick_quant,
    ticks::tick_regimes,
    clocks::plain_quant,
    clocks::slack_quant,
    slack::prop,
    slack::prop_kink,
    slack::prop_scatter,
    costs::sqrt_late,
    costs::idle,
    costs::bimodal,
    costs::change,
    interference::periodic,
    interference::gc,
    interference::neighbour_exp,
    interference::neighbour_tick,
    interference::neighbour_quantum,
    clocks::coarse_clock,
    clocks::ntp_slew,
    clocks::plain_clockstep,
    interference::steal,
    schedules::sched_on_tick,
    schedules::schedule_wall,
    threads::mixture_methods,
    slack::linux_two_methods,
    ticks::usbframe,
    clocks::java_ms,
    clocks::windows_tickcount,
    slack::slack_events,
    slack::slack_ticks,
    costs::two_cores,
    costs::freq_ramp,
    ticks::tick_exp,
    costs::powersave_steps,
    threads::threads,
];
