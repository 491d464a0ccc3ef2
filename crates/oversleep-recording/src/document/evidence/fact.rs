//! Evidence for people: single numbers and words, by the names files use.

use super::Rounding;
use crate::plan::ClockName;

/// One number or word of the evidence.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A number, in the unit its name ends in.
    Number(f64),
    /// A word or a sentence.
    Word(String),
    /// The samples leave it open.
    NotKnown,
}

/// Facts by name.
pub(super) type Facts = Vec<(String, Fact)>;

/// What can tell facts of itself.
pub(super) trait AddFacts {
    /// Adds what it has to tell under this name; what has parts tells each under its own.
    fn add_facts(&self, name: &str, to: &mut Facts);
}

/// Declares evidence: a struct that is written as it stands, and told field by field.
macro_rules! evidence {
    ($($(#[$about:meta])* pub struct $name:ident { $($(#[$of_field:meta])* pub $field:ident: $kind:ty,)* })*) => { $(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name { $($(#[$of_field])* pub $field: $kind,)* }

        impl $crate::document::evidence::fact::AddFacts for $name {
            fn add_facts(&self, _: &str, to: &mut $crate::document::evidence::fact::Facts) {
                $($crate::document::evidence::fact::AddFacts::add_facts(&self.$field, stringify!($field), to);)*
            }
        }
    )* };
}
pub(super) use evidence;

impl AddFacts for f64 {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        if self.is_finite() {
            to.push((name.to_owned(), Fact::Number(*self)));
        }
    }
}

/// Numbers are told as floats: counts and times here are below 2^53.
macro_rules! numbers {
    ($($kind:ty)*) => { $(
        impl AddFacts for $kind {
            fn add_facts(&self, name: &str, to: &mut Facts) {
                to.push((name.to_owned(), Fact::Number(*self as f64)));
            }
        }
    )* };
}
numbers! { i64 u64 usize }

impl AddFacts for u32 {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        u64::from(*self).add_facts(name, to);
    }
}

impl AddFacts for str {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        to.push((name.to_owned(), Fact::Word(self.to_owned())));
    }
}

impl AddFacts for &str {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        (**self).add_facts(name, to);
    }
}

impl AddFacts for String {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        self.as_str().add_facts(name, to);
    }
}

impl AddFacts for Rounding {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        self.name().add_facts(name, to);
    }
}

impl AddFacts for ClockName {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        self.name().add_facts(name, to);
    }
}

impl<T: AddFacts> AddFacts for Option<T> {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        if let Some(value) = self {
            value.add_facts(name, to);
        }
    }
}

/// For programs alone.
impl AddFacts for bool {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}

/// For programs alone.
impl<T> AddFacts for Vec<T> {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}

/// For programs alone.
impl<T> AddFacts for [T; 2] {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}
