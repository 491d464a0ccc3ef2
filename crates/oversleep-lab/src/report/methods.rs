//! The catalogue as a table.

use super::style::{self, Look, align, text};
use oversleep_recording::catalog::{Early, Row};
use serde_json::{Value, json};

/// Methods, and whether this build can measure each of them here.
pub fn table(rows: &[(&Row, bool)], look: Look) -> String {
    let mut table = style::table(&["method", "here", "time", "unit", "clock", "early?", "call"], look);
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
    text(&table)
}

/// The same for programs.
pub fn json(rows: &[(&Row, bool)]) -> Value {
    let one = |(row, here): &(&Row, bool)| {
        json!({
            "method": row.name,
            "call": row.call,
            "here": here,
            "systems": row.systems.iter().map(|system| system.name()).collect::<Vec<_>>(),
            "mode": row.mode.name(),
            "unit_ns": row.unit.step(),
            "clock": row.clock.name(),
            "may_wake_early": row.early == Early::Possible,
            "promise": row.promise,
            "source": row.source,
        })
    };
    json!({ "methods": rows.iter().map(one).collect::<Vec<_>>() })
}
