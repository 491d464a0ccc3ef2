//! The catalogue of runtimes' timers as a table, with what the runtimes' sources do to a request.

use super::style::{self, Screen, align, table_text};
use oversleep_recording::document::RuntimeApis;

/// Returns the table, and below it what each source does to a request.
pub fn text(found: &RuntimeApis, screen: Screen) -> String {
    let mut table = style::table(&["API", "runtime", "call", "early?", "stands on"], screen);
    for api in &found.apis {
        let early = if api.may_wake_early { "possible" } else { "never" };
        table.add_row([api.api, api.runtime, api.call, early, api.native]);
    }
    align(&mut table, &[0, 1, 2, 3, 4]);
    let mut out = table_text(&table) + "\n" + &screen.lines(0, &screen.heading("what their sources do to a request"));
    let mut said: Vec<(String, &str, &str)> = Vec::new();
    for api in &found.apis {
        let (Some(does), Some(source)) = (api.does, api.does_source) else { continue };
        match said.iter_mut().find(|(_, known, place)| (*known, *place) == (does, source)) {
            Some((names, ..)) => *names += &format!(", {}", api.api),
            None => said.push((api.api.to_owned(), does, source)),
        }
    }
    for (names, does, source) in said {
        out += &screen.lines(2, &format!("{names}: {does} ({source})"));
    }
    out
}
