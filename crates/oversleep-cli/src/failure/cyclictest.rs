//! Whole command lines of cyclictest, answered with one of ours.

use crate::args::{Args, values};
use oversleep_lab::import::{GivenOption, cyclictest_options};
use oversleep_recording::cpus::list_text;

/// cyclictest's interval unless one is given, in µs.
const INTERVAL_US: u32 = 1_000;

/// Returns the command that does the same here as these words, which follow the program's name, do as options of
/// cyclictest; `None` if they are not, or only one of them is foreign here.
pub(super) fn instead(words: &[String], processors: &[u32]) -> Option<String> {
    let arguments = match words.split_first()? {
        (first, rest) if ["measure", "watch", "cyclictest"].contains(&first.as_str()) => rest,
        (first, _) if first.starts_with('-') => words,
        _ => return None,
    };
    let options = cyclictest_options(arguments)?;
    let foreign = options.iter().filter(|option| !is_ours(option)).count();
    if foreign < 2 && words[0] != "cyclictest" {
        return None;
    }
    let live = words[0] == "watch";
    let quiet = options.iter().any(|option| option.name == "quiet");
    let Answer { mut words, without } = answer(&Given(&options), processors).ok()?;
    if live {
        "watch".clone_into(&mut words[0]);
        words.retain(|word| word != "-q");
    }
    let shown = if live || quiet { "" } else { "; `watch` in place of `measure` shows it as it comes" };
    let without = match without.as_slice() {
        [] => String::new(),
        some => format!("; without a counterpart: {}", some.join(", ")),
    };
    Some(format!("cyclictest with these options is here `oversleep {}`{without}{shown}", words.join(" ")))
}

/// Returns whether `measure` takes the option as it is.
fn is_ours(option: &GivenOption) -> bool {
    Args::takes(["oversleep", "measure"].into_iter().chain(option.text.split(' ')))
}

/// A value is not one of cyclictest's, or nothing of ours.
struct OtherValue;

/// Our command, and the options that have no place in it.
struct Answer {
    words: Vec<String>,
    without: Vec<String>,
}

/// The options of a command line of cyclictest.
struct Given<'a>(&'a [GivenOption]);

impl<'a> Given<'a> {
    /// Returns the last option of this name, which counts.
    fn get(&self, name: &str) -> Option<&'a GivenOption> {
        self.0.iter().rfind(|option| option.name == name)
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns whether an option stands without the value that it may have.
    fn is_alone(&self, name: &str) -> bool {
        self.get(name).is_some_and(|option| option.value.is_none())
    }

    /// Returns the number of an option, if it is there.
    fn number(&self, name: &str) -> Result<Option<u32>, OtherValue> {
        let value = self.get(name).and_then(|option| option.value.as_deref());
        value.map(str::parse).transpose().map_err(|_| OtherValue)
    }
}

/// Options that have become ours, and those of which nothing is needed here.
const ANSWERED: [&str; 23] = [
    "affinity",
    "breaktrace",
    "clock",
    "default-system",
    "duration",
    "interval",
    "laptop",
    "latency",
    "loops",
    "mlockall",
    "nanosleep",
    "nsecs",
    "policy",
    "posix_timers",
    "priority",
    "quiet",
    "refresh_on_max",
    "relative",
    "smp",
    "system",
    "threads",
    "unbuffered",
    "verbose",
];

