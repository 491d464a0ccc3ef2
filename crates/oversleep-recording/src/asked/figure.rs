//! Requests and figures as people write them: `1ms`, `100x1ms`; `15.6ms,15.5ms`, `15ms..31ms`, `mean=15.6ms`, `p99=+1ms`,
//! `64/s`, `3 of 1000 > 10ms`, `wall=3h,uptime=90m`.

use super::AskedPair;
use oversleep_sys::units::{Nanos, ParseNanosError};
use std::str::FromStr;

/// A time as somebody wrote it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The time.
    pub time: Nanos,
    /// Half of its last written digit, in nanoseconds: the true time may differ by as much.
    pub half_digit_ns: f64,
}

/// A figure of how long sleeps lasted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// One sleep.
    Value(Reading),
    /// The shortest and the longest of an unknown number of sleeps.
    Range(Reading, Reading),
    /// The mean; of a stated rate, its inverse.
    Mean(Reading),
    /// A quantile, its share between 0 and 1.
    Quantile(f64, Reading),
    /// The shortest.
    Min(Reading),
    /// The longest.
    Max(Reading),
    /// How many of how many sleeps lasted longer than a limit.
    Longer {
        /// Number of longer sleeps.
        longer: u64,
        /// Number of all sleeps.
        of: u64,
        /// The limit.
        limit: Nanos,
    },
    /// The duration by the wall clock.
    Wall(Reading),
    /// The duration by a clock that stands still while the machine is suspended.
    Uptime(Reading),
    /// How late the timer's interrupt was, where a sleep's lateness is known too.
    Interrupt(Reading),
}

impl Figure {
    /// Returns the shortest and the longest time that it states of sleeps; `None` of a count and of an interrupt.
    pub const fn ends(&self) -> Option<(Reading, Reading)> {
        match *self {
            Self::Range(from, to) => Some((from, to)),
            Self::Longer { .. } | Self::Interrupt(_) => None,
            Self::Value(at)
            | Self::Mean(at)
            | Self::Quantile(_, at)
            | Self::Min(at)
            | Self::Max(at)
            | Self::Wall(at)
            | Self::Uptime(at) => Some((at, at)),
        }
    }
}

/// Why a question cannot be answered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AskedError {
    /// A time is malformed.
    #[error(transparent)]
    Time(#[from] ParseNanosError),
    /// No figure at all.
    #[error(
        "there is nothing to explain; say what was asked for and how long it took, as in --asked 1ms --took 15.6ms"
    )]
    Nothing,
    /// A figure is malformed.
    #[error(
        "'{0}' is not a figure; write 15.6ms, 15ms..31ms, mean=15.6ms, p99=20ms, min=, max=, n=1000, 64/s or '3 of 1000 > 10ms'"
    )]
    Figure(String),
    /// A request is malformed.
    #[error("'{0}' cannot be asked for; write 1ms, 60Hz, or 100x1ms if the figures are of a hundred sleeps")]
    Request(String),
    /// A figure has a value that it cannot have.
    #[error("'{figure}': {what}")]
    Value {
        /// The figure.
        figure: String,
        /// What cannot be.
        what: &'static str,
    },
    /// Requests and figures do not pair.
    #[error("{asked} --asked and {took} --took do not pair; write one --took after each --asked")]
    Pairs {
        /// Number of requests.
        asked: usize,
        /// Number of figures.
        took: usize,
    },
    /// Figures of the same sleeps contradict each other.
    #[error("of {asked:#}: {what}")]
    Contradiction {
        /// The request.
        asked: Nanos,
        /// What cannot be.
        what: String,
    },
    /// The call has no name.
    #[error("-m needs the name of a call, such as nanosleep or setTimeout; leave it out if it is not known")]
    NoCall,
    /// Two conditions of one kind.
    #[error("{0} and {1} cannot both have been in force; a change is stated after --")]
    TwoConditions(String, String),
    /// The system lacks the call.
    #[error("{system} has no {call}: that call is of {only}; check --system and -m")]
    NoSuchCall {
        /// The call.
        call: String,
        /// The stated system.
        system: String,
        /// The systems that have the call.
        only: String,
    },
    /// The system lacks the condition.
    #[error("{system} has no such condition ({condition}): it is of {only}; check --system and --condition")]
    NoSuchCondition {
        /// The condition.
        condition: String,
        /// The stated system.
        system: String,
        /// The systems that have the condition.
        only: String,
    },
}

