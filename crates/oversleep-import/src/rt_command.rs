//! Command lines of the programs of rt-tests.

use super::getopt::{GivenOption, Options, Syntax};
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
    /// Whether oslat subtracts the least value from all others.
    pub(super) is_biased: bool,
    /// Whether cyclictest's sleeps are relative.
    pub(super) is_relative: bool,
    interval_us: Option<i64>,
    /// Difference between the intervals of consecutive threads, in µs.
    distance_us: i64,
}

/// cyclictest's own defaults, in µs.
const INTERVAL_US: i64 = 1_000;
const DISTANCE_US: i64 = 500;

impl Command {
    /// Parses a command line; unknown words are ignored.
    pub(super) fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Self::default() };
        let program: String = first.rsplit('/').next().unwrap_or_default().chars().filter(char::is_ascii).collect();
        let syntax = match program.as_str() {
            // Our export of that form states conditions in its way.
            "cyclictest" | "oversleep" => &CYCLICTEST,
            "oslat" => &OSLAT,
            _ => &OTHERS,
        };
        let options = Options::parse(syntax, words);
        let number = |letter: char| options.value(letter).and_then(|text| text.parse::<i64>().ok());
        let priority = number('p').and_then(|priority| i32::try_from(priority).ok()).filter(|priority| *priority > 0);
        let policy = match (options.value(POLICY), priority) {
            (Some("rr"), priority) => Some(Policy::Rr { priority: priority.unwrap_or(1) }),
            (Some("batch"), _) => Some(Policy::Batch),
            (Some("idle"), _) => Some(Policy::Idle),
            (Some("other" | "normal"), _) => None,
            (_, priority) => priority.map(|priority| Policy::Fifo { priority }),
        };
        let cyclic = program == "cyclictest";
        // To others, -h asks for help.
        let buckets = if cyclic { number('h').or_else(|| number('H')) } else { None };
        Self {
            conditions: Conditions { policy, memory_locked: options.has('m').then_some(true), ..Conditions::default() },
            buckets,
            bucket_width: number('W').filter(|width| *width != 1_000),
            is_biased: program == "oslat" && options.has('B'),
            is_relative: cyclic && options.has('r'),
            interval_us: number('i').or(cyclic.then_some(INTERVAL_US)),
            // With a histogram it is zero, whatever was asked for.
            distance_us: if buckets.is_some() { 0 } else { number('d').unwrap_or(DISTANCE_US) },
            program,
        }
    }

    /// Returns the interval of a thread, if it is known.
    pub(super) fn interval(&self, thread: i64) -> Option<Nanos> {
        let us = self.interval_us?.checked_add(self.distance_us.checked_mul(thread)?)?;
        super::whole_file::times(us, 1_000).filter(|interval| *interval > Nanos::ZERO)
    }
}

/// Returns the options of cyclictest that these words are, in order; `None` if one of them is none.
pub fn cyclictest_options(words: &[String]) -> Option<Vec<GivenOption>> {
    CYCLICTEST.only_options(words)
}

/// Letter that stands for `--policy`, which has none.
const POLICY: char = '1';
/// Letter that stands for long options without a letter whose values are of no interest here.
const OTHER: char = '2';
/// The same, for those that have no value.
const BARE: char = '3';

/// The options of cyclictest 2.4 (`process_options` in src/cyclictest/cyclictest.c and its help), and `-n` of older ones.
const CYCLICTEST: Syntax = Syntax {
    with_value: "bcdDFhHiloWp12",
    with_attached_value: "aAt",
    long: &[
        ("affinity", 'a'),
        ("aligned", 'A'),
        ("breaktrace", 'b'),
        ("clock", 'c'),
        ("dbg_cyclictest", BARE),
        ("default-system", BARE),
        ("deepest-idle-state", OTHER),
        ("distance", 'd'),
        ("duration", 'D'),
        ("fifo", 'F'),
        ("help", BARE),
        ("histfile", OTHER),
        ("histofall", 'H'),
        ("histogram", 'h'),
        ("interval", 'i'),
        ("json", OTHER),
        ("laptop", BARE),
        ("latency", OTHER),
        ("loops", 'l'),
        ("mainaffinity", OTHER),
        ("mlockall", 'm'),
        ("nanosleep", 'n'),
        ("nsecs", 'N'),
        ("oscope", 'o'),
        ("policy", POLICY),
        ("posix_timers", 'x'),
        ("priority", 'p'),
        ("prio", 'p'),
        ("priospread", BARE),
        ("quiet", 'q'),
        ("refresh_on_max", 'M'),
        ("relative", 'r'),
        ("resolution", 'R'),
        ("secaligned", BARE),
        ("smi", BARE),
        ("smp", 'S'),
        ("spike", OTHER),
        ("spike-nodes", OTHER),
        ("system", 's'),
        ("threads", 't'),
        ("tracemark", BARE),
        ("unbuffered", 'u'),
        ("verbose", 'v'),
    ],
};

