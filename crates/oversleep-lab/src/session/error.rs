//! Errors of invalid requests, worded for the interface they come from.

use oversleep_recording::plan::{CONDITIONS, Kind};
use oversleep_sys::units::Nanos;

/// How options are written where the request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interface {
    /// `--load-kind`, `--experiment wall-second`.
    CommandLine,
    /// `load_kind`, `experiment='wall-second'`.
    Python,
}

impl Interface {
    /// Returns an option's name (in kebab-case, such as `load-kind`) as this interface writes it.
    pub fn option(self, name: &str) -> String {
        match (self, name) {
            (Self::CommandLine, "repeats") => "--count".to_owned(),
            (Self::CommandLine, "period") => "--interval".to_owned(),
            (Self::CommandLine, "seconds") => "--duration".to_owned(),
            (Self::CommandLine, _) => format!("--{name}"),
            (Self::Python, _) => match CONDITIONS.iter().find(|row| row.option == name) {
                Some(row) => row.keyword.to_owned(),
                None => name.replace('-', "_"),
            },
        }
    }

    fn experiment(self, experiment: Kind) -> String {
        match self {
            Self::CommandLine => format!("--experiment {experiment}"),
            Self::Python => format!("experiment='{experiment}'"),
        }
    }

    fn list_of_methods(self) -> &'static str {
        match self {
            Self::CommandLine => "`oversleep list` shows what there is",
            Self::Python => "oversleep.methods() lists those of this system",
        }
    }
}

/// Reason why a request is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// The name is a timer of a language runtime, not a method.
    RuntimeTimer {
        /// Name as it was given.
        name: String,
        /// Name of the runtime, as shown to users.
        runtime: &'static str,
    },
    /// The name is a language runtime, not a method.
    Runtime {
        /// Name as it was given.
        name: String,
        /// Name of the runtime, as shown to users.
        runtime: &'static str,
    },
    /// No method has that name.
    Method {
        /// Name as it was given.
        name: String,
        /// Methods with similar names.
        similar: Vec<&'static str>,
    },
    /// The experiment takes one method.
    OneMethod {
        /// The experiment.
        experiment: Kind,
    },
    /// No request makes a recording of this kind.
    NotMeasured {
        /// The kind.
        kind: Kind,
    },
    /// The option does not apply to what was asked for.
    NotHeeded {
        /// The option, in kebab-case.
        option: &'static str,
        /// Kinds that the option applies to; if none, it applies only to plain measurements.
        heeded_by: Vec<Kind>,
        /// Whether the option also applies to plain measurements.
        plain: bool,
        /// The experiment asked for, if any.
        experiment: Option<Kind>,
    },
    /// The option takes one value in this experiment.
    OneValue {
        /// The option, in kebab-case.
        option: &'static str,
        /// The experiment asked for.
        experiment: Kind,
    },
    /// A list of requests and the ends of a sweep exclude each other.
    SweepAndRequests,
    /// A condition means nothing without another one, which was not given.
    Lacks {
        /// The option, in kebab-case.
        option: &'static str,
        /// The option that is missing.
        needed: &'static str,
    },
    /// Busy threads inside another program, and no program.
    BusyInside,
    /// A sweep takes single requests.
    RangeInSweep,
    /// There is no request between the ends of the sweep.
    EmptySweep {
        /// Shortest request.
        from: Nanos,
        /// Longest request.
        to: Nanos,
    },
    /// The method waits on its processor and never sleeps, so its lateness says nothing of sleeps.
    NeverSleeps {
        /// Name of the method.
        method: &'static str,
    },
    /// The method takes no duration, so it cannot keep a schedule.
    NoSchedule {
        /// Name of the method.
        method: &'static str,
    },
    /// The schedule lasts longer than can be counted in nanoseconds.
    TooLong {
        /// Number of periods.
        count: u64,
        /// Length of a period.
        period: Nanos,
    },
    /// These sleeps cannot be traced.
    NotTraced {
        /// The option that rules tracing out, in kebab-case.
        option: &'static str,
        /// Reason, as the end of a sentence that begins with the option for tracing.
        why: &'static str,
    },
    /// The method never gives up its processor, and would run under a real-time policy.
    Starves {
        /// Name of the method.
        method: String,
    },
}

