//! The catalogue of runtimes' timers as a table, with what the runtimes' sources do to a request.

use super::columns::{self, Column};
use super::style::Screen;
use oversleep_recording::document::{ApiFacts, RuntimeApis};

/// Returns the table, and below it what each source does to a request.
pub fn text(found: &RuntimeApis, screen: Screen) -> String {
    let values = |f: fn(&ApiFacts) -> &str| -> Vec<String> { found.apis.iter().map(|api| f(api).to_owned()).collect() };
    let columns = [
        Column::words("API", values(|api| api.api)),
        Column::words("runtime", values(|api| api.runtime)).expendable(0),
        Column::words("call", values(|api| api.call)).breakable(),
        Column::words("early?", values(|api| if api.may_wake_early { "possible" } else { "never" })).expendable(1),
        Column::words("stands on", values(|api| api.native)).expendable(2),
    ];
    let table = columns::fitted(&columns, screen);
    let mut out = table + "\n" + &screen.lines(0, &screen.heading("what their sources do to a request"));
    let mut rules: Vec<(String, &str, &str)> = Vec::new();
    for api in &found.apis {
        let (Some(does), Some(source)) = (api.does, api.does_source) else { continue };
        match rules.iter_mut().find(|(_, known, place)| (*known, *place) == (does, source)) {
            Some((names, ..)) => *names += &format!(", {}", api.api),
            None => rules.push((api.api.to_owned(), does, source)),
        }
    }
    for (names, does, source) in rules {
        out += &screen.lines(2, &format!("{names}: {does} ({source})"));
    }
    out
}
