//! The processor time that control groups allow, and how often it was used up.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The tightest quota on the way from the process's group up to the root.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Quota {
    /// Control group that sets the quota, relative to its hierarchy's mount.
    pub group: String,
    /// Number of processors that the quota amounts to: quota divided by period.
    pub cpus: f64,
    /// Processor time per period.
    #[serde(rename = "quota_ns")]
    pub quota: Nanos,
    /// Length of the period.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
    /// Periods in which the group ran.
    pub periods: Option<u64>,
    /// Of these, periods in which the quota was used up.
    pub throttled_periods: Option<u64>,
    /// Total time for which its threads were throttled.
    #[serde(rename = "throttled_ns")]
    pub throttled: Option<Nanos>,
}
