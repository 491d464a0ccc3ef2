//! Changes of parameters by name.

use super::params::Parameters;
use super::refuse::ParameterError;
use super::validate::validate;
use toml::{Table, Value};

/// Returns the names of all parameters, in the order of [`Parameters`].
pub fn names() -> Vec<String> {
    table(&Parameters::default()).keys().cloned().collect()
}

/// Returns these parameters with one changed.
pub(crate) fn set(parameters: &Parameters, name: &str, text: &str) -> Result<Parameters, ParameterError> {
    let mut table = table(parameters);
    let Some(old) = table.get(name) else { return Err(unknown(name)) };
    let value = read(old, name, text.trim())?;
    let number = value.as_integer();
    table.insert(name.to_owned(), value);
    from_table(table.clone()).map_err(|why| {
        // For a number, serde's message would name the Rust type that has no room for it.
        let outside = number.and_then(|number| outside(table, name, number));
        let why = match number {
            Some(..0) => "it takes no number so low",
            Some(0..) => "it takes no number so high",
            None => &why,
        };
        outside.unwrap_or_else(|| ParameterError::value(name, text.trim(), why))
    })
}

/// Returns the error of a whole number that its parameter's type has no room for, with the parameter's domain: that of the
/// extreme values which the type can hold and the parameter does not take.
fn outside(mut table: Table, name: &str, value: i64) -> Option<ParameterError> {
    [0, i64::from(i8::MAX), i64::from(u32::MAX), i64::MAX].into_iter().find_map(|extreme| {
        table.insert(name.to_owned(), Value::Integer(extreme));
        match validate(&from_table(table.clone()).ok()?) {
            Err(ParameterError::Domain { name: found, domain, .. }) if found == name => {
                Some(ParameterError::Domain { name: found, value: value as f64, domain })
            }
            _ => None,
        }
    })
}

/// Returns parameters from a table of plain values.
pub(crate) fn from_table(table: Table) -> Result<Parameters, String> {
    Parameters::deserialize_from(table).map_err(|error| error.message().to_owned())
}

impl Parameters {
    fn deserialize_from(table: Table) -> Result<Self, toml::de::Error> {
        Value::Table(table).try_into()
    }
}

/// Returns whether a parameter has this name.
pub(crate) fn known(name: &str) -> bool {
    table(&Parameters::default()).contains_key(name)
}

/// Returns whether the parameter with this name takes whole numbers.
pub(crate) fn whole_number(name: &str) -> bool {
    matches!(table(&Parameters::default()).get(name), Some(Value::Integer(_)))
}

/// Returns the error that no parameter has this name, with the name that may be meant.
pub(crate) fn unknown(name: &str) -> ParameterError {
    if name == "slack" {
        return ParameterError::Condition;
    }
    ParameterError::Unknown(name.to_owned(), near(name, table(&Parameters::default()).keys()))
}

/// Returns parameters as a table of plain values.
pub(crate) fn table(parameters: &Parameters) -> Table {
    // There are only plain numbers and words, which TOML can represent.
    Table::try_from(parameters).unwrap_or_default()
}

/// Requires that a value of a file is of the kind that the parameter takes.
pub(crate) fn check_kind(name: &str, value: &Value) -> Result<(), ParameterError> {
    let why = match (table(&Parameters::default()).get(name), value) {
        (Some(Value::Integer(_)), Value::Integer(_))
        | (Some(Value::Float(_)), Value::Integer(_) | Value::Float(_))
        | (Some(Value::String(_)), Value::String(_)) => return Ok(()),
        (Some(Value::Integer(_)), _) => "it takes a whole number",
        (Some(Value::Float(_)), _) => "it takes a number",
        _ => "it takes a word in quotes",
    };
    Err(ParameterError::value(name, &value.to_string(), why))
}

/// Parses `text` as the kind of value that the parameter has now.
fn read(old: &Value, name: &str, text: &str) -> Result<Value, ParameterError> {
    let plain = text.replace('_', "");
    let value = match old {
        Value::Integer(_) => plain
            .parse::<i64>()
            .map(Value::Integer)
            .map_err(|_| "it takes a whole number")
            .or_else(|why| whole(&plain).map(Value::Integer).ok_or(why)),
        Value::Float(_) => match plain.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            _ => Err("it takes a number"),
        },
        _ => Ok(Value::String(text.to_owned())),
    };
    value.map_err(|why| ParameterError::value(name, text, why))
}

/// Parses a whole number written as `1e6` or `1000.0`.
#[allow(clippy::cast_possible_truncation)] // checked to be whole and within 2⁵³
fn whole(text: &str) -> Option<i64> {
    let number: f64 = text.parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// Returns the known name most similar to `name`, if any is similar: with a unit missing, or a few letters different.
fn near<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> Option<String> {
    let known: Vec<&String> = known.collect();
    let longer = known.iter().find(|known| known.starts_with(name) || name.starts_with(known.as_str()));
    let close =
        || known.iter().map(|known| (strsim::levenshtein(name, known), known)).min().filter(|(off, _)| *off <= 2);
    longer.map(|known| (*known).clone()).or_else(|| close().map(|(_, known)| (*known).clone()))
}
