//! Measurements of runtimes as text: one table, with one row per API and request.

use super::columns::{self, Column};
use super::percent::percent;
use super::requests::Requests;
use super::style::{self, Screen};
use oversleep_figures::quantile::{Fraction, samples_needed};
use oversleep_recording::document::runtimes::{KernelRequest, RuntimeApi, RuntimeCell, Runtimes};
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;

/// Returns the measurements of runtimes as text.
pub fn text(found: &Runtimes, screen: Screen) -> String {
    if found.apis.is_empty() {
        return "no runtime could be measured\n".to_owned();
    }
    let mut out = table(found, screen) + "\n";
    out += &screen.lines(0, &screen.heading("what the runtimes do"));
    for api in &found.apis {
        out += &screen.lines(2, &format!("{}: {}", name(api), mechanisms(api)));
    }
    let names: Vec<String> = found.apis.iter().map(name).collect();
    let programs: Vec<_> = found.apis.iter().zip(&names).map(|(api, name)| (&**name, &*api.told)).collect();
    out += &kernel_requests(&programs, screen);
    let alternatives = alternatives_to(found);
    if !alternatives.is_empty() {
        out += "\n";
        out += &screen.lines(0, &screen.heading("for a sleep on time"));
    }
    for (runtime, lines) in alternatives {
        out += &screen.lines(2, &runtime);
        for (line, calls) in lines {
            out += &screen.lines(4, &format!("{}: {line}", calls.join(", ")));
        }
    }
    out += "\n";
    let note = "share = the median of the runtime's lateness − that of the kernel's primitive it should stand on, over pairs of \
                blocks that took turns, which need not be the difference of the two medians";
    out += &screen.lines(0, &screen.aside(note));
    let short_of = found.apis.iter().flat_map(|api| &api.cells).any(|cell| cell.n > 0 && cell.p99.is_none());
    if short_of {
        let fewest = samples_needed(Fraction::P99);
        // A command is not chosen with --only.
        let selection = if found.apis.iter().any(|api| api.call.is_some()) { ", --only NAME of some APIs" } else { "" };
        let note = format!(
            "p99 needs at least {fewest} sleeps of a request; the others have only a median: -n \
             {fewest} makes enough of every request{selection}"
        );
        out += &screen.lines(0, &screen.aside(&note));
    }
    out
}

/// Returns what a recording of runtimes shows, in one sentence.
pub fn headline(found: &Runtimes) -> String {
    let shares = found.apis.iter().flat_map(|api| api.cells.iter().map(move |cell| (api, cell)));
    let shares = shares.filter_map(|(api, cell)| Some((cell.share?.difference.size, api, cell.requested)));
    let largest = shares.min_by_key(|(size, ..)| Reverse(size.abs()));
    match (largest, found.apis.len()) {
        (Some((size, api, request)), apis) => {
            let among = if apis == 1 { String::new() } else { format!(", the largest share of {apis} APIs") };
            let what = if size < Nanos::ZERO { "takes from" } else { "adds to" };
            format!("{} {what} a sleep of {request} {} at the median{among}.", name(api), size.abs())
        }
        (None, 0) => "No runtime could be measured.".to_owned(),
        (None, apis) => format!("{apis} APIs slept, too few times for a share of the lateness."),
    }
}

/// Returns one row for each API and request.
fn table(found: &Runtimes, screen: Screen) -> String {
    let cells = || found.apis.iter().flat_map(|api| &api.cells);
    let requests = Requests::new(cells().map(|cell| Pattern::fixed(cell.requested)));
    let rows: Vec<[String; 10]> = found
        .apis
        .iter()
        .flat_map(|api| api.cells.iter().enumerate().map(move |(index, cell)| (api, cell, index == 0)))
        .map(|(api, cell, first)| row(api, cell, first, &requests))
        .collect();
    let values = |index: usize| rows.iter().map(|row| row[index].clone()).collect();
    let has_p99 = cells().any(|cell| cell.p99.is_some());
    let costs = super::table::costs(&cells().map(|cell| cell.cost).collect::<Vec<_>>());
    let columns: Vec<Column> = [
        Column::words("API", values(0)).breakable(),
        Column::figures("request", values(1)),
        Column::figures("n", values(2)).expendable(4),
        Column::figures("p50", values(3)),
        Column::figures("p99", values(4)).expendable(if has_p99 { 5 } else { 0 }),
        Column::figures("early", values(5)).expendable(6),
        Column::figures("native p50", values(6)).expendable(2),
        Column::figures("share", values(7)),
        Column::figures("95 % interval", values(8)).expendable(3),
        Column::words("not early", values(9)).expendable(1),
    ]
    .into_iter()
    .chain(costs)
    .collect();
    columns::fitted(&columns, screen)
}