fn answer(given: &Given<'_>, processors: &[u32]) -> Result<Answer, OtherValue> {
    let mut words = vec!["measure".to_owned()];
    let mut without = Vec::new();
    let mut add = |word: &str| words.push(word.to_owned());
    if given.has("mlockall") {
        add("--mlock");
    }
    // cyclictest holds it at 0 µs unless it is told not to.
    if !["laptop", "default-system", "deepest-idle-state"].iter().any(|name| given.has(name)) {
        add(&format!("--latency-hold {}us", given.number("latency")?.unwrap_or(0)));
    }
    let threads = threads(given, processors)?;
    if let Some(policy) = policy(given, threads)? {
        add(&format!("-p {policy}"));
    }
    if let Some(method) = method(given)? {
        add(&format!("-m {method}"));
    }
    add(&format!("-i {}", interval(given.number("interval")?.unwrap_or(INTERVAL_US)).ok_or(OtherValue)?));
    let loops = given.number("loops")?.filter(|loops| *loops > 0);
    let duration = given.get("duration").and_then(|option| option.value.as_deref()).or_else(|| own_duration(given));
    if let Some(loops) = loops {
        add(&format!("-n {loops}"));
    }
    match duration {
        Some(duration) => add(&format!("-d {}", time(duration).ok_or(OtherValue)?)),
        None if loops.is_none() => {
            add("-d 60s");
            without.push("running until it is stopped (-d says how long)".to_owned());
        }
        None => {}
    }
    if threads > 1 {
        add(&format!("-t {threads}"));
    }
    if let Some(cpus) = cpus(given, processors, threads)? {
        add(&format!("-a {cpus}"));
        if threads > 1 && cpus.contains([',', '-']) {
            add("--one-cpu-each");
        }
    }
    if let Some(limit) = given.number("breaktrace")?.filter(|limit| *limit > 0) {
        add(&format!("--on-late {limit}us --then stop"));
    }
    if given.has("verbose") {
        add("--csv");
    }
    if given.has("quiet") {
        add("-q");
    }
    // A histogram makes cyclictest's distance 0 (`process_options`, rt-tests 2.5).
    if threads > 1 && !["distance", "histogram", "histofall"].iter().any(|name| given.has(name)) {
        without.push(
            "its default -d 500, by which thread n runs every interval + n × 500 µs (all threads keep one interval)"
                .to_owned(),
        );
    }
    without.extend(given.0.iter().filter_map(no_counterpart));
    Ok(Answer { words, without })
}

/// Returns how many threads sleep.
fn threads(given: &Given<'_>, processors: &[u32]) -> Result<u32, OtherValue> {
    let all = u32::try_from(processors.len()).map_err(|_| OtherValue)?;
    let on_each_cpu = given.has("smp") || given.is_alone("threads");
    let threads = if on_each_cpu { all } else { given.number("threads")?.unwrap_or(1) };
    (1..=1024).contains(&threads).then_some(threads).ok_or(OtherValue)
}

/// Returns on which processors they do. Unless they are named, cyclictest keeps each thread on one, in turn (`process_options`,
/// rt-tests 2.4, and observed), a single one on the first.
fn cpus(given: &Given<'_>, processors: &[u32], threads: u32) -> Result<Option<String>, OtherValue> {
    if given.has("smp") || given.is_alone("affinity") || (threads > 1 && !given.has("affinity")) {
        return Ok(Some(list_text(processors)));
    }
    if !given.has("affinity") {
        return Ok(processors.first().map(|first| list_text(&[*first])));
    }
    let Some(list) = given.get("affinity").and_then(|option| option.value.as_ref()) else { return Ok(None) };
    values::cpus(list).map(|_| Some(list.clone())).map_err(|_| OtherValue)
}

/// Returns the policy, if it is not the usual one. A priority alone means FIFO; without one, cyclictest takes one more than
/// there are threads.
fn policy(given: &Given<'_>, threads: u32) -> Result<Option<String>, OtherValue> {
    let priority = given.number("priority")?.filter(|priority| *priority > 0);
    let name = given.get("policy").and_then(|option| option.value.as_deref());
    let usual = priority.or(name.filter(|name| ["fifo", "rr"].contains(name)).map(|_| threads + 1));
    if usual.is_some_and(|priority| priority > 99) {
        return Err(OtherValue);
    }
    Ok(match (name, usual) {
        (Some("rr"), Some(priority)) => Some(format!("rr:{priority}")),
        (_, Some(priority)) => Some(priority.to_string()),
        (Some(name @ ("batch" | "idle")), None) => Some(name.to_owned()),
        _ => None,
    })
}

