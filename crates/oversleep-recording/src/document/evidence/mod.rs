//! The numbers that a finding rests on: one type for each cause.

mod calibration;
mod change;
mod clock;
mod examined;
mod fact;
mod run;
mod tick;
mod timer;
mod wake;
mod witnessed;

pub use calibration::{AssumedRate, Calibration, DriftParts, Times};
pub use change::{Changed, OtherChange};
pub use clock::{CachedClock, ClockDrift, ClockStep, Crowded, DriftBasis, Refreshed, Sawtooth};
pub use examined::Examined;
pub use fact::Fact;
pub use run::{Bimodal, ChangePoint, HostSteal, Hung, MissedPeriods, PeriodicInterference, Resolutions, Stopped};
pub use tick::{FreeRunning, Open, Rounding, TickGrid, TickQuantised, TickVotes, TimerWheel};
pub use timer::{Coalescing, ProportionalSlack, SlackBasis, TimerSlack};
pub use wake::{BesideLoad, ConstantCost, DeepestIdle, EarlyWake, FirstCall, IdleExit, Quanta, RunQueue};
pub use witnessed::{Disagreement, Witnessed};

use super::Cause;
use fact::{AddFacts, Facts};
use serde::Serialize;

/// Evidence of one cause; the type is named after the cause.
pub trait OfCause: Sized {
    /// Returns the evidence, if it is of this cause and has a pattern part.
    fn from_evidence(evidence: &Evidence) -> Option<&Self>;
    /// Returns the same, mutable.
    fn of_mut(evidence: &mut Evidence) -> Option<&mut Self>;
}

