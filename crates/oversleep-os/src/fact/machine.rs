//! The machine's facts, as they are kept in a recording.

/// What is known of a machine. `None` and empty mean that the system does not say.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Machine {
    /// The operating system's name: `Linux`.
    pub system: String,
    /// The kernel's release: `6.18.44`.
    pub release: String,
    /// The instruction set: `x86_64`.
    pub architecture: String,
}
