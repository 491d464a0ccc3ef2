//! The protocol of probes: parsing of what they print.

use oversleep_recording::Flags;
use oversleep_sys::units::Nanos;

/// Beginning of a probe's first line, before the version of the protocol.
const GREETING: &str = "# oversleep-probe ";
/// The only version so far.
const VERSION: &str = "1";

/// The first line of a probe, in which it describes itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// Whether its clock is the system's monotonic clock.
    pub(super) monotonic: bool,
    /// Whether its rows are the ticks of a schedule.
    pub(super) schedule: bool,
    /// Time that two readings of its clock take.
    pub(super) clock_cost: Option<Nanos>,
    /// Number of busy threads within the probe while it sleeps.
    pub(super) load: Option<u16>,
    /// Name and version of the runtime.
    pub(super) runtime: Option<String>,
}

/// One sleep printed by a probe, with times on its own clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProbeSleep {
    pub(super) requested: Nanos,
    pub(super) start: Nanos,
    pub(super) end: Nanos,
    pub(super) flags: Flags,
}

/// Any other line of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProbeLine {
    Sleep(ProbeSleep),
    /// The end of a block.
    BlockOver,
    /// A reading of its clock.
    Anchor(Nanos),
    /// Number of garbage collections in a block, if the probe does not say in which sleeps they were.
    Collections(u64),
    /// The names of columns, or a remark.
    Nothing,
}

/// Returns the error of a first line that is wrong for this reason, with what is expected there and after it.
fn wrong_start(why: &str) -> String {
    format!(
        "the program's first line has to be '# oversleep-probe 1 clock=monotonic' (or clock=own), {why}; then come \
         'requested_ns,start_ns,end_ns' and a line per sleep, such as '16000000,1000000000,1016070000' (docs/RUNTIMES.md)"
    )
}

/// Parses a probe's first line.
pub(super) fn header(line: &str) -> Result<Header, String> {
    let rest = line.strip_prefix(GREETING).ok_or_else(|| wrong_start(&format!("not {}", quoted(line))))?;
    let (fields, runtime) = match rest.split_once(" runtime=") {
        Some((fields, runtime)) => (fields, Some(runtime.trim().to_owned())),
        None => (rest, None),
    };
    let mut words = fields.split_whitespace();
    let version = words.next().unwrap_or_default();
    if version != VERSION {
        return Err(format!("it speaks version '{version}' of the protocol, and this program version {VERSION}"));
    }
    let mut header = Header { runtime, ..Header::default() };
    let mut clock = None;
    for word in words {
        match word.split_once('=') {
            Some(("clock", value @ ("monotonic" | "own"))) => clock = Some(value == "monotonic"),
            Some(("mode", value @ ("sleep" | "schedule"))) => header.schedule = value == "schedule",
            Some(("cost_ns", value)) => {
                header.clock_cost = value.parse().ok().map(Nanos::new).filter(|cost| is_cost(*cost));
            }
            Some(("load", value)) => header.load = value.parse().ok(),
            // Later versions of a probe may add fields.
            Some((name, _)) if !["clock", "mode"].contains(&name) => {}
            _ => return Err(wrong_start(&format!("and {} is not one of its words", quoted(word)))),
        }
    }
    header.monotonic = clock.ok_or_else(|| wrong_start("and this one names no clock"))?;
    Ok(header)
}

/// Returns whether two readings of a clock may cost this much: more than nothing, less than a second.
fn is_cost(cost: Nanos) -> bool {
    (1..1_000_000_000).contains(&cost.get())
}

/// Parses any other line.
pub(super) fn line(text: &str) -> Result<ProbeLine, String> {
    if text.is_empty() {
        return Ok(ProbeLine::BlockOver);
    }
    if let Some(remark) = text.strip_prefix('#') {
        let mut words = remark.split_whitespace();
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<i64>().ok());
        return match (words.next(), number(words.next())) {
            (Some("anchor"), Some(reading)) => Ok(ProbeLine::Anchor(Nanos::new(reading))),
            (Some("anchor"), None) => Err(format!("{} names no reading of its clock", quoted(text))),
            (Some("collections"), Some(count @ 0..)) => Ok(ProbeLine::Collections(count.unsigned_abs())),
            _ => Ok(ProbeLine::Nothing),
        };
    }
    if text.starts_with("requested_ns,start_ns,end_ns") {
        return Ok(ProbeLine::Nothing);
    }
    row(text).map(ProbeLine::Sleep)
}

