//! The screen of `watch`: what is measured, oversleep over time, and a row for each cell and processor.
//!
//! It is made for 80 columns and 24 lines and uses more if there are more. Nothing is shown only by colour.

use super::screen::{HELP, SHORT_HELP, Shown, View};
use oversleep_lab::report::columns::{self, Column};
use oversleep_lab::report::live::{Live, LiveRow, Spectrum, TIME_STEP};
use oversleep_recording::{Origin, Sample};
use oversleep_sys::units::Nanos;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// Columns to the left of the picture, for the axis labels.
const MARKS: usize = 7;

/// Characters of rising density. Even a single sleep gets the first of them.
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

/// Draws the whole screen.
pub(super) fn draw(frame: &mut Frame<'_>, live: &Live, view: &View, shown: Shown) {
    let area = frame.area();
    let heads = head(live, view, shown);
    let rows = u16::try_from(live.rows().count()).unwrap_or(u16::MAX).clamp(1, 200);
    let tall = u16::try_from(heads.len()).unwrap_or(3);
    // The picture gets the height that the rows leave, and at least a line for each decade.
    let least = u16::try_from(Spectrum::FEWEST_ROWS).unwrap_or(6) + 2;
    let worst = worst_lines(live, shown.on_late, area.width.into());
    let worst_tall = u16::try_from(worst.len()).unwrap_or(1);
    let table = (rows + 1).min(area.height.saturating_sub(tall + least + worst_tall + 1)).max(2);
    let [head_area, picture_area, table_area, worst_area, foot_area] = Layout::vertical([
        Constraint::Length(tall),
        Constraint::Min(least),
        Constraint::Length(table),
        Constraint::Length(worst_tall),
        Constraint::Length(1),
    ])
    .areas(area);
    lines(frame.buffer_mut(), head_area, heads);
    picture(frame.buffer_mut(), picture_area, live, view, shown);
    lines(frame.buffer_mut(), table_area, row_lines(live, view, table_area));
    lines(frame.buffer_mut(), worst_area, worst.into_iter().map(Line::from).collect());
    let help = if HELP.chars().count() <= usize::from(area.width) { HELP } else { SHORT_HELP };
    let foot = view.said.clone().unwrap_or_else(|| help.to_owned());
    lines(frame.buffer_mut(), foot_area, vec![Line::styled(foot, Style::new().add_modifier(Modifier::DIM))]);
}

/// Writes lines from the top of an area on; what does not fit is not shown.
fn lines(buffer: &mut Buffer, area: Rect, text: Vec<Line<'_>>) {
    for (line, y) in text.into_iter().zip(area.top()..area.bottom()) {
        buffer.set_line(area.x, y, &line, area.width);
    }
}

fn head(live: &Live, view: &View, shown: Shown) -> Vec<Line<'static>> {
    let machine = match &live.meta().origin {
        Origin::Simulated { model, .. } => format!("simulated kernel {model}"),
        Origin::Imported { file, .. } => format!("imported from {file}"),
        Origin::Live => {
            let machine = &live.meta().machine;
            format!("{} {}, {} processors", machine.system, machine.release, machine.processor.online.len())
        }
    };
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
    let hertz = live.hertz().map_or_else(|| "–".to_owned(), |hertz| format!("{hertz:.0}"));
    let source = live.meta().machine.timekeeping.clocksource.clone().unwrap_or_else(|| "–".to_owned());
    let state = match (view.paused, view.over, shown.live) {
        (true, ..) => "paused",
        (_, true, true) => "finished, q quits",
        (_, true, false) => "end of the recording",
        (.., true) => "measuring",
        _ => "replay",
    };
    let (sleeps, failed) = live.seen();
    let failed = if failed > 0 { format!(", {failed} failed calls") } else { String::new() };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let seconds = format!("{:.1} s", live.now().as_secs_f64());
    let mut out = vec![
        Line::from(vec![Span::styled("oversleep watch", bold), Span::raw(format!("  {machine}"))]),
        Line::from(format!("HZ {hertz}   timer slack {}   clock source {source}", time(live.slack()))),
        Line::from(vec![Span::styled(state, bold), Span::raw(format!("  {seconds}, {sleeps} sleeps{failed}"))]),
    ];
    if let Some(periods) = live.periods() {
        let (asked, fresh, late, skipped) = (periods.asked, periods.fresh, periods.late, periods.skipped);
        out.push(Line::from(format!("periods: {asked} = {fresh} fresh + {late} late + {skipped} skipped")));
    }
    out
}

