//! Command lines of the programs of rt-tests.

use oversleep_recording::plan::{Conditions, Policy};
use oversleep_sys::units::Nanos;

/// What a command line asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Command {
    /// Name of the program, without its folder.
    pub(super) program: String,
    /// Requested conditions.
    pub(super) conditions: Conditions,
    /// Number of buckets of cyclictest's histogram.
    pub(super) buckets: Option<i64>,
    /// Width of oslat's buckets, in ns, if it is not the usual one.
    pub(super) bucket_width: Option<i64>,
    interval_us: Option<i64>,
    /// Difference between the intervals of consecutive threads, in µs.
    distance_us: i64,
}

/// cyclictest's own defaults, in µs.
const INTERVAL_US: i64 = 1_000;
const DISTANCE_US: i64 = 500;

impl Command {
    /// Parses a command line; unknown words are ignored.
    pub(super) fn of(line: &str) -> Self {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first() else { return Self::default() };
        let program: String = first.rsplit('/').next().unwrap_or_default().chars().filter(char::is_ascii).collect();
        let value = |short: &str, long: &str| {
            words.iter().enumerate().skip(1).find_map(|(at, word)| {
                if let Some(rest) = word.strip_prefix(long) {
                    return rest.strip_prefix('=').or_else(|| words.get(at + 1).copied());
                }
                // Accepts `-i1000` as well as `-i 1000`.
                let rest = word.strip_prefix(short).filter(|_| !word.starts_with("--"))?;
                if rest.is_empty() { words.get(at + 1).copied() } else { Some(rest) }
            })
        };
        let number = |short: &str, long: &str| value(short, long).and_then(|text| text.parse::<i64>().ok());
        let has = |short: &str, long: &str| words.iter().any(|word| *word == short || word.starts_with(long));
        let priority =
            number("-p", "--priority").or_else(|| number("-p", "--prio")).and_then(|p| i32::try_from(p).ok());
        let cyclic = program == "cyclictest";
        let histogram = || number("-h", "--histogram").or_else(|| number("-H", "--histofall"));
        // To others, -h asks for help.
        let buckets = if cyclic { histogram() } else { None };
        let alike = buckets.is_some() || has("-S", "--smp");
        Self {
            conditions: Conditions {
                policy: priority.filter(|priority| *priority > 0).map(|priority| Policy::Fifo { priority }),
                memory_locked: has("-m", "--mlockall").then_some(true),
                ..Conditions::default()
            },
            buckets,
            bucket_width: number("-W", "--bucket-width").filter(|width| *width != 1_000),
            interval_us: number("-i", "--interval").or(cyclic.then_some(INTERVAL_US)),
            distance_us: number("-d", "--distance").unwrap_or(if alike { 0 } else { DISTANCE_US }),
            program,
        }
    }

    /// Returns the interval of a thread, if it is known.
    pub(super) fn interval(&self, thread: i64) -> Option<Nanos> {
        let us = self.interval_us?.checked_add(self.distance_us.checked_mul(thread)?)?;
        super::whole_file::times(us, 1_000).filter(|interval| *interval > Nanos::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_is_read_as_the_program_reads_it() {
        let command = Command::of("./cyclictest -m -p 80 -i1500 -l 2000 -t 2 -a -q --json=x.json");
        assert_eq!(command.program, "cyclictest");
        assert_eq!(command.conditions.policy, Some(Policy::Fifo { priority: 80 }));
        assert_eq!(command.conditions.memory_locked, Some(true));
        assert_eq!(
            [0, 1].map(|thread| command.interval(thread)),
            [1_500, 2_000].map(|us| Some(Nanos::from_micros(us)))
        );
        let alike = Command::of("cyclictest --histogram=100 -t2");
        assert_eq!((alike.buckets, alike.interval(1)), (Some(100), Some(Nanos::MILLISECOND)));
        assert_eq!(Command::of("oslat -D 3").interval(0), None);
        assert_eq!(Command::of("").program, "");
    }
}
