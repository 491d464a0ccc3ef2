//! Arguments that say what to sleep, on a machine or on a simulated kernel.

use super::{ConditionArgs, OfEveryKernel, names, values};
use crate::failure::Failure;
use clap::Args as ClapArgs;
use oversleep_lab::session::MeasureRequest;
use oversleep_recording::plan::build::{DEFAULT_METHODS, DefaultMethods};
use oversleep_recording::plan::{Kind, Pattern, Plan};
use oversleep_sys::units::Nanos;

/// What to sleep, and under which conditions that every kernel knows.
#[derive(ClapArgs)]
#[command(next_help_heading = "What to sleep")]
pub(crate) struct PlanArgs {
    /// An experiment with a design of its own: wall-second, sweep, load or periodic (see EXPERIMENTS)
    #[arg(long, short, value_parser = values::experiment(), value_name = "NAME", hide_possible_values = true)]
    pub(crate) experiment: Option<Kind>,
    #[arg(long, short, help = method_help(DEFAULT_METHODS), value_delimiter = ',', value_name = "NAME", value_parser = names::METHODS, hide_possible_values = true)]
    pub(crate) method: Vec<String>,
    /// Requests, such as 250us,1ms; from a range such as 200us..60ms each sleep draws its own [default: 1ms; an experiment has its own]
    #[arg(long, short, value_delimiter = ',', value_name = "TIME", value_parser = values::pattern, allow_hyphen_values = true)]
    pub(crate) request: Vec<Pattern>,
    /// Sleeps per row of the table; periods of a schedule [default: 1000; an experiment has its own]
    #[arg(long, short = 'n', value_name = "N", value_parser = values::whole::<u64>(1..))]
    pub(crate) count: Option<u64>,
    /// How long to run; without --count, as many sleeps as fit
    #[arg(long, short, value_parser = values::duration_with_unit, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    #[arg(long, short, help_heading = "Schedules", help = interval_help(DEFAULT_METHODS), value_parser = values::period, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) interval: Option<Nanos>,
    /// With --experiment sweep: the shortest request
    #[arg(long, value_parser = values::request, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) from: Option<Nanos>,
    /// With --experiment sweep: the longest request
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) to: Option<Nanos>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = Plan::DEFAULT_SEED, value_parser = values::whole::<u64>(0..))]
    pub(crate) seed: u64,
    /// With --experiment wall-second: print lines exactly as published (%.6f seconds)
    #[arg(long)]
    pub(crate) as_published: bool,
    /// With --experiment wall-second: print the wall-clock time in front of each line
    #[arg(long)]
    pub(crate) debug: bool,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs<OfEveryKernel>,
}

/// Returns the help of `--method`, with the default methods of a system.
fn method_help(methods: DefaultMethods) -> String {
    format!(
        "Methods, as `oversleep list` names them; or `all` [default: {}, for a schedule (-i) {}; an experiment has its own]",
        methods.measure.name(),
        methods.periodic.name()
    )
}

/// Returns the help of `--interval`, with the default methods of a system.
fn interval_help(methods: DefaultMethods) -> String {
    let (periodic, measure) = (methods.periodic.name(), methods.measure.name());
    let beside = if periodic == measure { String::new() } else { format!(", where -r has {measure}") };
    format!(
        "Period of a schedule, such as 1ms, 240Hz or 64/48000 (of a second; to the nearest nanosecond): implies --experiment periodic [its default: 1ms], \
         whose method is {periodic}{beside}; several methods (-m) keep one each, in turn"
    )
}

impl PlanArgs {
    /// Returns the measurement that these arguments ask for.
    pub(crate) fn request(&self) -> MeasureRequest {
        MeasureRequest {
            experiment: self.experiment,
            methods: self.method.clone(),
            requests: self.request.clone(),
            repeats: self.count,
            duration: self.duration,
            period: self.interval,
            from: self.from,
            to: self.to,
            conditions: self.conditions.requested.clone(),
            seed: Some(self.seed),
            ..MeasureRequest::default()
        }
    }

    /// Returns whether a schedule is kept.
    pub(crate) fn keeps_schedule(&self) -> bool {
        self.interval.is_some() || self.experiment == Some(Kind::Periodic)
    }

    /// Returns whether the experiment prints each error on its own line.
    pub(crate) fn prints_lines(&self) -> bool {
        self.experiment == Some(Kind::WallSecond)
    }

    /// Refuses options for printed lines where the experiment prints none.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for (given, option) in [(self.as_published, "--as-published"), (self.debug, "--debug")] {
            if given && !self.prints_lines() {
                return Err(Failure::usage(format!("{option} needs --experiment wall-second")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::System;

    #[test]
    fn help_names_the_methods_of_each_system() {
        for system in System::ALL {
            let methods = DefaultMethods::for_system(Some(system));
            let (method, interval) = (method_help(methods), interval_help(methods));
            assert!(method.contains(&format!("(-i) {};", methods.periodic.name())), "{system}: {method}");
            assert!(interval.contains(&format!("whose method is {}", methods.periodic.name())), "{system}: {interval}");
            assert_eq!(interval.contains("where -r"), methods.periodic != methods.measure, "{system}: {interval}");
        }
    }
}
