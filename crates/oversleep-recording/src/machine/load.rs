//! The load of the machine.

use super::Machine;
use serde::{Deserialize, Serialize};

/// The average number of threads that run or are runnable (on Linux also those in uninterruptible sleep).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Load {
    /// Average over 1 minute.
    pub one_minute: f64,
    /// Average over 5 minutes.
    pub five_minutes: f64,
    /// Average over 15 minutes.
    pub fifteen_minutes: f64,
    /// Threads that run or are runnable at this moment, this one included (Linux).
    pub runnable: Option<u32>,
}

impl Machine {
    /// Returns whether more threads wanted to run than there are processors when the facts were read.
    pub fn is_busy(&self) -> bool {
        let processors = self.processor.online.len().max(1);
        self.load.is_some_and(|load| {
            load.one_minute > processors as f64
                || load.runnable.is_some_and(|runnable| runnable as usize > 2 * processors)
        })
    }

    /// Returns the load of a busy machine in words: "load 6.7, 6 runnable threads, 2 processors"; `None` if it is not busy.
    pub fn busy(&self) -> Option<String> {
        let load = self.load.filter(|_| self.is_busy())?;
        let runnable = load.runnable.map_or_else(String::new, |runnable| {
            format!(", {runnable} runnable thread{}", if runnable == 1 { "" } else { "s" })
        });
        let processors = self.processor.online.len().max(1);
        Some(format!("load {:.1}{runnable}, {processors} processors", load.one_minute))
    }
}
