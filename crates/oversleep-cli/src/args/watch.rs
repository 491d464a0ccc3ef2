//! Arguments of `watch`.

use super::{ConditionArgs, KeepArgs, LateArgs, LateTier, OfMachines, PlanArgs, values};
use crate::failure::Failure;
use clap::{Args as ClapArgs, ColorChoice, ValueHint};
use oversleep_lab::session::MeasureRequest;
use oversleep_recording::plan::Kind;
use oversleep_sys::units::Nanos;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct WatchArgs {
    /// A recording to replay; without one this machine is measured
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = [
        "experiment", "method", "request", "count", "duration", "interval", "from", "to", "on_late",
        "out", "no_save",
    ])]
    pub(crate) file: Option<PathBuf>,
    /// Of a damaged file, use what comes before the damage
    #[arg(long, requires = "file")]
    pub(crate) partial: bool,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) machine: ConditionArgs<OfMachines>,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) late_tier: LateTier,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    /// When to use colour
    #[arg(help_heading = "Output", long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

/// How long `watch` measures without `--duration` or `--count`.
const HOUR: Nanos = Nanos::from_secs(3_600);

impl WatchArgs {
    /// Returns the measurement that these arguments ask for: as `measure` does, but an hour long by default.
    pub(crate) fn request(&self) -> Result<MeasureRequest, Failure> {
        if self.plan.prints_lines() || self.plan.as_published || self.plan.debug {
            return Err(Failure::usage("watch prints no lines; leave --experiment wall-second to `measure`"));
        }
        values::check_policies(&self.plan.conditions.requested)?;
        let mut request = self.plan.request();
        request.conditions.extend(&self.machine.requested);
        if request.experiment() == Some(Kind::Periodic) && request.methods.len() > 1 {
            return Err(Failure::usage(
                "watch keeps one schedule; name one method (`measure -i` keeps the schedules of several, one after another)",
            ));
        }
        let lasts = matches!(request.experiment(), None | Some(Kind::Periodic));
        if lasts && request.repeats.is_none() && request.duration.is_none() {
            request.duration = Some(HOUR);
        }
        Ok(request)
    }
}
