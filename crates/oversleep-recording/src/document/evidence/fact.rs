//! Evidence for display: single numbers and words, by the names used in files.

use super::Rounding;
use crate::plan::ClockName;
use oversleep_sys::units::Nanos;

/// One value of the evidence.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A number, in the unit that its name ends in.
    Number(f64),
    /// A word or a sentence.
    Word(String),
    /// Not known: the samples leave it open.
    NotKnown,
}

/// Facts with their names.
pub(super) type Facts = Vec<(String, Fact)>;

/// A value that can be listed as facts.
pub(super) trait AddFacts {
    /// Appends the value as a fact of this name; a structure appends each field under the field's own name.
    fn add_facts(&self, name: &str, to: &mut Facts);
}

/// Declares evidence: a structure that is serialised as it is and listed field by field.
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

/// Numbers are listed as floats: counts and times here are below 2^53.
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

/// Times on a clock, listed in JSON only.
impl AddFacts for Nanos {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}

/// Listed in JSON only.
impl AddFacts for bool {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}

/// Listed in JSON only.
impl<T> AddFacts for Vec<T> {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}

/// Listed in JSON only.
impl<T> AddFacts for [T; 2] {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}
