//! Plots between two axes as text, with a legend of their series.
//!
//! One series is drawn as braille dots. Several differ in the colours of their dots, or, without colours, by a mark
//! for each in place of the dots. Where series meet, the one with the most dots is shown; lines lie above clouds.

use super::labels_below;
use crate::picture::figure::{Figure, Layer, Shape, counted};
use crate::style::{Screen, unbroken};
use anstyle::{AnsiColor, Style};
use oversleep_recording::text::visible;

/// Number of lines of a plot.
const LINES: usize = 18;
/// Number of columns for labels of the vertical axis.
const LEFT: usize = 9;

/// Colours of series, in the order of those in other formats.
const COLOURS: [AnsiColor; 8] = [
    AnsiColor::BrightBlue,
    AnsiColor::Red,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Yellow,
    AnsiColor::Cyan,
    AnsiColor::BrightYellow,
    AnsiColor::BrightBlack,
];
/// Marks of series, in turn; a line that the data are compared with has a mark of its own.
const MARKS: [char; 10] = ['o', '+', 'x', '*', '#', '@', '%', '&', '$', '~'];
const GUIDE: char = '·';
/// A legend's symbol for a series that differs by its colour.
const DOTS: char = '⣿';

/// Returns a plot between two axes as text.
pub(in crate::picture) fn figure(figure: &Figure, screen: Screen) -> String {
    let width = usize::from(screen.width).clamp(40, 120) - LEFT - 1;
    let drawn: Vec<Vec<u32>> = figure.layers.iter().map(|layer| dots(figure, layer, width)).collect();
    let mut labels = vec![String::new(); LINES];
    for mark in figure.y.marks() {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ at ≤ 1
        let line = ((1.0 - mark.at.clamp(0.0, 1.0)) * LINES as f64) as usize;
        if let Some(label) = mark.label {
            labels[line.min(LINES - 1)] = label;
        }
    }
    let mut out = screen.lines(0, &screen.heading(&figure.title));
    out += &screen.lines(0, &screen.aside(&format!("{} against {}", figure.y.title, figure.x.title)));
    for (line, label) in labels.iter().enumerate() {
        out += &format!("{label:>LEFT$}│{}\n", row(&figure.layers, &drawn, width, line, screen));
    }
    out += &format!("{:>LEFT$}└{}\n{:>LEFT$} ", "", "─".repeat(width), "");
    out += &labels_below(&figure.x, width);
    out.push('\n');
    out + &legend(&figure.layers, screen)
}

/// Returns the names of series, each after its symbol; nothing if none has a name.
fn legend(layers: &[Layer], screen: Screen) -> String {
    let entry = |(index, layer): (usize, &Layer)| {
        let name = visible(layer.name.as_deref()?);
        let symbol = if marked(layers, screen) { mark(layers, index) } else { DOTS };
        Some(unbroken(&format!("{} {name}", painted(&symbol.to_string(), layers, index, screen))))
    };
    let entries: Vec<String> = layers.iter().enumerate().filter_map(entry).collect();
    if entries.is_empty() { String::new() } else { screen.lines(0, &entries.join("   ")) }
}

/// Returns whether series differ by marks.
fn marked(layers: &[Layer], screen: Screen) -> bool {
    layers.len() > 1 && !screen.colour
}

/// Returns the mark of a series.
fn mark(layers: &[Layer], index: usize) -> char {
    if matches!(layers[index].shape, Shape::Guide(_)) { GUIDE } else { MARKS[index % MARKS.len()] }
}

/// Returns text in the colour of a series, if there are several.
fn painted(text: &str, layers: &[Layer], index: usize, screen: Screen) -> String {
    match layers[index].shape {
        _ if layers.len() < 2 => text.to_owned(),
        Shape::Guide(_) => screen.paint(text, Style::new().dimmed()),
        _ => screen.paint(text, COLOURS[layers[index].colour % COLOURS.len()].on_default()),
    }
}

/// Returns the number of points of a layer at each dot: two by four dots for each character.
fn dots(figure: &Figure, layer: &Layer, width: usize) -> Vec<u32> {
    match &layer.shape {
        Shape::Cloud(values) | Shape::Dots(values) => counted(figure, values, 2 * width, 4 * LINES),
        Shape::Line(values, _) | Shape::Area(values) | Shape::Guide(values) => {
            counted(figure, &interpolate(figure, values), 2 * width, 4 * LINES)
        }
    }
}

/// Returns one line of the plot.
fn row(layers: &[Layer], drawn: &[Vec<u32>], width: usize, line: usize, screen: Screen) -> String {
    let mut out = String::new();
    // Characters of the same series, which are painted together.
    let (mut run, mut series) = (String::new(), None);
    let (blank, mut blanks) = (if marked(layers, screen) { ' ' } else { braille_letter(0) }, 0);
    for column in 0..width {
        let codes: Vec<u32> = drawn.iter().map(|dots| braille(dots, 2 * width, column, line)).collect();
        let Some(owner) = owner(layers, &codes) else {
            blanks += 1;
            continue;
        };
        if series != Some(owner) {
            out += &series.map_or(String::new(), |index| painted(&run, layers, index, screen));
            run.clear();
        }
        run.extend(std::iter::repeat_n(blank, blanks));
        (series, blanks) = (Some(owner), 0);
        let all = codes.iter().fold(0, |all, code| all | code);
        let letter = if marked(layers, screen) { mark(layers, owner) } else { braille_letter(all) };
        run.push(letter);
    }
    out + &series.map_or(String::new(), |index| painted(&run, layers, index, screen))
}

/// Returns the layer that is shown in a character where these layers have these dots: lines before clouds, then the one with
/// the most dots, then the upper one.
fn owner(layers: &[Layer], codes: &[u32]) -> Option<usize> {
    let present = (0..layers.len()).filter(|&at| codes[at] != 0);
    present.max_by_key(|&at| {
        let cloud = matches!(layers[at].shape, Shape::Cloud(_) | Shape::Area(_));
        (!cloud, codes[at].count_ones(), at)
    })
}

/// Returns a line as points that are dense enough to look joined, straight between its values on the axes.
fn interpolate(figure: &Figure, values: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const STEPS: u32 = 200;
    let mut out = Vec::new();
    for pair in values.windows(2) {
        for step in 0..STEPS {
            let share = f64::from(step) / f64::from(STEPS);
            out.push((figure.x.between(pair[0].0, pair[1].0, share), figure.y.between(pair[0].1, pair[1].1, share)));
        }
    }
    out
}

/// Returns which of the two by four dots of a character are set, as in the code of a braille character.
fn braille(dots: &[u32], width: usize, column: usize, line: usize) -> u32 {
    /// Bit of each dot, by line and column.
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let mut code = 0;
    for (y, bits) in BITS.iter().enumerate() {
        for (x, bit) in bits.iter().enumerate() {
            if dots[(4 * line + y) * width + 2 * column + x] > 0 {
                code |= bit;
            }
        }
    }
    code
}

/// Returns the braille character with these dots.
fn braille_letter(code: u32) -> char {
    char::from_u32(0x2800 + code).unwrap_or(' ')
}