/// Draws oversleep over time, darker where there are more sleeps.
fn picture(buffer: &mut Buffer, area: Rect, live: &Live, view: &View, shown: Shown) {
    let (width, height) =
        (usize::from(area.width).saturating_sub(MARKS + 1), usize::from(area.height).saturating_sub(2));
    if width == 0 || height == 0 {
        return;
    }
    let group = 1_usize << view.zoom;
    let counts = live.spectrum().picture(width, height, group);
    let most: Vec<u64> = (0..width).map(|x| counts.iter().map(|row| row[x]).max().unwrap_or(0)).collect();
    for (y, row) in counts.iter().enumerate() {
        let early = y == height;
        let mark = match y {
            _ if early && row.iter().any(|count| *count > 0) => "early".to_owned(),
            _ if early => String::new(),
            _ => decade(height, y),
        };
        let mut spans = vec![Span::raw(format!("{mark:>MARKS$}│"))];
        spans.extend(row.iter().zip(&most).map(|(count, most)| shade(*count, *most, y, height, shown.colour)));
        let place = Rect { y: area.y + u16::try_from(y).unwrap_or(0), height: 1, ..area };
        lines(buffer, place, vec![Line::from(spans)]);
    }
    let column_time = Nanos::new(TIME_STEP.get() * i64::try_from(group).unwrap_or(1));
    let whole = Nanos::new(column_time.get().saturating_mul(i64::try_from(width).unwrap_or(1)));
    let axis = |width: &str| format!("{:MARKS$}└ oversleep, the latest {whole}{width}; now at the right", "");
    let axis = Some(axis(&format!(", {column_time} a column")))
        .filter(|axis| axis.chars().count() <= area.width.into())
        .unwrap_or_else(|| axis(""));
    let place = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    lines(buffer, place, vec![Line::styled(axis, Style::new().add_modifier(Modifier::DIM))]);
}

/// Returns the axis label of row `y`: a power of ten if a decade begins there, or nothing.
fn decade(height: usize, y: usize) -> String {
    let (here, below) = (Spectrum::edge(height, y), Spectrum::edge(height, y + 1));
    let begins = |power: &i64| {
        let power = *power as f64;
        below.as_f64() * 1.000_1 < power && power <= here.as_f64() * 1.000_1
    };
    let powers = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    let lowest = y + 1 == height;
    let power = powers.iter().find(|power| begins(power)).copied().or(lowest.then_some(1_000));
    power.map_or_else(String::new, |power| Nanos::new(power).to_string().replace(".00 ", " ").replace(".0 ", " "))
}

fn shade(count: u64, most: u64, y: usize, height: usize, colour: bool) -> Span<'static> {
    if count == 0 {
        return Span::raw(" ");
    }
    let share = (count as f64).ln_1p() / (most.max(1) as f64).ln_1p();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 < share ≤ 1
    let place = ((share * SHADES.len() as f64).ceil() as usize).clamp(1, SHADES.len()) - 1;
    // As on the HTML page, with yellow for its orange: blue, but yellow from a millisecond on and for early sleeps.
    let late = y == height || Spectrum::edge(height, y) >= Nanos::MILLISECOND;
    let style = match (colour, late) {
        (false, _) => Style::new(),
        (true, false) => Style::new().fg(Color::Blue),
        (true, true) => Style::new().fg(Color::Yellow),
    };
    Span::styled(SHADES[place].to_string(), style)
}

/// Returns a buffer's content as text.
pub(super) fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let line = |y: u16| {
        let cells = (area.left()..area.right()).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    (area.top()..area.bottom()).map(line).collect()
}

