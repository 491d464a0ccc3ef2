//! `list presets`: every kernel that comes with the program.

use crate::args::Output;
use crate::failure::Failure;
use crate::show::json;
use oversleep_sim::{Known, preset, preset_names};
use std::io::Write;

/// Names and titles, with how many of a preset's numbers rest on memory or a fit; as JSON every number with its source.
pub(crate) fn list(output: &Output) -> Result<(), Failure> {
    let presets: Vec<_> = preset_names().map(preset).collect::<Result<_, _>>().map_err(Failure::trouble)?;
    let mut out = anstream::stdout().lock();
    if output.json {
        return json(&mut out, &oversleep_sim::document::presets(&presets));
    }
    let width = presets.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in &presets {
        let count = |known: Known| preset.parameters.iter().filter(|(_, sourced)| sourced.from == known).count();
        let (fitted, assumed) = (count(Known::Fit), count(Known::Assumed));
        writeln!(out, "{:width$}  {} ({fitted} fitted, {assumed} assumed)", preset.name, preset.title)?;
    }
    Ok(out.flush()?)
}
