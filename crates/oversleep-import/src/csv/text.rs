//! The text of a table before its fields are split: finds the separator, and limits the length of rows.

use super::CsvError;
use super::units::{Mapping, TimeUnit};
use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::rc::Rc;

/// Number of bytes after which an unfinished row is refused: otherwise `/dev/zero`, or a quotation mark that is never
/// closed, would fill the memory.
pub(super) const LONGEST: usize = 1 << 20;

/// Separators of fields, the most common first. Spreadsheets write semicolons where the comma is the decimal mark.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Error of a row that did not end within [`LONGEST`] bytes.
#[derive(Debug, thiserror::Error)]
#[error("a line without an end")]
pub(super) struct TooLong;

/// Input that fails after [`LONGEST`] bytes without a call of [`RowPosition::begin_row`].
pub(super) struct Bounded<R> {
    input: R,
    count: Rc<ReadCounts>,
}

/// What has been read of a [`Bounded`].
#[derive(Default)]
struct ReadCounts {
    /// Number of bytes since the last completed row.
    since: Cell<usize>,
    /// Number of bytes in all.
    all: Cell<u64>,
    /// The last byte.
    last: Cell<u8>,
    /// Whether the input has ended.
    ended: Cell<bool>,
    /// Number of bytes before the row that is being read.
    begun: Cell<u64>,
    /// The last bytes: at least those from the beginning of the row on.
    tail: RefCell<TextTail>,
    /// Number of lines that are read but are not in the file.
    added: u64,
}

/// The last bytes of a text.
#[derive(Default)]
struct TextTail {
    bytes: Vec<u8>,
    /// Number of bytes and of line ends before them.
    before: u64,
    line_ends: u64,
}

impl TextTail {
    /// Adds bytes, and drops those that are more than `begun` bytes from the end of the text before them.
    fn add(&mut self, bytes: &[u8], begun: u64) {
        let done = usize::try_from(begun - self.before).unwrap_or(usize::MAX).min(self.bytes.len());
        self.line_ends += line_ends(&self.bytes[..done]);
        self.bytes.drain(..done);
        self.before += done as u64;
        self.bytes.extend_from_slice(bytes);
    }
}

fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// Where the reader of a [`Bounded`] is: the only source of the numbers of lines in errors.
pub(super) struct RowPosition(Rc<ReadCounts>);

impl RowPosition {
    /// States that a row begins after this number of bytes, perhaps with line ends and comments before it.
    pub(super) fn begin_row(&self, byte: u64) {
        self.0.since.set(0);
        self.0.begun.set(byte);
    }

    /// Returns the line in the file, from 1, in which the row begins that is being read or was read last.
    ///
    /// The csv library's own numbers are of the place before empty lines and comments, and after `\r\n` of the line
    /// before, because it has not yet read the `\n`.
    pub(super) fn line(&self) -> u64 {
        let Self(counts) = self;
        let tail = counts.tail.borrow();
        let begun = usize::try_from(counts.begun.get() - tail.before).unwrap_or(usize::MAX).min(tail.bytes.len());
        let (done, rest) = tail.bytes.split_at(begun);
        (1 + tail.line_ends + line_ends(done) + skipped(rest)).saturating_sub(counts.added)
    }

    /// Returns whether a row that ends after this number of bytes is the text's last one and has no line end, so that
    /// digits may be missing.
    pub(super) fn is_cut(&self, end: u64) -> bool {
        let Self(counts) = self;
        counts.ended.get() && counts.all.get() == end && !matches!(counts.last.get(), b'\n' | b'\r')
    }
}