fn row(text: &str) -> Result<ProbeSleep, String> {
    let wrong = || format!("{} is not a row 'requested_ns,start_ns,end_ns' of integers", quoted(text));
    let fields: Option<Vec<i64>> = text.split(',').map(|field| field.trim().parse().ok()).collect();
    let (requested, start, end, collections) = match fields.as_deref() {
        Some(&[requested, start, end]) => (requested, start, end, 0),
        Some(&[requested, start, end, collections]) => (requested, start, end, collections),
        _ => return Err(wrong()),
    };
    if end < start {
        return Err(format!("{} ends before it starts", quoted(text)));
    }
    if end.checked_sub(start).is_none() {
        return Err(format!("{} lasts longer than nanoseconds can be counted", quoted(text)));
    }
    if requested < 0 || collections < 0 {
        return Err(format!("{} has a number below zero", quoted(text)));
    }
    let [requested, start, end] = [requested, start, end].map(Nanos::new);
    let flags = if collections > 0 { Flags::COLLECTED } else { Flags::default() };
    Ok(ProbeSleep { requested, start, end, flags })
}

/// Quotes what another program printed: at most 60 characters, with control characters escaped.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let escaped = |c: char| match c {
        '\'' | '"' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    let shown: String = text.chars().take(LONGEST).map(escaped).collect();
    let ellipsis = if text.chars().count() > LONGEST { "…" } else { "" };
    let mark = if shown.contains('\'') && !shown.contains('"') { '"' } else { '\'' };
    format!("{mark}{shown}{ellipsis}{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_read() {
        let read =
            header("# oversleep-probe 1 clock=own mode=schedule cost_ns=40 load=2 more=1 runtime=Go 1.26 x").unwrap();
        let cost = Some(Nanos::new(40));
        assert_eq!(
            read,
            Header {
                monotonic: false,
                schedule: true,
                clock_cost: cost,
                load: Some(2),
                runtime: Some("Go 1.26 x".to_owned())
            }
        );
        assert!(header("# oversleep-probe 1 clock=monotonic").unwrap().monotonic);
        for wrong in ["hello", "# oversleep-probe 2 clock=own", "# oversleep-probe 1", "# oversleep-probe 1 clock=sun"]
        {
            assert!(header(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lines_are_read_and_rubbish_is_quoted_shortly() {
        let [requested, start, end] = [5, 1, 9].map(Nanos::new);
        assert_eq!(line("5,1,9"), Ok(ProbeLine::Sleep(ProbeSleep { requested, start, end, flags: Flags::default() })));
        assert_eq!(
            line("5,1,9,2"),
            Ok(ProbeLine::Sleep(ProbeSleep { requested, start, end, flags: Flags::COLLECTED }))
        );
        assert_eq!(line(""), Ok(ProbeLine::BlockOver));
        assert_eq!(line("# anchor 7"), Ok(ProbeLine::Anchor(Nanos::new(7))));
        assert_eq!(line("requested_ns,start_ns,end_ns,gc"), Ok(ProbeLine::Nothing));
        for wrong in ["x", "1,2", "1,2,3,4,5", "1.5,2,3", "5,9,1", "-1,2,3", "1,2,99999999999999999999", "# anchor x"] {
            assert!(line(wrong).is_err(), "{wrong}");
        }
        assert!(line("1,-9000000000000000000,9000000000000000000").unwrap_err().contains("longer than nanoseconds"));
        assert_eq!(quoted("this version's Queue"), "\"this version's Queue\"");
        assert_eq!(quoted("say \"x's\"\t\\"), "'say \"x's\"\\t\\\\'");
        let long = line(&"\u{1b}[2J".repeat(100)).unwrap_err();
        assert!(long.len() < 200 && !long.contains('\u{1b}'), "{long}");
    }
}
