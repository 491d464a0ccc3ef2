//! Conditions that only single systems have: Windows' priority classes, macOS' quality-of-service classes.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Declares a condition with named values, in the system's own order.
macro_rules! named {
    ($(#[$about:meta])* $name:ident, $what:literal: $($(#[$value_about:meta])* $value:ident $text:literal)*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$value_about])* $value,)*
        }

        impl $name {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$value),*];

            /// Returns the name used in options and files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $name {
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

named! {
    /// The priority class of a process (Windows).
    PriorityClass, "priority class":
    /// Runs when nothing else is runnable.
    Idle "idle"
    /// Below normal priority.
    BelowNormal "below-normal"
    /// Normal priority.
    Normal "normal"
    /// Above normal priority.
    AboveNormal "above-normal"
    /// Above nearly everything.
    High "high"
    /// Above the system's own threads; needs the privilege to increase priorities.
    Realtime "realtime"
}

named! {
    /// The quality-of-service class of a thread (macOS).
    Qos, "quality-of-service class":
    /// Work on what the user is looking at.
    UserInteractive "user-interactive"
    /// Work that the user is waiting for.
    UserInitiated "user-initiated"
    /// The default class.
    Default "default"
    /// Long work that the user knows about.
    Utility "utility"
    /// Work that nobody waits for: timers may be very late.
    Background "background"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_told_what_there_is() {
        for class in PriorityClass::ALL {
            assert_eq!(class.name().parse(), Ok(*class));
            assert_eq!(serde_json::to_value(class).unwrap(), class.name());
        }
        for class in Qos::ALL {
            assert_eq!(class.name().parse(), Ok(*class));
            assert_eq!(serde_json::to_value(class).unwrap(), class.name());
        }
        assert_eq!(
            "highest".parse::<PriorityClass>(),
            Err(
                "'highest' is not a priority class; there are idle, below-normal, normal, above-normal, high, realtime"
                    .into()
            )
        );
    }
}
