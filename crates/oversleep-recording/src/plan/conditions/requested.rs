//! Conditions as they are asked for: several values of some.

use super::{CONDITIONS, Condition, Conditions, Value};

/// The conditions asked for, in the order of the table, each with its values: several where each makes cells of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RequestedConditions(Vec<(&'static str, Vec<Value>)>);

impl RequestedConditions {
    /// Requests a condition, in place of its earlier request. No value leaves it as it is, as one thread does.
    pub fn ask(&mut self, row: &Condition, values: Vec<Value>) {
        self.0.retain(|(key, _)| *key != row.key);
        if !values.is_empty() && (row.key, values.as_slice()) != ("threads", &[Value::Number(1)]) {
            let place = |key: &str| CONDITIONS.iter().position(|known| known.key == key);
            let after = self.0.partition_point(|(key, _)| place(key) < place(row.key));
            self.0.insert(after, (row.key, values));
        }
    }

    /// Asks for what the others ask for.
    pub fn extend(&mut self, others: &Self) {
        others.rows().for_each(|(row, values)| self.ask(row, values.to_vec()));
    }

    /// Returns each condition that is asked for, with its values.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Condition, &[Value])> {
        self.0.iter().filter_map(|(key, values)| Some((Condition::named(key)?, values.as_slice())))
    }

    /// Returns the values asked of a condition, by its key.
    pub fn values(&self, key: &str) -> &[Value] {
        self.0.iter().find(|(known, _)| *known == key).map_or(&[], |(_, values)| values)
    }

    /// Returns the option of a condition that means nothing without another one that is not asked for, and the other's option.
    pub fn lacking(&self) -> Option<(&'static str, &'static str)> {
        let lacks = |row: &Condition| !row.needs.is_empty() && self.values(row.needs).is_empty();
        let (row, _) = self.rows().find(|(row, _)| lacks(row))?;
        Some((row.option, Condition::named(row.needs)?.option))
    }

    /// Returns the conditions of all cells; of several values, the first.
    pub fn first(&self) -> Conditions {
        let mut conditions = Conditions::default();
        for (row, values) in self.rows() {
            values.iter().take(1).for_each(|value| row.set(&mut conditions, value));
        }
        conditions
    }

    /// Returns every combination of the values.
    pub fn combinations(&self) -> Vec<Conditions> {
        self.rows().fold(vec![Conditions::default()], |all, (row, values)| {
            let with = |value: &Value, mut conditions: Conditions| {
                row.set(&mut conditions, value);
                conditions
            };
            values.iter().flat_map(|value| all.iter().cloned().map(move |one| with(value, one))).collect()
        })
    }
}

/// Asks for the values of each of these conditions, each once.
impl<'a> FromIterator<&'a Conditions> for RequestedConditions {
    fn from_iter<T: IntoIterator<Item = &'a Conditions>>(all: T) -> Self {
        let all: Vec<_> = all.into_iter().collect();
        let mut requested = Self::default();
        for row in CONDITIONS {
            let mut values: Vec<Value> = Vec::new();
            for value in all.iter().filter_map(|one| row.get(one)) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            requested.ask(row, values);
        }
        requested
    }
}

impl From<Conditions> for RequestedConditions {
    fn from(one: Conditions) -> Self {
        [&one].into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Load, LoadKind};
    use oversleep_sys::units::Nanos;

    #[test]
    fn values_are_crossed_and_what_busy_threads_do_is_of_each_number_of_them() {
        let with = |slack, threads| Conditions {
            timer_slack: Some(Nanos::new(slack)),
            load: Some(Load { threads, kind: LoadKind::Memory }),
            ..Conditions::default()
        };
        let requested: RequestedConditions = [&with(1, 2), &with(5, 0)].into_iter().collect();
        assert_eq!(requested.first(), with(1, 2));
        assert_eq!(requested.combinations(), [with(1, 2), with(5, 2), with(1, 0), with(5, 0)]);
    }

    #[test]
    fn what_is_asked_last_replaces_what_was_asked_before() {
        let mut requested = RequestedConditions::from(Conditions { nice: Some(3), ..Conditions::default() });
        let row = Condition::named("nice").unwrap();
        requested.ask(row, vec![Value::Number(5)]);
        assert_eq!(requested.values("nice"), [Value::Number(5)]);
        requested.ask(row, Vec::new());
        assert_eq!(requested, RequestedConditions::default());
        assert_eq!(requested.combinations(), [Conditions::default()]);
    }
}
