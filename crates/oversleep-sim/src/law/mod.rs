//! The laws of kernels and runtimes: when each ends a sleep.
//!
//! Each law is written once, in one file: what it governs, its formula, its parameters with their ranges, the systems
//! that are known to have it with the source of that knowledge, the end of one sleep, the lengths that are possible when
//! nobody knows how the sleep began, its text and its remedy. The simulator computes its kernels with the same
//! functions, on its own ticks; a model of measured sleeps computes with [`Even`] ones.
//!
//! To add a law: a file with a type that implements [`Govern`], `ABOUT` and `KNOWN`, and its line in `laws!` below.
//!
//! ```
//! use oversleep_sim::law::{Even, Law, Sleep, TickUp};
//! let law = Law::TickUp(TickUp { ticks: Even { period: 4e6, phase: 0.0 }, extra: 0 });
//! assert_eq!(law.end(&Sleep { start: 1e6, asked: 1e6, absolute: false }), 4e6);
//! let lengths = law.lengths(1e6);
//! assert_eq!((lengths.least, lengths.most, lengths.back_to_back), (1e6, 5e6, 4e6));
//! ```

/// Declares the systems that have a law: system, versions, and calls; the law with its values there, and where this is known from.
macro_rules! known {
    ($($system:literal $versions:literal: $calls:literal = $law:expr; $source:literal;)*) => {
        &[$(Known { system: $system, versions: $versions, calls: $calls, law: $law, source: $source },)*]
    };
}

pub mod cached_start;
pub mod counted;
pub mod freertos;
pub mod from_last;
mod grid;
pub mod loop_time;
pub mod quantum;
pub mod quota;
pub mod share;
pub mod slack;
pub mod stamps;
pub mod throttling;
pub mod tick_up;
pub mod units;
pub mod wheel;

pub use cached_start::CachedStart;
pub use counted::Counted;
pub use freertos::FreeRtos;
pub use from_last::FromLast;
pub use grid::{Even, Grid, floor};
pub use loop_time::LoopTime;
pub use quantum::Quantum;
pub use quota::Quota;
pub use share::Share;
pub use slack::Slack;
pub use stamps::Stamps;
pub use throttling::Throttling;
pub use tick_up::TickUp;
pub use units::Units;
pub use wheel::Wheel;

/// A sleep, as laws see it. Times in ns, on an axis on which the law's parameters are stated too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sleep {
    /// When the kernel, or the runtime, takes it that the sleep begins.
    pub start: f64,
    /// The time requested from then on.
    pub asked: f64,
    /// Whether the request was passed as a time on the clock.
    pub absolute: bool,
}

impl Sleep {
    /// Returns when the sleep should end.
    pub fn due(&self) -> f64 {
        self.start + self.asked
    }
}

/// How long a sleep can last when it may have begun at any time, in ns: every length in between is possible. The cost
/// of waking comes on top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// The shortest.
    pub least: f64,
    /// The longest.
    pub most: f64,
    /// The length in a loop that sleeps again at once, so that each sleep begins where the law's ticks, quanta or
    /// periods are.
    pub back_to_back: f64,
}

impl Lengths {
    /// Returns the one length that is possible.
    pub(crate) fn only(length: f64) -> Self {
        Self { least: length, most: length, back_to_back: length }
    }
}

/// What is known of a law, whatever the values of its parameters.
#[derive(Debug)]
pub struct About {
    /// Identifier in kebab-case.
    pub name: &'static str,
    /// Which sleeps it governs.
    pub governs: &'static str,
    /// Its formula, in words and symbols.
    pub formula: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// What makes sleeps end sooner where this law delays them.
    pub remedy: &'static str,
}

/// A parameter of a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Name of the field.
    pub name: &'static str,
    /// Unit: `ns`, `1` for a ratio or a count.
    pub unit: &'static str,
    /// Smallest value met.
    pub least: f64,
    /// Largest value met.
    pub most: f64,
}

/// A system or runtime that is known to have a law, with the values that it has there.
#[derive(Debug)]
pub struct Known {
    /// Beginning of the system's name in lower case: `linux`, `windows`; for runtimes their name.
    pub system: &'static str,
    /// Versions.
    pub versions: &'static str,
    /// Calls, settings or threads.
    pub calls: &'static str,
    /// The law with these values; a phase of 0 stands for any.
    pub law: Law,
    /// Where this is known from.
    pub source: &'static str,
}

/// What every law can answer.
pub trait Govern {
    /// Returns when the sleep ends, in ns, without the cost of waking.
    fn end(&self, sleep: &Sleep) -> f64;
    /// Returns how long a sleep of this request (ns) can last when it may begin at any time.
    fn lengths(&self, asked: f64) -> Lengths;
    /// Returns the law with its values as a clause: "ends at the first tick of 250 Hz at or after its time".
    fn text(&self) -> String;
}

macro_rules! laws {
    ($($module:ident::$name:ident: $what:literal)*) => {
        /// A law with the values of its parameters.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Law {
            $(#[doc = $what] $name($name),)*
        }

        impl Law {
            /// Returns what is known of the law.
            pub fn about(&self) -> &'static About {
                match self {
                    $(Self::$name(_) => &$module::ABOUT,)*
                }
            }

            fn governing(&self) -> &dyn Govern {
                match self {
                    $(Self::$name(law) => law,)*
                }
            }
        }

        /// Every law, with the systems that are known to have it.
        pub const ALL: &[(&About, &[Known])] = &[$((&$module::ABOUT, $module::KNOWN),)*];
    };
}