/// Returns the number of line ends before the first row: of empty lines, and of comments.
fn skipped(mut text: &[u8]) -> u64 {
    let mut ends = 0;
    loop {
        match text {
            [b'\n', rest @ ..] => (ends, text) = (ends + 1, rest),
            [b'\r', rest @ ..] => text = rest,
            [b'#', ..] => match text.iter().position(|byte| *byte == b'\n') {
                Some(end) => text = &text[end..],
                None => return ends,
            },
            _ => return ends,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let counts = &self.count;
        if counts.since.get() > LONGEST {
            return Err(io::Error::other(TooLong));
        }
        let count = self.input.read(buffer)?;
        counts.since.set(counts.since.get() + count);
        counts.all.set(counts.all.get() + count as u64);
        counts.tail.borrow_mut().add(&buffer[..count], counts.begun.get());
        match buffer[..count].last() {
            Some(&last) => counts.last.set(last),
            None => counts.ended.set(!buffer.is_empty()),
        }
        Ok(count)
    }
}

/// The whole text, including the part that was already examined.
pub(super) type Text<R> = Bounded<Chain<Cursor<Vec<u8>>, BufReader<R>>>;

/// Examines the text up to its first line that is neither empty nor a comment, and returns the text and its separator.
/// `added` is the number of lines that are read but are not in the file.
pub(super) fn open<R: Read>(input: R, mapping: &Mapping, added: u64) -> Result<(Text<R>, RowPosition, u8), CsvError> {
    let mut input = BufReader::new(input);
    let (mut seen, mut begun, mut line) = (Vec::new(), 0, 0);
    loop {
        line += 1;
        let count = (&mut input)
            .take(LONGEST as u64)
            .read_until(b'\n', &mut seen)
            .map_err(|error| CsvError::io(error, line))?;
        match count {
            0 => return Err(CsvError::Nothing),
            LONGEST => return Err(CsvError::Long { line }),
            _ if seen.len() > LONGEST => return Err(CsvError::Headless),
            _ => {}
        }
        // Lines that the csv library skips.
        if !matches!(seen[begun..], [b'#', ..] | [b'\n'] | [b'\r', b'\n']) {
            break;
        }
        begun = seen.len();
    }
    let separator = separator(&String::from_utf8_lossy(&seen[begun..]), mapping);
    let count = Rc::new(ReadCounts { added, ..ReadCounts::default() });
    let place = RowPosition(Rc::clone(&count));
    Ok((Bounded { input: Cursor::new(seen).chain(input), count }, place, separator))
}

/// Returns the separator with which the header has the one column that every table needs; otherwise the most common
/// one.
fn separator(header: &str, mapping: &Mapping) -> u8 {
    let wanted = mapping.column("requested").map(|(column, _)| column);
    let is_needed = |field: &str| match wanted {
        Some(column) => field == column,
        None => matches!(field, "requested_ns" | "requested_us" | "requested_ms" | "requested_s"),
    };
    let needed = |separator: u8| header.split(char::from(separator)).any(|field| is_needed(bare(field)));
    SEPARATORS.into_iter().find(|&separator| needed(separator)).unwrap_or(SEPARATORS[0])
}

/// Returns a field without a byte order mark, blanks and quotation marks around it.
fn bare(field: &str) -> &str {
    field.trim_start_matches('\u{feff}').trim().trim_matches('"').trim()
}

/// Describes a header that lacks needed columns, for whoever has to correct it.
pub(super) fn described(header: &csv::StringRecord) -> String {
    if header.iter().any(|field| field.contains('\0')) {
        return "this is not text".to_owned();
    }
    if header.get(0).is_some_and(|first| bare(first).to_ascii_lowercase().starts_with("<!doctype html")) {
        return "this is a page for a browser; what made it was a recording (.arrows)".to_owned();
    }
    if header.iter().all(|field| field.parse::<f64>().is_ok()) {
        return "the first line is numbers, where the columns' names belong".to_owned();
    }
    if header.iter().all(str::is_empty) {
        return "its first line is empty".to_owned();
    }
    let names: Vec<String> = header.iter().map(|name| super::shown(bare(name))).collect();
    let other = |name: &str| name.contains([' ', '|', ':']);
    if let [one] = &names[..]
        && other(one)
    {
        return format!("fields are separated by commas, semicolons or tabs, and the first line has none: {one}");
    }
    let (first, rest) = names.split_at(names.len().min(8));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("it has {}{more}{}", first.join(", "), suggested(&names))
}

/// What people call the beginning and the end of a sleep, and what they asked for.
const USUAL_NAMES: [(&str, &[&str]); 3] = [
    ("requested", &["requested", "request", "asked", "wanted"]),
    ("start", &["start", "begin", "before", "t0", "from"]),
    ("end", &["end", "stop", "after", "t1", "until", "woke", "wake"]),
];

/// Returns how to read columns with such names, to be pasted; empty where start and end are not among them.
fn suggested(header: &[String]) -> String {
    let words = |column: &str| -> Vec<String> {
        column.to_ascii_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect()
    };
    let mut found: Vec<(&str, &String)> = Vec::new();
    for (field, names) in USUAL_NAMES.iter().rev() {
        let is_of = |column: &&String| words(column).iter().any(|word| names.contains(&word.as_str()));
        let is_free = |column: &&String| found.iter().all(|(_, taken)| taken != column);
        let of_field = header.iter().filter(is_of).find(is_free);
        found.extend(of_field.map(|column| (*field, column)));
    }
    found.reverse();
    let has_unit = |column: &str| TimeUnit::ALL.into_iter().any(|unit| column.ends_with(&format!("_{unit}")));
    let is_known = |(field, column): &&(&str, &String)| has_unit(column) && column.starts_with(field);
    let lacks = |needed: &&str| !found.iter().any(|(field, _)| field == needed);
    if ["start", "end"].iter().any(lacks) || found.iter().filter(is_known).count() == found.len() {
        return String::new();
    }
    let mapped = found.iter().map(|(field, column)| {
        let said = words(column).into_iter().find(|word| TimeUnit::ALL.into_iter().any(|unit| unit.name() == word));
        let unit = if has_unit(column) { String::new() } else { format!(":{}", said.as_deref().unwrap_or("s")) };
        format!("{field}={column}{unit}")
    });
    let mapped: Vec<String> = mapped.collect();
    format!(": --columns '{}', with ms, us or ns in place of :s where that is the unit", mapped.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_told_by_the_header() {
        for (header, expected) in [
            ("requested_ns,start_ns", b','),
            ("method;requested_ns;start_ns", b';'),
            ("\u{feff}requested_ns;start_ns", b';'),
            ("\"method\"\t\"requested_ns\"\tend_ns\r\n", b'\t'),
            ("a;b", b','),
            ("a;requested_ns,b", b','),
        ] {
            assert_eq!(separator(header, &Mapping::default()), expected, "{header}");
        }
    }

    #[test]
    fn a_text_is_handed_on_whole_and_a_line_without_end_is_not() {
        let text = "# one\n\n\r\nrequested_ns;start_ns\n1;2\n";
        let (mut read, _, separator) = open(text.as_bytes(), &Mapping::default(), 0).ok().unwrap();
        let mut again = String::new();
        read.read_to_string(&mut again).unwrap();
        assert_eq!((again.as_str(), separator), (text, b';'));
        assert!(matches!(open(io::repeat(0), &Mapping::default(), 0).err(), Some(CsvError::Long { line: 1 })));
        assert!(matches!(open("# no more\n".as_bytes(), &Mapping::default(), 0).err(), Some(CsvError::Nothing)));
        assert!(matches!(
            open("#\n".repeat(LONGEST).as_bytes(), &Mapping::default(), 0).err(),
            Some(CsvError::Headless)
        ));
    }
}
