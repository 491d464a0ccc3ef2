//! The processor time that control groups allow, and how often they took it away.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The tightest quota on the way from the process's group up to the root.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Quota {
    /// The group that sets it, below its hierarchy's mount.
    pub group: String,
    /// Processors' worth of time: quota over period.
    pub cpus: f64,
    /// Processor time per period.
    #[serde(rename = "quota_ns")]
    pub quota: Nanos,
    /// The period.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
    /// Periods in which the group ran.
    pub periods: Option<u64>,
    /// Periods in which its time was used up.
    pub throttled_periods: Option<u64>,
    /// How long its threads were kept waiting for it, together.
    #[serde(rename = "throttled_ns")]
    pub throttled: Option<Nanos>,
}
