//! Plots as SVG: text remains text, colours follow the reader's light or dark setting, and the legend is above the
//! data.

mod panel;

pub(super) use panel::{figure, figures};

use super::in_legend;
use super::rows::{COLUMNS, PlotRow, RowShape, Rows, Spread};
use crate::escape_markup::escaped;
use crate::headline::UNEXPLAINED;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
/// Width of a letter of the usual size, on average.
const LETTER: f64 = 6.7;
/// Number of letters of a row's name; longer ones are shortened.
const NAME_LETTERS: usize = 52;

/// Okabe and Ito's palette.
const SERIES: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b8a800", "#8a8a8a"];

/// Returns the colour of a cause, the same in all plots; the page's script has the same list.
fn of_cause(name: &str) -> &'static str {
    match name {
        "timer-slack" | "timer slack" => "#e69f00",
        "constant-cost" | "wake-up" => "#56b4e9",
        "tick-quantised" => "#0072b2",
        "proportional-slack" | "coalescing" => "#d8cb2e",
        "timer-wheel" | "interrupt late" | "late-interrupt" => "#d55e00",
        "run-queue" | "run queue" => "#cc79a7",
        "preempted" => "#e3a9c8",
        "idle-exit" => "#009e73",
        "interrupt entry" | "not yet running" => "#5cc4a5",
        "host-steal" | "stopped" => "#7a3b00",
        "sawtooth" | "clock-drift" | "calibration" => "#004a77",
        "cached-clock" => "#7fb8d8",
        "return to the program" => "#a8d6f2",
        "entering the kernel" => "#c9c9c9",
        "timer armed late" => "#f2c879",
        "other timers first" => "#8fbf7f",
        "interrupted" => "#b3593a",
        "periodic-interference" => "#8d6bb1",
        "bimodal" => "#b39ddb",
        "change-point" => "#5e548e",
        "first-call" => "#b9a44c",
        "missed-periods" | "throttled" => "#c44536",
        "early-wake" | "clock-step" => "#6c757d",
        _ => "#8a8a8a",
    }
}

/// Position of a title's first line, and distance to each further line.
const TITLE_TOP: f64 = 24.0;
const TITLE_STEP: f64 = 20.0;
/// Number of letters of a title that fit between the margins.
const TITLE_LETTERS: usize = 98;

/// What stands above a picture.
struct Head<'a> {
    /// The title, which may have several lines.
    title: &'a str,
    /// Where and when the figures were measured; may be empty.
    measured: &'a str,
}

impl Head<'_> {
    fn title_lines(&self) -> Vec<String> {
        wrapped(self.title, TITLE_LETTERS)
    }

    /// Returns the lines below the title.
    fn small_lines(&self) -> Vec<String> {
        small_lines(self.measured)
    }

    /// Returns the position of the first of the lines below the title.
    fn small_top(&self) -> f64 {
        TITLE_TOP + TITLE_STEP * self.title_lines().len() as f64 - 1.0
    }

    /// Returns the position below all lines, where a legend may begin.
    fn end(&self) -> f64 {
        let small = self.small_lines().len() as f64;
        self.small_top() + 3.0 + if small > 0.0 { 4.0 + REMARK_STEP * small } else { 0.0 }
    }
}

fn wrapped(text: &str, letters: usize) -> Vec<String> {
    textwrap::wrap(text, letters).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Returns the lines of a text that is set small; none if it is empty.
fn small_lines(text: &str) -> Vec<String> {
    wrapped(text, REMARK_LETTERS).into_iter().filter(|line| !line.is_empty()).collect()
}

/// Returns the beginning of a file: title, description for those who cannot see the picture, and style. `name`
/// distinguishes its ids from those of other pictures in the same page.
fn begun(head: &Head<'_>, description: &str, height: f64, name: &str) -> String {
    let name = if name.is_empty() { String::new() } else { format!("-{name}") };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"title{name} description{name}\">\n<title id=\"title{name}\">{}</title>\n<desc id=\"description{name}\">{}</desc>\n{STYLE}\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        escaped(head.title),
        escaped(description),
    );
    for (n, line) in head.title_lines().iter().enumerate() {
        let y = TITLE_TOP + TITLE_STEP * n as f64;
        let _ = writeln!(out, "<text class=\"head\" x=\"16\" y=\"{y}\">{}</text>", escaped(line));
    }
    for (n, line) in head.small_lines().iter().enumerate() {
        let y = head.small_top() + REMARK_STEP * n as f64;
        let _ = writeln!(out, "<text class=\"quiet\" x=\"16\" y=\"{y}\">{}</text>", escaped(line));
    }
    out
}

