//! `cargo xtask figures`: draws the publications' figures as `oversleep reproduce` does.

use clap::Args;
use oversleep_lab::report::picture;
use oversleep_lab::reproduce::FIGURES;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Options {
    /// Where to; docs/figures if not given.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(root: &Path, options: &Options) -> bool {
    let folder = options.out.clone().unwrap_or_else(|| root.join("docs/figures"));
    match all(&folder) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("figures: {error}");
            false
        }
    }
}

fn all(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for figure in FIGURES {
        let svg = picture::charts_svg(&(figure.charts)()?);
        fs::write(folder.join(format!("{}.png", figure.name)), picture::png(&svg)?)?;
        fs::write(folder.join(format!("{}.svg", figure.name)), svg)?;
        println!("{}", figure.name);
    }
    Ok(())
}
