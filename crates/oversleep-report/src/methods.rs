//! The catalogue of methods as a table.

use super::columns::{self, Column};
use super::style::Screen;
use oversleep_recording::catalog::{Early, MethodRow};
use oversleep_recording::document::{ApiFacts, RuntimeApis};

/// Returns a table of methods, with whether this build can measure each of them here.
pub fn text(rows: &[(&MethodRow, bool)], screen: Screen) -> String {
    let values = |f: fn(&MethodRow) -> &str| -> Vec<String> { rows.iter().map(|(row, _)| f(row).to_owned()).collect() };
    let early = |row: &MethodRow| match row.early {
        Early::Never => "never",
        Early::Possible => "possible",
    };
    let here = rows.iter().map(|(_, here)| if *here { "yes" } else { "–" }.to_owned()).collect();
    let columns = [
        Column::words("method", values(|row| row.name)),
        Column::words("here", here).expendable(4),
        Column::words("time", values(|row| row.mode.name())).expendable(2),
        Column::figures("unit", values(|row| row.unit.name())).expendable(0),
        Column::words("clock", values(|row| row.clock.name())).expendable(1),
        Column::words("early?", values(early)).expendable(3),
        Column::words("call", values(|row| row.call)).breakable(),
    ];
    columns::fitted(&columns, screen)
}

/// Returns the table, and below it what each source does to a request.
pub fn runtimes(found: &RuntimeApis, screen: Screen) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::ROWS;

    #[test]
    fn narrow_terminals_have_the_name_and_the_call() {
        let rows: Vec<(&MethodRow, bool)> = ROWS.iter().map(|row| (row, true)).collect();
        let shown = |width| text(&rows, Screen { width, colour: false });
        assert!(shown(200).starts_with("method") && shown(200).lines().next().unwrap().contains("early?"));
        for width in [72, 80, 120] {
            let narrow = shown(width);
            assert!(narrow.lines().all(|line| line.chars().count() <= width.into()), "{narrow}");
            let heading = narrow.lines().next().unwrap();
            assert!(heading.starts_with("method") && heading.ends_with("call"), "{narrow}");
        }
        assert!(shown(80).lines().next().unwrap().contains("here"), "words are broken before a column is dropped");
    }
}
