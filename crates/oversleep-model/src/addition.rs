//! What a system may add to a sleep's request before its timer fires, with how usual it is.

use super::group::Group;
use super::prior::{Family, Prior};
use oversleep_recording::Recording;
use oversleep_recording::catalog::SlackRule;
use oversleep_sim::law::{Known, Law, Share, Slack, cached_start, share};

/// What a system adds to a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Addition {
    /// Nothing: the timer fires when the sleep's time is over.
    Nothing,
    /// A constant slack, in ns.
    Slack(f64),
    /// A share of the request.
    Share {
        /// The share.
        share: f64,
        /// Least that is added, in ns: the thread's own slack.
        least: f64,
        /// Most that the share may come to, in ns.
        cap: f64,
    },
}

/// Relative difference up to which two shares are one.
const SAME_SHARE: f64 = 0.03;

impl Addition {
    /// Returns whether two additions are one for requests of up to `longest` ns, to the errors of what is fitted.
    pub(crate) fn same(&self, other: &Self, longest: f64) -> bool {
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < SAME_SHARE;
        match (self, other) {
            (Self::Share { share, least, cap }, Self::Share { share: other, least: other_least, cap: other_cap }) => {
                let most = near((share * longest).min(*cap), (other * longest).min(*other_cap));
                near(*share, *other) && least.total_cmp(other_least).is_eq() && most
            }
            _ => self == other,
        }
    }

    /// Returns what a law of slack or shares adds.
    pub(crate) fn of_law(law: &Law) -> Self {
        match law {
            Law::Slack(Slack { slack }) if *slack > 0.0 => Self::Slack(*slack),
            Law::Share(Share { share, least, cap }) => Self::Share { share: *share, least: *least, cap: *cap },
            Law::CachedStart(start) => {
                Self::Share { share: 0.5f64.powi(start.shift.cast_signed()), least: 0.0, cap: UNLIMITED }
            }
            _ => Self::Nothing,
        }
    }
}

/// The limit of a share that has none, in ns.
pub(crate) const UNLIMITED: f64 = 1e12;
/// Linux' default slack, in ns (`kernel/fork.c`, since 2.6.28).
const DEFAULT_SLACK: f64 = 50e3;
/// Slacks that programs set, in ns.
const SET: [f64; 16] = [100e3, 200e3, 500e3, 1e6, 2e6, 3e6, 4e6, 5e6, 10e6, 15e6, 20e6, 25e6, 30e6, 40e6, 50e6, 100e6];
/// Part of the probability of slack that is left for those.
const IS_SET: f64 = 0.05;
/// Part of the threads with a slack that is read back whose calls ignore it.
const IGNORES: f64 = 0.05;
/// The tier of what people start and look at, command-line programs on macOS and the application in front on iOS, and the part of
/// all sleeps there that it has.
const IN_FRONT: Addition = Addition::Share { share: 0.25, least: 0.0, cap: 5e6 };
const FRONT: f64 = 0.5;
/// Part of all sleeps there that come while the user is idle, as on machines that only build.
const IDLE: f64 = 0.15;
/// Part of FreeBSD's machines on which `kern.timecounter.alloweddeviation` is as it comes.
const AS_IT_COMES: f64 = 0.9;
/// Part of Linux' threads that have a niceness above 0.
const NICE: f64 = 0.1;

/// Probabilities that a system's sleeps are late by nothing, by slack, by the share of Linux' polling calls, by those of XNU,
/// by FreeBSD's, and by a share that no system is known for.
struct Weights {
    nothing: f64,
    slack: f64,
    polling: f64,
    xnu: f64,
    freebsd: f64,
    any_share: f64,
}

const NOTHING: Weights = Weights { nothing: 1.0, slack: 0.0, polling: 0.0, xnu: 0.0, freebsd: 0.0, any_share: 0.0 };

