//! Arguments of `simulate`.

use super::{LateArgs, OutArgs, OutputArgs, OverArgs, PlanArgs, WorkArgs, names};
use clap::{ArgGroup, Args as ClapArgs};
use oversleep_sim::Sweep;

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("csv or work").args(["csv", "work"])))]
pub(crate) struct SimulateArgs {
    /// A preset (`oversleep list presets`), or a TOML file (`-`: standard input): `base = "a preset"`, then `[parameters]`
    #[arg(value_name = "PRESET|FILE", value_parser = names::PRESETS, hide_possible_values = true)]
    pub(crate) kernel: String,
    /// Change a parameter, such as hz=1000 or round=ceil; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// A second kernel to compare it with
    #[arg(long, value_name = "PRESET|FILE", conflicts_with = "vary", value_parser = names::PRESETS, hide_possible_values = true)]
    pub(crate) vs: Option<String>,
    /// Run on many kernels: hz=100..20000 (geometric; /N for how many) or hz=100,1000,5000
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) vary: Option<Sweep>,
    /// Change the clock's frequency in mid-run, as ntptime does: '300s ntp_ppm=-10'; may be repeated
    #[arg(long, value_name = "TIME CHANGE", num_args = 1..=2, action = clap::ArgAction::Append, allow_hyphen_values = false)]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Parses `NAME=VALUE`.
fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write it as hz=1000".to_owned()),
    }
}
