//! JSON in which no object has a key twice: of two values, one would be dropped silently.

use oversleep_recording::text::escaped;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Reason why bytes are not such JSON.
pub(super) struct JsonError {
    pub(super) line: usize,
    pub(super) column: usize,
    /// What is wrong, if it is JSON but a key is there twice.
    pub(super) twice: Option<String>,
}

/// Parses JSON; an object with a key twice is an error.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    serde_json::from_slice(bytes).map(|Unique(value)| value).map_err(|error| {
        let text = error.to_string();
        let twice = error.is_data().then(|| text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why));
        JsonError { line: error.line(), column: error.column(), twice: twice.map(str::to_owned) }
    })
}

/// A value whose objects have each key once.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Values).map(Self)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!("the key `{}` is there twice", escaped(&key, 40))));
            }
            let Unique(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_they_were_and_a_key_is_there_once() {
        let text = r#"{"a": [1, -2, 0.5, "x", null, true, 18446744073709551615], "b": {"a": {}}}"#;
        let plain: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes()).ok(), Some(plain));
        let error = parse(b"{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}").err().unwrap();
        assert_eq!((error.line, error.twice.as_deref()), (2, Some("the key `c` is there twice")));
        assert!(parse(b"{\"a\": ").err().unwrap().twice.is_none());
    }
}