/// Returns the times that these programs passed to the kernel, if their system calls were traced.
pub fn kernel_requests(programs: &[(&str, &[KernelRequest])], screen: Screen) -> String {
    let mut out = String::new();
    for (name, requests) in programs.iter().filter(|(_, requests)| !requests.is_empty()) {
        let sentences: Vec<String> = requests.iter().map(KernelRequest::sentence).collect();
        out += &screen.lines(2, &format!("{name}: {}", sentences.join("; ")));
    }
    if out.is_empty() {
        out
    } else {
        "\n".to_owned() + &screen.lines(0, &screen.heading("times that the kernel got")) + &out
    }
}

fn row(api: &RuntimeApi, cell: &RuntimeCell, first: bool, requests: &Requests) -> [String; 10] {
    let share = cell.share.map(|share| share.difference);
    [
        if first { name(api) } else { String::new() },
        requests.text(Pattern::fixed(cell.requested)),
        cell.n.to_string(),
        style::figure(cell.p50),
        style::figure(cell.p99),
        percent((cell.n > 0).then(|| cell.early as f64 / cell.n as f64), 0),
        style::figure(cell.native_p50),
        share.map_or_else(|| "–".to_owned(), |share| share.size.to_string()),
        share.map_or_else(|| "–".to_owned(), |share| format!("{} to {}", share.low, share.high)),
        promise(api, cell).to_owned(),
    ]
}

/// Returns whether the runtime kept its documented promise not to wake early.
fn promise(api: &RuntimeApi, cell: &RuntimeCell) -> &'static str {
    match api.may_wake_early {
        Some(false) if cell.early > 0 => "broken",
        Some(false) => "kept",
        Some(true) => "none",
        None => "–",
    }
}

/// Returns the name of an API: the runtime and its call if the catalogue has them.
pub fn name(api: &RuntimeApi) -> String {
    let runtime = api.runtime.as_deref().and_then(|runtime| runtime.split_whitespace().next());
    match (runtime, api.call) {
        (Some(runtime), Some(call)) => format!("{runtime} {call}"),
        _ => api.api.clone(),
    }
}

/// Returns everything that was found about an API, in one line.
pub fn mechanisms(api: &RuntimeApi) -> String {
    let mut notes: Vec<String> = api.mechanisms.iter().map(|found| found.mechanism.sentence(found.size)).collect();
    notes.extend(api.undecided.as_ref().map(|open| format!("open: {open}")));
    if api.collections > 0 {
        notes.push(format!("{} collections of garbage", api.collections));
    }
    notes.extend(api.clock_cost.map(|cost| format!("two readings of its clock cost {cost}")));
    notes
        .extend(api.clock_error.filter(|error| *error > Nanos::ZERO).map(|error| format!("clock tied within {error}")));
    if api.mechanisms.is_empty() && api.undecided.is_none() {
        let hidden = hidden(api).map(|size| {
            format!(" (one that moves most wake-ups by less than {size}, or few of them, would not be seen)")
        });
        notes.insert(0, format!("no mechanism seen{}", hidden.unwrap_or_default()));
    }
    notes.join("; ")
}

/// Returns how large a rule may be that was not seen: what a rule must explain to be named, or the largest share that the
/// intervals allow. `None` where a request has too few sleeps for an interval.
fn hidden(api: &RuntimeApi) -> Option<Nanos> {
    let largest = |cell: &RuntimeCell| {
        let share = cell.share?.difference;
        Some(share.low.abs().max(share.high.abs()))
    };
    let shares = api.cells.iter().map(largest).collect::<Option<Vec<_>>>()?;
    shares.into_iter().chain(api.resolution).max().filter(|_| api.resolution.is_some())
}