impl RequestError {
    /// Returns one line that says what is wrong and what to do, with options written as in this interface.
    pub fn text(&self, interface: Interface) -> String {
        let option = |name| interface.option(name);
        match self {
            Self::Method { name, similar } => {
                let hint = match similar.as_slice() {
                    [] => interface.list_of_methods().to_owned(),
                    some => format!("did you mean {}?", some.join(", ")),
                };
                format!("no sleep method is called '{name}'; {hint}")
            }
            Self::RuntimeTimer { name, runtime } => {
                format!("{name} is a timer of {runtime}, not a call of the system; `oversleep runtimes` measures it")
            }
            Self::Runtime { name, runtime } => {
                format!("{name} is not a call of the system; `oversleep runtimes` measures the timers of {runtime}")
            }
            Self::OneMethod { experiment } => format!("{} takes one method", interface.experiment(*experiment)),
            Self::NotMeasured { kind } => {
                let known: Vec<String> = Kind::EXPERIMENTS.iter().map(ToString::to_string).collect();
                format!("'{kind}' is not an experiment; there are {}", listed(&known))
            }
            Self::NotHeeded { option: name, heeded_by, plain, experiment } => {
                let mut who: Vec<String> = heeded_by.iter().map(|by| interface.experiment(*by)).collect();
                if *plain {
                    who.insert(0, "plain measurements".to_owned());
                }
                let here = experiment.map_or_else(String::new, |here| format!(" with {}", interface.experiment(here)));
                let add = if experiment.is_none() { "add that, or " } else { "" };
                format!("{} is for {}; {add}leave it out{here}", option(name), listed(&who))
            }
            Self::OneValue { option: name, experiment } => format!(
                "{} takes one {}: measure once for each value and compare the recordings; without an experiment or interval lists \
                 are crossed",
                interface.experiment(*experiment),
                option(name)
            ),
            Self::SweepAndRequests => format!(
                "{} lists the requests of the sweep; leave out {} and {}",
                option("request"),
                option("from"),
                option("to")
            ),
            Self::Lacks { option: name, needed } => {
                format!("{} means nothing without {}; give that too, or leave it out", option(name), option(needed))
            }
            Self::BusyInside => format!(
                "{} runtime is busy inside another program: it needs --command (`oversleep measure`, `oversleep runtimes`)",
                option("load-kind")
            ),
            Self::RangeInSweep => "a sweep takes single requests, not ranges".to_owned(),
            Self::EmptySweep { from, to } => format!("between {from} and {to} there is nothing to sweep"),
            Self::NeverSleeps { method } => format!("{method} never sleeps; name a method that does"),
            Self::NoSchedule { method } => format!("{method} takes no time, so it can keep no schedule"),
            Self::TooLong { count, period } => {
                format!("{count} periods of {period} last longer than 292 years")
            }
            Self::NotTraced { option: name, why } => {
                let instead = match *name {
                    "period" if interface == Interface::CommandLine => {
                        "leave out --interval, and write -r TIME for sleeps of that length; or keep it, with --on-late TIME in \
                         place of --trace, for what delayed each late wake-up"
                            .to_owned()
                    }
                    "request" => "give single requests".to_owned(),
                    "repeats" => format!("give a smaller {}", option(name)),
                    _ => format!("leave out {}", option(name)),
                };
                format!("{} {why}; {instead}", option("trace"))
            }
            Self::Starves { method } => format!(
                "{method} never gives its processor up: under a real-time policy it would starve the machine; \
                 leave it out or the policy"
            ),
        }
    }
}

/// Joins names as in a sentence: `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