/// A request, of which each figure may be the sum of several sleeps in a row: `1ms`, `100x1ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeated {
    /// Number of sleeps that a figure is the sum of.
    pub times: u32,
    /// Requested duration of each.
    pub each: Nanos,
}

/// Figures of one request as written. A time with a sign is how late (`+1.6ms`) or early (`-0.4ms`) a sleep was.
#[derive(Debug, Clone)]
pub struct Took(Vec<Written>);

#[derive(Debug, Clone)]
enum Written {
    Figure(fn(Reading) -> Figure, Signed),
    Rate(Signed),
    Quantile(f64, Signed),
    Range(Signed, Signed),
    Longer(u64, u64, Signed),
    Count(u64),
}

impl Written {
    fn is_signed(&self) -> bool {
        match self {
            Self::Figure(_, at) | Self::Rate(at) | Self::Quantile(_, at) | Self::Longer(_, _, at) => at.late,
            Self::Range(from, to) => from.late || to.late,
            Self::Count(_) => false,
        }
    }
}

/// A reading and whether it is a lateness.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Signed {
    reading: Reading,
    late: bool,
}

impl FromStr for Repeated {
    type Err = AskedError;

    fn from_str(text: &str) -> Result<Self, AskedError> {
        let (times, length) = match text.split_once(['x', '×', '*']) {
            Some((times, length))
                if !times.trim().is_empty() && times.trim().bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                (times.trim().parse().map_err(|_| AskedError::Request(text.to_owned()))?, length)
            }
            _ => (1, text),
        };
        let length = length.trim().strip_prefix('~').unwrap_or(length.trim());
        let read = match rate(length) {
            Some(period) => period?,
            None => reading(length)?,
        };
        if times == 0 || read.late || read.reading.time < Nanos::ZERO {
            return Err(AskedError::Request(text.to_owned()));
        }
        Ok(Self { times, each: read.reading.time })
    }
}