/// An alternative, and the calls that it is one for.
type Alternative = (&'static str, Vec<&'static str>);

/// Returns what to call instead, for each runtime.
fn alternatives_to(found: &Runtimes) -> Vec<(String, Vec<Alternative>)> {
    let mut all: Vec<(String, Vec<Alternative>)> = Vec::new();
    for api in &found.apis {
        let (Some(runtime), Some(line)) = (api.runtime.clone(), api.instead) else { continue };
        let call = api.call.unwrap_or_default();
        let place = all.iter().position(|(known, _)| *known == runtime).unwrap_or_else(|| {
            all.push((runtime, Vec::new()));
            all.len() - 1
        });
        let alternatives = &mut all[place].1;
        match alternatives.iter_mut().find(|(known, _)| *known == line) {
            Some((_, calls)) => calls.push(call),
            None => alternatives.push((line, vec![call])),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Difference;
    use oversleep_recording::document::clocks::Tool;
    use oversleep_recording::document::runtimes::RuntimeShare;
    use oversleep_recording::runtimes::APIS;

    /// Returns figures of every API, as a run of a terminal's width may have them.
    fn every_api(late: Option<Nanos>, is_called: bool) -> Runtimes {
        let us = Nanos::from_micros;
        let difference = Difference { size: us(-472), low: us(-482), high: us(-460) };
        let cell = RuntimeCell {
            requested: us(1_500),
            n: 100,
            early: 99,
            p50: Some(us(-381)),
            p99: late,
            native_n: 33,
            native_p50: Some(us(98)),
            share: Some(RuntimeShare { difference, blocks: 6 }),
            load_share: None,
            cost: None,
            native_cost: None,
        };
        let api = |row: &oversleep_recording::runtimes::Api| RuntimeApi {
            api: row.name.to_owned(),
            call: is_called.then_some(row.call),
            runtime: Some(format!("{} 1.0", row.runtime().title)),
            unit: None,
            promise: None,
            source: None,
            may_wake_early: Some(true),
            native: Some("nanosleep"),
            schedule: false,
            clock_cost: None,
            clock_error: None,
            warm_up: 50,
            collections: 0,
            cells: vec![cell.clone()],
            mechanisms: Vec::new(),
            does: None,
            does_source: None,
            told: Vec::new(),
            undecided: None,
            resolution: None,
            instead: None,
        };
        Runtimes {
            format: 1,
            tool: Tool { name: String::new(), version: String::new() },
            apis: APIS.iter().map(api).collect(),
            unavailable: Vec::new(),
            stopped: false,
        }
    }

    #[test]
    fn on_80_columns_stand_the_median_the_share_and_how_many_were_early() {
        for (p99, headings) in [
            (None, ["API", "request", "n", "p50", "early", "share"]),
            (Some(Nanos::MILLISECOND), ["API", "request", "p50", "p99", "early", "share"]),
        ] {
            let mut found = every_api(p99, true);
            // Rust's calls are longer than those of others.
            found.apis.retain(|api| p99.is_none() || !api.api.starts_with("rust-"));
            let text = table(&found, Screen { width: 80, colour: false });
            let heading = text.lines().next().unwrap_or_default();
            for wanted in headings {
                assert!(heading.split_whitespace().any(|word| word == wanted), "{wanted} is not in: {heading}");
            }
        }
    }

    #[test]
    fn the_headline_is_the_largest_share() {
        let mut found = every_api(None, true);
        found.apis.truncate(2);
        let expected = "Python time.sleep takes from a sleep of 1.50 ms 472 µs at the median";
        assert_eq!(headline(&found), format!("{expected}, the largest share of 2 APIs."));
        found.apis.truncate(1);
        assert_eq!(headline(&found), format!("{expected}."));
        found.apis.clear();
        assert_eq!(headline(&found), "No runtime could be measured.");
    }

    #[test]
    fn only_is_advised_where_it_can_be_given() {
        for call in [true, false] {
            let text = text(&every_api(None, call), Screen { width: 80, colour: false });
            assert_eq!(text.contains("--only"), call, "{text}");
        }
    }
}
