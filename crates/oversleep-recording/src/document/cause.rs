//! The causes, by the identifiers used in files, with the confounders of each.

use serde::{Deserialize, Serialize};

/// Declares the causes with their identifiers, meanings and confounders.
macro_rules! causes {
    ($($id:ident $name:literal $meaning:literal [$($confounder:literal),*];)*) => {
        /// Why a sleep was late (or early). The identifiers are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Cause {
            $(#[doc = $meaning] #[serde(rename = $name)] $id,)*
        }

        impl Cause {
            /// Every cause.
            pub const ALL: &[Self] = &[$(Self::$id,)*];

            /// Returns the identifier, in kebab-case.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)* }
            }

            /// Returns the meaning, as a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$id => $meaning,)* }
            }

            /// Returns the confounders: causes that would look the same in the samples.
            pub const fn confounders(self) -> &'static [&'static str] {
                match self { $(Self::$id => &[$($confounder),*],)* }
            }
        }
    };
}

causes! {
    EarlyWake "early-wake" "Sleeps return before their time is over."
        ["a clock that runs fast against the timer's", "signals that end the sleep"];
    ConstantCost "constant-cost" "The price of every wake-up: interrupt, scheduler, return to the program."
        ["timer slack: only the sum of the two shows in the samples"];
    TimerSlack "timer-slack" "The kernel is allowed to wake this thread that much later, to save interrupts."
        ["a wake-up cost of the same size: a sleep under SCHED_FIFO or with slack 1 ns separates them"];
    ProportionalSlack "proportional-slack" "The kernel may be late by a share of the request."
        ["a timer whose rate was calibrated wrongly: short sleeps and the cap separate them"];
    TickQuantised "tick-quantised" "Sleeps end at the kernel's periodic tick only."
        ["slack longer than the tick, when other interrupts end most sleeps"];
    CachedClock "cached-clock" "The kernel times sleeps with a clock it refreshes only now and then."
        ["a slower tick"];
    ClockDrift "clock-drift" "The timer runs at another rate than the clock it is measured with."
        ["steering of the clock (NTP), the crystal, calibration and divisor rounding: one number, only their sum shows"];
    Calibration "calibration" "The kernel counts time at another rate than the processor or firmware states."
        ["a crystal that is off its stated rate by as much"];
    Sawtooth "sawtooth" "The tick slides along the clock's seconds, so lateness climbs or falls and jumps back."
        ["a drift that differs by a whole number of ticks per second"];
    TimerWheel "timer-wheel" "The timeout is counted in ticks on the kernel's timer wheel, coarser the longer it is."
        ["an extra tick in every sleep of the kernel, where only this method was measured"];
    RunQueue "run-queue" "The timer was on time; the thread waited for others to leave the processor."
        ["late interrupts", "stalls of the host"];
    FirstCall "first-call" "The first calls of a method on a thread are slower: page faults, cold caches, lazy set-up."
        ["a disturbance that happened to meet the start"];
    PeriodicInterference "periodic-interference" "Something wakes at a fixed period and delays the sleeps it meets."
        ["disturbances without period that happen to line up: see the chance given"];
    Bimodal "bimodal" "Two kinds of wake-up alternate: two processors, two idle states, two paths."
        ["a change of condition during the run"];
    ChangePoint "change-point" "From one sleep on, the median lateness was another."
        ["load that came or went", "frequency or idle policy that changed"];
    ClockStep "clock-step" "The wall clock was set while the recording ran, or the machine was suspended."
        ["a long gap between two readings of the clocks"];
    HostSteal "host-steal" "Several processors stood still at once: the host, or firmware, had them."
        ["a lock or an interrupt storm that holds all of them", "a stop of the whole process"];
    IdleExit "idle-exit" "The longer the sleep, the deeper the processor's idle state and the longer the way out."
        ["caches that cool with time", "clocks stopped in long idle"];
    Coalescing "coalescing" "The kernel moves wake-ups together with others, anywhere within a leeway."
        ["timer slack with many other timers around"];
    Stopped "stopped" "The thread was stopped or the machine suspended: no sleep was slow."
        ["a debugger", "a virtual machine paused by its host"];
    Hung "hung" "Sleeps that never ended: the kernel rounded the request to no ticks at all, which it takes for ever."
        ["a thread that was stopped and never continued"];
    MissedPeriods "missed-periods" "Wake-ups so late that whole periods had no wake-up of their own."
        ["work between the sleeps that took longer than the period"];
    LateInterrupt "late-interrupt" "The timer's interrupt itself came late."
        [];
    Throttled "throttled" "The group had used up its share of processor time."
        [];
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
