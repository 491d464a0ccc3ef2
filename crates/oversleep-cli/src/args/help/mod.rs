//! The sections below the options in every `--help` and manual page: examples, exit status, files.

mod page;
mod programs;
mod questions;
mod results;
#[cfg(test)]
mod table;

use super::Args;
use super::output::width;
use clap::{Arg, Command, CommandFactory};
pub(super) use page::EXPERIMENTS;
use page::{MACHINE_STOOD_STILL, Page, STATUS};
use textwrap::{Options, WordSplitter, fill};

/// Returns the pages of all commands.
fn pages() -> impl Iterator<Item = &'static Page> {
    [questions::PAGES, results::PAGES, programs::PAGES].into_iter().flatten()
}

/// Returns clap's description of the command line. `-h` is about a screen: a line for each option and the examples; `--help`
/// has every option, in full, and the sections.
pub(crate) fn command() -> Command {
    let names: Vec<String> = Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let width = width().min(WIDEST);
    let shown = |command: Command, name: &str| {
        let command = command.term_width(width.into()).mut_args(with_short_help);
        let examples = sections(name).into_iter().filter(|(heading, _)| *heading == EXAMPLES);
        let few = examples.map(|(heading, entries)| (heading, entries.into_iter().take(FEW).collect()));
        command.after_help(below(few, width)).after_long_help(below(sections(name), width))
    };
    let whole = shown(Args::command().bin_name("oversleep"), "");
    names.iter().fold(whole, |whole, name| whole.mut_subcommand(name, |command| shown(command, name)))
}

/// Gives an option the beginning of its help for `-h`, which leaves out those that only refine another option.
fn with_short_help(arg: Arg) -> Arg {
    let Some(full) = arg.get_help().map(ToString::to_string) else { return arg };
    let hidden = full.starts_with("With --") || arg.is_hide_short_help_set();
    arg.help(beginning(&full).to_owned()).long_help(full).hide_short_help(hidden)
}

/// Returns as many clauses of a help text as fit into a line of `-h`, one at least. A list after a colon is whole or left out, as is
/// what stands in brackets.
fn beginning(full: &str) -> &str {
    // A default in words is for `--help`.
    let full = full.find(" [").map_or(full, |index| &full[..index]);
    let list = full.rfind(": ").unwrap_or(full.len());
    let brackets = full[..list].find(" (").into_iter();
    let ends = brackets.chain([list]).chain(full.match_indices("; ").map(|(index, _)| index)).chain([full.len()]);
    let is_outside = |end: &usize| full[..*end].matches('(').count() == full[..*end].matches(')').count();
    let ends = ends.filter(is_outside);
    let fitting = ends.clone().filter(|end| full[..*end].chars().count() <= SHORT_HELP).max();
    &full[..fitting.or(ends.min()).unwrap_or(full.len())]
}

/// Characters of an option's help in `-h`: what is left of a line of [`WIDEST`] columns next to most options.
const SHORT_HELP: usize = 76;

/// Examples in `-h`.
const FEW: usize = 4;

/// A heading, and entries with their descriptions.
type Section = (&'static str, Vec<(String, &'static str)>);

/// Returns the sections of a command's page.
pub(crate) fn sections(command: &str) -> Vec<Section> {
    let Some(page) = pages().find(|page| page.command == command) else { return Vec::new() };
    let text = |entries: &[(&'static str, &'static str)]| -> Vec<(String, &'static str)> {
        entries.iter().map(|(entry, what)| ((*entry).to_owned(), *what)).collect()
    };
    let is_of_machine = command == "bounds";
    let meaning =
        |status: u8, what: &'static str| if is_of_machine && status == 1 { MACHINE_STOOD_STILL } else { what };
    let known = STATUS.iter().filter(|(status, _)| page.status.contains(status));
    let section = page.more.map(|(heading, entries)| (heading, text(entries)));
    let rest = [
        (EXAMPLES, text(page.examples)),
        ("EXIT STATUS", known.map(|(status, what)| (status.to_string(), meaning(*status, what))).collect()),
        ("FILES", text(page.files)),
    ];
    section.into_iter().chain(rest).collect()
}

/// Heading of the examples.
const EXAMPLES: &str = "EXAMPLES";

/// Greatest width of the text, in columns: longer lines of prose are hard to read.
const WIDEST: u16 = 100;

/// Returns sections of a command as text in lines of at most `columns` characters. An example stands above its
/// description, every other entry next to it.
fn below(sections: impl IntoIterator<Item = Section>, columns: u16) -> String {
    let lines = |first: &str, others: usize, text: &str| {
        let others = " ".repeat(others);
        let options = Options::new(columns.into()).initial_indent(first).subsequent_indent(&others).break_words(false);
        fill(text, options.word_splitter(WordSplitter::NoHyphenation)) + "\n"
    };
    let mut out = String::new();
    for (heading, entries) in sections {
        out += &format!("{}{heading}\n", if out.is_empty() { "" } else { "\n" });
        let width = entries.iter().map(|(entry, _)| entry.chars().count()).max().unwrap_or(0);
        for (entry, what) in entries {
            match heading {
                // Never wrapped, so that it can be copied.
                EXAMPLES => out += &format!("  {entry}\n{}", lines("      ", 6, what)),
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
            let bare = |(index, part): (usize, &'static str)| if index % 2 == 0 { part } else { "CHECK" };
            let bare: String = line.split('\'').enumerate().map(bare).collect();
            let parts =
                bare.split(['|', '<', '>']).filter_map(|part| part.find("oversleep").map(|index| part[index..].trim()));
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
