//! The catalogue of methods as a table.

use super::style::{self, Screen, align, table_text};
use oversleep_recording::catalog::{Early, MethodRow};

/// Returns a table of methods, with whether this build can measure each of them here.
pub fn text(rows: &[(&MethodRow, bool)], screen: Screen) -> String {
    let mut table = style::table(&["method", "here", "time", "unit", "clock", "early?", "call"], screen);
    for (row, here) in rows {
        let early = match row.early {
            Early::Never => "never",
            Early::Possible => "possible",
        };
        table.add_row([
            row.name,
            if *here { "yes" } else { "–" },
            row.mode.name(),
            row.unit.name(),
            row.clock.name(),
            early,
            row.call,
        ]);
    }
    align(&mut table, &[0, 1, 2, 4, 5, 6]);
    table_text(&table)
}
