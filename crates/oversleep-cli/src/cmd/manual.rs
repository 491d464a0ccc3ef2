//! Shell completions and manual pages, made from clap's description of the command line.

use crate::args::help;
use crate::failure::Failure;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io::{self, Write};
use std::path::Path;

/// Writes a completion script to standard output.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    // Into memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "oversleep", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}

/// Writes a page for the program and one for each command.
pub(crate) fn pages(folder: &Path) -> Result<(), Failure> {
    let mut whole = help::command().disable_help_subcommand(true);
    whole.build();
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::trouble(format!("cannot make {}: {error}", folder.display())))?;
    let write = |name: &str, page: Vec<u8>| {
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page)
            .map_err(|error| Failure::trouble(format!("cannot write {}: {error}", path.display())))
    };
    write("oversleep", page(whole.clone(), "").map_err(Failure::trouble)?)?;
    for command in whole.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        let named = format!("oversleep-{name}");
        write(&named, page(command.clone().display_name(named.clone()), name).map_err(Failure::trouble)?)?;
    }
    Ok(())
}

/// Returns a manual page: clap's description of a command, then its examples, exit status and files.
fn page(command: Command, name: &str) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let subcommands = command.has_subcommands();
    let man = Man::new(command.after_help(""));
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if subcommands {
        man.render_subcommands_section(&mut out)?;
    }
    for (heading, entries) in help::sections(name) {
        let mut roff = Roff::default();
        roff.control("SH", [heading]);
        for (entry, what) in entries {
            roff.control("TP", []);
            roff.text([bold(entry)]);
            roff.text([roman(what)]);
        }
        roff.to_writer(&mut out)?;
    }
    if subcommands {
        man.render_version_section(&mut out)?;
    }
    Ok(out)
}
