//! Conditions with named values.

/// Declares a condition with named values, in the system's own order.
macro_rules! named {
    ($(#[$about:meta])* $name:ident, $what:literal: $($(#[$value_about:meta])* $value:ident $text:literal)*) => {
        $crate::names! {
            $(#[$about])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            #[serde(rename_all = "kebab-case")]
            pub enum $name {
                $($(#[$value_about])* $value = $text,)*
            }
        }

        impl $name {
            /// The name of every value.
            pub const NAMES: &[&str] = &[$($text),*];
        }

        impl crate::plan::Typed for $name {
            fn value(&self) -> crate::plan::Value {
                crate::plan::Value::Name(self.name())
            }

            fn from_value(value: &crate::plan::Value) -> Option<Self> {
                match value {
                    crate::plan::Value::Name(name) => name.parse().ok(),
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().copied().find(|value| value.name() == text.trim());
                found.ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(|value| value.name()).collect();
                    format!("'{text}' is not a {}; there are {}", $what, names.join(", "))
                })
            }
        }
    };
}