/// Width of a column of times, so that the columns stay where they are while times change.
const TIME: usize = 8;
/// Least width of the column with the numbers of sleeps.
const COUNT: usize = 6;
/// Least width of the names.
const NAME: usize = 12;

/// Returns a heading and the rows for which there is room.
fn row_lines(live: &Live, view: &View, area: Rect) -> Vec<Line<'static>> {
    let all: Vec<&LiveRow> = live.rows().collect();
    let room = usize::from(area.height).saturating_sub(1).max(1);
    let first = view.scrolled.min(all.len().saturating_sub(room));
    let visible = &all[first..(first + room).min(all.len())];
    let mut rows = columns::lines(&columns(live, visible), 1, area.width.into()).into_iter();
    let heading = rows.next().unwrap_or_default();
    let mut out = vec![Line::styled(heading, Style::new().add_modifier(Modifier::BOLD))];
    if all.is_empty() {
        out.push(Line::from("waiting for the first sleeps"));
        return out;
    }
    out.extend(rows.map(Line::from));
    let hidden = all.len() - visible.len();
    if hidden > 0
        && let Some(last) = out.last_mut()
    {
        *last = Line::from(format!("and {} more rows (↑/↓)", hidden + 1));
    }
    out
}

/// Returns the columns: of those that may be left out, `cpu` and `p50` are worth more than the end of a long name.
fn columns(live: &Live, rows: &[&LiveRow]) -> Vec<Column> {
    let values = |f: &dyn Fn(&LiveRow) -> String| -> Vec<String> { rows.iter().map(|row| f(row)).collect() };
    let cpu = |row: &LiveRow| if row.cpu == Sample::NO_CPU { "–".to_owned() } else { row.cpu.to_string() };
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
    let times = |heading, value: &dyn Fn(&LiveRow) -> Option<Nanos>| {
        Column::figures(heading, values(&|row| time(value(row)))).reserving(TIME)
    };
    let mut columns = vec![
        Column::words("method", values(&|row| live.label(row.cell))).reserving(NAME).shortened(NAME, 2),
        Column::figures("n", values(&|row| row.n.to_string())).reserving(COUNT).expendable(0),
        times("latest", &|row| Some(row.latest)).expendable(1),
        times("p50", &|row| row.quantiles()[0]).expendable(2),
        times("p99", &|row| row.quantiles()[1]),
        times("worst", &|row| row.worst.map(|worst| worst.late)),
    ];
    // A simulated kernel has no numbered processors.
    if rows.iter().any(|row| row.cpu != Sample::NO_CPU) {
        columns.insert(1, Column::figures("cpu", values(&cpu)).expendable(3));
    }
    columns
}

/// Most lines that it takes.
const MOST: usize = 3;

/// Returns the lines, each at most `width` columns wide. `on_late` is the threshold above which sleeps are examined, if
/// that was asked for.
fn worst_lines(live: &Live, on_late: Option<Nanos>, width: usize) -> Vec<String> {
    let Some((row, worst)) = live.worst() else { return vec![String::new()] };
    let threshold = on_late.or_else(|| live.notes().late.as_ref().map(|late| late.threshold));
    let cause = match (live.cause_of(row.cell, worst), threshold) {
        (Some(cause), _) => cause.to_owned(),
        (None, Some(threshold)) if worst.late <= threshold => {
            format!("not examined, because --on-late is {threshold}")
        }
        (None, Some(_)) => "not examined; --late-limit gives how many are".to_owned(),
        (None, None) => "cause not recorded (--on-late TIME)".to_owned(),
    };
    let text = format!("worst: {} at {:.1} s, {}: {cause}", worst.late, worst.at.as_secs_f64(), live.label(row.cell));
    broken(&text, width.max(1))
}

/// Breaks a text between words into lines of this width, the last with `…` if there are more than [`MOST`].
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let count = lines.len();
        let last = &mut lines[count - 1];
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            *last += " ";
            *last += word;
        } else if count < MOST {
            lines.push(word.to_owned());
        } else {
            *last = last.chars().take(width - 1).chain(['…']).collect();
            break;
        }
    }
    lines
}

#[cfg(test)]
mod tests;
