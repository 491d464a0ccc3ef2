//! Reproduction of the publications' numbers, with this machine's own beside them if asked for.

use super::{Notice, RunError, Runner, describe};
use oversleep_capture::clocks::{ClockOptions, Clocks, plan as clocks_plan};
use oversleep_capture::sleeps::{Observer, Stop};
use oversleep_recording::Recording;
use oversleep_recording::document::Reproduced;
use oversleep_report::header::machine;
use oversleep_reproduce::{Fix, PublicationId, plan_here};
use oversleep_sim::ParameterError;

/// A request to reproduce publications.
#[derive(Debug, Clone, Default)]
pub struct ReproduceRequest {
    /// Publications to reproduce; all if empty.
    pub sources: Vec<PublicationId>,
    /// Rizzo's fixes to show; if empty, each alone, each pair, and all.
    pub fixes: Vec<Fix>,
    /// Whether this machine is measured as well.
    pub here: bool,
}

/// Reason why publications could not be reproduced.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// This machine cannot be measured.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A preset is not a valid kernel.
    #[error(transparent)]
    Kernel(#[from] ParameterError),
}

/// Simulates every number, and measures this machine if asked to.
///
/// # Errors
/// If this machine cannot be measured at all, or a preset is not a valid kernel.
pub fn reproduce(
    request: &ReproduceRequest,
    tool: &str,
    stop: &Stop,
    notice: Notice<'_>,
    observer: &mut dyn Observer,
) -> Result<Reproduced, ReproduceError> {
    let sources = if request.sources.is_empty() { &PublicationId::ALL[..] } else { &request.sources };
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

/// Returns the measurement of this machine for a publication; `None` if nothing is measured for it.
fn measured(
    source: PublicationId,
    tool: &str,
    stop: &Stop,
    notice: Notice<'_>,
    observer: &mut dyn Observer,
) -> Result<Option<Recording>, RunError> {
    let run = Runner { in_memory: true, stop: stop.clone(), ..Runner::new(tool, notice) };
    if source == PublicationId::Clocks {
        let results = run.clocks(&Clocks::open(&[]), &ClockOptions::quick(), &mut |_| true)?;
        return Ok(Some(Recording { meta: results.meta, samples: Vec::new(), note: results.note }));
    }
    let Some(plan) = plan_here(source) else { return Ok(None) };
    Ok(run.measure(plan, observer)?.recording)
}
