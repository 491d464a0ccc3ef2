//! Plots as SVG: text stays text, light and dark follow the reader, and the legend stands above the data.

use super::figure::{Figure, Shape, counted};
use super::rows::{COLUMNS, RowShape, Rows};
use crate::report::headline::UNEXPLAINED;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
/// Where the plot lies in a figure.
const LEFT: f64 = 86.0;
const RIGHT: f64 = 884.0;
const TALL: f64 = 300.0;
/// Squares of a cloud, across and up.
const GRID: (usize, usize) = (532, 200);
/// Shades of a cloud.
const SHADES: u32 = 5;

/// Okabe and Ito's colours.
const SERIES: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b8a800", "#8a8a8a"];

/// Each cause has one colour everywhere; the page's program has the same list.
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
        "sawtooth" | "clock-drift" => "#004a77",
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

/// The beginning of a file: its title, its text for those who do not see it, its style.
fn begun(title: &str, description: &str, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"title description\">\n<title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n{STYLE}\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n<text class=\"head\" x=\"16\" y=\"24\">{}</text>\n",
        escaped(title),
        escaped(description),
        escaped(title)
    )
}

const STYLE: &str = "<style>text{font:12px system-ui,sans-serif;fill:#16191d}.head{font-size:15px;font-weight:600}.quiet{fill:#5b636d}\
.paper{fill:#fff}.grid{stroke:#e2e5e9}.guide{stroke:#16191d;stroke-dasharray:5 4}.mark{stroke:#16191d;stroke-width:1.5}.dot{fill:#16191d}\
.rest{fill:url(#rest);stroke:#5b636d}.hatch{stroke:#5b636d}\
@media(prefers-color-scheme:dark){text{fill:#e8eaed}.quiet{fill:#a0a8b2}.paper{fill:#14171b}.grid{stroke:#2c3239}\
.guide,.mark{stroke:#e8eaed}.dot{fill:#e8eaed}.rest{stroke:#a0a8b2}.hatch{stroke:#a0a8b2}}\
@media print{text{fill:#000}.paper{fill:#fff}}</style>\n";

