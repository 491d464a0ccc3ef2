//! Units of a table's columns, and mappings of columns with other names.

use oversleep_recording::names;
use oversleep_sys::units::Nanos;
use std::fmt;
use std::str::FromStr;

names! {
    /// A unit of time in a column.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TimeUnit {
        /// Nanoseconds.
        Nanoseconds = "ns",
        /// Microseconds.
        Microseconds = "us",
        /// Milliseconds.
        Milliseconds = "ms",
        /// Seconds.
        Seconds = "s",
    }
}

impl TimeUnit {
    /// Returns the number of nanoseconds in the unit.
    pub const fn nanoseconds(self) -> i64 {
        match self {
            Self::Nanoseconds => 1,
            Self::Microseconds => 1_000,
            Self::Milliseconds => 1_000_000,
            Self::Seconds => 1_000_000_000,
        }
    }

    /// Converts a decimal number of this unit, with or without an exponent (`1.5e-3`), to nanoseconds: exact, cut off below
    /// a nanosecond; `None` if it is not a number or too large. A fraction of a nanosecond is not accepted as a number of
    /// nanoseconds.
    pub fn read(self, text: &str) -> Option<i64> {
        let (negative, number) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (digits, exponent) = match number.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, Some(exponent.parse::<i32>().ok()?)),
            None => (number, None),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !plain(whole) || !plain(fraction) {
            return None;
        }
        let ns = match exponent {
            Some(exponent) => self.read_scientific(whole, fraction, exponent),
            None => self.read_decimal(whole, fraction),
        };
        ns.map(|ns| if negative { -ns } else { ns })
    }

    fn read_decimal(self, whole: &str, fraction: &str) -> Option<i64> {
        if self == Self::Nanoseconds && fraction.bytes().any(|digit| digit != b'0') {
            return None;
        }
        let unit = self.nanoseconds();
        let mut ns = if whole.is_empty() { 0 } else { whole.parse::<i64>().ok()?.checked_mul(unit)? };
        let mut place = unit;
        for digit in fraction.bytes() {
            place /= 10;
            ns = ns.checked_add(i64::from(digit - b'0') * place)?;
        }
        Some(ns)
    }

    fn read_scientific(self, whole: &str, fraction: &str, exponent: i32) -> Option<i64> {
        // The power of ten of the first digit, in nanoseconds.
        let first = i64::from(self.nanoseconds().ilog10()) + i64::from(exponent) + i64::try_from(whole.len()).ok()? - 1;
        let places = (0..=first).rev().chain(std::iter::repeat(-1));
        let mut ns = 0_i64;
        for (digit, place) in whole.bytes().chain(fraction.bytes()).zip(places).filter(|(digit, _)| *digit != b'0') {
            match u32::try_from(place) {
                Ok(place) => ns = ns.checked_add(10_i64.checked_pow(place)?.checked_mul(i64::from(digit - b'0'))?)?,
                // Below a nanosecond.
                Err(_) if self == Self::Nanoseconds => return None,
                Err(_) => {}
            }
        }
        Some(ns)
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Names of columns that differ from the usual ones, with units: `requested=asked:us,start=t0:ms,end=t1:ms`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    columns: Vec<Mapped>,
    /// What every row asked for, where no column says it.
    request: Option<Nanos>,
}

/// One column of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mapped {
    field: &'static str,
    column: String,
    unit: Option<TimeUnit>,
}

/// Fields that a mapping can name, and whether each is a time.
const FIELDS: [(&str, bool); 17] = [
    ("method", false),
    ("thread", false),
    ("cpu", false),
    ("load", false),
    ("sequence", false),
    ("requested", true),
    ("deadline", true),
    ("start", true),
    ("end", true),
    ("took", true),
    ("late", true),
    ("n", false),
    ("min", true),
    ("mean", true),
    ("p50", true),
    ("p99", true),
    ("max", true),
];

impl Mapping {
    /// Returns whether the mapping names no column.
    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the mapping of a table in which no column says what was asked for: `request` in every row.
    #[must_use]
    pub fn with_request(self, request: Option<Nanos>) -> Self {
        Self { request, ..self }
    }

    /// Returns what every row asked for, where that is stated.
    pub(crate) const fn request(&self) -> Option<Nanos> {
        self.request
    }

    /// Returns the column that holds a field, and its unit, if the mapping names them.
    pub(crate) fn column(&self, field: &str) -> Option<(&str, Option<TimeUnit>)> {
        let found = self.columns.iter().find(|mapped| mapped.field == field)?;
        Some((&found.column, found.unit))
    }

