//! `cargo xtask figures`: the seeds' missing figures, redrawn from simulation.

mod data;
mod draw;
mod herman;
mod oneill;
mod rizzo;

use clap::Args;
use draw::Panel;
use oversleep_sim::ParameterError;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Options {
    /// A TrueType font for the PNG files, if none of the usual ones is installed.
    #[arg(long)]
    font: Option<PathBuf>,
    /// Where to; docs/figures if not given.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// A figure's name and how to make it.
type Figure = (&'static str, fn() -> Result<Vec<Panel>, ParameterError>);

const FIGURES: &[Figure] = &[
    ("five-systems", herman::five_systems),
    ("hz-sweep", herman::hz_sweep),
    ("rounding-fix", herman::rounding_fix),
    ("phase-lock", herman::phase_lock),
    ("locked", herman::locked),
    ("rizzo", rizzo::errors),
    ("timertest", oneill::scatter),
];

/// Where systems keep a plain font.
const FONTS: &[&str] = &[
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/local/share/fonts/dejavu/DejaVuSans.ttf",
    "/Library/Fonts/Arial.ttf",
    "/System/Library/Fonts/Supplemental/Arial.ttf",
    "C:\\Windows\\Fonts\\arial.ttf",
];

pub(crate) fn run(root: &Path, options: &Options) -> bool {
    let folder = options.out.clone().unwrap_or_else(|| root.join("docs/figures"));
    match font(options).and_then(|()| all(&folder)) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("figures: {error}");
            false
        }
    }
}

fn all(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (name, figure) in FIGURES {
        draw::write(folder, name, &figure()?)?;
        println!("{name}");
    }
    Ok(())
}

/// Gives the drawing library its one font.
fn font(options: &Options) -> Result<(), Box<dyn Error>> {
    let usual = FONTS.iter().map(PathBuf::from);
    let found = options.font.iter().cloned().chain(usual).find(|path| path.exists());
    let path = found.ok_or("no font found; give a TrueType file with --font")?;
    // For as long as the program runs, which is what the library asks for.
    let bytes: &'static [u8] = Box::leak(fs::read(path)?.into_boxed_slice());
    plotters::style::register_font("sans-serif", plotters::style::FontStyle::Normal, bytes)
        .map_err(|_| "the font is no TrueType font".into())
}