fn escaped(text: &str) -> String {
    let plain = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    // XML knows no control characters.
    plain.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A legend in lines above the plot, and how tall it is.
fn legend(entries: &[(String, String)], top: f64) -> (String, f64) {
    let (mut out, mut x, mut y) = (String::new(), 16.0, top);
    for (fill, name) in entries {
        let width = 30.0 + 6.8 * name.chars().count() as f64;
        if x + width > WIDTH && x > 16.0 {
            (x, y) = (16.0, y + 18.0);
        }
        let _ = writeln!(
            out,
            "<rect {fill} x=\"{x:.0}\" y=\"{:.0}\" width=\"10\" height=\"10\"/><text x=\"{:.0}\" y=\"{y:.0}\">{}</text>",
            y - 9.0,
            x + 15.0,
            escaped(name)
        );
        x += width;
    }
    (out, if entries.is_empty() { top - 18.0 } else { y })
}

/// Returns a plot between two axes.
pub(super) fn figure(of: &Figure) -> String {
    let entries: Vec<(String, String)> = of
        .layers
        .iter()
        .filter(|layer| !matches!(layer.shape, Shape::Guide(_)))
        .filter_map(|layer| Some((format!("fill=\"{}\"", SERIES[layer.colour % SERIES.len()]), layer.name.clone()?)))
        .collect();
    let (legend, below) = legend(&entries, 46.0);
    let top = below + 16.0;
    let bottom = top + TALL;
    let description = format!("{} against {}.", of.y.title, of.x.title);
    let mut out = begun(&of.title, &description, bottom + 52.0) + &legend;
    let across = |at: f64| LEFT + at * (RIGHT - LEFT);
    let up = |at: f64| bottom - at * TALL;
    for mark in of.x.marks() {
        let x = across(mark.at);
        let _ = writeln!(out, "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.0}\" y2=\"{bottom:.0}\"/>");
        if let Some(label) = mark.label {
            let _ = writeln!(
                out,
                "<text class=\"quiet\" x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
                bottom + 17.0
            );
        }
    }
    for mark in of.y.marks() {
        let y = up(mark.at);
        let _ = writeln!(out, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        if let Some(label) = mark.label {
            let _ = writeln!(
                out,
                "<text class=\"quiet\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 8.0,
                y + 4.0
            );
        }
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    let _ = writeln!(
        out,
        "<text class=\"quiet\" x=\"{middle}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
        bottom + 38.0,
        of.x.title
    );
    let half = f64::midpoint(top, bottom);
    let _ = writeln!(
        out,
        "<text class=\"quiet\" transform=\"translate(16 {half:.0}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        of.y.title
    );
    for layer in &of.layers {
        let colour = SERIES[layer.colour % SERIES.len()];
        match &layer.shape {
            Shape::Cloud(values) => out += &cloud(of, values, colour, top),
            Shape::Line(values) | Shape::Guide(values) => {
                let clamped = |at: f64| at.clamp(-0.002, 1.002);
                let points: Vec<String> = values
                    .iter()
                    .map(|(x, y)| format!("{:.1},{:.1}", across(clamped(of.x.at(*x))), up(clamped(of.y.at(*y)))))
                    .collect();
                let style = match layer.shape {
                    Shape::Guide(_) => "class=\"guide\"".to_owned(),
                    _ => format!("stroke=\"{colour}\" stroke-width=\"1.6\""),
                };
                let _ = writeln!(out, "<polyline fill=\"none\" {style} points=\"{}\"/>", points.join(" "));
            }
        }
    }
    out + "</svg>\n"
}

/// A cloud as squares in a few shades; a square with a single sleep is seen too.
fn cloud(of: &Figure, values: &[(f64, f64)], colour: &str, top: f64) -> String {
    let (columns, lines) = GRID;
    let counts = counted(of, values, columns, lines);
    let most = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    let side = (RIGHT - LEFT) / columns as f64;
    let tall = TALL / lines as f64;
    // Few points would hardly be seen at the size of a square.
    let bold = if values.len() < 3000 { 1.0 } else { 0.25 };
    let mut paths = vec![String::new(); SHADES as usize];
    for (place, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let shade = f64::from(SHADES - 1) * libm::log1p(f64::from(*count)) / libm::log1p(most);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ shade < SHADES
        let path = &mut paths[shade as usize];
        let (x, y) = (LEFT + (place % columns) as f64 * side, top + (place / columns) as f64 * tall);
        let _ = write!(
            path,
            "M{:.1} {:.1}h{:.1}v{:.1}h-{:.1}z",
            x - bold / 2.0,
            y - bold / 2.0,
            side + bold,
            tall + bold,
            side + bold
        );
    }
    let mut out = String::new();
    for (shade, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let opacity = 0.42 + 0.58 * shade as f64 / f64::from(SHADES - 1);
        let _ = writeln!(out, "<path fill=\"{colour}\" fill-opacity=\"{opacity:.2}\" d=\"{path}\"/>");
    }
    out
}

/// Returns rows on one axis.
pub(super) fn rows(of: &Rows) -> String {
    let mut names: Vec<String> = Vec::new();
    for row in &of.lines {
        if let RowShape::Parts(parts) = &row.shape {
            for (name, _) in parts {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
    }
    let entries: Vec<(String, String)> = names.iter().map(|name| (filled(name), name.replace('-', " "))).collect();
    let (legend, below) = legend(&entries, 46.0);
    let top = below + 30.0;
    let step = if of.lines.iter().any(|row| matches!(row.shape, RowShape::Ridge { .. })) { 22.0 } else { 26.0 };
    let bottom = top + step * of.lines.len() as f64;
    let longest = of.lines.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let left = (28.0 + 6.7 * longest as f64).clamp(120.0, 380.0);
    let right = WIDTH - 180.0;
    let description: Vec<String> = of.lines.iter().map(|row| format!("{}: {}", row.name, row.figure)).collect();
    let mut out = begun(&of.title, &description.join("; "), bottom + 30.0) + &legend;
    out += "<defs><pattern id=\"rest\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
            <line class=\"hatch\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"6\" stroke-width=\"2\"/></pattern></defs>\n";
    let across = |at: f64| left + at.clamp(0.0, 1.0) * (right - left);
    for mark in of.axis.marks() {
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
    for (index, row) in of.lines.iter().enumerate() {
        let base = top + step * (index + 1) as f64 - 4.0;
        let _ = writeln!(out, "<text x=\"16\" y=\"{base:.0}\">{}</text>", escaped(&row.name));
        let _ = writeln!(
            out,
            "<text class=\"quiet\" x=\"{:.0}\" y=\"{base:.0}\">{}</text>",
            right + 12.0,
            escaped(&row.figure)
        );
        match &row.shape {
            RowShape::Ridge { heights, median, latest } => {
                let mut path = format!("M{left:.1} {base:.1}");
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
                    let _ = writeln!(
                        out,
                        "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\"/>",
                        across(*at),
                        base - 3.0
                    );
                }
            }
            RowShape::Parts(parts) => {
                let mut at = 0.0;
                for (name, ns) in parts {
                    let (from, to) = (across(of.axis.at(at)), across(of.axis.at(at + ns.unsigned_abs() as f64)));
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
                    at += ns.unsigned_abs() as f64;
                }
            }
        }
    }
    if of.more > 0 {
        let _ = writeln!(out, "<text class=\"quiet\" x=\"16\" y=\"{:.0}\">and {} more</text>", bottom + 18.0, of.more);
    }
    out + "</svg>\n"
}

/// How a part is filled: what has no name is hatched.
fn filled(name: &str) -> String {
    if name == UNEXPLAINED || name == "not told apart" {
        return "class=\"rest\"".to_owned();
    }
    format!("fill=\"{}\"", of_cause(name))
}
