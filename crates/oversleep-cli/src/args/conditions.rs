//! Conditions as options: rows of the table of conditions, as many as a command takes.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::Error;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use oversleep_os::settings;
use oversleep_recording::catalog::System;
use oversleep_recording::plan::{CONDITIONS, Condition, RequestedConditions, Value, ValueKind};
use std::ffi::OsStr;
use std::marker::PhantomData;

/// The conditions that a command takes.
pub(crate) trait ConditionSet: Clone + Send + Sync + 'static {
    /// Returns the options.
    fn options() -> Vec<ConditionOption>;
}

/// An option that asks for a condition.
#[derive(Clone, Copy)]
pub(crate) struct ConditionOption {
    row: &'static Condition,
    help: &'static str,
    several: bool,
    heading: Option<&'static str>,
    /// Whether a policy must be one that this system has.
    here: bool,
}

/// Conditions that simulated kernels know too.
#[derive(Clone)]
pub(crate) struct OfEveryKernel;

/// Conditions that only a machine has.
#[derive(Clone)]
pub(crate) struct OfMachines;

impl ConditionSet for OfEveryKernel {
    fn options() -> Vec<ConditionOption> {
        all(true)
    }
}

impl ConditionSet for OfMachines {
    fn options() -> Vec<ConditionOption> {
        all(false)
    }
}

fn all(simulated: bool) -> Vec<ConditionOption> {
    let rows = CONDITIONS.iter().filter(|row| !row.option.is_empty() && row.simulated == simulated);
    let option = |row: &'static Condition| ConditionOption {
        row,
        help: row.help,
        several: row.several,
        heading: Some("Conditions"),
        here: false,
    };
    rows.map(option).collect()
}

/// Returns options of this machine, given by the keys of their conditions, with help of their own: of one value each.
pub(crate) fn chosen(keys: &[(&str, &'static str)]) -> Vec<ConditionOption> {
    let option = |(key, help): &(&str, &'static str)| {
        let row = Condition::named(key)?;
        Some(ConditionOption { row, help, several: false, heading: None, here: true })
    };
    keys.iter().filter_map(option).collect()
}

impl ConditionOption {
    /// Returns the same option with several values.
    pub(crate) fn several(self) -> Self {
        Self { several: true, ..self }
    }

    fn arg(self) -> Arg {
        let row = self.row;
        let elsewhere = System::HERE.is_some_and(|here| !row.systems.contains(&here));
        let arg = Arg::new(row.option).long(row.option).help(self.help).help_heading(self.heading);
        let arg = arg.hide_short_help(elsewhere);
        let arg = if let Some(short) = row.short { arg.short(short) } else { arg };
        if matches!(row.kind, ValueKind::Truth) {
            return arg.action(ArgAction::SetTrue);
        }
        let negative = matches!(row.kind, ValueKind::Time { .. })
            || matches!(row.kind, ValueKind::Number { from, .. } if from < 0);
        let arg =
            arg.value_name(row.value_name).value_parser(self).allow_hyphen_values(negative).hide_possible_values(true);
        let arg = if row.usual.is_empty() { arg } else { arg.default_value(row.usual) };
        if self.several { arg.action(ArgAction::Append).value_delimiter(',') } else { arg }
    }
}

/// Parses the option's value.
impl TypedValueParser for ConditionOption {
    type Value = Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, text: &OsStr) -> Result<Value, Error> {
        let option = *self;
        let parse = move |text: &str| {
            let value = option.row.kind.parse(text)?;
            if let (true, Value::Policy(policy)) = (option.here, &value) {
                settings::policy::check(*policy).map_err(|refusal| refusal.reason().to_owned())?;
            }
            Ok::<_, String>(value)
        };
        parse.parse_ref(command, arg, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.row.kind {
            ValueKind::Name { names, .. } => Some(Box::new(names.iter().map(|name| PossibleValue::new(*name)))),
            _ => None,
        }
    }
}

/// The conditions that a command line asks for.
#[derive(Clone)]
pub(crate) struct ConditionArgs<S: ConditionSet> {
    pub(crate) requested: RequestedConditions,
    set: PhantomData<S>,
}

impl<S: ConditionSet> Args for ConditionArgs<S> {
    fn augment_args(command: Command) -> Command {
        // A recording that is replayed has the conditions it has.
        let replays = command.get_arguments().any(|arg| arg.get_id() == "file");
        S::options().into_iter().fold(command, |command, option| {
            let arg = option.arg();
            command.arg(if replays { arg.conflicts_with("file") } else { arg })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: ConditionSet> FromArgMatches for ConditionArgs<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut requested = RequestedConditions::default();
        for ConditionOption { row, .. } in S::options() {
            if matches.value_source(row.option) == Some(ValueSource::CommandLine) {
                let values = match row.kind {
                    ValueKind::Truth => vec![Value::Truth(true)],
                    _ => matches.get_many(row.option).into_iter().flatten().cloned().collect(),
                };
                requested.ask(row, values);
            }
        }
        Ok(Self { requested, set: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