/// Returns the method, if it is not that of a schedule here: `clock_nanosleep` until a time of the monotonic clock.
fn method(given: &Given<'_>) -> Result<Option<&'static str>, OtherValue> {
    let realtime = match given.number("clock")?.unwrap_or(0) {
        0 => false,
        1 => true,
        _ => return Err(OtherValue),
    };
    Ok(match (given.has("posix_timers"), given.has("system"), given.has("relative"), realtime) {
        (true, ..) => Some("timer-create"),
        (_, true, ..) => Some("nanosleep"),
        (_, _, true, false) => Some("clock-nanosleep"),
        (_, _, true, true) => Some("clock-nanosleep-realtime"),
        (_, _, false, true) => Some("clock-nanosleep-abs-realtime"),
        _ => None,
    })
}

/// Returns an interval in the largest unit of which it is a multiple.
fn interval(us: u32) -> Option<String> {
    match us {
        0 => None,
        us if us % 1_000 == 0 => Some(format!("{}ms", us / 1_000)),
        us => Some(format!("{us}us")),
    }
}

/// Returns the value of `-d` where it has a unit: it is ours then, because cyclictest's distance has none.
fn own_duration<'a>(given: &Given<'a>) -> Option<&'a str> {
    let value = given.get("distance")?.value.as_deref()?;
    has_unit(value).then_some(value)
}

fn has_unit(value: &str) -> bool {
    value.ends_with(|unit: char| unit.is_ascii_alphabetic())
}

/// Returns a duration with our unit: cyclictest's are `m`, `h`, `d`, and seconds without any.
fn time(text: &str) -> Option<String> {
    let digits = text.trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
    let number: u32 = digits.parse().ok().filter(|number| *number > 0)?;
    Some(match &text[digits.len()..] {
        "" | "s" => format!("{number}s"),
        "m" => format!("{number}min"),
        "h" => format!("{number}h"),
        "d" => format!("{}h", number.checked_mul(24)?),
        _ => return None,
    })
}