/// The options of oslat.
const OSLAT: Syntax = Syntax {
    with_value: "bcCDfMTwW2",
    with_attached_value: "",
    long: &[
        ("bias", 'B'),
        ("bucket-size", 'b'),
        ("bucket-width", 'W'),
        ("cpu-list", 'c'),
        ("cpu-main-thread", 'C'),
        ("duration", 'D'),
        ("json", OTHER),
        ("rtprio", 'f'),
        ("trace-threshold", 'T'),
        ("workload", 'w'),
        ("workload-mem", 'M'),
    ],
};

/// The options of signaltest, ptsematest, cyclicdeadline and their like.
const OTHERS: Syntax = Syntax {
    with_value: "bdDfilpsT2",
    with_attached_value: "at",
    long: &[
        ("breaktrace", 'b'),
        ("distance", 'd'),
        ("duration", 'D'),
        ("interval", 'i'),
        ("json", OTHER),
        ("loops", 'l'),
        ("mlockall", 'm'),
        ("prio", 'p'),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_options_alone_is_known_by_its_options() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let options = cyclictest_options(&words)?;
            Some(
                options
                    .into_iter()
                    .map(|option| format!("{} {}", option.name, option.text))
                    .collect::<Vec<_>>()
                    .join("; "),
            )
        };
        let line = "-mSqp80 -i 200 -t 2 -a --histog=400 --prio 5 --json x.json";
        let told = "mlockall -m; smp -S; quiet -q; priority -p 80; interval -i 200; threads -t 2; affinity -a; \
                    histogram --histogram=400; priority --priority=5; json --json=x.json";
        assert_eq!(read(line).as_deref(), Some(told));
        assert_eq!(read("").as_deref(), Some(""));
        for other in ["-m nanosleep", "-i", "-Z", "-1", "--request 1ms", "-", "--", "-r 1ms", "--s"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn what_was_asked_for_is_read_as_the_program_reads_it() {
        let command = Command::parse("./cyclictest -m -p 80 -i1500 -l 2000 -t 2 -a -q --json=x.json");
        assert_eq!(command.program, "cyclictest");
        assert_eq!(command.conditions.policy, Some(Policy::Fifo { priority: 80 }));
        assert_eq!(command.conditions.memory_locked, Some(true));
        assert_eq!(
            [0, 1].map(|thread| command.interval(thread)),
            [1_500, 2_000].map(|us| Some(Nanos::from_micros(us)))
        );
        // As cyclictest 2.4 says of them itself: in clusters and abbreviated, and a distance of zero with a histogram alone.
        let cluster = Command::parse("cyclictest -mqSi 200 -l 4000 --json=b.json");
        assert_eq!(cluster.conditions.memory_locked, Some(true));
        assert_eq!([0, 1].map(|thread| cluster.interval(thread)), [200, 700].map(|us| Some(Nanos::from_micros(us))));
        assert_eq!(Command::parse("cyclictest -q --inter 700").interval(0), Some(Nanos::from_micros(700)));
        assert_eq!(Command::parse("cyclictest -t 2 -d 3000 -h 400").interval(1), Some(Nanos::MILLISECOND));
        let policy = |line: &str| Command::parse(line).conditions.policy;
        assert_eq!(policy("cyclictest --policy=rr -p 5"), Some(Policy::Rr { priority: 5 }));
        assert_eq!(policy("cyclictest --policy other"), None);
        assert!(Command::parse("cyclictest -qr").is_relative && !Command::parse("cyclictest -t 2").is_relative);
        assert!(Command::parse("oslat -D 2 -B").is_biased && !Command::parse("oslat -D 2").is_biased);
        let alike = Command::parse("cyclictest --histogram=100 -t2");
        assert_eq!((alike.buckets, alike.interval(1)), (Some(100), Some(Nanos::MILLISECOND)));
        assert_eq!(Command::parse("oslat -D 3").interval(0), None);
        assert_eq!(Command::parse("").program, "");
    }
}