const STYLE: &str = "<style>text{font-family:system-ui,sans-serif;font-size:12px;fill:#16191d}.head{font-size:15px;font-weight:600}.quiet{fill:#5b636d}\
.paper{fill:#fff}.grid{stroke:#d5d9de}.minor{stroke:#f0f2f4}.guide{stroke:#16191d;stroke-dasharray:5 4}.mark{stroke:#16191d;stroke-width:1.5}.dot{fill:#16191d}\
.rest{fill:url(#rest);stroke:#5b636d}.hatch{stroke:#5b636d}\
@media(prefers-color-scheme:dark){text{fill:#e8eaed}.quiet{fill:#a0a8b2}.paper{fill:#14171b}.grid{stroke:#363d45}.minor{stroke:#1e2328}\
.guide,.mark{stroke:#e8eaed}.dot{fill:#e8eaed}.rest{stroke:#a0a8b2}.hatch{stroke:#a0a8b2}}\
@media print{text{fill:#000}.paper{fill:#fff}}</style>\n";

/// Returns a legend in lines above the plot, each name after its symbol, and the position of its last line. A symbol is
/// `wide` wide and is drawn from the origin, on the baseline.
fn legend(entries: &[(String, String)], wide: f64, top: f64) -> (String, f64) {
    let (mut out, mut x, mut y) = (String::new(), 16.0, top);
    for (symbol, name) in entries {
        let width = wide + 20.0 + 6.8 * name.chars().count() as f64;
        if x + width > WIDTH && x > 16.0 {
            (x, y) = (16.0, y + 18.0);
        }
        let _ = writeln!(
            out,
            "<g transform=\"translate({x:.0} {y:.0})\">{symbol}<text x=\"{:.0}\">{}</text></g>",
            wide + 5.0,
            escaped(name)
        );
        x += width;
    }
    (out, if entries.is_empty() { top - 18.0 } else { y })
}

/// Returns a plot of rows as SVG; `measured` says where and when, below the title.
pub(super) fn rows(rows: &Rows, measured: &str) -> String {
    let head = Head { title: &rows.title, measured };
    let names = part_names(rows);
    let square = |name: &String| format!("<rect {} y=\"-9\" width=\"10\" height=\"10\"/>", filled(name));
    let entries: Vec<(String, String)> = names.iter().map(|name| (square(name), in_legend(name))).collect();
    let (legend, below) = legend(&entries, 10.0, head.end());
    let top = below + 30.0;
    let parts = rows.lines.iter().any(|row| matches!(row.shape, RowShape::Parts(_)));
    let step = if parts { 26.0 } else { 22.0 };
    let bottom = top + step * rows.lines.len() as f64;
    let longest = rows.lines.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let left = (28.0 + LETTER * longest.min(NAME_LETTERS) as f64).max(120.0);
    let longest = rows.lines.iter().map(|row| row.figure.chars().count()).max().unwrap_or(0);
    let right = WIDTH - (24.0 + LETTER * longest as f64).clamp(120.0, 300.0);
    let description: Vec<String> = rows.lines.iter().map(|row| format!("{}: {}", row.name, row.figure)).collect();
    let remarks = remarks(rows);
    let height = bottom + 30.0 + REMARK_STEP * remarks.len().saturating_sub(1) as f64;
    let mut out = begun(&head, &description.join("; "), height, "") + &legend;
    out += "<defs><pattern id=\"rest\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
            <line class=\"hatch\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"6\" stroke-width=\"2\"/></pattern></defs>\n";
    let across = |at: f64| left + at.clamp(0.0, 1.0) * (right - left);
    for mark in rows.axis.marks() {
        let Some(label) = mark.label else { continue };
        let x = across(mark.at);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.0}\" y2=\"{bottom:.0}\"/>",
            top - 4.0
        );
        let _ = writeln!(
            out,
            "<text class=\"quiet\" x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
            top - 9.0
        );
    }
    for (index, row) in rows.lines.iter().enumerate() {
        let base = top + step * (index + 1) as f64 - 4.0;
        let name = shortened(&row.name, NAME_LETTERS);
        let _ = writeln!(out, "<text x=\"16\" y=\"{base:.0}\">{}</text>", escaped(&name));
        let _ = writeln!(
            out,
            "<text class=\"quiet\" x=\"{:.0}\" y=\"{base:.0}\">{}</text>",
            right + 12.0,
            escaped(&row.figure)
        );
        out += &shape(rows, row, base, step, &across);
    }
    for (n, line) in remarks.iter().enumerate() {
        let y = bottom + 18.0 + REMARK_STEP * n as f64;
        let _ = writeln!(out, "<text class=\"quiet\" x=\"16\" y=\"{y:.0}\">{line}</text>");
    }
    out + "</svg>\n"
}

/// Distance between lines of small text.
const REMARK_STEP: f64 = 16.0;
/// Number of letters in such a line, which leaves the margins free.
const REMARK_LETTERS: usize = 129;

/// Returns the lines below a plot of rows: rows left out, what the shapes mean, and the note.
fn remarks(rows: &Rows) -> Vec<String> {
    let more = (rows.more > 0).then(|| format!("and {} more", rows.more));
    let below: Vec<String> = more.into_iter().chain(meaning(rows)).chain(rows.note.clone()).collect();
    let below = below.join(" · ");
    small_lines(&below)
}

