//! What took a processor from a thread that spins on it, as far as the kernel counts it: interrupts, softirqs, time
//! stolen by the host, system-management interrupts, thermal throttling.
//!
//! All of it is in files that Linux has per processor; if one is missing or not readable by this user, that counter
//! is missing from every [`ProcessorCounters`] and [`Activity::lacking`] gives the reason.

mod column;

use super::steal;
use column::{Layout, column};
use oversleep_recording::trace::ProcessorCounters;
use oversleep_sys::Refusal;
use oversleep_sys::units::{Hertz, Nanos};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// The counters of one processor.
#[derive(Debug)]
pub struct Activity {
    cpu: u32,
    rate: Option<Hertz>,
    stat: Option<Source>,
    interrupts: Option<Source>,
    softirqs: Option<Source>,
    smi: Option<File>,
    heat: Option<Source>,
    lacking: Vec<(String, Refusal)>,
    last: CounterValues,
}

/// The counters to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All counters: about 75 µs per reading on a machine with two processors, more on larger ones (`/proc/interrupts`
    /// has a column for each).
    All,
    /// Counters of what no kernel event shows: stolen time, SMI, throttling. About 10 µs.
    Unseen,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct CounterValues {
    stolen: Option<Nanos>,
    interrupts: Vec<(String, u64)>,
    softirqs: Vec<(String, u64)>,
    smi: Option<u64>,
    heat: Option<u64>,
}

impl Activity {
    /// Opens the counters of a processor and reads them once.
    pub fn open(cpu: u32, extent: Extent) -> Self {
        let mut lacking = Vec::new();
        let mut text = |what: &str, path: &str| match Source::open(path) {
            Ok(source) => Some(source),
            Err(refusal) => {
                lacking.push((what.to_owned(), refusal));
                None
            }
        };
        let stat = text("stolen time", "/proc/stat");
        let heat = text(
            "thermal throttling",
            &format!("/sys/devices/system/cpu/cpu{cpu}/thermal_throttle/core_throttle_count"),
        );
        let all = extent == Extent::All;
        let interrupts = if all { text("interrupts", "/proc/interrupts") } else { None };
        let softirqs = if all { text("softirqs", "/proc/softirqs") } else { None };
        let smi = match smi(cpu) {
            Ok(file) => Some(file),
            Err(refusal) => {
                lacking.push(("SMI count".to_owned(), refusal));
                None
            }
        };
        let rate = steal::user_hz();
        let last = CounterValues::default();
        let mut activity = Self { cpu, rate, stat, interrupts, softirqs, smi, heat, lacking, last };
        activity.last = activity.counts();
        activity
    }

    /// Returns the counters that are not available here, with the reasons.
    pub fn lacking(&self) -> &[(String, Refusal)] {
        &self.lacking
    }

    /// Returns the increase since the previous call (or since opening).
    pub fn since(&mut self) -> ProcessorCounters {
        let now = self.counts();
        let change = ProcessorCounters {
            stolen: now.stolen.zip(self.last.stolen).map(|(now, before)| (now - before).max(Nanos::ZERO)),
            interrupts: self.interrupts.is_some().then(|| grown(&self.last.interrupts, &now.interrupts)),
            softirqs: self.softirqs.is_some().then(|| grown(&self.last.softirqs, &now.softirqs)),
            smi: now.smi.zip(self.last.smi).map(|(now, before)| now.wrapping_sub(before) & 0xffff_ffff),
            heat: now.heat.zip(self.last.heat).map(|(now, before)| now.saturating_sub(before)),
        };
        self.last = now;
        change
    }

    fn counts(&mut self) -> CounterValues {
        let cpu = self.cpu;
        let table = |source: &mut Option<Source>, layout| {
            source.as_mut().and_then(Source::text).map_or_else(Vec::new, |text| column(text, cpu, layout))
        };
        CounterValues {
            interrupts: table(&mut self.interrupts, Layout::Interrupts),
            softirqs: table(&mut self.softirqs, Layout::Softirqs),
            stolen: self.stat.as_mut().and_then(Source::text).zip(self.rate).and_then(|(text, rate)| {
                let all = steal::parse(text, rate);
                all.into_iter().find(|steal| steal.cpu == cpu).map(|steal| steal.stolen)
            }),
            smi: self.smi.as_mut().and_then(register),
            heat: self.heat.as_mut().and_then(Source::text).and_then(|text| text.trim().parse().ok()),
        }
    }
}

/// Returns the names whose count has grown, and by how much. A new name counts from 0.
fn grown(before: &[(String, u64)], now: &[(String, u64)]) -> Vec<(String, u64)> {
    let of = |at: usize, name: &str| match before.get(at) {
        // Nearly always the rows are in the same places.
        Some((same, count)) if same == name => *count,
        _ => before.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count),
    };
    let differences =
        now.iter().enumerate().map(|(at, (name, count))| (name.clone(), count.saturating_sub(of(at, name))));
    differences.filter(|(_, count)| *count > 0).collect()
}

/// A file that is read from its beginning repeatedly.
#[derive(Debug)]
struct Source {
    file: File,
    text: String,
}

impl Source {
    fn open(path: &str) -> Result<Self, Refusal> {
        let file = File::open(path).map_err(|error| Refusal::from_os(path, &error))?;
        Ok(Self { file, text: String::new() })
    }

    fn text(&mut self) -> Option<&str> {
        self.text.clear();
        self.file.seek(SeekFrom::Start(0)).ok()?;
        self.file.read_to_string(&mut self.text).ok()?;
        Some(&self.text)
    }
}

/// `MSR_SMI_COUNT`.
const SMI_COUNT: u64 = 0x34;

/// Opens the processor's registers, if it counts its SMIs: others return an error for the first reading.
fn smi(cpu: u32) -> Result<File, Refusal> {
    let path = format!("/dev/cpu/{cpu}/msr");
    let open = |path: &str| -> io::Result<File> {
        let mut file = File::open(path)?;
        read_register(&mut file)?;
        Ok(file)
    };
    open(&path).map_err(|error| Refusal::from_os(&path, &error))
}

fn register(file: &mut File) -> Option<u64> {
    read_register(file).ok()
}

fn read_register(file: &mut File) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.seek(SeekFrom::Start(SMI_COUNT))?;
    file.read_exact(&mut bytes)?;
    Ok(u64::from_ne_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
        rows.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn only_what_grew_is_told_even_when_rows_move() {
        let before = rows(&[("timer", 5), ("disk", 7)]);
        let now = rows(&[("net", 2), ("timer", 6), ("disk", 7)]);
        assert_eq!(grown(&before, &now), rows(&[("net", 2), ("timer", 1)]));
        assert_eq!(grown(&now, &now), []);
    }

    #[test]
    fn what_is_not_here_is_named_and_stays_out_of_every_change() {
        // No machine has this processor.
        let mut activity = Activity::open(60_000, Extent::Unseen);
        let named: Vec<_> = activity.lacking().iter().map(|(what, _)| what.as_str()).collect();
        assert!(named.contains(&"SMI count") && named.contains(&"thermal throttling"), "{named:?}");
        assert_eq!(activity.since(), ProcessorCounters::default());
    }
}
