//! Figures of one thread in a tool's JSON: whole numbers, extremes, mean and histogram. A value of a wrong type is an error,
//! not absent.

use super::whole_file::cut_off;
use oversleep_recording::text::escaped;
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value};

/// The object of a thread, and how its values are to be read.
pub(super) struct JsonFigures<'a> {
    pub(super) told: &'a Map<String, Value>,
    /// Unit of the values, in ns.
    pub(super) unit: i64,
    /// Whether a bucket is named by its upper end, as oslat does, instead of by its lower one.
    pub(super) named_by_upper_end: bool,
    /// Bucket that the histogram ends before, if it is known.
    pub(super) end: Option<i64>,
}

impl JsonFigures<'_> {
    /// Returns a whole number; `None` if there is none.
    pub(super) fn integer(&self, key: &str) -> Result<Option<i64>, String> {
        match self.told.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match whole(value) {
                Some(integer) => Ok(Some(integer)),
                None => Err(format!("`{key}` is {}, and a whole number is expected", shown(value))),
            },
        }
    }

    /// Returns a number of things; `None` if there is none.
    pub(super) fn count(&self, key: &str) -> Result<Option<u64>, String> {
        let count = self.integer(key)?.map(|value| u64::try_from(value).map_err(|_| format!("`{key}` is {value}")));
        count.transpose()
    }

    /// Returns the bucket of an extreme.
    pub(super) fn extreme(&self, key: &str) -> Result<Option<(Nanos, Nanos)>, String> {
        let Some(value) = self.integer(key)? else { return Ok(None) };
        self.bucket(value).map(Some).ok_or_else(|| format!("`{key}` is {value}, which is longer than 146 years"))
    }

    /// Returns the mean, in ns.
    pub(super) fn mean_ns(&self) -> Result<Option<f64>, String> {
        match self.told.get("avg") {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(mean) => Ok(Some(mean * self.unit as f64)),
                None => Err(format!("`avg` is {}, and a number is expected", shown(value))),
            },
        }
    }

    /// Returns the buckets, lowest first, with their counts; an empty list if there is no histogram.
    pub(super) fn buckets(&self) -> Result<Vec<(Nanos, Nanos, u64)>, String> {
        let histogram = match self.told.get("histogram") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(histogram)) => histogram,
            Some(other) => return Err(format!("`histogram` is {}, and an object is expected", shown(other))),
        };
        let mut buckets = Vec::with_capacity(histogram.len());
        for (key, count) in histogram {
            let key = escaped(key, 40);
            let count = count.as_u64().ok_or_else(|| format!("bucket {key} has no count"))?;
            let value: i64 = key.parse().map_err(|_| format!("`{key}` is not a bucket"))?;
            if let Some(end) = self.end.filter(|end| value >= *end) {
                return Err(format!("it has a bucket {value}, and its command line asks for those below {end}"));
            }
            let (low, high) = self.bucket(value).ok_or_else(|| format!("`{key}` is not a bucket"))?;
            buckets.push((low, high, count));
        }
        buckets.sort_unstable();
        match buckets.windows(2).find(|two| two[0].0 == two[1].0) {
            Some(two) => Err(format!("the bucket at {} is there twice", two[0].0)),
            None => Ok(buckets),
        }
    }

    fn bucket(&self, value: i64) -> Option<(Nanos, Nanos)> {
        cut_off(if self.named_by_upper_end { value.checked_sub(1)? } else { value }, self.unit)
    }
}

/// Returns the sum of the buckets' counts.
pub(super) fn counted(buckets: &[(Nanos, Nanos, u64)]) -> Result<u64, String> {
    let sum = buckets.iter().try_fold(0_u64, |sum, (_, _, count)| sum.checked_add(*count));
    sum.ok_or_else(|| "more values than can be counted".to_owned())
}

/// Returns a value as JSON, shortened.
pub(super) fn shown(value: &Value) -> String {
    escaped(&value.to_string(), 40)
}

/// Returns a whole number, which `2000.0` is as well.
fn whole(value: &Value) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation)] // whole, and far below 2⁶³
    let of_decimal = |value: f64| (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i64);
    value.as_i64().or_else(|| value.as_f64().and_then(of_decimal))
}