impl Weights {
    fn new(family: Family, rule: SlackRule) -> Self {
        let polls = rule == SlackRule::Share;
        match family {
            // Real-time threads have none, which most recordings say.
            Family::Linux if polls => Self { nothing: 0.05, slack: 0.1, polling: 0.85, ..NOTHING },
            Family::Linux => Self { nothing: 0.04, slack: 0.96, ..NOTHING },
            Family::Mac => Self { nothing: 0.05, xnu: 0.95, ..NOTHING },
            // From 15 on nanosleep is precise, and so are timers of kqueue.
            Family::FreeBsd10 => Self { nothing: 0.15, freebsd: 0.85, ..NOTHING },
            Family::Linux24 | Family::Windows | Family::Windows9 | Family::Bsd => NOTHING,
            Family::Unknown => {
                let polling = match rule {
                    SlackRule::Share => 0.2,
                    SlackRule::Varies => 0.02,
                    // Programs' tables may name another call.
                    SlackRule::Thread | SlackRule::None => 0.005,
                };
                Self { nothing: 0.38 - polling, slack: 0.36, polling, xnu: 0.12, freebsd: 0.12, any_share: 0.02 }
            }
        }
    }
}

/// What a recording's system may add to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MayAdd {
    /// Whether sleeps may have slack.
    pub slack: bool,
    /// Whether sleeps may be late by a share of their request.
    pub share: bool,
}

/// Returns what a recording's system may add to a request of a method with this rule: both where the system is not known.
pub fn may_add(recording: &Recording, rule: SlackRule) -> MayAdd {
    let weights = Weights::new(Prior::new(recording).family(), rule);
    let share = weights.polling + weights.xnu + weights.freebsd + weights.any_share;
    MayAdd { slack: weights.slack + weights.xnu > 0.0, share: share > 0.0 }
}

impl Prior {
    fn weights(&self, group: &Group) -> Weights {
        let adds = !group.wheel && group.slack != SlackRule::None;
        if adds { Weights::new(self.family(), group.slack) } else { NOTHING }
    }

    /// Returns the laws by which this system may add to a group's requests, likeliest first, with their probabilities; that of
    /// FreeBSD's cached start has its phase to be found.
    pub(crate) fn additions(&self, group: &Group) -> Vec<(Law, f64)> {
        let nothing = Law::Slack(Slack { slack: 0.0 });
        let slack = |slack: f64| Law::Slack(Slack { slack });
        let weights = self.weights(group);
        let mut all = vec![(nothing, weights.nothing)];
        match group.read_back {
            Some(read) if weights.slack > 0.0 => {
                all[0].1 = IGNORES;
                all.push((slack(read), (1.0 - IGNORES) * weights.slack));
            }
            _ => {
                all.push((slack(DEFAULT_SLACK), weights.slack * (1.0 - IS_SET)));
                all.extend(SET.map(|set| (slack(set), weights.slack * IS_SET / SET.len() as f64)));
            }
        }
        all.extend(parts(laws(share::KNOWN, "linux"), weights.polling, 1.0 - NICE));
        for (law, weight) in parts(laws(share::KNOWN, "macos"), weights.xnu, FRONT) {
            all.push((law, weight * (1.0 - IDLE)));
            all.push((while_idle(law), weight * IDLE));
        }
        all.extend(parts(laws(cached_start::KNOWN, "freebsd"), weights.freebsd, AS_IT_COMES));
        all.retain(|law| law.1 > 0.0);
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// Returns the probability that a group's sleeps are late by a share that no system is known for.
    pub(crate) fn any_share(&self, group: &Group) -> f64 {
        self.weights(group).any_share
    }
}

/// Returns the laws of a system, in the order in which they are known.
fn laws(known: &'static [Known], system: &str) -> Vec<Law> {
    known.iter().filter(|known| known.system == system).map(|known| known.law).collect()
}

/// Divides a probability among laws: this part for the usual one, which is the first, or that of the tier in front.
fn parts(laws: Vec<Law>, weight: f64, part: f64) -> impl Iterator<Item = (Law, f64)> {
    let usual = laws.iter().position(|law| Addition::of_law(law) == IN_FRONT).unwrap_or(0);
    let rest = (1.0 - part) / (laws.len() - 1).max(1) as f64;
    laws.into_iter().enumerate().map(move |(at, law)| (law, weight * if at == usual { part } else { rest }))
}

/// Returns XNU's law while the user is idle: everything doubles, after the limit (`osfmk/kern/timer_call.c`, `timer_call_slop`).
fn while_idle(law: Law) -> Law {
    match law {
        Law::Share(Share { share, least, cap }) => Law::Share(Share { share: 2.0 * share, least, cap: 2.0 * cap }),
        other => other,
    }
}
