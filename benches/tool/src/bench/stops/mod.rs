//! `stops`: ten SIGSTOPs of 50, 200 and 800 ms under every tool that is installed, and what `oversleep report` says of
//! the file that the tool wrote itself.

mod expect;
mod plant;
mod tools;

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use expect::Verdict;
use std::path::Path;
use std::time::Duration;
use tools::{TOOLS, Tool};

/// Lengths of the stops, in ms.
const STOPS: [u64; 3] = [50, 200, 800];

pub(super) fn run(options: &Options) -> Result<(), String> {
    let (binary, only) = match &options.own[..] {
        [binary, only @ ..] => (Path::new(binary).canonicalize().map_err(|error| format!("{binary}: {error}"))?, only),
        [] => (tool::release()?, &[][..]),
    };
    println!("{}", sheet::place());
    let scratch = Scratch::new("stops")?;
    let mut header = vec!["file".to_owned(), "expected is".to_owned()];
    header.extend(STOPS.iter().map(|stop| format!("{} × {stop} ms: expected → reported", plant::COUNT)));
    header.extend(["not in the file".to_owned(), "right".to_owned()]);
    let mut sheet = Sheet::new(
        "Ten stops of each length, from each tool's own file",
        &header.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let (mut absent, mut right, mut judged) = (Vec::new(), 0, 0);
    for tool in TOOLS.iter().filter(|tool| only.is_empty() || only.iter().any(|name| name == tool.name)) {
        if !tool.is_there() {
            absent.push(format!("{} ({})", tool.name, tool.program));
            continue;
        }
        for row in rows(tool, &binary, &scratch) {
            judged += row.judged();
            right += row.right();
            sheet.row(row.cells);
        }
    }
    sheet.remark(format!(
        "{right} of {judged} right: within 10 % of what was planted, or (in brackets) bounds that hold it and a report that says \
         what the file lacks."
    ));
    if !absent.is_empty() {
        sheet.remark(format!("Not installed or not working here, so not tested: {}.", absent.join(", ")));
    }
    sheet.print(options);
    Ok(())
}

/// A file's row of the table.
struct Row {
    cells: Vec<String>,
    verdicts: Vec<Verdict>,
}

impl Row {
    fn judged(&self) -> usize {
        self.verdicts.iter().filter(|verdict| **verdict != Verdict::NotJudged).count()
    }

    fn right(&self) -> usize {
        self.verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Agrees | Verdict::Covers)).count()
    }
}

/// Runs a tool once per length of stops; returns a row per file that it writes.
fn rows(tool: &Tool, binary: &Path, scratch: &Scratch) -> Vec<Row> {
    let mut each: Vec<Row> = Vec::new();
    for file in tool.files {
        each.push(Row {
            cells: vec![file.label.to_owned(), file.expectation.words().to_owned()],
            verdicts: Vec::new(),
        });
    }
    let mut lost = vec!["–".to_owned(); tool.files.len()];
    for stop in STOPS {
        eprintln!("stops: {} with stops of {stop} ms", tool.name);
        let seconds = plant::seconds(Duration::from_millis(stop));
        let folder = scratch.file(&format!("{}-{stop}", tool.name));
        let planted = std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{folder}: {error}"))
            .and_then(|()| plant::plant(&tool.command(binary, &folder, seconds), Duration::from_millis(stop)));
        for ((file, row), lost) in tool.files.iter().zip(&mut each).zip(&mut lost) {
            let judged = planted.as_ref().map_err(Clone::clone).and_then(|stops| {
                let document = tool::json(binary, &["report", "--json", &format!("{folder}/{}", file.path)])?;
                *lost = expect::lost(&document);
                file.expectation.judge(&document, stops, seconds as f64)
            });
            let (text, verdict) = judged.unwrap_or_else(|why| (why, Verdict::Wrong));
            row.cells.push(text);
            row.verdicts.push(verdict);
        }
    }
    for (row, lost) in each.iter_mut().zip(lost) {
        row.cells.push(lost);
        let right = if row.judged() == 0 { "–".to_owned() } else { format!("{} of {}", row.right(), row.judged()) };
        row.cells.push(right);
    }
    each
}