/// Returns what stands before the last number of a text, and that number with its unit; `None` if it is the only one.
fn last_part(text: &str) -> Option<(&str, &str)> {
    let unit = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let number = text[..unit].rfind(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')))?;
    let at = number + text[number..].chars().next()?.len_utf8();
    text[..at].contains(char::is_alphabetic).then(|| text.split_at(at))
}

/// Parses a time, with the size of its last digit. Digits finer than a nanosecond are dropped.
fn reading(text: &str) -> Result<Signed, AskedError> {
    let trimmed = text.trim();
    let about = trimmed.starts_with(['~', '≈']);
    let bare = trimmed.trim_start_matches(['~', '≈']).trim();
    let late = bare.starts_with(['+', '-']);
    if let Some((larger, last)) = last_part(bare) {
        // `3min51s` is as exact as its last part.
        let (sum, last) = (bare.parse::<Nanos>()?, reading(last)?);
        let half_digit_ns = if about { sum.as_f64().abs() * ABOUT } else { last.reading.half_digit_ns };
        return Ok(Signed { reading: Reading { time: sum, half_digit_ns }, late: larger.starts_with(['+', '-']) });
    }
    let split = bare.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_' | '+' | '-'))).unwrap_or(bare.len());
    let (number, unit) = bare.split_at(split);
    let unit = unit.trim();
    let unit_ns = match unit {
        "us" | "µs" | "μs" => 3,
        "ms" => 6,
        "s" => 9,
        _ => 0,
    };
    let decimals = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let decimals_kept = decimals.min(unit_ns);
    let exact = match unit {
        "us" | "µs" | "μs" | "ms" | "s" | "ns" => &number[..number.len() - (decimals - decimals_kept)],
        _ => number,
    };
    let time: Nanos = format!("{}{unit}", exact.trim_end_matches('.')).parse()?;
    let one: Nanos = format!("1{}", if unit.is_empty() { "ns" } else { unit }).parse()?;
    let mut half_digit_ns = one.as_f64() * 0.5_f64 * 10_f64.powi(-i32::try_from(decimals).unwrap_or(9));
    let size = time.as_f64().abs();
    if size > 0.0 {
        // `1h` is nearer to an hour than half an hour.
        half_digit_ns = half_digit_ns.min(size * COARSEST);
    }
    if size == 0.0 && unit.is_empty() {
        // Of `0` nobody knows the last digit.
        half_digit_ns = f64::INFINITY;
    }
    if about {
        half_digit_ns = half_digit_ns.max(size * ABOUT);
    }
    Ok(Signed { reading: Reading { time, half_digit_ns: half_digit_ns.max(0.5) }, late })
}

/// The largest share by which a time may differ from how it is written, however few digits it has.
const COARSEST: f64 = 0.1;
/// The share by which a time written as `~10ms` may differ.
const ABOUT: f64 = 0.05;

/// How many times the half of its last digit a time has to be to be a thousandth of another by no chance.
const EXACT: f64 = 20.0;

fn impossible(figure: &str, what: &'static str) -> AskedError {
    AskedError::Value { figure: figure.to_owned(), what }
}

/// Units of rates, and how many a second each is.
const RATES: [(&str, f64); 8] = [
    ("/sec", 1.0),
    ("/s", 1.0),
    ("khz", 1e3),
    ("mhz", 1e6),
    ("hz", 1.0),
    ("fps", 1.0),
    ("per second", 1.0),
    ("/min", 1.0 / 60.0),
];

/// Parses a rate such as `64/s`, `60Hz` or `16.7fps`, and returns its period; `None` for anything else.
fn rate(text: &str) -> Option<Result<Signed, AskedError>> {
    let lower = text.trim().to_lowercase();
    let with_unit = RATES.iter().find_map(|(unit, factor)| Some((lower.strip_suffix(unit)?.trim(), *factor)));
    let (number, factor) = with_unit?;
    let value: f64 = match number.parse::<f64>().map(|value| value * factor) {
        Ok(value) if value > 0.0 && value <= 1e9 => value,
        Ok(_) => return Some(Err(impossible(text, "a rate is more than 0 and at most 1e9 a second"))),
        Err(_) => return Some(Err(AskedError::Figure(text.to_owned()))),
    };
    let decimals = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap_or(9)) * factor / value;
    let period = 1e9 / value;
    let reading = Reading { time: Nanos::from_f64(period), half_digit_ns: (period * half).max(0.5) };
    Some(Ok(Signed { reading, late: false }))
}

impl FromStr for Took {
    type Err = AskedError;

    fn from_str(text: &str) -> Result<Self, AskedError> {
        if text.contains(" of ") {
            // A count among other figures: `3 of 1000 > 10ms, max=50ms`.
            let (counts, others): (Vec<&str>, Vec<&str>) =
                text.split([',', ';']).partition(|item| item.contains(" of "));
            let mut all = counts.into_iter().filter_map(count).collect::<Result<Vec<_>, _>>()?;
            if !others.is_empty() {
                all.extend(others.join(",").parse::<Self>()?.0);
            }
            return if all.is_empty() { Err(AskedError::Figure(text.to_owned())) } else { Ok(Self(all)) };
        }
        if last_part(text.trim()).is_some() && text.parse::<Nanos>().is_ok() {
            // `3min 51s` is one time.
            return Ok(Self(vec![figure(text)?]));
        }
        let text = &text.replace(" to ", "..");
        let mut items: Vec<String> = Vec::new();
        for word in text.split([',', ';', ' ', '\n', '\t']).filter(|word| !word.is_empty()) {
            // A unit apart from its number belongs to it: `15.6 ms`.
            match items.last_mut() {
                Some(last) if word.chars().all(char::is_alphabetic) && last.ends_with(|c: char| c.is_ascii_digit()) => {
                    last.push_str(word);
                }
                _ => items.push(word.to_owned()),
            }
        }
        let Some(last) = items.last() else { return Err(AskedError::Figure(text.to_owned())) };
        let unit: String =
            last.chars().rev().take_while(|c| c.is_alphabetic()).collect::<Vec<_>>().into_iter().rev().collect();
        let bare = |item: &String| item.ends_with(|c: char| c.is_ascii_digit()) && !item.contains('=');
        // Of two numbers, `15,6ms` may be one with a decimal comma; `30,31ms` is nearly the same either way.
        let spread = !unit.is_empty()
            && (!text.contains(',')
                || items.len() > 2
                || items.iter().all(|item| item.contains('.'))
                || are_alike(&items));
        if !spread && items.len() == 2 && items.iter().any(bare) {
            return Err(AskedError::Time(
                text.parse::<Nanos>().err().unwrap_or(ParseNanosError::NoUnit(items[0].clone())),
            ));
        }
        for item in &mut items {
            if spread && bare(item) {
                item.push_str(&unit);
            }
        }
        let written = items.iter().map(|item| figure(item)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self(written))
    }
}

