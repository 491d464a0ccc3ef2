//! `reproduce`: compares published numbers with simulated ones.

use crate::args::{DocumentForm, OutputFormat};
use crate::atomic_file::write;
use crate::failure::Failure;
use crate::input::refuse_replacing;
use crate::progress::Bar;
use crate::say::{notice, say};
use crate::{running, show};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use oversleep_lab::report::{picture, reproduced};
use oversleep_lab::reproduce::{Fix, PublicationId};
use oversleep_lab::session::{ReproduceError, ReproduceRequest, reproduce};
use std::path::PathBuf;

pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    let request = args.request()?;
    let form = args.out.as_deref().map(DocumentForm::of_out).transpose()?;
    refuse_replacing(args.out.as_deref(), args.force)?;
    let stop = running::on_signals()?;
    let mut bar = Bar::new(args.quiet);
    let made = reproduce(&request, running::TOOL, &stop, &notice, &mut bar).map_err(|error| match error {
        ReproduceError::Run(error) => Failure::from(error),
        error @ ReproduceError::Kernel(_) => Failure::trouble(error),
    })?;
    bar.clear();
    let (Some(path), Some(form)) = (&args.out, form) else {
        if args.shown.json {
            return show::json(&mut anstream::stdout().lock(), &made);
        }
        return show::print(Err(reproduced::text(&made, args.shown.screen())));
    };
    let pictures = || reproduced::svg(&made).map_err(Failure::trouble);
    let bytes = match form {
        DocumentForm::Page => reproduced::page(&made).into_bytes(),
        DocumentForm::Markdown => reproduced::markdown(&made).into_bytes(),
        DocumentForm::Svg => pictures()?.into_bytes(),
        DocumentForm::Png => picture::png(&pictures()?).map_err(Failure::trouble)?,
    };
    write(path, &bytes)?;
    say!("the {} is {}", form.noun(), path.display());
    Ok(())
}

#[derive(ClapArgs)]
pub(crate) struct ReproduceArgs {
    /// Which: herman, dragonfly, rizzo, oneill, clocks or field [default: all of them]
    #[arg(value_enum, value_name = "PUBLICATION", hide_possible_values = true)]
    publication: Vec<Named>,
    /// Of Rizzo's fixes show only these, between none and all: calibration, clock, rounding
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FIX", hide_possible_values = true)]
    fix: Vec<NamedFix>,
    /// Measure this machine too, where that can be compared: about ten seconds for each
    #[arg(long)]
    here: bool,
    /// Write a file by its ending: .html, a page; .svg or .png, the pictures; .md, text for an issue tracker
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    pub(crate) out: Option<PathBuf>,
    /// With --out: replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The publications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Named {
    /// Herman 2004: how late sleeps to the next second are
    Herman,
    /// What `DragonFly` changed then
    Dragonfly,
    /// Rizzo 2009: sleeps that grow above 2500 Hz
    Rizzo,
    /// O'Neill 2003: the `Sleep` of Windows 98
    Oneill,
    /// What clocks of OS X cost
    Clocks,
    /// What people have published of systems of today
    Field,
}

/// Rizzo's fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NamedFix {
    /// The timer's rate
    Calibration,
    /// The cached time
    Clock,
    /// The extra tick
    Rounding,
}

impl ReproduceArgs {
    /// Returns the publications and fixes to reproduce. `--fix` without a publication means Rizzo's.
    pub(crate) fn request(&self) -> Result<ReproduceRequest, Failure> {
        let source = |named: &Named| match named {
            Named::Herman => PublicationId::Herman,
            Named::Dragonfly => PublicationId::Dragonfly,
            Named::Rizzo => PublicationId::Rizzo,
            Named::Oneill => PublicationId::Oneill,
            Named::Clocks => PublicationId::Clocks,
            Named::Field => PublicationId::Field,
        };
        let fix = |named: &NamedFix| match named {
            NamedFix::Calibration => Fix::Calibration,
            NamedFix::Clock => Fix::Clock,
            NamedFix::Rounding => Fix::Rounding,
        };
        let mut sources: Vec<PublicationId> = Vec::new();
        for source in self.publication.iter().map(source) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        if !self.fix.is_empty() && !sources.is_empty() && !sources.contains(&PublicationId::Rizzo) {
            return Err(Failure::usage("--fix is only for rizzo, which is not among the publications named"));
        }
        if !self.fix.is_empty() && sources.is_empty() {
            sources.push(PublicationId::Rizzo);
        }
        Ok(ReproduceRequest { sources, fixes: self.fix.iter().map(fix).collect(), here: self.here })
    }
}
