//! Plots between two axes, one below the other.

use super::{Head, LETTER, SERIES, WIDTH, begun, escaped, legend};
use crate::picture::axis::Mark;
use crate::picture::figure::{Figure, Layer, Shape, Stroke, counted};
use std::fmt::Write;

/// Position of the plot in a plot: left and right edge, and height.
const LEFT: f64 = 86.0;
const RIGHT: f64 = 872.0;
const TALL: f64 = 300.0;
/// Number of squares in a cloud, horizontally and vertically.
const GRID: (usize, usize) = (532, 200);
/// Number of shades in a cloud.
const SHADES: u32 = 5;
/// Number of points below which they are drawn larger.
const FEW: usize = 60;
/// Width of a line's symbol in the legend.
const SYMBOL: f64 = 26.0;
/// Opacity of what other layers are drawn on.
const PALE: f64 = 0.35;

/// Returns a plot as SVG; `measured` says where and when, below the title.
pub(in crate::picture) fn figure(plot: &Figure, measured: &str) -> String {
    figures(std::slice::from_ref(plot), measured, "")
}

/// Returns related plots as one SVG, one below the other, with the title of the first and, unless it is empty,
/// `measured` below it. `name` distinguishes its ids from those of other pictures in a page.
pub(in crate::picture) fn figures(all: &[Figure], measured: &str, name: &str) -> String {
    let title = all.first().map_or("", |plot| plot.title.as_str());
    let head = Head { title, measured };
    let (mut body, mut top) = (String::new(), 0.0);
    for (number, plot) in all.iter().enumerate() {
        let legend_from = if number > 0 { top + 46.0 } else { head.end() };
        if number > 0 {
            let _ =
                writeln!(body, "<text class=\"head\" x=\"16\" y=\"{:.0}\">{}</text>", top + 24.0, escaped(&plot.title));
        }
        let (panel, bottom) = panel(plot, legend_from);
        body += &panel;
        top = bottom;
    }
    let axes: Vec<String> = all.iter().map(|plot| format!("{} against {}.", plot.y.title, plot.x.title)).collect();
    begun(&head, &axes.join(" "), top, name) + &body + "</svg>\n"
}

/// Returns a plot's legend, axes and layers, drawn from `from` down, and the position of its end.
fn panel(plot: &Figure, from: f64) -> (String, f64) {
    let entries: Vec<(String, String)> =
        plot.layers.iter().filter_map(|layer| Some((symbol(layer), layer.name.clone()?))).collect();
    let (legend, below) = legend(&entries, SYMBOL, from);
    let top = below + 16.0;
    let mut out = legend + &axes(plot, top);
    for layer in &plot.layers {
        let colour = colour(layer);
        match &layer.shape {
            Shape::Cloud(values) => out += &cloud(plot, values, colour, top),
            Shape::Dots(values) => out += &dots(plot, values, layer.colour, top),
            Shape::Area(values) => {
                let points = points(plot, values, top);
                let _ = writeln!(out, "<polygon fill=\"{colour}\" fill-opacity=\"{PALE}\" points=\"{points}\"/>");
            }
            Shape::Line(values, _) | Shape::Guide(values) => {
                let points = points(plot, values, top);
                let _ = writeln!(out, "<polyline fill=\"none\" {} points=\"{points}\"/>", stroke(layer));
            }
        }
    }
    (out, top + TALL + 52.0)
}

/// Returns the position of a value, limited to the edges of the plot.
fn place(plot: &Figure, (x, y): (f64, f64), top: f64) -> (f64, f64) {
    let clamped = |at: f64| at.clamp(-0.002, 1.002);
    (LEFT + clamped(plot.x.at(x)) * (RIGHT - LEFT), top + TALL - clamped(plot.y.at(y)) * TALL)
}

/// Returns the positions of values, as an element's points.
fn points(plot: &Figure, values: &[(f64, f64)], top: f64) -> String {
    let places = values.iter().map(|value| place(plot, *value, top));
    places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

fn colour(layer: &Layer) -> &'static str {
    SERIES[layer.colour % SERIES.len()]
}

/// Returns the attributes of a layer's line.
fn stroke(layer: &Layer) -> String {
    let (width, dashes, opacity) = match layer.shape {
        Shape::Guide(_) => return "class=\"guide\"".to_owned(),
        Shape::Line(_, Stroke::Broad) => (7.0, "", PALE),
        Shape::Line(_, Stroke::Dashed) => (2.0, " stroke-dasharray=\"8 4\"", 1.0),
        Shape::Line(_, Stroke::Dotted) => (2.4, " stroke-dasharray=\"2 4\"", 1.0),
        Shape::Line(_, Stroke::DashDotted) => (2.0, " stroke-dasharray=\"9 3 2 3\"", 1.0),
        _ => (1.8, "", 1.0),
    };
    format!("stroke=\"{}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"{dashes}", colour(layer))
}

/// Returns a layer's symbol in the legend.
fn symbol(layer: &Layer) -> String {
    match &layer.shape {
        Shape::Cloud(_) => format!("<rect fill=\"{}\" x=\"16\" y=\"-9\" width=\"10\" height=\"10\"/>", colour(layer)),
        Shape::Dots(_) => format!("<path fill=\"{}\" d=\"{}\"/>", colour(layer), marker(layer.colour, 20.0, -4.0, 3.6)),
        Shape::Area(_) => format!(
            "<rect fill=\"{}\" fill-opacity=\"{PALE}\" y=\"-10\" width=\"{SYMBOL}\" height=\"11\"/>",
            colour(layer)
        ),
        Shape::Line(..) | Shape::Guide(_) => {
            format!("<line {} x1=\"0\" x2=\"{SYMBOL}\" y1=\"-4\" y2=\"-4\"/>", stroke(layer))
        }
    }
}

/// Returns the style of a mark's line: one without a label is a minor one, and paler.
const fn line_style(mark: &Mark) -> &'static str {
    if mark.label.is_some() { "grid" } else { "minor" }
}

