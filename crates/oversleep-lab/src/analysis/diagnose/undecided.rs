//! What the samples do not tell, and the experiment that would.

use super::features::tick::Design;
use super::features::{Features, Rule};
use super::finding::Undecided;

/// Every open question.
pub fn look(features: &Features<'_>) -> Vec<Undecided> {
    let mut open: Vec<Undecided> = Vec::new();
    for (at, group) in features.groups.iter().enumerate() {
        let method = &group.method;
        match &features.rules[at] {
            Rule::Few => open.push(Undecided {
                question: format!("what rules the lateness of {method}"),
                why: format!("not enough to tell: {} sleeps", group.sleeps.len()),
                experiment: random_phase(method, 800),
            }),
            Rule::Tick(tick) => open.extend(of_tick(features, at, tick)),
            _ => {}
        }
    }
    open.dedup_by(|a, b| a.question == b.question);
    open
}

fn of_tick(features: &Features<'_>, at: usize, tick: &super::features::tick::Tick) -> Vec<Undecided> {
    let method = &features.groups[at].method;
    let mut open = Vec::new();
    if tick.hz.is_none() {
        let rates: Vec<String> = tick.candidates.iter().map(|hz| format!("{hz} Hz")).collect();
        open.push(Undecided {
            question: format!("the tick rate under {method}"),
            why: format!("not enough to tell: {} fit the samples equally", rates.join(", ")),
            experiment: random_phase(method, 800),
        });
    }
    if tick.rounding.is_none() && !features.wheels[at] {
        let why = match tick.design {
            Design::Locked => {
                "not enough to tell: back to back, every sleep starts just after a tick, and a request of \
                               whole ticks then takes one tick more by either rule"
            }
            Design::Sliding => "not enough to tell: without a jump of the sawtooth the tick's length is not seen",
            Design::Flat => "not enough to tell: a lateness that never changes shows a tick's place, not its length",
            Design::Diverse => "not enough to tell: requests of whole ticks end at the same tick by either rule",
        };
        open.push(Undecided {
            question: format!("whether {method} sleeps an extra tick"),
            why: why.into(),
            experiment: random_phase(method, 400),
        });
    }
    open
}

/// Sleeps of random length at random phase: tells ticks, rate, rounding and slack.
fn random_phase(method: &str, sleeps: u32) -> String {
    format!(
        "oversleep measure --method {method} --request 0.2ms..60ms --phase random --repeats {sleeps} --out FILE.arrows && oversleep explain FILE.arrows"
    )
}
