//! The sections below the options in every `--help` and manual page: examples, exit status, files.

mod page;
mod programs;
mod questions;
mod results;
#[cfg(test)]
mod table;

use super::Args;
use super::output::width;
use clap::{Command, CommandFactory};
pub(super) use page::EXPERIMENTS;
use page::{Page, STATUS};
use textwrap::{Options, WordSplitter, fill};

/// Returns the pages of all commands.
fn pages() -> impl Iterator<Item = &'static Page> {
    [questions::PAGES, results::PAGES, programs::PAGES].into_iter().flatten()
}

/// Returns clap's description of the command line, with every command's examples, exit status and files.
pub(crate) fn command() -> Command {
    let names: Vec<String> = Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let width = width().min(WIDEST);
    let whole = Args::command().bin_name("oversleep").term_width(width.into()).after_help(below("", width));
    names.iter().fold(whole, |whole, name| {
        whole.mut_subcommand(name, |command| command.term_width(width.into()).after_help(below(name, width)))
    })
}

/// Returns the sections of a command's page: a heading, and entries with their descriptions.
pub(crate) fn sections(command: &str) -> Vec<(&'static str, Vec<(String, &'static str)>)> {
    let Some(page) = pages().find(|page| page.command == command) else { return Vec::new() };
    let text = |entries: &[(&'static str, &'static str)]| -> Vec<(String, &'static str)> {
        entries.iter().map(|(entry, what)| ((*entry).to_owned(), *what)).collect()
    };
    let known = STATUS.iter().filter(|(status, _)| page.status.contains(status));
    let more = page.more.map(|(heading, entries)| (heading, text(entries)));
    let rest = [
        ("EXAMPLES", text(page.examples)),
        ("EXIT STATUS", known.map(|(status, what)| (status.to_string(), *what)).collect()),
        ("FILES", text(page.files)),
    ];
    more.into_iter().chain(rest).collect()
}

/// Greatest width of the text, in columns: longer lines of prose are hard to read.
const WIDEST: u16 = 100;

/// Returns a command's sections as text in lines of at most `columns` characters. An example stands above its
/// description, every other entry beside it.
fn below(command: &str, columns: u16) -> String {
    let lines = |first: &str, others: usize, text: &str| {
        let others = " ".repeat(others);
        let options = Options::new(columns.into()).initial_indent(first).subsequent_indent(&others).break_words(false);
        fill(text, options.word_splitter(WordSplitter::NoHyphenation)) + "\n"
    };
    let mut out = String::new();
    for (heading, entries) in sections(command) {
        out += &format!("{}{heading}\n", if out.is_empty() { "" } else { "\n" });
        let width = entries.iter().map(|(entry, _)| entry.chars().count()).max().unwrap_or(0);
        for (entry, what) in entries {
            match heading {
                // Never wrapped, so that it can be copied.
                "EXAMPLES" => out += &format!("  {entry}\n{}", lines("      ", 6, what)),
                _ => out += &lines(&format!("  {entry:width$}  "), width + 4, what),
            }
        }
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_its_page_and_every_example_is_accepted() {
        for command in Args::command().get_subcommands() {
            assert_eq!(sections(command.get_name()).len().min(3), 3, "{}", command.get_name());
        }
        for (line, _) in pages().flat_map(|page| page.examples) {
            // A check is in quotes and may contain `>`, at which the line is split below.
            let bare = |(at, part): (usize, &'static str)| if at % 2 == 0 { part } else { "CHECK" };
            let bare: String = line.split('\'').enumerate().map(bare).collect();
            let parts =
                bare.split(['|', '<', '>']).filter_map(|part| part.find("oversleep").map(|at| part[at..].trim()));
            for part in parts.filter(|part| part.starts_with("oversleep ") || *part == "oversleep") {
                // A limit of a difference has a sign.
                let check = if part.contains(" compare ") { "p99>+1us" } else { "p99>1us" };
                let words = part.split_whitespace().map(|word| if word == "CHECK" { check } else { word });
                let read = command().try_get_matches_from(words);
                assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
            }
        }
    }
}