/// Returns the option with its replacement, if it has no counterpart here.
fn no_counterpart(option: &GivenOption) -> Option<String> {
    let why = match option.name {
        name if ANSWERED.contains(&name) => return None,
        "histogram" | "histofall" | "histfile" => " (afterwards `oversleep report --plot distribution`)",
        "json" => " (afterwards `oversleep export --format cyclictest -o FILE`)",
        "distance" if option.value.as_deref().is_some_and(|value| value == "0" || has_unit(value)) => return None,
        "distance" => " (all threads keep one interval)",
        "resolution" => " (`oversleep clocks`)",
        _ => "",
    };
    Some(format!("{}{why}", option.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: &str = "; `watch` in place of `measure` shows it as it comes";
    const DISTANCE: &str =
        "its default -d 500, by which thread n runs every interval + n × 500 µs (all threads keep one interval)";

    fn hint(line: &str) -> Option<String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        instead(&words, &[0, 1, 2, 3])
    }

    /// Returns the command in place of a line, which our own parser takes, and the options without a counterpart.
    fn ours(line: &str) -> (String, String) {
        let hint = hint(line).unwrap_or_else(|| panic!("{line}"));
        let (_, rest) = hint.split_once("is here `").unwrap();
        let (command, rest) = rest.split_once('`').unwrap();
        let rest = rest.strip_suffix(LIVE).unwrap_or(rest);
        assert!(Args::takes(command.split(' ')), "{command}");
        let without = rest.strip_prefix("; without a counterpart: ").unwrap_or(rest);
        (command.strip_prefix("oversleep measure ").unwrap().to_owned(), without.to_owned())
    }

    #[test]
    fn a_whole_line_becomes_one_command() {
        let (command, without) = ours("measure -m -S -p80 -i200 -h400 -l 10000 -q");
        let all = "-t 4 -a 0-3 --one-cpu-each";
        assert_eq!(command, format!("--mlock --latency-hold 0us -p 80 -i 200us -n 10000 {all} -q"));
        assert_eq!(without, "-h 400 (afterwards `oversleep report --plot distribution`)");
        let (command, without) = ours("measure -Sp90 -i200 -d0");
        assert_eq!(command, format!("--latency-hold 0us -p 90 -i 200us -d 60s {all}"));
        assert_eq!(without, "running until it is stopped (-d says how long)");
        let (command, without) = ours("-m --smp -D 1m");
        assert_eq!(command, format!("--mlock --latency-hold 0us -i 1ms -d 1min {all}"));
        assert_eq!(without, DISTANCE);
        assert!(hint("-m --smp -D 1m").unwrap().contains(LIVE) && !hint("-m --smp -D 1m -q").unwrap().contains(LIVE));
        let live = hint("watch -m -S -p80 -i200 -q").unwrap();
        assert!(live.contains("`oversleep watch --mlock --latency-hold 0us -p 80 -i 200us -d 60s"), "{live}");
        assert!(!live.contains(" -q"), "{live}");
        let (command, without) = ours("measure -mn -t2 -a 1 -D 2h -d 100 --priospread");
        assert_eq!(command, "--mlock --latency-hold 0us -i 1ms -d 2h -t 2 -a 1");
        assert_eq!(without, "-d 100 (all threads keep one interval), --priospread");
        assert_eq!(ours("measure -t -a -m -l 10").0, format!("--mlock --latency-hold 0us -i 1ms -n 10 {all}"));
    }

    #[test]
    fn every_option_is_taken_as_ours_or_told() {
        for (line, command) in [
            ("--policy=rr -p 5 --laptop", "-p rr:5 -i 1ms -n 9 -a 0 -q"),
            ("--policy fifo -t 3 -M", "--latency-hold 0us -p 4 -i 1ms -n 9 -t 3 -a 0-3 --one-cpu-each -q"),
            ("--policy batch --latency=20", "--latency-hold 20us -p batch -i 1ms -n 9 -a 0 -q"),
            ("-b 500 -M", "--latency-hold 0us -i 1ms -n 9 -a 0 --on-late 500us --then stop -q"),
            ("-x -M", "--latency-hold 0us -m timer-create -i 1ms -n 9 -a 0 -q"),
            ("-s -M", "--latency-hold 0us -m nanosleep -i 1ms -n 9 -a 0 -q"),
            ("-r -M", "--latency-hold 0us -m clock-nanosleep -i 1ms -n 9 -a 0 -q"),
            ("-c 1 -uN", "--latency-hold 0us -m clock-nanosleep-abs-realtime -i 1ms -n 9 -a 0 -q"),
            ("-c 1 -rM", "--latency-hold 0us -m clock-nanosleep-realtime -i 1ms -n 9 -a 0 -q"),
            ("-v -t 2 -a 1,3", "--latency-hold 0us -i 1ms -n 9 -t 2 -a 1,3 --one-cpu-each --csv -q"),
            ("-v -D 2d", "--latency-hold 0us -i 1ms -n 9 -d 48h -a 0 --csv -q"),
        ] {
            let (ours, without) = ours(&format!("cyclictest {line} -l 9 -q"));
            assert_eq!(ours, command, "{line}");
            let default = if command.contains("-t ") { DISTANCE } else { "" };
            assert_eq!(without, default, "{line}");
        }
        let (command, without) = ours("cyclictest --json=x.json -l 9 -q");
        assert_eq!(command, "--latency-hold 0us -i 1ms -n 9 -a 0 -q");
        assert_eq!(without, "--json=x.json (afterwards `oversleep export --format cyclictest -o FILE`)");
        let (_, without) = ours("measure -A 5 -R -o 7 --smi -l 9 -q -H 30 --deepest-idle-state=1");
        let report = "(afterwards `oversleep report --plot distribution`)";
        assert_eq!(
            without,
            format!("-A 5, -R (`oversleep clocks`), -o 7, --smi, -H 30 {report}, --deepest-idle-state=1")
        );
    }

    #[test]
    fn what_is_ours_or_hardly_cyclictest_s_is_left_alone() {
        for line in [
            "",
            "measure",
            "measure -S",
            "measure -t 2 -p 80 -i 200",
            "measure -m nanosleep -i 200 -h 400",
            "measure -m -S -i 200us",
            "measure -m -S -a none",
            "measure -m -S -p 120",
            "measure -m -S -i 0",
            "measure -m -S -D soon",
            "trace -m -S",
            "report -m -S",
        ] {
            assert_eq!(hint(line), None, "{line}");
        }
    }
}