    /// Returns the field that a column holds, and its unit, if the mapping names it.
    pub(crate) fn field_of(&self, column: &str) -> Option<(&'static str, Option<TimeUnit>)> {
        self.columns.iter().find(|mapped| mapped.column == column).map(|mapped| (mapped.field, mapped.unit))
    }

    /// Returns whether the mapping gives a unit for this field.
    pub(super) fn has_unit(&self, field: &str) -> bool {
        self.column(field).is_some_and(|(_, unit)| unit.is_some())
    }

    /// Returns the names of the mapped columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|mapped| mapped.column.as_str())
    }
}

impl FromStr for Mapping {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut mapped: Vec<Mapped> = Vec::new();
        for part in text.split(',') {
            let wrong = || {
                format!(
                    "'{part}' does not say which column holds what; write FIELD=COLUMN or FIELD=COLUMN:UNIT, such as start=t0:us"
                )
            };
            let (name, rest) = part.split_once('=').ok_or_else(wrong)?;
            let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
            // `start_ns`, as the error of a missing column calls it.
            let plain = name.trim().trim_end_matches("_ns");
            let (field, is_time) = *FIELDS
                .iter()
                .find(|(field, _)| *field == plain)
                .ok_or_else(|| format!("'{}' is not a field; the fields are {}", name.trim(), names.join(", ")))?;
            let unit_of = |text: &str| TimeUnit::ALL.into_iter().find(|unit| unit.name() == text);
            let (column, unit) = match rest.rsplit_once(':') {
                Some((column, unit)) if is_time => {
                    let unit = unit_of(unit)
                        .ok_or_else(|| format!("'{unit}' is not a unit of time; the units are ns, us, ms and s"))?;
                    (column, Some(unit))
                }
                _ => (rest, None),
            };
            let unit = unit.or((plain != name.trim()).then_some(TimeUnit::Nanoseconds));
            if column.is_empty() {
                return Err(wrong());
            }
            if mapped.iter().any(|known| known.field == field) {
                return Err(format!("{field} is named twice"));
            }
            if let Some(other) = mapped.iter().find(|known| known.column == column) {
                return Err(format!(
                    "column '{column}' is named for both {} and {field}; each needs a column of its own",
                    other.field
                ));
            }
            mapped.push(Mapped { field, column: column.to_owned(), unit });
        }
        Ok(Self { columns: mapped, request: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_in_every_unit() {
        for (unit, text, ns) in [
            (TimeUnit::Seconds, "1763831156.123456789", Some(1_763_831_156_123_456_789)),
            (TimeUnit::Seconds, "-0.0000000019", Some(-1)),
            (TimeUnit::Milliseconds, "1.5", Some(1_500_000)),
            (TimeUnit::Microseconds, ".25", Some(250)),
            (TimeUnit::Nanoseconds, "1000.0", Some(1_000)),
            (TimeUnit::Nanoseconds, "1e6", Some(1_000_000)),
            (TimeUnit::Seconds, "1.76e+09", Some(1_760_000_000_000_000_000)),
            (TimeUnit::Seconds, "1.763831156123456789e9", Some(1_763_831_156_123_456_789)),
            (TimeUnit::Seconds, "25e-9", Some(25)),
            (TimeUnit::Seconds, "25e-11", Some(0)),
            (TimeUnit::Milliseconds, "1E-2", Some(10_000)),
            (TimeUnit::Nanoseconds, "15e-1", None),
            (TimeUnit::Nanoseconds, "0.00e-3", Some(0)),
            (TimeUnit::Seconds, "1e30", None),
            (TimeUnit::Seconds, "0e30", Some(0)),
            (TimeUnit::Seconds, "1e", None),
            (TimeUnit::Seconds, "1e99999999999", None),
            (TimeUnit::Nanoseconds, "1.5", None),
            (TimeUnit::Seconds, "99999999999", None),
            (TimeUnit::Seconds, "NaN", None),
            (TimeUnit::Seconds, "inf", None),
            (TimeUnit::Seconds, "", None),
            (TimeUnit::Seconds, ".", None),
            (TimeUnit::Seconds, "1.2.3", None),
        ] {
            assert_eq!(unit.read(text), ns, "{text} {unit}");
        }
    }

    #[test]
    fn a_mapping_names_columns_and_units() {
        let mapping: Mapping = "requested=asked time:us,start=t0:ms,end=t1,method=who".parse().unwrap();
        assert_eq!(mapping.column("requested"), Some(("asked time", Some(TimeUnit::Microseconds))));
        assert_eq!(mapping.column("end"), Some(("t1", None)));
        assert_eq!(mapping.column("deadline"), None);
    }
}
