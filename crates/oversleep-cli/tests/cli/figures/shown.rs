//! Reads figures back from what people see: tables of text, Markdown and a browser's page, and pictures.

use super::exact::{Figure, Row};

/// A table with figures: the heading of its first column, and its rows.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) first: String,
    pub(super) rows: Vec<Row>,
}

const UNITS: [(&str, f64); 4] = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];

/// Returns a time in ns and half of its last digit; `None` for other texts.
pub(super) fn time(text: &str) -> Option<(f64, f64)> {
    let (number, unit) = text.trim().rsplit_once([' ', '\u{a0}'])?;
    let unit = UNITS.iter().find(|(name, _)| *name == unit)?.1;
    let number = number.replace(['\u{202f}', ' ', '+'], "").replace('−', "-");
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let half = 0.5 * 0.1_f64.powi(i32::try_from(decimals).ok()?);
    Some((number.parse::<f64>().ok()? * unit, half * unit))
}

/// Times are rounded to whole nanoseconds before they are rounded to be shown.
const WHOLE: f64 = 0.5;

/// Returns whether a text shows a figure, but for the rounding of its last digit.
pub(super) fn agrees(shown: &str, exact: Figure) -> bool {
    let near =
        |shown: &str, exact: f64| time(shown).is_some_and(|(ns, half)| (ns - exact).abs() <= half * 1.001 + WHOLE);
    let shown = shown.trim();
    match exact {
        Figure::Count(count) => {
            // `3 of 20`, or a share of all.
            let digits = shown.split(" of ").next().unwrap_or_default().replace(['\u{202f}', ' '], "");
            shown.ends_with('%') || digits.parse() == Ok(count)
        }
        Figure::Time(None) | Figure::Range(None) | Figure::Number(None) => shown == "–",
        Figure::Time(Some(exact)) => near(shown, exact),
        Figure::Number(Some(exact)) => shown.parse::<f64>().is_ok_and(|number| (number - exact).abs() <= 0.005_001),
        Figure::Range(Some((low, high))) => {
            let (from, to) = [" – ", " to "].iter().find_map(|word| shown.split_once(word)).unwrap_or((shown, shown));
            // The unit of both, if there is one; a bucket ends 1 ns before the next, which is shown.
            let unit = to.rsplit_once([' ', '\u{a0}']).map_or("", |(_, unit)| unit);
            let from = if time(from).is_some() { from.to_owned() } else { format!("{from} {unit}") };
            near(&from, low as f64) && (near(to, high as f64) || near(to, high as f64 + 1.0))
        }
    }
}

/// Returns the times that a text names.
pub(super) fn durations(text: &str) -> Vec<String> {
    let plain = text.replace(['\u{a0}', '(', ')', ',', ';', ':'], " ").replace(". ", " ");
    let words: Vec<&str> = plain.split_whitespace().map(|word| word.trim_end_matches('.')).collect();
    let pairs = words.windows(2).map(|pair| format!("{} {}", pair[0], pair[1]));
    pairs.filter(|pair| time(pair).is_some()).collect()
}

/// Returns whether a heading is that of a column of figures.
fn is_figure(heading: &str) -> bool {
    super::exact::Group::default().figure(heading).is_some()
}

/// Headings of the columns that count what the other figures are of.
const COUNTS: [&str; 4] = ["n", "values", "stalls", "waits"];

