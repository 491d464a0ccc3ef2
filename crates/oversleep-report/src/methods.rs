//! The catalogue of methods as a table.

use super::columns::{self, Column};
use super::style::Screen;
use oversleep_recording::catalog::{Early, MethodRow};

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