/// Returns grid lines, labels of the marks, and axis titles.
fn axes(plot: &Figure, top: f64) -> String {
    let (mut out, bottom) = (String::new(), top + TALL);
    for mark in plot.x.marks() {
        let x = LEFT + mark.at * (RIGHT - LEFT);
        let _ = writeln!(
            out,
            "<line class=\"{}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.0}\" y2=\"{bottom:.0}\"/>",
            line_style(&mark)
        );
        let Some(label) = mark.label else { continue };
        let y = bottom + 17.0;
        // A label of the last mark would extend beyond the picture if it were long.
        let x = x.min(WIDTH - 4.0 - LETTER * label.chars().count() as f64 / 2.0);
        let _ = writeln!(out, "<text class=\"quiet\" x=\"{x:.1}\" y=\"{y:.0}\" text-anchor=\"middle\">{label}</text>");
    }
    for mark in plot.y.marks() {
        let y = bottom - mark.at * TALL;
        let _ = writeln!(
            out,
            "<line class=\"{}\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>",
            line_style(&mark)
        );
        let Some(label) = mark.label else { continue };
        let (x, y) = (LEFT - 8.0, y + 4.0);
        let _ = writeln!(out, "<text class=\"quiet\" x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
    }
    let (middle, half) = (f64::midpoint(LEFT, RIGHT), f64::midpoint(top, bottom));
    let title = |place: String, text: &str| {
        format!("<text class=\"quiet\" {place} text-anchor=\"middle\">{}</text>\n", escaped(text))
    };
    out += &title(format!("x=\"{middle}\" y=\"{:.0}\"", bottom + 38.0), &plot.x.title);
    out + &title(format!("transform=\"translate(16 {half:.0}) rotate(-90)\""), &plot.y.title)
}

/// Returns single points, with a marker and a colour for each series.
fn dots(plot: &Figure, values: &[(f64, f64)], series: usize, top: f64) -> String {
    let inside =
        |value: &&(f64, f64)| [plot.x.at(value.0), plot.y.at(value.1)].iter().all(|at| (0.0..=1.0).contains(at));
    let radius = if values.len() < FEW { 3.2 } else { 2.2 };
    let paths = values.iter().filter(inside).map(|value| {
        let (x, y) = place(plot, *value, top);
        marker(series, x, y, radius)
    });
    let (colour, paths) = (SERIES[series % SERIES.len()], paths.collect::<String>());
    format!("<path fill=\"{colour}\" fill-opacity=\"0.8\" d=\"{paths}\"/>\n")
}

/// Returns the path of a marker: a circle, a square, a triangle, a diamond or a triangle upside down.
fn marker(series: usize, x: f64, y: f64, r: f64) -> String {
    let (left, side) = (x - r, 2.0 * r);
    match series % 5 {
        0 => format!("M{left:.1} {y:.1}a{r} {r} 0 1 0 {side:.1} 0a{r} {r} 0 1 0 -{side:.1} 0z"),
        1 => format!("M{left:.1} {:.1}h{side:.1}v{side:.1}h-{side:.1}z", y - r),
        2 => format!("M{x:.1} {:.1}l{:.1} {:.1}h-{:.1}z", y - 1.3 * r, 1.2 * r, 2.2 * r, 2.4 * r),
        4 => format!("M{x:.1} {:.1}l{:.1} -{:.1}h-{:.1}z", y + 1.3 * r, 1.2 * r, 2.2 * r, 2.4 * r),
        _ => format!(
            "M{x:.1} {:.1}l{:.1} {:.1}l-{:.1} {:.1}l-{:.1} -{:.1}z",
            y - 1.4 * r,
            r,
            1.4 * r,
            r,
            1.4 * r,
            r,
            1.4 * r
        ),
    }
}

/// Returns a cloud as squares in a few shades; a square with a single sleep is still visible.
fn cloud(plot: &Figure, values: &[(f64, f64)], colour: &str, top: f64) -> String {
    let (columns, lines) = GRID;
    let counts = counted(plot, values, columns, lines);
    let most = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    let side = (RIGHT - LEFT) / columns as f64;
    let tall = TALL / lines as f64;
    // A few points would hardly be visible at the size of a square.
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
