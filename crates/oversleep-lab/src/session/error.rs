//! Requests that make no sense, in the words of whoever made them.

use super::request::Experiment;
use oversleep_sys::units::Nanos;

/// How options are written where the request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interface {
    /// `--load-kind`, `--experiment wall-second`.
    CommandLine,
    /// `load_kind`, `experiment='herman'`.
    Python,
}

impl Interface {
    /// Returns an option's name (in kebab-case, such as `load-kind`) as this interface writes it.
    pub fn option(self, name: &str) -> String {
        match (self, name) {
            (Self::CommandLine, "repeats") => "--count".to_owned(),
            (Self::CommandLine, "period") => "--interval".to_owned(),
            (Self::CommandLine, "affinity") => "--cpus".to_owned(),
            (Self::CommandLine, "seconds") => "--duration".to_owned(),
            (Self::CommandLine, _) => format!("--{name}"),
            (Self::Python, _) => name.replace('-', "_"),
        }
    }

    fn experiment(self, experiment: Experiment) -> String {
        match self {
            Self::CommandLine => format!("--experiment {}", experiment.label()),
            Self::Python => format!("experiment='{}'", experiment.name()),
        }
    }

    fn list_of_methods(self) -> &'static str {
        match self {
            Self::CommandLine => "`oversleep list` shows what there is",
            Self::Python => "oversleep.methods() lists those of this system",
        }
    }
}

/// Why a request makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// It is the call of a language runtime.
    RuntimeTimer {
        /// The name that was given.
        name: String,
        /// The runtime's name for people.
        runtime: &'static str,
    },
    /// No method has that name.
    Method {
        /// The name.
        name: String,
        /// Methods whose names are like it.
        similar: Vec<&'static str>,
    },
    /// The experiment takes one method.
    OneMethod {
        /// Which.
        experiment: Experiment,
    },
    /// The option is for other experiments.
    NotHeeded {
        /// The option, in kebab-case.
        option: &'static str,
        /// What heeds it; none: it is for plain measurements alone.
        heeded_by: Vec<Experiment>,
        /// Whether plain measurements heed it too.
        plain: bool,
        /// The experiment asked for, if any.
        experiment: Option<Experiment>,
    },
    /// The option takes one value in this experiment.
    OneValue {
        /// The option, in kebab-case.
        option: &'static str,
        /// The experiment asked for.
        experiment: Experiment,
    },
    /// A list of requests and the ends of a sweep exclude each other.
    SweepAndRequests,
    /// What busy threads do was given, but none are asked for.
    KindWithoutLoad,
    /// Processors to give out one by one were not given.
    OneEachWithoutAffinity,
    /// A sweep takes single requests.
    RangeInSweep,
    /// Between the ends of the sweep lies no request.
    EmptySweep {
        /// The shortest request.
        from: Nanos,
        /// The longest.
        to: Nanos,
    },
    /// The method takes no time, so it can keep no schedule.
    NoSchedule {
        /// The method.
        method: &'static str,
    },
    /// The schedule is longer than time can be counted.
    TooLong {
        /// Its periods.
        count: u64,
        /// The period.
        period: Nanos,
    },
    /// Sleeps like these cannot be traced.
    NotTraced {
        /// The option that stands against it, in kebab-case.
        option: &'static str,
        /// Why.
        why: &'static str,
    },
    /// The method never gives its processor up, and would run in real time.
    Starves {
        /// The method.
        method: String,
    },
}

impl RequestError {
    /// Returns one line that says what is wrong and what to do, as the interface writes options.
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
            Self::OneMethod { experiment } => format!("{} takes one method", interface.experiment(*experiment)),
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
                "{} takes one {}; without an experiment lists are crossed",
                interface.experiment(*experiment),
                option(name)
            ),
            Self::SweepAndRequests => format!(
                "{} lists the requests of the sweep; leave out {} and {}",
                option("request"),
                option("from"),
                option("to")
            ),
            Self::KindWithoutLoad => format!(
                "{} is what busy threads do, and there are none; give {} too, or leave it out",
                option("load-kind"),
                option("load")
            ),
            Self::OneEachWithoutAffinity => {
                format!("{} needs {}: the processors to give out", option("one-cpu-each"), option("affinity"))
            }
            Self::RangeInSweep => "a sweep takes single requests, not ranges".to_owned(),
            Self::EmptySweep { from, to } => format!("between {from} and {to} there is nothing to sweep"),
            Self::NoSchedule { method } => format!("{method} takes no time, so it can keep no schedule"),
            Self::TooLong { count, period } => {
                format!("{count} periods of {period} last longer than 292 years")
            }
            Self::NotTraced { option: name, why } => format!("{} {why}; leave out {}", option("trace"), option(name)),
            Self::Starves { method } => format!(
                "{method} never gives its processor up: under a real-time policy it would starve the machine; \
                 leave it out or the policy"
            ),
        }
    }
}

/// Joins names as a sentence does: `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