/// Returns the names of all parts, each once.
fn part_names(rows: &Rows) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in &rows.lines {
        if let RowShape::Parts(parts) = &row.shape {
            for (name, _) in parts {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
    }
    names
}

/// Returns the shape of a row, whose baseline is at `base` and whose height is `step`.
fn shape(rows: &Rows, row: &PlotRow, base: f64, step: f64, across: &impl Fn(f64) -> f64) -> String {
    let mut out = String::new();
    match &row.shape {
        RowShape::Ridge { heights, median, latest } => {
            let mut path = format!("M{:.1} {base:.1}", across(0.0));
            for (column, height) in heights.iter().enumerate() {
                let tall = if *height > 0.0 { (height * (step - 5.0)).max(1.0) } else { 0.0 };
                let _ = write!(
                    path,
                    "L{:.1} {:.1}H{:.1}",
                    across(column as f64 / COLUMNS as f64),
                    base - tall,
                    across((column + 1) as f64 / COLUMNS as f64)
                );
            }
            let _ = writeln!(out, "<path fill=\"{}\" fill-opacity=\"0.8\" d=\"{path}V{base:.1}z\"/>", SERIES[0]);
            if let Some(at) = median {
                let x = across(*at);
                let _ = writeln!(
                    out,
                    "<line class=\"mark\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{base:.1}\"/>",
                    base - step + 6.0
                );
            }
            if let Some(at) = latest {
                let _ =
                    writeln!(out, "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\"/>", across(*at), base - 3.0);
            }
        }
        RowShape::Spread(spread) => out += &spread_shape(spread, base, step, across),
        RowShape::Interval { zero, low, size, high } => {
            let (top, middle) = (base - step + 8.0, base - step / 2.0 + 4.0);
            let mut line = |class: &str, from: f64, to: f64, above: f64, below: f64| {
                let (from, to) = (across(from), across(to));
                let _ = writeln!(
                    out,
                    "<line class=\"{class}\" x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{above:.1}\" y2=\"{below:.1}\"/>"
                );
            };
            line("grid", *zero, *zero, base - step, base + 4.0);
            line("mark", *low, *high, middle, middle);
            line("mark", *low, *low, middle - 3.0, middle + 3.0);
            line("mark", *high, *high, middle - 3.0, middle + 3.0);
            line("mark", *size, *size, top, base);
        }
        RowShape::Parts(parts) => {
            let mut sum = 0.0;
            for (name, ns) in parts {
                let (from, to) = (across(rows.axis.at(sum)), across(rows.axis.at(sum + ns.unsigned_abs() as f64)));
                let _ = writeln!(
                    out,
                    "<rect {} x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}: {}</title></rect>",
                    filled(name),
                    base - step + 10.0,
                    (to - from).max(0.5),
                    step - 8.0,
                    escaped(name),
                    oversleep_sys::units::Nanos::new(*ns)
                );
                sum += ns.unsigned_abs() as f64;
            }
        }
    }
    out
}

/// Returns a bar with its median, and a line from the smallest value to p99.
fn spread_shape(spread: &Spread, base: f64, step: f64, across: &impl Fn(f64) -> f64) -> String {
    let (top, middle) = (base - step + 8.0, base - step / 2.0 + 4.0);
    let mut out = String::new();
    let end = spread.p99.or(spread.middle.map(|(_, high)| high)).unwrap_or(spread.latest);
    let _ = writeln!(
        out,
        "<line class=\"mark\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\"/>",
        across(spread.least),
        across(end)
    );
    if let Some((low, high)) = spread.middle {
        let (from, to) = (across(low), across(high));
        let _ = writeln!(
            out,
            "<rect fill=\"{}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            SERIES[0],
            (to - from).max(1.0),
            base - top
        );
    }
    if let Some(at) = spread.median {
        let x = across(at);
        let (from, to) = (top - 2.0, base + 2.0);
        let _ = writeln!(out, "<line class=\"mark\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{from:.1}\" y2=\"{to:.1}\"/>");
    }
    let _ = writeln!(out, "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"2\"/>", across(spread.latest));
    out
}

/// Returns the explanation of the rows' shapes.
fn meaning(rows: &Rows) -> Option<String> {
    match rows.lines.first()?.shape {
        RowShape::Ridge { .. } => {
            Some(format!("blue: how often each {} came; line: median; dot: the largest", rows.axis.title))
        }
        RowShape::Spread(_) => {
            Some("bar: the middle half, with the median; line: from the least to p99; dot: the largest".to_owned())
        }
        RowShape::Interval { .. } => {
            Some("vertical line: the shift; horizontal line: its interval; a row left of 0 is earlier in B".to_owned())
        }
        RowShape::Parts(_) => None,
    }
}

/// Returns a name of at most `most` letters, the last of them `…` if it was longer.
fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

/// Returns the fill of a part: hatched if it is unexplained, else its cause's colour.
fn filled(name: &str) -> String {
    if name == UNEXPLAINED || name == "not separated" {
        return "class=\"rest\"".to_owned();
    }
    format!("fill=\"{}\"", of_cause(name))
}