pub(super) fn headings_of(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Returns whether a table with these headings has figures of sleeps.
fn has_figures(headings: &[&str]) -> bool {
    headings.iter().any(|heading| heading.trim_start_matches("late ") == "p50")
        && headings.iter().any(|heading| COUNTS.contains(heading))
}

/// Returns the tables of a text for a terminal: columns are parted by two spaces, and figures end where their heading ends.
pub(super) fn of_text(text: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let headings = headings_of(line);
        if !has_figures(&headings) {
            continue;
        }
        let mut from = 0;
        let mut columns: Vec<(&str, usize)> = Vec::new();
        for heading in &headings {
            let at = from + line[from..].find(heading).unwrap_or_default();
            from = at + heading.len();
            columns.push((heading, line[..from].chars().count()));
        }
        let first = columns.iter().find(|(heading, _)| is_figure(heading)).map_or(0, |(_, end)| *end);
        let mut table = Table { first: headings[0].to_owned(), rows: Vec::new() };
        // Up to an empty line, or the head of another table.
        while let Some(line) = lines.next_if(|line| !line.is_empty() && !has_figures(&headings_of(line))) {
            let upto = |end: usize| line.chars().take(end).collect::<String>();
            let last = |end: usize| {
                let text = upto(end);
                text.rsplit("  ").next().unwrap_or_default().trim().to_owned()
            };
            let figures: Vec<(String, String)> = columns
                .iter()
                .filter(|(heading, _)| is_figure(heading))
                .map(|(heading, end)| ((*heading).to_owned(), last(*end)))
                .collect();
            let label = upto(first);
            let label = label.rsplit_once("  ").map_or("", |(label, _)| label).trim().to_owned();
            // Other lines are sentences, or continue the name of the row above.
            let counted = figures.iter().find(|(heading, _)| COUNTS.contains(&heading.as_str()));
            if counted.is_some_and(|(_, count)| count.replace(['\u{202f}', ' '], "").parse::<u64>().is_ok()) {
                table.rows.push(Row { label, figures });
            }
        }
        tables.push(table);
    }
    tables
}

/// Returns the tables of Markdown.
pub(super) fn of_markdown(text: &str) -> Vec<Table> {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('\\', "")).collect()
    };
    let lines: Vec<Vec<String>> =
        text.lines().map(|line| if line.starts_with('|') { cells(line) } else { Vec::new() }).collect();
    of_cells(&lines)
}

/// Returns the tables of a page, as the browser's document has them.
pub(super) fn of_page(page: &str) -> Vec<Table> {
    let mut lines = Vec::new();
    for table in page.split("<table").skip(1) {
        let table = table.split("</table>").next().unwrap_or_default();
        for row in table.split("<tr").skip(1) {
            let cells = row.split("<td").flat_map(|part| part.split("<th")).skip(1);
            // Every part but `<thead` begins in the tag of a cell.
            lines.push(cells.map(|cell| plain(&format!("<{cell}"))).collect::<Vec<String>>());
        }
        lines.push(Vec::new());
    }
    of_cells(&lines)
}

/// Returns what is between the tags of a piece of a page.
pub(super) fn plain(markup: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for letter in markup.chars() {
        match letter {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => text.push(letter),
            _ => {}
        }
    }
    text.replace("&nbsp;", "\u{a0}").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Returns the tables among lines of cells; lines without any part them.
fn of_cells(lines: &[Vec<String>]) -> Vec<Table> {
    let mut tables = Vec::new();
    for table in lines.split(Vec::is_empty) {
        let Some((headings, rows)) = table.split_first() else { continue };
        if !has_figures(&headings.iter().map(String::as_str).collect::<Vec<_>>()) {
            continue;
        }
        let names = headings.iter().position(|heading| is_figure(heading)).unwrap_or_default();
        let row = |cells: &Vec<String>| Row {
            label: cells[..names].join(" "),
            figures: headings.iter().cloned().zip(cells.iter().cloned()).skip(names).collect(),
        };
        let rows =
            rows.iter().filter(|cells| cells.len() == headings.len() && !cells[names].starts_with("--")).map(row);
        tables.push(Table { first: headings[0].clone(), rows: rows.collect() });
    }
    tables
}

/// Returns the rows of a picture: each ends with `n 400, p50 54.0 µs, p99 59.0 µs`, or without the count.
pub(super) fn of_picture(text: &str) -> Vec<Row> {
    text.lines()
        .filter_map(|line| {
            let at = line.find(" n ").filter(|at| line[*at..].contains(", p50 ")).or_else(|| line.find(" p50 "))?;
            let parts = line[at..].trim().split(", ").filter_map(|part| part.split_once(' '));
            let figures: Vec<(String, String)> =
                parts.map(|(name, shown)| (name.to_owned(), shown.to_owned())).collect();
            Some(Row { label: String::new(), figures }).filter(|row| row.figures.iter().any(|(name, _)| name == "p99"))
        })
        .collect()
}
