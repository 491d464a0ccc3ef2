//! `cargo xtask check`: runs all tests and checks, in two tiers.

use std::path::Path;

use clap::Args;

use crate::deadline;
use crate::outcome::{self, StepResult};
use crate::toolchain;

mod borders;
mod cargo;
mod catalogue;
mod deny;
mod engines;
mod exceptions;
mod fuzz;
mod lengths;
mod manifests;
mod miri;
mod msrv;
mod programs;
mod python;
mod readme;
mod semver;
mod steps;
mod tokens;
mod web;

use steps::{STEPS, Step, Tier};

#[derive(Args)]
pub(crate) struct CheckOptions {
    /// Go on to the slow steps: other systems, other compilers, emulated machines, dependencies.
    #[arg(long)]
    full: bool,
    /// Run these steps alone, of whichever tier: STEP,STEP.
    #[arg(long, value_name = "STEP", value_delimiter = ',', conflicts_with = "full")]
    only: Vec<String>,
    /// Let steps install the toolchains, targets and tools they need. Without it, and without CI=true, they are skipped.
    #[arg(long)]
    install: bool,
    /// End after this many minutes: steps not started by then, or unfinished, are skipped by name.
    #[arg(long, value_name = "MINUTES")]
    within: Option<u64>,
    /// List the steps.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(root: &Path, options: &CheckOptions) -> bool {
    if options.list {
        print!("{}", listing(&STEPS.iter().collect::<Vec<_>>()));
        return true;
    }
    if options.install {
        toolchain::allow_installing();
    }
    match chosen(&options.only, options.full) {
        Ok(steps) => {
            print!("{}", listing(&steps));
            if let Some(minutes) = options.within {
                deadline::begin(minutes);
            }
            outcome::report(&steps.iter().flat_map(|step| run_step(step, root)).collect::<Vec<StepResult>>())
        }
        Err(unknown) => {
            eprintln!("no step is called `{unknown}`; `cargo xtask check --list` lists them");
            false
        }
    }
}

fn run_step(step: &Step, root: &Path) -> Vec<StepResult> {
    match step.run {
        steps::Action::One(run) => vec![outcome::timed(step.name, || run(root))],
        steps::Action::Several(run) => run(root),
    }
}

/// Returns the steps named, in the table's order; if none is named, those of the quick tier, or with `full` all.
fn chosen(only: &[String], full: bool) -> Result<Vec<&'static Step>, String> {
    if let Some(unknown) = only.iter().find(|name| STEPS.iter().all(|step| step.name != name.as_str())) {
        return Err(unknown.clone());
    }
    let wanted = |step: &&Step| match only {
        [] => full || step.tier == Tier::Quick,
        names => names.iter().any(|name| name == step.name),
    };
    Ok(STEPS.iter().filter(wanted).collect())
}

fn listing(steps: &[&Step]) -> String {
    let line = |step: &&Step| format!("{:5}  {:9}  {}\n", step.tier.name(), step.name, step.about);
    steps.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[&str], full: bool) -> Vec<&'static str> {
        let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
        chosen(&only, full).unwrap_or_default().iter().map(|step| step.name).collect()
    }

    #[test]
    fn an_unknown_step_is_refused() {
        assert_eq!(chosen(&["clipy".to_owned()], false).err().as_deref(), Some("clipy"));
    }

    #[test]
    fn the_full_tier_goes_on_where_the_quick_one_ends() {
        let (quick, all) = (names(&[], false), names(&[], true));
        assert_eq!(all.len(), STEPS.len());
        assert!(all.starts_with(&quick) && quick.len() < all.len());
        assert!(quick.contains(&"tests") && !quick.contains(&"miri"));
    }

    #[test]
    fn named_steps_of_either_tier_run_in_the_order_of_the_table() {
        assert_eq!(names(&["miri", "docs", "format"], false), ["format", "docs", "miri"]);
    }
}
