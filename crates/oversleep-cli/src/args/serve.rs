//! Arguments of `serve`.

use super::{ConditionArgs, ConditionOption, ConditionSet, chosen, names, values};
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::session::MeasureRequest;
use oversleep_recording::plan::Pattern;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_sys::units::Nanos;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Conditions of the endless measurement.
#[derive(Clone)]
pub(crate) struct OfServing;

impl ConditionSet for OfServing {
    fn options() -> Vec<ConditionOption> {
        let policies = "Scheduling policies: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10";
        let others = [
            ("timer_slack", "Timer slack, such as 1ns"),
            ("affinity", "Processors the thread may use, such as 0 or 0-3"),
        ];
        let policies = chosen(&[("policy", policies)]).into_iter().map(ConditionOption::several);
        policies.chain(chosen(&others)).collect()
    }
}

/// What is measured without end, and where the figures are.
#[derive(ClapArgs)]
pub(crate) struct ServeArgs {
    /// Address and port to answer on; anything but loopback lets other machines read the figures
    #[arg(long, default_value = "127.0.0.1:9477", value_parser = address, value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,
    /// Methods, as `oversleep list` names them
    #[arg(long, short, value_delimiter = ',', default_value = DEFAULT_METHODS.measure.name(), value_name = "NAME", value_parser = names::METHOD, hide_possible_values = true)]
    method: Vec<String>,
    /// Durations; longer ones cost less processor time
    #[arg(long, short, value_delimiter = ',', default_value = "10ms", value_parser = values::positive, value_name = "TIME")]
    request: Vec<Nanos>,
    #[command(flatten)]
    conditions: ConditionArgs<OfServing>,
    /// Keep recordings of the last 40 minutes in this folder, as segments that are read as one [default: `serve` in the state folder]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
    /// When a sleep is later than this, save the recordings of these two to four minutes in the folder's `saved`
    #[arg(long, value_name = "TIME", value_parser = values::positive, conflicts_with = "no_save")]
    pub(crate) save_on_late: Option<Nanos>,
    /// Lateness above which a sleep counts as a stall and its cause is looked for
    #[arg(long, default_value = "1ms", value_parser = values::positive, value_name = "TIME")]
    pub(crate) stall_threshold: Nanos,
    /// Keep no recordings
    #[arg(long, conflicts_with = "folder")]
    pub(crate) no_save: bool,
}

impl ServeArgs {
    /// Returns what each round measures.
    pub(crate) fn request(&self) -> MeasureRequest {
        MeasureRequest {
            methods: self.method.clone(),
            requests: self.request.iter().map(|&requested| Pattern::Fixed { requested }).collect(),
            conditions: self.conditions.requested.clone(),
            ..MeasureRequest::default()
        }
    }
}

/// Parses an address and a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an address and a port are needed, such as 127.0.0.1:9477 or [::1]:9477".to_owned())
}
