//! The picture of the rooms and arrows as SVG text: a row for each floor.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::read::Arrow;
use super::table::{Room, Table};

const WIDTH: usize = 190;
const HEIGHT: usize = 44;
const STEP_X: usize = 250;
const STEP_Y: usize = 150;
const MARGIN: usize = 40;
/// Distance of the frame around the rooms of a crate.
const FRAME: usize = 18;
/// Height of the legend below the rooms.
const LEGEND: usize = 64;
/// Distances below a line's start at which its number is tried to be placed: the first, and from one to the next.
const FIRST_DOWN: usize = 26;
const NEXT_DOWN: usize = 14;

const STYLE: &str = "\
text { font: 14px sans-serif; text-anchor: middle; fill: #1f2328; }
.count { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.name { text-anchor: start; font-size: 13px; }
.page { fill: #ffffff; }
.room { fill: #eaf2fb; stroke: #3b6ea5; }
.frame { fill: none; stroke: #3b6ea5; stroke-dasharray: 2 4; }
.arrow { fill: none; stroke: #57606a; marker-end: url(#head); }
.far { stroke-opacity: 0.45; }
.excepted { stroke: #b35900; stroke-dasharray: 6 4; }
#head path { fill: #57606a; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.count { stroke: #0d1117; }
.page { fill: #0d1117; }
.room { fill: #172534; stroke: #6ea8dc; }
.frame { stroke: #6ea8dc; }
.arrow { stroke: #9aa4af; }
.excepted { stroke: #f0a050; }
#head path { fill: #9aa4af; }
}
";

/// Number of places at which a room (first) uses another (second).
type MentionCounts<'a> = BTreeMap<(&'a str, &'a str), usize>;

/// Returns the picture: a box for each room, with floor 0 at the bottom, and a line for each pair of rooms with the
/// number of mentions.
pub(super) fn draw(table: &Table, arrows: &[Arrow]) -> String {
    let mut counts = MentionCounts::new();
    for arrow in arrows.iter().filter(|arrow| arrow.counts) {
        *counts.entry((&arrow.from, &arrow.to)).or_default() += 1;
    }
    let picture = Picture { table, counts };
    let mut out = String::new();
    let _ = picture.write(&mut out);
    out
}

struct Picture<'a> {
    table: &'a Table,
    counts: MentionCounts<'a>,
}

/// A rectangle on the page.
#[derive(Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// The number of a line, centred at `x` on the base line `y`.
struct Label {
    x: usize,
    y: usize,
    text: String,
}

impl Label {
    const HEIGHT: usize = 13;

    /// Returns half of its width.
    fn half(&self) -> usize {
        4 * self.text.len() + 2
    }

    fn touches(&self, other: &Self) -> bool {
        self.x.abs_diff(other.x) < self.half() + other.half() && self.y.abs_diff(other.y) < Self::HEIGHT
    }
}

/// Draws what lines and numbers mean, from `top` on.
fn legend(out: &mut String, top: usize) -> std::fmt::Result {
    let lines = [
        ("arrow", "uses a room on the next lower floor"),
        ("arrow far", "uses one further below"),
        ("arrow excepted", "uses one by an exception of the table"),
    ];
    for (at, (class, meaning)) in lines.iter().enumerate() {
        let (x, y) = (MARGIN + at * 300, top + 8);
        writeln!(out, "<path class=\"{class}\" d=\"M{x} {y} {} {y}\"/>", x + 36)?;
        writeln!(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{meaning}</text>", x + 46, y + 5)?;
    }
    let numbers = "Numbers: in how many places of the code. Boxes: crates and modules; dotted frame: a crate whose modules are boxes.";
    writeln!(out, "<text class=\"name\" x=\"{MARGIN}\" y=\"{}\">{numbers}</text>", top + 38)
}

impl Picture<'_> {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let most = |of: fn(&Room) -> usize| self.table.rooms.iter().map(of).max().unwrap_or(0);
        let width = 2 * MARGIN + most(|room| room.column) * STEP_X + WIDTH;
        let below = 2 * MARGIN + most(|room| room.floor) * STEP_Y + HEIGHT;
        let height = below + LEGEND;
        writeln!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">")?;
        writeln!(out, "<!-- Written by `cargo xtask gen` from the code and xtask/rooms.toml. -->")?;
        writeln!(out, "<title>The rooms of oversleep: who uses whom, and in how many places</title>")?;
        writeln!(out, "<style>\n{STYLE}</style>")?;
        writeln!(out, "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" ")?;
        writeln!(out, "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>")?;
        writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>")?;
        let mut labels = Vec::new();
        for (&(from, to), &count) in &self.counts {
            self.arrow(out, &mut labels, (from, to), count)?;
        }
        for room in &self.table.rooms {
            self.room(out, room)?;
        }
        for Label { x, y, text } in &labels {
            writeln!(out, "<text class=\"count\" x=\"{x}\" y=\"{y}\">{text}</text>")?;
        }
        legend(out, below)?;
        writeln!(out, "</svg>")
    }

    fn room(&self, out: &mut String, room: &Room) -> std::fmt::Result {
        let Area { left, top, right, bottom } = self.area(room);
        let (width, height) = (right - left, bottom - top);
        let divided = self.table.divides(&room.name);
        let class = if divided { "frame" } else { "room" };
        writeln!(
            out,
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
        )?;
        if divided {
            return writeln!(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", left + 8, top + 15, room.name);
        }
        let (x, y) = (left + width / 2, top + height / 2 + 5);
        writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", room.name)
    }

    /// Draws a line from the lower edge of one room to the upper edge of the other, and adds its number to the labels.
    fn arrow(
        &self,
        out: &mut String,
        labels: &mut Vec<Label>,
        (from, to): (&str, &str),
        count: usize,
    ) -> std::fmt::Result {
        let (Some(source), Some(target)) = (self.table.room(from), self.table.room(to)) else { return Ok(()) };
        let (upper, lower) = (self.area(source), self.area(target));
        let (x1, y1) = (self.port(source, |pair| (pair.0 == from).then_some(pair.1), to, upper), upper.bottom);
        let (x2, y2) = (self.port(target, |pair| (pair.1 == to).then_some(pair.0), from, lower), lower.top);
        let excepted = !source.uses.iter().any(|name| name == to);
        let class = match (excepted, source.floor.abs_diff(target.floor)) {
            (true, _) => "arrow excepted",
            (false, 0 | 1) => "arrow",
            (false, _) => "arrow far",
        };
        let plural = if count == 1 { "" } else { "s" };
        writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x1} {y1} {x2} {y2}\"><title>{from} uses {to} in {count} place{plural}</title></path>"
        )?;
        let label = |x, y| Label { x, y, text: count.to_string() };
        if y2 <= y1 + FIRST_DOWN {
            // Rooms on the same floor: at a third of the line.
            labels.push(label((2 * x1 + x2) / 3, (2 * y1 + y2) / 3));
            return Ok(());
        }
        let fall = y2 - y1;
        let across = |down: usize| if x2 >= x1 { x1 + (x2 - x1) * down / fall } else { x1 - (x1 - x2) * down / fall };
        let tried = (FIRST_DOWN..fall).step_by(NEXT_DOWN).map(|down| label(across(down), y1 + down));
        let free = |one: &Label| !labels.iter().any(|other| one.touches(other)) && !self.hides(one);
        let placed = tried.clone().find(free).or_else(|| tried.clone().next());
        labels.extend(placed);
        Ok(())
    }

    /// Returns whether a label would lie on a room.
    fn hides(&self, label: &Label) -> bool {
        let rooms = self.table.rooms.iter().filter(|room| !self.table.divides(&room.name));
        rooms.map(|room| self.area(room)).any(|area| {
            let beside = label.x + label.half() < area.left || label.x > area.right + label.half();
            !beside && label.y + 4 > area.top && label.y < area.bottom + Label::HEIGHT
        })
    }

    /// Returns where an arrow meets a room's edge: its arrows are side by side, in the order of their other ends.
    fn port<'b>(
        &'b self,
        room: &Room,
        other: impl Fn((&'b str, &'b str)) -> Option<&'b str>,
        wanted: &str,
        area: Area,
    ) -> usize {
        let mut ends: Vec<&str> = self.counts.keys().filter_map(|&pair| other(pair)).collect();
        ends.sort_by_key(|name| self.table.room(name).map(|end| (self.middle(end), room.floor.abs_diff(end.floor))));
        let at = ends.iter().position(|name| *name == wanted).unwrap_or(0);
        area.left + (area.right - area.left) * (at + 1) / (ends.len() + 1)
    }

    fn middle(&self, room: &Room) -> usize {
        let area = self.area(room);
        area.left.midpoint(area.right)
    }

    /// Returns a room's box, or the frame around the rooms of a crate that is divided.
    fn area(&self, room: &Room) -> Area {
        let inside = self.table.rooms.iter().filter(|other| other.inside.as_deref() == Some(&room.name));
        let areas: Vec<Area> = inside.map(|room| self.area(room)).collect();
        if areas.is_empty() {
            let top_floor = self.table.rooms.iter().map(|room| room.floor).max().unwrap_or(0);
            let (left, top) = (MARGIN + room.column * STEP_X, MARGIN + (top_floor - room.floor) * STEP_Y);
            return Area { left, top, right: left + WIDTH, bottom: top + HEIGHT };
        }
        let least = |of: fn(&Area) -> usize| areas.iter().map(of).min().unwrap_or(0).saturating_sub(FRAME);
        let most = |of: fn(&Area) -> usize| areas.iter().map(of).max().unwrap_or(0) + FRAME;
        Area {
            left: least(|a| a.left),
            top: least(|a| a.top) - 8,
            right: most(|a| a.right),
            bottom: most(|a| a.bottom),
        }
    }
}