/// Declares the evidence of all causes: those that only the pattern of the samples shows, those that other witnesses
/// show as well, and those that only kernel events show.
macro_rules! causes {
    (pattern: $($id:ident)*; witnessed: $($many:ident)*; examined: $($seen:ident)*;) => {
        /// A cause with the numbers that show it. In JSON: `cause` and `evidence`.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(tag = "cause", content = "evidence", rename_all = "kebab-case")]
        pub enum Evidence {
            $(#[doc = concat!("Evidence of `", stringify!($id), "`.")] $id($id),)*
            $(#[doc = concat!("Evidence of `", stringify!($many), "`.")] $many(Witnessed<$many>),)*
            $(#[doc = concat!("Evidence of `", stringify!($seen), "`.")] $seen(Examined),)*
        }

        impl Evidence {
            /// Returns the cause that the evidence shows.
            pub const fn cause(&self) -> Cause {
                match self {
                    $(Self::$id(_) => Cause::$id,)*
                    $(Self::$many(_) => Cause::$many,)*
                    $(Self::$seen(_) => Cause::$seen,)*
                }
            }

            /// Returns only the evidence of kernel events; `None` for a cause that these do not show.
            pub fn of_examined(cause: Cause, examined: Examined) -> Option<Self> {
                match cause {
                    $(Cause::$many => Some(Self::$many(Witnessed::of_examined(examined))),)*
                    $(Cause::$seen => Some(Self::$seen(examined)),)*
                    _ => None,
                }
            }

            /// Returns what kernel events show of the cause, if single sleeps were examined.
            pub fn examined(&self) -> Option<&Examined> {
                match self {
                    $(Self::$id(_) => None,)*
                    $(Self::$many(Witnessed { examined, .. }) => examined.as_ref(),)*
                    $(Self::$seen(examined) => Some(examined),)*
                }
            }

            /// Adds what kernel events show; does nothing for a cause that these do not show.
            pub fn add_examined(&mut self, found: Examined) {
                match self {
                    $(Self::$id(_) => {},)*
                    $(Self::$many(Witnessed { examined, .. }) => *examined = Some(found),)*
                    $(Self::$seen(examined) => *examined = found,)*
                }
            }

            /// Returns the effect of changing the cause away, if that was done.
            pub fn intervention(&self) -> Option<&Changed> {
                match self {
                    $(Self::$id(_) => None,)*
                    $(Self::$many(Witnessed { intervention, .. }) => intervention.as_ref(),)*
                    $(Self::$seen(_) => None,)*
                }
            }

            fn others_mut(&mut self) -> Option<(&mut Option<Changed>, &mut Disagreement)> {
                match self {
                    $(Self::$id(_) => None,)*
                    $(Self::$many(Witnessed { intervention, says, .. }) => Some((intervention, says)),)*
                    $(Self::$seen(_) => None,)*
                }
            }
        }

        impl AddFacts for Evidence {
            fn add_facts(&self, name: &str, to: &mut Facts) {
                match self {
                    $(Self::$id(numbers) => numbers.add_facts(name, to),)*
                    $(Self::$many(numbers) => numbers.add_facts(name, to),)*
                    $(Self::$seen(numbers) => numbers.add_facts(name, to),)*
                }
            }
        }

        $(
            impl From<$id> for Evidence {
                fn from(numbers: $id) -> Self {
                    Self::$id(numbers)
                }
            }

            impl OfCause for $id {
                fn from_evidence(evidence: &Evidence) -> Option<&Self> {
                    if let Evidence::$id(numbers) = evidence { Some(numbers) } else { None }
                }

                fn of_mut(evidence: &mut Evidence) -> Option<&mut Self> {
                    if let Evidence::$id(numbers) = evidence { Some(numbers) } else { None }
                }
            }
        )*

        $(
            impl From<$many> for Evidence {
                fn from(pattern: $many) -> Self {
                    Self::$many(Witnessed::of_pattern(pattern))
                }
            }

            impl From<Witnessed<$many>> for Evidence {
                fn from(numbers: Witnessed<$many>) -> Self {
                    Self::$many(numbers)
                }
            }

            impl OfCause for $many {
                fn from_evidence(evidence: &Evidence) -> Option<&Self> {
                    if let Evidence::$many(numbers) = evidence { numbers.pattern.as_ref() } else { None }
                }

                fn of_mut(evidence: &mut Evidence) -> Option<&mut Self> {
                    if let Evidence::$many(numbers) = evidence { numbers.pattern.as_mut() } else { None }
                }
            }
        )*
    };
}

causes! {
    pattern: EarlyWake TickQuantised CachedClock ClockDrift Calibration Sawtooth TimerWheel FirstCall PeriodicInterference Bimodal
        ChangePoint ClockStep HostSteal Coalescing Hung MissedPeriods;
    witnessed: ConstantCost TimerSlack ProportionalSlack RunQueue IdleExit Stopped;
    examined: LateInterrupt Throttled;
}

impl Evidence {
    /// Returns the pattern's numbers, if the evidence is of this cause.
    pub fn get<T: OfCause>(&self) -> Option<&T> {
        T::from_evidence(self)
    }

    /// Returns the pattern's numbers, mutable, if the evidence is of this cause.
    pub fn get_mut<T: OfCause>(&mut self) -> Option<&mut T> {
        T::of_mut(self)
    }

    /// Returns the effect of changing the cause away, mutable.
    pub fn intervention_mut(&mut self) -> Option<&mut Changed> {
        self.others_mut()?.0.as_mut()
    }

    /// Adds the effect of changing the cause away; does nothing for a cause that cannot be changed away.
    pub fn add_intervention(&mut self, changed: Changed) {
        if let Some((intervention, _)) = self.others_mut() {
            *intervention = Some(changed);
        }
    }

    /// Records what each witness says; does nothing for a cause that only the pattern shows.
    pub fn disagree(&mut self, sizes: Disagreement) {
        if let Some((_, says)) = self.others_mut() {
            *says = sizes;
        }
    }

    /// Returns its single values by name, in alphabetical order; lists and tables are in the JSON only.
    pub fn facts(&self) -> Vec<(String, Fact)> {
        let mut facts = Facts::new();
        self.add_facts("", &mut facts);
        facts.sort_by(|a, b| a.0.cmp(&b.0));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Finding, Unit};
    use serde_json::{Value, json};

    fn slack() -> TimerSlack {
        TimerSlack { usual_late_ns: 57e3, least_late_ns: f64::NAN, basis: SlackBasis::Nominal, system_rule: None }
    }

    fn changed() -> Changed {
        Changed {
            changed: "slack 1 ns".into(),
            p50_shift_ns: -49e3,
            p_corrected: 0.0,
            blocks: 60,
            sleeps: 600,
            p99_shift_ns: None,
            other: Some(OtherChange { changed: "slack 500 µs".into(), p50_shift_ns: 450e3 }),
            part: None,
            ratio: None,
            measured_beside: None,
        }
    }

    fn evidence(finding: &Finding) -> Value {
        serde_json::to_value(finding).unwrap()["evidence"].take()
    }

    #[test]
    fn cause_and_evidence_stand_beside_the_size() {
        let finding = Finding::new(slack(), 50e3, Unit::Nanoseconds);
        let written = serde_json::to_value(&finding).unwrap();
        assert_eq!(finding.cause(), Cause::TimerSlack);
        assert_eq!((&written["cause"], &written["size"]), (&json!("timer-slack"), &json!(50e3)));
        // NaN becomes null in files and is not displayed.
        let expected = json!({"usual_late_ns": 57e3, "least_late_ns": null, "basis": "nominal"});
        assert_eq!(written["evidence"], expected);
        let expected = [("basis", Fact::Word("nominal".into())), ("usual_late_ns", Fact::Number(57e3))];
        assert_eq!(finding.evidence.facts(), expected.map(|(name, fact)| (name.to_owned(), fact)));
    }

    #[test]
    fn a_change_stands_beside_the_pattern_or_in_its_place() {
        let alone = json!({
            "changed": "slack 1 ns", "p50_shift_ns": -49e3, "p_corrected": 0.0, "blocks": 60, "sleeps": 600,
            "with_slack 500 µs": 450e3,
        });
        let by_change: Evidence = Witnessed::<TimerSlack>::of_change(changed()).into();
        assert_eq!(evidence(&Finding::new(by_change.clone(), 49e3, Unit::Nanoseconds)), alone);
        assert!(by_change.get::<TimerSlack>().is_none() && by_change.facts().iter().any(|fact| fact.0 == "blocks"));
        let mut both: Evidence = slack().into();
        both.add_intervention(changed());
        both.disagree(Disagreement { pattern: Some(50e3), intervention: Some(0.0), trace: None });
        let facts = both.facts();
        let written = evidence(&Finding::new(both, 50e3, Unit::Nanoseconds));
        assert_eq!((&written["intervention"], &written["basis"]), (&alone, &json!("nominal")));
        assert_eq!((&written["pattern_says_ns"], &written["intervention_says_ns"]), (&json!(50e3), &json!(0.0)));
        assert_eq!(written.get("trace_says_ns"), None);
        assert!(facts.iter().all(|fact| fact.0 != "changed"), "{facts:?}");
    }

    #[test]
    fn a_rate_that_is_open_is_null_and_told() {
        let wheel =
            TimerWheel { hz: None.into(), tick_ns: None, rounding: Some(Rounding::Up).into(), step_ticks: None };
        let evidence: Evidence = wheel.into();
        let expected = [("hz", Fact::NotKnown), ("rounding", Fact::Word("up".into()))];
        assert_eq!(evidence.facts(), expected.map(|(name, fact)| (name.to_owned(), fact)));
        let expected = json!({"hz": null, "tick_ns": null, "rounding": "up", "step_ticks": null});
        assert_eq!(serde_json::to_value(&evidence).unwrap(), json!({"cause": "timer-wheel", "evidence": expected}));
    }

    #[test]
    fn evidence_has_its_causes_name() {
        let all: [Evidence; 6] = [
            slack().into(),
            ConstantCost { usual_late_ns: None, idle: None }.into(),
            RunQueue { quanta: None, turn_ns: Some(1), load: None }.into(),
            MissedPeriods { asked: 2, skipped: 1 }.into(),
            TickQuantised::default().into(),
            HostSteal { stalls: 3, expected_by_chance: 0.1, ends_ns: Vec::new() }.into(),
        ];
        for evidence in all {
            assert_eq!(serde_json::to_value(&evidence).unwrap()["cause"], evidence.cause().name());
        }
    }
}