laws! {
    tick_up::TickUp: "At the first tick at or after the time."
    counted::Counted: "After a number of ticks, counted from the one in progress."
    from_last::FromLast: "At a tick, counted from the last one."
    freertos::FreeRtos: "After n ticks, of which the first is already in progress."
    wheel::Wheel: "At a slot of Linux' timer wheel."
    slack::Slack: "Late by a constant slack."
    share::Share: "Late by a share of the request, up to a limit."
    cached_start::CachedStart: "Counted from a cached time, and late by a share."
    quantum::Quantum: "When the quanta of busy threads are over."
    quota::Quota: "When the group's next quota period begins."
    throttling::Throttling: "When real-time throttling lets the thread run."
    units::Units: "After whole units of the runtime."
    loop_time::LoopTime: "Counted from an event loop's cached time."
    stamps::Stamps: "Read from a clock with a coarse step."
}

impl Law {
    /// Returns when a sleep ends, in ns, without the cost of waking.
    pub fn end(&self, sleep: &Sleep) -> f64 {
        self.governing().end(sleep)
    }

    /// Returns how long a sleep of this request (ns) can last when it may begin at any time.
    pub fn lengths(&self, asked: f64) -> Lengths {
        self.governing().lengths(asked)
    }

    /// Returns the law with its values as a clause that follows "the sleep".
    pub fn text(&self) -> String {
        self.governing().text()
    }
}

/// Returns every system that is known to have a law, with its values.
pub fn known() -> impl Iterator<Item = &'static Known> {
    ALL.iter().flat_map(|(_, known)| *known)
}

/// Returns the laws that a system is known to have, by its name in lower case, with its release if known:
/// `freebsd-8.4`, `windows-10`.
pub fn known_of(system: &str) -> impl Iterator<Item = &'static Known> {
    known().filter(move |known| system.starts_with(known.system))
}

/// Returns a time as text, in the largest unit that leaves no more than four digits.
fn time(ns: f64) -> String {
    let (value, unit) = match ns.abs() {
        ns_abs if ns_abs >= 1e9 => (ns / 1e9, "s"),
        ns_abs if ns_abs >= 1e6 => (ns / 1e6, "ms"),
        ns_abs if ns_abs >= 1e3 => (ns / 1e3, "µs"),
        _ => (ns, "ns"),
    };
    format!("{} {unit}", (value * 1e3).round() / 1e3)
}

/// Returns what ticks have this length (ns) as text: `250 Hz`, `a clock that ticks every 10 s`.
fn rate(period: f64) -> String {
    if period > 1e9 {
        return format!("a clock that ticks every {}", time(period));
    }
    format!("{} Hz", (1e12 / period).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests from 100 µs to 10 s, whole numbers of usual ticks among them.
    const REQUESTS: [f64; 9] = [1e5, 5e5, 1e6, 1.234_567e6, 7e6, 10e6, 31.3e6, 1e9, 10e9];

    #[test]
    fn every_end_lies_within_the_lengths_stated_and_both_edges_are_met() {
        for known in known() {
            for asked in REQUESTS {
                let Lengths { least, most, back_to_back } = known.law.lengths(asked);
                assert!(least <= most && least <= back_to_back && back_to_back <= most, "{known:?} {asked}");
                let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
                for step in 0..4_000 {
                    // An irrational step visits every part of every period alike.
                    let start = 1e12 + f64::from(step) * 61_803_398.874_989;
                    let length = known.law.end(&Sleep { start, asked, absolute: false }) - start;
                    (low, high) = (low.min(length), high.max(length));
                }
                let slip = 1e-3 * (most - least) + 1.0;
                assert!(low >= least - slip && high <= most + slip, "{known:?} {asked}: {low} {high}");
                let near = 0.05 * (most - least) + 1.0;
                // Slack may be cut short by any interrupt, which `end` does not count with.
                let cut = matches!(known.law, Law::Slack(_) | Law::Share(_) | Law::CachedStart(_));
                assert!(
                    (cut || low <= least + near) && high >= most - near,
                    "{known:?} {asked}: {low} {high} {least} {most}"
                );
            }
        }
    }

    #[test]
    fn every_value_lies_within_its_range_and_is_said() {
        let names: std::collections::BTreeSet<_> = ALL.iter().map(|(about, _)| about.name).collect();
        assert_eq!(names.len(), ALL.len());
        for (about, known) in ALL {
            assert!(!known.is_empty() && about.parameters.iter().all(|p| p.least <= p.most), "{}", about.name);
            for known in *known {
                assert!(known.law.about().name == about.name && !known.source.is_empty());
                let text = known.law.text();
                assert!(text.len() > 10 && !text.contains("NaN") && !text.ends_with('.'), "{text}");
            }
        }
    }

    #[test]
    fn systems_are_found_by_the_beginnings_of_their_names() {
        let laws = |system| known_of(system).map(|known| known.law.about().name).collect::<Vec<_>>();
        assert!(laws("windows-10").contains(&"from-last-tick"));
        assert!(!laws("linux-6.1").contains(&"from-last-tick"));
    }
}