/// Returns whether two items are numbers of about the same size.
fn are_alike(items: &[String]) -> bool {
    let number = |item: &String| item.trim_end_matches(char::is_alphabetic).parse::<f64>().ok();
    match items {
        [one, other] => number(one).zip(number(other)).is_some_and(|(a, b)| a.max(b) <= 1.5 * a.min(b)),
        _ => false,
    }
}

/// Parses `3 of 1000 > 10ms` and `997 of 1000 < 10ms`; `None` for a text of another form.
fn count(text: &str) -> Option<Result<Written, AskedError>> {
    let (counted, rest) = text.split_once(" of ")?;
    let malformed = || AskedError::Figure(text.to_owned());
    let parse = || -> Result<Written, AskedError> {
        let index = rest.find(['>', '<']).ok_or_else(malformed)?;
        let (total, limit) = rest.split_at(index);
        let shorter = limit.starts_with('<');
        let limit = limit.trim_start_matches(['>', '<']);
        let counted: u64 = counted.trim().parse().map_err(|_| malformed())?;
        let total: u64 = total.trim().parse().map_err(|_| malformed())?;
        if counted > total || total == 0 {
            return Err(impossible(text, "more sleeps than there are in all"));
        }
        let longer = if shorter { total - counted } else { counted };
        Ok(Written::Longer(longer, total, reading(limit.trim_start_matches('='))?))
    };
    Some(parse())
}

/// Parses one figure: a time, a range, a rate, or a statistic with its name.
fn figure(text: &str) -> Result<Written, AskedError> {
    let malformed = || AskedError::Figure(text.to_owned());
    if let Some((name, value)) = text.split_once('=') {
        let name = name.trim().to_lowercase();
        if matches!(name.as_str(), "n" | "count" | "samples") {
            return match value.trim().parse() {
                Ok(count @ 1..) => Ok(Written::Count(count)),
                Ok(_) => Err(impossible(text, "figures are of one sleep at least")),
                Err(_) => Err(malformed()),
            };
        }
        let read = match rate(value) {
            Some(read) => read?,
            None => match value.split_once("..") {
                // p99=0.6ms..0.9ms: known to lie between.
                Some((from, to)) => between(reading_with_unit(from, to)?, reading(to)?),
                None => reading(value)?,
            },
        };
        return Ok(match name.as_str() {
            "mean" | "avg" | "average" => Written::Figure(Figure::Mean, read),
            "median" | "med" => Written::Quantile(0.5, read),
            "min" | "minimum" | "shortest" | "best" => Written::Figure(Figure::Min, read),
            "max" | "maximum" | "worst" | "longest" => Written::Figure(Figure::Max, read),
            "wall" | "utc" | "realtime" | "date" => Written::Figure(Figure::Wall, read),
            "uptime" | "monotonic" | "cpu-clock" => Written::Figure(Figure::Uptime, read),
            "irq" | "interrupt" => Written::Figure(Figure::Interrupt, Signed { late: false, ..read }),
            quantile => {
                let share = quantile.strip_prefix('p').and_then(|digits| digits.parse::<f64>().ok());
                match share {
                    Some(share) if share > 0.0 && share < 100.0 => Written::Quantile(share / 100.0, read),
                    _ => return Err(malformed()),
                }
            }
        });
    }
    if text.contains(['>', '<', '±']) {
        return Err(malformed());
    }
    if let Some(read) = rate(text) {
        return Ok(Written::Rate(read?));
    }
    // `15ms..31ms`, `15-31ms`; a sign stands before its number.
    let dash = text.find(['-', '–']).filter(|index| *index > 0).map(|index| text.split_at(index));
    let dash = dash.map(|(from, to)| (from, to.trim_start_matches(['-', '–'])));
    if let Some((from, to)) = text.split_once("..").or(dash) {
        return Ok(Written::Range(reading_with_unit(from, to)?, reading(to)?));
    }
    Ok(Written::Figure(Figure::Value, reading(text)?))
}

