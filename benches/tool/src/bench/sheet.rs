//! Tables of results as aligned text, or as Markdown for `docs/BENCHMARKS.md`.

use super::Options;
use crate::child;
use crate::tree;
use std::fs;

/// A titled table and the remarks below it.
pub(super) struct Sheet {
    title: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    remarks: Vec<String>,
}

impl Sheet {
    pub(super) fn new(title: &str, header: &[&str]) -> Self {
        let header = header.iter().map(|&name| name.to_owned()).collect();
        Self { title: title.to_owned(), header, rows: Vec::new(), remarks: Vec::new() }
    }

    pub(super) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub(super) fn remark(&mut self, text: impl Into<String>) {
        self.remarks.push(text.into());
    }

    /// Prints the table as text, or as Markdown with `--markdown`.
    pub(super) fn print(&self, options: &Options) {
        print!("{}", if options.markdown { self.markdown() } else { self.text() });
    }

    fn text(&self) -> String {
        let lines: Vec<&Vec<String>> = std::iter::once(&self.header).chain(&self.rows).collect();
        let width = |column: usize| lines.iter().filter_map(|line| Some(line.get(column)?.chars().count())).max();
        let widths: Vec<usize> = (0..self.header.len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut out = format!("\n{}\n", self.title);
        for line in lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            out += format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end();
            out.push('\n');
        }
        self.remarks.iter().for_each(|remark| out += &format!("  {remark}\n"));
        out
    }

    /// Returns the table as Markdown.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut out = format!("\n### {}\n\n", self.title);
        if !self.rows.is_empty() {
            out += &line(&self.header);
            out += &line(&vec!["---".to_owned(); self.header.len()]);
            self.rows.iter().for_each(|row| out += &line(row));
        }
        self.remarks.iter().for_each(|remark| out += &format!("\n{remark}\n"));
        out
    }
}

/// Returns a line on the machine, the version, the time and the load, for the head of every benchmark's output.
pub(super) fn place() -> String {
    let machine = oversleep_os::sysinfo::read();
    let facts = serde_json::to_value(&machine).unwrap_or_default();
    let find = |pointer: &str| facts.pointer(pointer).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let version = child::output(&tree::root(), &["git", "rev-parse", "--short", "HEAD"]).unwrap_or_default();
    format!(
        "{}; {} {}; oversleep {} ({}){}; load {}",
        find("/processor/model"),
        find("/system"),
        find("/release"),
        env!("CARGO_PKG_VERSION"),
        version.trim(),
        child::output(&tree::root(), &["date", "-u", "+, %Y-%m-%d %H:%M UTC"]).unwrap_or_default().trim_end(),
        load.split_whitespace().take(3).collect::<Vec<_>>().join(" "),
    )
}
