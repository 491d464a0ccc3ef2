//! The publications, number by number, with this machine's own where it is asked for.

use super::{Notice, Run, RunError, describe};
use crate::capture::clocks::{Clocks, Options, plan as clocks_plan};
use crate::capture::sleeps::{Observer, Stop};
use crate::report::header::machine;
use crate::reproduce::{Fix, Source, plan_here};
use oversleep_recording::Recording;
use oversleep_recording::document::Reproduced;
use oversleep_sim::ParameterError;

/// What is reproduced.
#[derive(Debug, Clone, Default)]
pub struct ReproduceRequest {
    /// Which publications; all of them if none is named.
    pub sources: Vec<Source>,
    /// Which of Rizzo's fixes are shown; each alone, each two and all if none is named.
    pub fixes: Vec<Fix>,
    /// Whether this machine is measured beside.
    pub here: bool,
}

/// Why publications could not be reproduced.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// This machine cannot be measured.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A preset is not a kernel.
    #[error(transparent)]
    Kernel(#[from] ParameterError),
}

/// Simulates every number, and measures this machine where asked.
///
/// # Errors
/// If this machine cannot be measured at all.
pub fn reproduce(
    request: &ReproduceRequest,
    tool: &str,
    stop: &Stop,
    notice: Notice<'_>,
    observer: &mut dyn Observer,
) -> Result<Reproduced, ReproduceError> {
    let sources = if request.sources.is_empty() { &Source::ALL[..] } else { &request.sources };
    let mut publications = Vec::new();
    for source in sources {
        let here = if request.here { measured(*source, tool, stop, notice, observer)? } else { None };
        publications.push(source.reproduce(&request.fixes, here.as_ref())?);
    }
    let machine_read = request.here.then(|| describe(clocks_plan(), tool));
    Ok(Reproduced {
        format: Reproduced::FORMAT,
        tool: tool.to_owned(),
        machine: machine_read.as_ref().map(|meta| machine(&meta.machine)),
        measured: machine_read.and_then(|meta| meta.started),
        publications,
    })
}

/// What this machine gives for a publication; `None` where nothing is measured for it.
fn measured(
    source: Source,
    tool: &str,
    stop: &Stop,
    notice: Notice<'_>,
    observer: &mut dyn Observer,
) -> Result<Option<Recording>, RunError> {
    let run = Run { in_memory: true, stop: stop.clone(), ..Run::new(tool, notice) };
    if source == Source::Clocks {
        let results = run.clocks(&Clocks::open(&[]), &Options::quick(), &mut |_| true)?;
        return Ok(Some(Recording { meta: results.meta, samples: Vec::new(), note: results.note }));
    }
    let Some(plan) = plan_here(source) else { return Ok(None) };
    Ok(run.measure(plan, observer)?.recording)
}
