//! The facts in which the machines differ, as a table; or why there are none.

use super::super::style::{Screen, align, firm, fit, table, table_text};
use super::MOST_VALUES;
use oversleep_recording::document::{FactDifference, StatedFacts};
use serde_json::Value;

/// Headings of the columns.
pub(super) const HEADINGS: [&str; 3] = ["what differs", "A", "B"];

/// The facts in which the machines differ, in words.
pub(super) struct FactRows {
    /// Says that nothing differs, or why nothing is known to; `None` where rows say what differs.
    pub(super) same: Option<String>,
    /// Name of each fact, with its values on both sides.
    pub(super) rows: Vec<[String; 3]>,
    /// A line for each side of which many facts are known that the other lacks, instead of their rows.
    pub(super) folded: Vec<String>,
}

impl FactRows {
    pub(super) fn new(differences: &[FactDifference], stated: [StatedFacts; 2]) -> Self {
        // Without facts of both machines, the rows are of runtimes alone.
        let same = (differences.is_empty() || !StatedFacts::comparable(stated)).then(|| same(stated));
        let alone = |name: &str, values: fn(&FactDifference) -> &Vec<String>| {
            let lacking = differences.iter().filter(|difference| values(difference).is_empty()).count();
            (lacking > MOST_VALUES).then(|| (lacking, name.to_owned()))
        };
        let (only_a, only_b) = (alone("A", |difference| &difference.b), alone("B", |difference| &difference.a));
        let is_shown = |difference: &&FactDifference| {
            !(only_a.is_some() && difference.b.is_empty() || only_b.is_some() && difference.a.is_empty())
        };
        let rows = differences.iter().filter(is_shown).map(row).collect();
        let folded = |(facts, side)| format!("{facts} facts of the machine are known only of {side}; --json has them");
        Self { same, rows, folded: [only_a, only_b].into_iter().flatten().map(folded).collect() }
    }
}

fn row(difference: &FactDifference) -> [String; 3] {
    let shown = |values: &[String]| match values.len() {
        0 => "–".to_owned(),
        n if n > MOST_VALUES => format!("{n} values"),
        _ => values.iter().map(|value| in_words(value)).collect::<Vec<_>>().join(", "),
    };
    let fact = difference.fact.trim_start_matches('/').replace(['/', '_'], " ");
    [fact, shown(&difference.a), shown(&difference.b)]
}

/// Returns the table, or a line where nothing differs or the machines cannot be compared.
pub(super) fn facts(differences: &[FactDifference], stated: [StatedFacts; 2], screen: Screen) -> String {
    let FactRows { same, rows, folded } = FactRows::new(differences, stated);
    let same_facts = same.map_or_else(String::new, |same| screen.lines(0, &same) + "\n");
    if differences.is_empty() {
        return same_facts;
    }
    let mut shown = String::new();
    if !rows.is_empty() {
        let mut table = table(&HEADINGS, screen);
        for row in rows {
            table.add_row(row.map(|cell| firm(&cell)));
        }
        align(&mut table, &[0, 1, 2]);
        fit(&mut table, screen);
        shown = table_text(&table);
    }
    same_facts + &shown + &folded.iter().map(|line| screen.lines(0, &screen.aside(line))).collect::<String>() + "\n"
}

/// Says that nothing differs, or why nothing is known to.
fn same(stated: [StatedFacts; 2]) -> String {
    match stated {
        [StatedFacts::Machine, StatedFacts::Machine] => "The machines' facts are the same.".to_owned(),
        [StatedFacts::Simulated, StatedFacts::Simulated] => "The simulated machines' facts are the same.".to_owned(),
        [StatedFacts::Nothing, StatedFacts::Nothing] => {
            "Neither side says on which machine it was measured, so the machines are not compared.".to_owned()
        }
        sides => {
            let reason = |(name, side): (&str, StatedFacts)| match side {
                StatedFacts::Machine => None,
                StatedFacts::Simulated => Some(format!("side {name} is simulated")),
                StatedFacts::Nothing => Some(format!("side {name} does not say on which machine it was measured")),
            };
            let reasons: Vec<String> = ["A", "B"].into_iter().zip(sides).filter_map(reason).collect();
            format!("The machines are not compared: {}.", reasons.join(", and "))
        }
    }
}

/// Returns the value of a fact; lists and tables, which are JSON, in words that can be broken into lines.
fn in_words(value: &str) -> String {
    match serde_json::from_str(value) {
        Ok(list @ (Value::Array(_) | Value::Object(_))) => words_of(&list),
        _ => value.to_owned(),
    }
}

fn words_of(value: &Value) -> String {
    match value {
        Value::Array(all) => {
            let between = if all.iter().any(Value::is_object) { "; " } else { ", " };
            all.iter().map(words_of).collect::<Vec<_>>().join(between)
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{} {}", name.replace('_', " "), words_of(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