/// Parses a range's start, whose unit may stand only after its end.
fn reading_with_unit(from: &str, to: &str) -> Result<Signed, AskedError> {
    if !from.trim().ends_with(|c: char| c.is_ascii_digit()) {
        return reading(from);
    }
    let unit = to.trim().trim_start_matches(|c: char| !c.is_alphabetic());
    reading(&format!("{from}{unit}"))
}

/// Returns a reading that stands for everything between two.
fn between(from: Signed, to: Signed) -> Signed {
    let (low, high) = (from.reading.time.as_f64(), to.reading.time.as_f64());
    let reading = Reading {
        time: Nanos::from_f64(f64::midpoint(low, high)),
        half_digit_ns: (high - low).abs() / 2.0 + to.reading.half_digit_ns,
    };
    Signed { reading, late: from.late }
}

impl AskedPair {
    /// Pairs a request with the figures stated for it.
    ///
    /// # Errors
    /// A sleep that would have lasted less than no time.
    pub fn new(asked: Repeated, took: &Took) -> Result<Self, AskedError> {
        let times = f64::from(asked.times);
        let resolve = |signed: Signed| -> Result<Reading, AskedError> {
            let total = signed.reading.time.as_f64();
            let total = if signed.late { total + asked.each.as_f64() * times } else { total };
            if total < 0.0 {
                let what = if signed.late {
                    format!("{:#} is earlier than the sleep can have begun; check the unit", signed.reading.time)
                } else {
                    format!(
                        "no sleep lasts {:#}; a lateness is written with its sign, as in +1ms or -0.4ms",
                        signed.reading.time
                    )
                };
                return Err(AskedError::Contradiction { asked: asked.each, what });
            }
            Ok(Reading { time: Nanos::from_f64(total / times), half_digit_ns: signed.reading.half_digit_ns / times })
        };
        let (mut figures, mut count) = (Vec::new(), None);
        for written in &took.0 {
            figures.push(match written {
                Written::Count(stated) => {
                    count = Some(*stated);
                    continue;
                }
                Written::Rate(signed) => Figure::Mean(resolve(*signed)?),
                // The sum of several sleeps is their mean.
                Written::Figure(kind, signed) => match kind(resolve(*signed)?) {
                    Figure::Value(mean) if asked.times > 1 => {
                        count = count.or(Some(asked.times.into()));
                        Figure::Mean(mean)
                    }
                    Figure::Interrupt(_) => Figure::Interrupt(signed.reading),
                    other => other,
                },
                Written::Quantile(share, signed) => Figure::Quantile(*share, resolve(*signed)?),
                Written::Range(from, to) => {
                    // `+1ms..2ms`: the sign is of both.
                    Figure::Range(resolve(*from)?, resolve(Signed { late: from.late || to.late, ..*to })?)
                }
                Written::Longer(longer, of, limit) => {
                    count = Some(*of);
                    Figure::Longer { longer: *longer, of: *of, limit: resolve(*limit)?.time }
                }
            });
        }
        if figures.is_empty() {
            return Err(AskedError::Nothing);
        }
        let is_rate = took.0.iter().any(|written| matches!(written, Written::Rate(_)));
        Ok(Self { requested: asked.each, figures, count, signed: took.0.iter().any(Written::is_signed), is_rate })
    }
}

