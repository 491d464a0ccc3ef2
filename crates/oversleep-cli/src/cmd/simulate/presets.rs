//! `list presets`: the simulated kernels that come with the program.

use crate::args::OutputFormat;
use crate::failure::Failure;
use crate::show::json;
use oversleep_lab::report::kernels;
use oversleep_sim::{document, preset, preset_names};
use std::io::Write;

/// Shows the presets' names and titles, and how many of their numbers come from memory or a fit; as JSON, every number
/// with its source.
pub(crate) fn list(shown: OutputFormat) -> Result<(), Failure> {
    let presets: Vec<_> = preset_names().map(preset).collect::<Result<_, _>>().map_err(Failure::trouble)?;
    let document = document::presets(&presets);
    let mut out = anstream::stdout().lock();
    if shown.json {
        json(&mut out, &document)?;
    } else {
        write!(out, "{}", kernels::presets(&document, shown.screen()))?;
    }
    Ok(out.flush()?)
}
