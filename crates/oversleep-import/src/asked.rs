//! Tables of sleeps without their starts: what was asked for and how long it took, row by row, or a summary per request.
//!
//! A header names the columns. `requested` (or `asked`) and `took` (or `duration`, `elapsed`, `actual`, `slept`), or `late`
//! (`lateness`, `oversleep`, `latency`) instead of the latter, hold single sleeps; `n`, `min`, `mean`, `p50`, `p99`, `max` and
//! other quantiles, in any subset, summaries. The unit is in the name (`took_us`, `took (ms)`), in the mapping, or beside each
//! number; none is assumed. What the rows state is what `--asked` and `--took` would.

use super::csv::{Mapping, TimeUnit};
use csv::{ReaderBuilder, StringRecord, Trim};
use oversleep_recording::asked::{AskedError, AskedPair, Figure, Repeated, Took};
use oversleep_recording::text::escaped;
use oversleep_sys::units::Nanos;

/// Most bytes of a table.
pub const LARGEST: usize = 64 << 20;
/// Most different requests of a table.
const MOST_REQUESTS: usize = 64;
/// Most single sleeps of a request that are weighed: as many of the sorted ones, evenly spaced, stand for all. Sleeps of one run
/// depend on each other, and the laws' scatter is known roughly: with more of them its shape would decide, and not the law.
const MOST_VALUES: usize = 10;
/// Separators of fields.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Reason why a table without starts could not be read.
#[derive(Debug, thiserror::Error)]
pub enum AskedTableError {
    /// It is not text in columns.
    #[error("not readable as a table: {0}")]
    Csv(#[from] csv::Error),
    /// Something is wrong in a line.
    #[error("line {line}: {why}")]
    Line {
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// No column says what was asked for.
    #[error(
        "no column says what was asked for: name one `requested`, tell it with --columns requested=NAME:UNIT, or say it with --asked 1ms"
    )]
    NoRequest,
    /// A request is stated and in the table.
    #[error("what was asked for is in the table (column `{0}`) and in --asked; leave out --asked")]
    TwoRequests(String),
    /// Nothing states the unit of a column.
    #[error(
        "nothing says in which unit column `{column}` is: call it {column}_ms, or tell it with --columns {field}={column}:ms (or :us, :s, :ns, as it is)"
    )]
    NoUnit {
        /// Name of the column.
        column: String,
        /// The field that it holds.
        field: String,
    },
    /// Two columns hold the same thing.
    #[error("columns `{0}` and `{1}` hold the same thing; name the right one with --columns")]
    Twice(String, String),
    /// There are no rows.
    #[error("a header and no rows")]
    Empty,
    /// There is too much of something.
    #[error("more than {0}")]
    TooMuch(&'static str),
    /// The figures of a request contradict each other.
    #[error(transparent)]
    Figures(#[from] AskedError),
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Held {
    Requested,
    Took,
    Late,
    Count,
    /// A statistic with its name as `--took` takes it.
    Statistic(String),
}

/// A column that is read.
#[derive(Debug, Clone)]
struct Column {
    at: usize,
    name: String,
    holds: Held,
    /// Unit of bare numbers: `ns`, `us`, `ms` or `s`.
    unit: Option<&'static str>,
}

/// Returns whether a text is such a table: a header that names lengths, latenesses or statistics, and no starts and ends.
pub fn is_asked(text: &str, mapping: &Mapping) -> bool {
    let Some(header) = header(text) else { return false };
    let columns = columns(&header, mapping);
    let is_time = |stem: &str| header.iter().any(|name| split(name).0.starts_with(stem));
    let mapped = ["start", "end"].iter().any(|field| mapping.column(field).is_some());
    !(mapped || is_time("start") && is_time("end")) && columns.is_ok_and(|columns| columns.iter().any(is_figure))
        || ["took", "late"].iter().any(|field| mapping.column(field).is_some())
}

fn is_figure(column: &Column) -> bool {
    !matches!(column.holds, Held::Requested | Held::Count)
}

/// Reads a table. `asked` is the request of every row where no column holds it.
///
/// # Errors
/// A table that lacks a request, a unit or a number where one belongs.
pub fn read(text: &str, mapping: &Mapping, asked: Option<Repeated>) -> Result<Vec<AskedPair>, AskedTableError> {
    if text.len() > LARGEST {
        return Err(AskedTableError::TooMuch("64 MiB"));
    }
    let header = header(text).ok_or(AskedTableError::Empty)?;
    let columns = columns(&header, mapping)?;
    let request = columns.iter().find(|column| column.holds == Held::Requested);
    match (request, asked) {
        (None, None) => return Err(AskedTableError::NoRequest),
        (Some(column), Some(_)) => return Err(AskedTableError::TwoRequests(column.name.clone())),
        _ => {}
    }
    let mut reader = reader(text);
    let mut requests: Vec<Request> = Vec::new();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record)? {
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = |why: String| AskedTableError::Line { line, why };
        let each = match (request, asked) {
            (Some(column), _) => {
                let text = column.time(&record, "requested")?;
                text.parse::<Repeated>().map_err(|error| wrong(error.to_string()))?
            }
            (None, asked) => asked.unwrap_or(Repeated { times: 1, each: Nanos::ZERO }),
        };
        let at = requests.iter().position(|known| known.asked == each).unwrap_or_else(|| {
            requests.push(Request { asked: each, values: Vec::new(), rest: Vec::new() });
            requests.len() - 1
        });
        requests[at].add(&columns, &record).map_err(|error| match error {
            AskedTableError::Figures(error) => wrong(error.to_string()),
            error => error,
        })?;
        if requests.len() > MOST_REQUESTS {
            return Err(AskedTableError::TooMuch("64 different requests; is that the column of requests?"));
        }
    }
    if requests.is_empty() {
        return Err(AskedTableError::Empty);
    }
    requests.into_iter().map(Request::pair).collect()
}

/// One request with what its rows state.
struct Request {
    asked: Repeated,
    /// Single sleeps, with their lengths in ns.
    values: Vec<(i64, String)>,
    /// Statistics.
    rest: Vec<String>,
}

impl Request {
    fn add(&mut self, columns: &[Column], record: &StringRecord) -> Result<(), AskedTableError> {
        for column in columns {
            let text = record.get(column.at).unwrap_or_default();
            if text.is_empty() && column.holds != Held::Requested {
                continue;
            }
            match &column.holds {
                Held::Requested => {}
                Held::Count => self.rest.push(format!("n={text}")),
                Held::Statistic(name) => self.rest.push(format!("{name}={}", column.time(record, name)?)),
                Held::Took | Held::Late => {
                    let took = column.holds == Held::Took;
                    let time = column.time(record, if took { "took" } else { "late" })?;
                    let time = if took || time.starts_with(['+', '-']) { time } else { format!("+{time}") };
                    // Each is read on its own, so that an error names its line.
                    let one: Took = time.parse()?;
                    let pair = AskedPair::new(self.asked, &one)?;
                    let length = pair.figures.iter().find_map(|figure| match figure {
                        Figure::Value(at) | Figure::Mean(at) => Some(at.time.get()),
                        _ => None,
                    });
                    self.values.push((length.unwrap_or(0), time));
                }
            }
        }
        Ok(())
    }

    fn pair(mut self) -> Result<AskedPair, AskedTableError> {
        self.values.sort();
        let count = self.values.len();
        let kept = count.min(MOST_VALUES);
        let mut words: Vec<String> =
            (0..kept).map(|k| self.values[(2 * k + 1) * count / (2 * kept)].1.clone()).collect();
        words.append(&mut self.rest);
        let took: Took = words.join(",").parse()?;
        let pair = AskedPair::new(self.asked, &took)?;
        let count = pair.count.or_else(|| u64::try_from(count).ok().filter(|count| *count > 0));
        Ok(AskedPair { count, ..pair })
    }
}

impl Column {
    /// Returns a field with its unit.
    fn time(&self, record: &StringRecord, field: &str) -> Result<String, AskedTableError> {
        let text = record.get(self.at).unwrap_or_default();
        if text.ends_with(|c: char| c.is_alphabetic()) {
            return Ok(text.replace(' ', ""));
        }
        match self.unit {
            Some(unit) => Ok(format!("{text}{unit}")),
            None => Err(AskedTableError::NoUnit { column: self.name.clone(), field: field.to_owned() }),
        }
    }
}

fn reader(text: &str) -> csv::Reader<&[u8]> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    let separator = SEPARATORS.into_iter().max_by_key(|&one| first.matches(char::from(one)).count());
    // Of separators that occur as often the last is returned: a table of one column has none, whichever it is.
    ReaderBuilder::new()
        .delimiter(separator.unwrap_or(b','))
        .trim(Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
}

fn header(text: &str) -> Option<StringRecord> {
    reader(text).headers().ok().filter(|header| !header.is_empty()).cloned()
}

/// Divides a column's name into its stem and its unit: `took_us`, `took (us)`, `took [us]`, `took/us`.
fn split(name: &str) -> (String, Option<&'static str>) {
    let lower = name.trim_start_matches('\u{feff}').trim().to_lowercase().replace(['µ', 'μ'], "u");
    let bare = lower.trim_end_matches([')', ']']);
    for (unit, words) in [
        ("ns", ["ns", "nsec", "nanoseconds"]),
        ("us", ["us", "usec", "microseconds"]),
        ("ms", ["ms", "msec", "milliseconds"]),
        ("s", ["s", "sec", "seconds"]),
    ] {
        for word in words {
            let stem = bare.strip_suffix(word).and_then(|stem| stem.strip_suffix(['_', '(', '[', '/', ' ', '.', '-']));
            if let Some(stem) = stem.filter(|stem| !stem.is_empty()) {
                return (stem.trim_end_matches(['_', ' ']).trim().to_owned(), Some(unit));
            }
        }
    }
    (lower.clone(), None)
}

/// Returns what a column of this name holds.
fn held(stem: &str) -> Option<Held> {
    Some(match stem {
        "requested" | "asked" | "request" | "requested sleep" | "target" => Held::Requested,
        "took" | "duration" | "elapsed" | "actual" | "slept" | "measured" | "real" => Held::Took,
        "late" | "lateness" | "oversleep" | "overshoot" | "latency" | "jitter" => Held::Late,
        "n" | "count" | "samples" => Held::Count,
        "min" | "minimum" | "shortest" | "least" => Held::Statistic("min".to_owned()),
        "max" | "maximum" | "longest" | "worst" | "greatest" => Held::Statistic("max".to_owned()),
        "mean" | "avg" | "average" => Held::Statistic("mean".to_owned()),
        "median" => Held::Statistic("p50".to_owned()),
        quantile => {
            let share = quantile.strip_prefix('p')?.replace('_', ".").parse::<f64>().ok()?;
            (0.0 < share && share < 100.0).then(|| Held::Statistic(format!("p{share}")))?
        }
    })
}

fn columns(header: &StringRecord, mapping: &Mapping) -> Result<Vec<Column>, AskedTableError> {
    let mut found: Vec<Column> = Vec::new();
    for (at, name) in header.iter().enumerate() {
        let name = name.trim_start_matches('\u{feff}').trim();
        let (stem, unit) = split(name);
        let mapped = mapping.field_of(name);
        let holds = match mapped {
            Some((field, _)) => held(field),
            None => held(&stem),
        };
        let Some(holds) = holds else { continue };
        let unit = mapped.and_then(|(_, unit)| unit.map(TimeUnit::name)).or(unit);
        let column = Column { at, name: escaped(name, 60), holds, unit };
        match found.iter_mut().find(|known| known.holds == column.holds) {
            Some(known) if mapped.is_some() => *known = column,
            Some(known) if mapping.field_of(&known.name).is_none() => {
                return Err(AskedTableError::Twice(known.name.clone(), column.name));
            }
            Some(_) => {}
            None => found.push(column),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<AskedPair> {
        read(text, &Mapping::default(), None).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn stated(asked: &str, took: &str) -> AskedPair {
        AskedPair::new(asked.parse().unwrap(), &took.parse().unwrap()).unwrap()
    }

    #[test]
    fn rows_are_what_the_command_line_would_say() {
        let counted = |pair: AskedPair, n| AskedPair { count: Some(n), ..pair };
        let of_rows = counted(stated("1ms", "15.5ms,15.6ms"), 2);
        for text in [
            "requested_ms,took_ms\n1,15.6\n1,15.5\n",
            "asked;elapsed (ms)\n1 ms;15.6\n1 ms;15.5",
            "# mine\nrequested_us\ttook\n1000\t15.6ms\n1000\t15.5ms\n",
        ] {
            assert_eq!(pairs(text), std::slice::from_ref(&of_rows), "{text}");
        }
        let late = pairs("requested_ms,late_us\n1,60\n1,-40\n");
        assert_eq!(late, [counted(stated("1ms", "-40us,+60us"), 2)]);
        let summary =
            pairs("requested_ms,n,min_ms,mean_ms,p50_ms,p99_ms,max_ms\n1,100,1.0,1.5,1.4,2.0,\n10,50,10,,,11,12\n");
        assert_eq!(
            summary,
            [
                stated("1ms", "n=100,min=1.0ms,mean=1.5ms,p50=1.4ms,p99=2.0ms"),
                stated("10ms", "n=50,min=10ms,p99=11ms,max=12ms"),
            ]
        );
        let mapping: Mapping = "requested=a:ms,took=b:us".parse().unwrap();
        assert_eq!(read("a,b\n1,1058\n", &mapping, None).unwrap(), [counted(stated("1ms", "1058us"), 1)]);
        let alone = read("took_ms\n15.6\n", &Mapping::default(), Some("1ms".parse().unwrap())).unwrap();
        assert_eq!(alone, [counted(stated("1ms", "15.6ms"), 1)]);
    }

    #[test]
    fn of_many_sleeps_evenly_spaced_ones_stand_for_all() {
        let mut text = "requested_ms,took_us\n".to_owned();
        (0..10_000).rev().for_each(|k| text += &format!("1,{}\n", 1_000 + k));
        let [pair] = &pairs(&text)[..] else { panic!("one request") };
        assert_eq!((pair.figures.len(), pair.count), (MOST_VALUES, Some(10_000)));
        assert_eq!(pair.figures[0], stated("1ms", "1500us").figures[0]);
    }

    #[test]
    fn a_table_without_starts_is_told_from_one_with_them() {
        let is = |text: &str| is_asked(text, &Mapping::default());
        assert!(is("requested_ms,took_ms\n") && is("took_ms\n1\n") && is("requested_ms,n,max_ms\n"));
        assert!(!is("requested_ns,start_ns,end_ns\n") && !is("requested_ns,start_ns,end_ns,oversleep_ns\n"));
        assert!(!is("") && !is("a,b\n") && !is("requested_ns,n\n"));
    }

    #[test]
    fn what_is_missing_or_wrong_is_said_with_its_line() {
        for (text, why) in [
            ("took_ms\n1\n", "no column says what was asked for"),
            ("requested_ms,took\n1,15\n", "nothing says in which unit column `took` is: call it took_ms"),
            ("requested_ms,took_ms\n", "a header and no rows"),
            ("requested_ms,took_ms\n1,15\n1,x\n", "line 3: "),
            ("requested_ms,took_ms\n1,-15\n", "line 2: "),
            ("requested_ms,took_ms,elapsed_ms\n1,15,16\n", "columns `took_ms` and `elapsed_ms` hold the same thing"),
            ("requested_ms,took_ms\n1\n", "not readable as a table"),
        ] {
            let said = read(text, &Mapping::default(), None).unwrap_err().to_string();
            assert!(said.contains(why) && !said.contains('\n'), "{text}: {said}");
        }
        let both = read("requested_ms,took_ms\n1,2\n", &Mapping::default(), Some("1ms".parse().unwrap()));
        assert!(matches!(both, Err(AskedTableError::TwoRequests(_))));
    }
}