/// Checks that figures of one request can be of the same sleeps.
pub(super) fn check(pair: &AskedPair) -> Result<(), AskedError> {
    let error = |what: String| Err(AskedError::Contradiction { asked: pair.requested, what });
    // Each statistic with its place between the shortest and the longest.
    let mut placed: Vec<(f64, Reading, String)> = Vec::new();
    let (mut mean, mut values, mut interrupt) = (None, Vec::new(), None);
    for figure in &pair.figures {
        match figure {
            Figure::Min(at) => placed.push((0.0, *at, "the minimum".to_owned())),
            Figure::Max(at) => placed.push((1.0, *at, "the maximum".to_owned())),
            Figure::Quantile(share, at) => placed.push((*share, *at, format!("p{}", share * 100.0))),
            Figure::Mean(at) => mean = Some(*at),
            Figure::Value(at) => values.push(*at),
            Figure::Interrupt(at) => interrupt = Some(*at),
            Figure::Range(from, to) if from.time > to.time => {
                return error(format!("a range begins with its shorter time: {:#}..{:#}", to.time, from.time));
            }
            _ => {}
        }
    }
    if pair.figures.iter().filter(|figure| matches!(figure, Figure::Mean(_))).count() > 1 {
        return error("two means are stated of the same sleeps".to_owned());
    }
    if let Some(count) = pair.count.filter(|count| *count < values.len() as u64) {
        return error(format!("{} times are stated of {count}", values.len()));
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let above =
        |low: &Reading, high: &Reading| low.time.as_f64() - low.half_digit_ns > high.time.as_f64() + high.half_digit_ns;
    for pair in placed.windows(2) {
        if let [(_, low, name), (_, high, other)] = pair
            && above(low, high)
        {
            return error(format!("{name}, {:#}, is above {other}, {:#}", low.time, high.time));
        }
    }
    if let Some(mean) = mean {
        for (share, at, name) in &placed {
            if (*share <= 0.0 && above(at, &mean)) || (*share >= 1.0 && above(&mean, at)) {
                return error(format!("the mean, {:#}, cannot be beyond {name}, {:#}", mean.time, at.time));
            }
        }
    }
    if let (Some(mean), Some((_, most, _))) = (mean, placed.last().filter(|(share, ..)| *share >= 1.0)) {
        for (share, at, name) in placed.iter().filter(|(share, ..)| *share < 1.0) {
            // As many as this quantile says are no longer than it, and the others no longer than the longest.
            let rank = pair.count.map_or(0.0, |count| 1.0 / count as f64);
            let longer = (1.0 - share + rank).min(1.0);
            let largest = |reading: &Reading| reading.time.as_f64() + reading.half_digit_ns;
            let bound = (1.0 - longer) * largest(at) + longer * largest(most);
            if mean.time.as_f64() - mean.half_digit_ns > bound {
                return error(format!(
                    "the mean, {:#}, is more than {name}, {:#}, and the maximum allow",
                    mean.time, at.time
                ));
            }
        }
    }
    let latest = placed.last().filter(|(share, ..)| *share >= 1.0).map(|(_, at, _)| *at);
    if let (Some(interrupt), Some(latest)) = (interrupt, latest)
        && above(&Reading { time: pair.requested + interrupt.time, ..interrupt }, &latest)
    {
        return error(format!(
            "the interrupt, {:#} late, cannot be later than the latest sleep, {:#}",
            interrupt.time,
            latest.time - pair.requested
        ));
    }
    for (index, one) in values.iter().enumerate() {
        let slip = |other: &&Reading| {
            let is_exact = one.time.as_f64() >= EXACT * one.half_digit_ns;
            is_exact && one.time.get().checked_mul(1000) == Some(other.time.get())
        };
        if let Some(other) = values[..index].iter().chain(&values[index + 1..]).find(slip) {
            return error(format!("{:#} beside {:#} differ by 1000 exactly; check their units", one.time, other.time));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(asked: &str, took: &str) -> AskedPair {
        let read = || -> Result<AskedPair, AskedError> { AskedPair::new(asked.parse()?, &took.parse()?) };
        read().unwrap_or_else(|error| panic!("{asked} {took}: {error}"))
    }

    /// The times of a pair's figures, in nanoseconds.
    fn times(asked: &str, took: &str) -> Vec<i64> {
        let time = |figure: &Figure| match figure {
            Figure::Longer { limit, .. } => limit.get(),
            Figure::Interrupt(at) => at.time.get(),
            other => other.ends().unwrap().1.time.get(),
        };
        pair(asked, took).figures.iter().map(time).collect()
    }

    #[test]
    fn figures_are_read_in_every_form() {
        assert_eq!(times("1ms", "15.6ms,15.5ms"), [15_600_000, 15_500_000]);
        assert_eq!(times("1ms", "15.6 15.5 ms"), [15_600_000, 15_500_000]);
        assert_eq!(times("1ms", "0.0318463 0.0317875 s"), [31_846_300, 31_787_500]);
        assert_eq!(times("1ms", "mean=15.6ms,p99=20ms,n=1000"), [15_600_000, 20_000_000]);
        assert_eq!(pair("1ms", "mean=15.6ms,n=1000").count, Some(1000));
        assert_eq!(times("1ms", "64/s"), [15_625_000]);
        assert_eq!(times("60Hz", "+1ms"), [17_666_667]);
        assert_eq!(times("1kHz", "1200/min"), [50_000_000]);
        assert_eq!(times("3min", "3 min 51 s"), [231_000_000_000]);
        assert_eq!(times("1ms", "3 of 1000 > 10ms, max=50ms"), [10_000_000, 50_000_000]);
        assert_eq!(times("1ms", "+60us"), [1_060_000]);
        assert_eq!(times("100ms", "-0.4ms"), [99_600_000]);
        assert_eq!(times("100x1ms", "26.889839124999998s"), [268_898_391]);
        assert!(matches!(pair("100x1ms", "26.9s").figures[0], Figure::Mean(_)));
        assert_eq!(times("1ms", "p99=+0.6ms..0.9ms"), [1_750_000]);
        let longer = Figure::Longer { longer: 3, of: 1000, limit: Nanos::from_millis(10) };
        assert_eq!(pair("1ms", "3 of 1000 > 10ms").figures, [longer]);
        assert_eq!(pair("1ms", "997 of 1000 < 10ms").figures, [longer]);
        assert_eq!(times("16ms", "30,31,16ms"), [30_000_000, 31_000_000, 16_000_000]);
        assert_eq!(times("16ms", "30,31ms"), [30_000_000, 31_000_000]);
        assert_eq!(pair("1ms", "12 to 15 ms").figures, pair("1ms", "12ms..15ms").figures);
        assert_eq!(times("200us", "+10us..21us"), [221_000]);
        let Figure::Value(read) = pair("1ms", "15.6ms").figures[0] else { panic!("not a value") };
        assert!((read.half_digit_ns - 50_000.0).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_is_said_in_one_line() {
        for (asked, took, expected) in [
            ("1ms", "15,6ms", "'15,6ms' has a decimal comma; write a point: 15.6ms"),
            ("1ms", "15.6", "'15.6' has no unit"),
            ("1ms", "-2ms", "of 1 ms: -2 ms is earlier than the sleep can have begun; check the unit"),
            ("1ms", "mean=5ms,max=2ms", "of 1 ms: the mean, 5 ms, cannot be beyond the maximum, 2 ms"),
            ("1ms", "p50=5ms,p99=2ms", "of 1 ms: p50, 5 ms, is above p99, 2 ms"),
            ("1ms", "5ms..2ms", "of 1 ms: a range begins with its shorter time: 2 ms..5 ms"),
            ("1ms", "15.6ms,15.6us", "of 1 ms: 15.6 µs beside 15.6 ms differ by 1000 exactly; check their units"),
            ("1ms", "p0=5ms", "'p0=5ms' is not a figure"),
            ("1ms", "", "'' is not a figure"),
            ("-1ms", "1ms", "'-1ms' cannot be asked for; write 1ms"),
            ("1ms", "0/s", "'0/s': a rate is more than 0"),
            ("1ms", "mean=1ms,mean=2ms", "of 1 ms: two means are stated of the same sleeps"),
            ("1ms", "2ms,3ms,n=1", "of 1 ms: 2 times are stated of 1"),
            (
                "1ms",
                "min=1ms,max=2ms,mean=1.9ms,p99=1ms,n=1000",
                "of 1 ms: the mean, 1.9 ms, is more than p99, 1 ms, and the maximum allow",
            ),
            ("1ms", "n=0,mean=2ms", "'n=0': figures are of one sleep at least"),
            ("1ms", "1001 of 1000 > 10ms", "'1001 of 1000 > 10ms': more sleeps than there are in all"),
            (
                "1ms",
                "irq=200us,max=+100us",
                "of 1 ms: the interrupt, 200 µs late, cannot be later than the latest sleep, 100 µs",
            ),
        ] {
            let read = || -> Result<(), AskedError> { check(&AskedPair::new(asked.parse()?, &took.parse()?)?) };
            let error = read().expect_err(took).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
