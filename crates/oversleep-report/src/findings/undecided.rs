//! Open questions; one that concerns several methods is asked once.

use crate::style::Screen;
use oversleep_recording::document::Undecided;

/// An open question, and the other methods for which it is open as well.
struct MergedQuestion<'a> {
    open: &'a Undecided,
    method: Option<&'a str>,
    others: Vec<&'a str>,
}

/// Returns the open questions, and the commands that would decide them.
pub fn undecided(all: &[Undecided], screen: Screen) -> String {
    let mut asked: Vec<MergedQuestion<'_>> = Vec::new();
    for open in all {
        let method = method(&open.experiment);
        let same = asked.iter_mut().find(|asked| method.is_some() && same_except_method(asked, open, method));
        match (same, method) {
            (Some(asked), Some(method)) => asked.others.push(method),
            _ => asked.push(MergedQuestion { open, method, others: Vec::new() }),
        }
    }
    asked.iter().map(|asked| paragraph(asked, screen)).collect()
}

/// Returns the one method that a command measures.
fn method(command: &str) -> Option<&str> {
    let mut words = command.split(' ');
    words.find(|word| *word == "-m")?;
    words.next().filter(|name| !name.contains(','))
}

/// Returns whether the question is the same except for its method.
fn same_except_method(asked: &MergedQuestion<'_>, open: &Undecided, method: Option<&str>) -> bool {
    let (Some(first), Some(method)) = (asked.method, method) else { return false };
    let as_first = |word| if word == method { first } else { word };
    let same_question = asked.open.question.split(' ').eq(open.question.split(' ').map(as_first));
    let same_experiment = asked.open.experiment.split(' ').eq(open.experiment.split(' ').map(as_first));
    asked.open.candidates == open.candidates && same_question && same_experiment
}

fn paragraph(asked: &MergedQuestion<'_>, screen: Screen) -> String {
    let MergedQuestion { open, method, others } = asked;
    let mut out = screen.lines(0, &format!("{} {}: {}", screen.warning("Undecided:"), open.question, open.why));
    if !open.candidates.is_empty() {
        out += &screen.lines(2, &format!("It may be {}", open.candidates.join(", ")));
    }
    if let (Some(method), false) = (method, others.is_empty()) {
        out += &screen.lines(
            2,
            &format!("The same is undecided of {}; below, name them in place of {method}", others.join(", ")),
        );
    }
    // In words, of another program's samples.
    if !open.experiment.starts_with("oversleep ") {
        return out + &screen.lines(2, &format!("To decide, measure on their machine: {}", open.experiment));
    }
    // Not broken into lines, because it is there to be copied.
    out + &format!("  To decide, run:\n    {}\n", screen.aside(&open.experiment))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(method: &str, candidate: &str, late: u32) -> Undecided {
        Undecided {
            question: format!("whether {method} ends at fast ticks"),
            why: format!("{late} µs late may be either"),
            experiment: format!("oversleep measure -m {method} -n 400 && oversleep explain"),
            candidates: vec![candidate.to_owned()],
        }
    }

    #[test]
    fn one_question_of_several_methods_is_asked_once() {
        let all = [open("select", "slack", 80), open("poll", "slack", 90), open("usleep", "cost", 70)];
        let expected = "\
Undecided: whether select ends at fast ticks: 80 µs late may be either
  It may be slack
  The same is undecided of poll; below, name them in place of select
  To decide, run:
    oversleep measure -m select -n 400 && oversleep explain
Undecided: whether usleep ends at fast ticks: 70 µs late may be either
  It may be cost
  To decide, run:
    oversleep measure -m usleep -n 400 && oversleep explain
";
        assert_eq!(undecided(&all, Screen { width: 100, colour: false }), expected);
    }
}
