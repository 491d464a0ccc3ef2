//! To the first tick at or after the time, as Linux without high-resolution timers, illumos and Windows 11 do.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, rate};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "tick-up",
    governs: "sleeps whose timers are run by the periodic tick, with the time kept in full",
    formula: "ends at the first tick at or after start + request, plus `extra` ticks",
    parameters: &[
        Parameter { name: "period", unit: "ns", least: 25e3, most: 20e6 },
        Parameter { name: "extra", unit: "1", least: 0.0, most: 1.0 },
    ],
    remedy: "high-resolution timers (Linux: CONFIG_HIGH_RES_TIMERS, no highres=off), or a higher tick rate",
};

const fn ticks(period: f64, extra: i64) -> Law {
    Law::TickUp(TickUp { ticks: Even { period, phase: 0.0 }, extra })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "2.6.16 and later without high-resolution timers, HZ 250": "every sleep"
        = ticks(4e6, 0); "kernel/time/hrtimer.c, hrtimer_run_queues; recordings of Debian 6.1 with highres=off";
    "linux" "2.6.16 and later without high-resolution timers, CONFIG_TIME_LOW_RES, HZ 100": "sleeps for a duration"
        = ticks(10e6, 1); "kernel/time/hrtimer.c, hrtimer_update_lowres";
    "windows-11" "11, default resolution of 15.625 ms": "Sleep and every wait with a timeout"
        = ticks(15.625e6, 0); "published sweep of resolutions: 0.506 ms beats 0.500 ms, as where a time counts from now";
    "windows-11" "11 after timeBeginPeriod(1)": "Sleep and every wait with a timeout"
        = ticks(1e6, 0); "published figure: sleep_for of 486 µs lasts 2.0 ms";
    "windows" "10 1803 and later, 11": "a high-resolution waitable timer"
        = ticks(0.5e6, 1); "published figures: 1 ms lasts 1.50 to 2.01 ms, mean 1.78";
    "solaris" "10 and later": "nanosleep" = ticks(10e6, 0); "published figure: 0.5 ms lasts 9.34 ms at 100 Hz";
    "illumos" "all": "nanosleep" = ticks(10e6, 0); "published figure: 0.5 ms lasts 9.34 ms at 100 Hz";
};

/// Sleeps end at the first tick at or after their time, or `extra` ticks later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TickUp {
    /// The ticks.
    pub ticks: Even,
    /// Ticks added: 1 where the clock itself is made of ticks and a duration might otherwise end early.
    pub extra: i64,
}

/// Returns the tick that ends a sleep which is due at `due`.
pub fn tick<G: Grid>(grid: &mut G, due: G::Time, extra: i64) -> i64 {
    grid.first_from(due).saturating_add(extra)
}

impl Govern for TickUp {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut ticks = self.ticks;
        let extra = if sleep.absolute { 0 } else { self.extra };
        let at = tick(&mut ticks, sleep.due(), extra);
        ticks.at(at)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let least = asked + self.extra as f64 * self.ticks.period;
        let origin = Self { ticks: Even { phase: 0.0, ..self.ticks }, ..*self };
        let back_to_back = origin.end(&Sleep { start: 0.0, asked, absolute: false });
        Lengths { least, most: least + self.ticks.period, back_to_back }
    }

    fn text(&self) -> String {
        let more = if self.extra > 0 { ", and one tick more" } else { "" };
        format!("ends at the first tick of {} at or after its time{more}", rate(self.ticks.period))
    }
}
