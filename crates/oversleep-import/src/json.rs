//! JSON in which no object has a key twice: of two values, one would be dropped silently. Its memory is bounded.

use oversleep_recording::text::escaped;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::fmt;

/// Number of values in a text above which it is refused: `[[],[],…` takes ten times its length in memory, and more.
const MOST: usize = 1 << 21;

/// Error of what follows the value.
const TRAILING: &str = "more text after the end of the JSON; give each document a file of its own";

/// Error of objects and lists in each other, deeper than `serde_json` reads.
const DEEP: &str = "nested deeper than 127 levels, which no format here is";

/// Reason why bytes are not such JSON.
pub(super) struct JsonError {
    pub(super) line: usize,
    pub(super) column: usize,
    /// What is wrong, if it is JSON but is refused, such as for a key that is there twice.
    pub(super) refused: Option<String>,
}

/// Parses JSON; an object with a key twice is an error, and so are too many values.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    let left = Cell::new(MOST);
    let mut input = serde_json::Deserializer::from_slice(bytes);
    let parsed = Unique(&left).deserialize(&mut input).and_then(|value| input.end().map(|()| value));
    parsed.map_err(|error| {
        let text = error.to_string();
        let text = text.as_str();
        let refused = error.is_data().then(|| text.rsplit_once(" at line ").map_or(text, |(why, _)| why));
        let refused = match text {
            _ if text.starts_with("trailing characters") => Some(TRAILING),
            _ if text.starts_with("recursion limit") => Some(DEEP),
            _ => refused,
        };
        JsonError { line: error.line(), column: error.column(), refused: refused.map(str::to_owned) }
    })
}

/// Reads a value whose objects have each key once, and counts values down.
#[derive(Clone, Copy)]
struct Unique<'a>(&'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        let Self(left) = self;
        let many = || D::Error::custom(format!("more than {MOST} values, which are not read at once"));
        left.set(left.get().checked_sub(1).ok_or_else(many)?);
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
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
        while let Some(item) = items.next_element_seed(self)? {
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
            object.insert(key, entries.next_value_seed(self)?);
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
        assert_eq!((error.line, error.refused.as_deref()), (2, Some("the key `c` is there twice")));
        assert!(parse(b"{\"a\": ").err().unwrap().refused.is_none());
        let deep = "{\"a\":".repeat(200);
        assert_eq!(parse(deep.as_bytes()).err().unwrap().refused.as_deref(), Some(DEEP));
        assert_eq!(parse(b"{} 1").err().unwrap().refused.as_deref(), Some(TRAILING));
    }

    #[test]
    fn what_would_fill_the_memory_is_refused() {
        let list = |items: usize| format!("[{}[]]", "[],".repeat(items - 1));
        assert_eq!(parse(list(MOST - 1).as_bytes()).ok().and_then(|list| Some(list.as_array()?.len())), Some(MOST - 1));
        let error = parse(list(MOST).as_bytes()).err().unwrap();
        assert_eq!(error.refused.as_deref(), Some("more than 2097152 values, which are not read at once"));
    }
}
