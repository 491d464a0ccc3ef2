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
type Counts<'a> = BTreeMap<(&'a str, &'a str), usize>;

/// Returns the picture: a box for each room, with floor 0 at the bottom, and a line for each pair of rooms with the
/// number of mentions.
pub(super) fn draw(table: &Table, arrows: &[Arrow]) -> String {
    let mut counts = Counts::new();
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
    counts: Counts<'a>,
}

/// A rectangle on the page.
#[derive(Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Picture<'_> {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let most = |of: fn(&Room) -> usize| self.table.rooms.iter().map(of).max().unwrap_or(0);
        let width = 2 * MARGIN + most(|room| room.column) * STEP_X + WIDTH;
        let height = 2 * MARGIN + most(|room| room.floor) * STEP_Y + HEIGHT;
        writeln!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">")?;
        writeln!(out, "<!-- Written by `cargo xtask gen` from the code and xtask/rooms.toml. -->")?;
        writeln!(out, "<title>The rooms of oversleep: who uses whom, and in how many places</title>")?;
        writeln!(out, "<style>\n{STYLE}</style>")?;
        writeln!(out, "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" ")?;
        writeln!(out, "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>")?;
        writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>")?;
        let mut labels = String::new();
        for (&(from, to), &count) in &self.counts {
            self.arrow(out, &mut labels, (from, to), count)?;
        }
        for room in &self.table.rooms {
            self.room(out, room)?;
        }
        writeln!(out, "{labels}</svg>")
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

    /// Draws a line from the lower edge of one room to the upper edge of the other, with the number near its start.
    fn arrow(&self, out: &mut String, labels: &mut String, (from, to): (&str, &str), count: usize) -> std::fmt::Result {
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
        let places = if count == 1 { "place" } else { "places" };
        writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x1} {y1} {x2} {y2}\"><title>{from} uses {to} in {count} {places}</title></path>"
        )?;
        // At a fixed height below the start, whatever the line's length, so that the numbers of a room stand in a row.
        let down = 26;
        if y2 <= y1 + down {
            // Rooms on the same floor: at a third of the line.
            let (x, y) = ((2 * x1 + x2) / 3, (2 * y1 + y2) / 3);
            return writeln!(labels, "<text class=\"count\" x=\"{x}\" y=\"{y}\">{count}</text>");
        }
        let fall = y2 - y1;
        let x = if x2 >= x1 { x1 + (x2 - x1) * down / fall } else { x1 - (x1 - x2) * down / fall };
        writeln!(labels, "<text class=\"count\" x=\"{x}\" y=\"{}\">{count}</text>", y1 + down)
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
