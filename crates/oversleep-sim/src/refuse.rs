//! Errors in parameters.

/// Why a simulated kernel cannot be built. Each message is one line that says what is accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// There is no such parameter; the second field is a similar name.
    #[error("no parameter is called '{0}'{hint}", hint = match .1 { Some(near) => format!("; did you mean '{near}'?"), None => "; `oversleep list presets --json` shows the parameters of every preset".to_owned() })]
    Unknown(String, Option<String>),
    /// The slack of a thread is no parameter of the kernel.
    #[error("slack is no parameter of the kernel but a condition of its threads, given beside it (--slack 1ns)")]
    Condition,
    /// The value is of the wrong kind.
    #[error("{name} cannot be '{value}': {why}")]
    Value {
        /// Name of the parameter.
        name: String,
        /// Text that was given.
        value: String,
        /// What was expected.
        why: String,
    },
    /// The value is outside the parameter's domain.
    #[error("{name} = {value} is outside {domain}")]
    Domain {
        /// Name of the parameter.
        name: &'static str,
        /// Value that was given.
        value: f64,
        /// Values that are accepted.
        domain: &'static str,
    },
    /// The i8254's divisor cannot produce so low or so high a rate.
    #[error(
        "hz = {hz} needs the i8254 to count {divisor}, and its 16-bit reload takes 2 to 65535; hz can be {least} to {most}"
    )]
    Divisor {
        /// Tick rate requested.
        hz: u32,
        /// Divisor that it would need.
        divisor: u64,
        /// Lowest possible rate.
        least: u64,
        /// Highest possible rate.
        most: u64,
    },
    /// 4.4BSD's `hzto` divides by the tick in milliseconds, which would be zero.
    #[error(
        "hz = {0} under round = hzto44 divides by zero: the tick is shorter than the millisecond it counts in; hz can be up to 1000"
    )]
    Hzto44(u32),
    /// The calibrated local APIC timer cannot produce so high a rate.
    #[error("hz = {0} is more than the local APIC timer can be divided into; lower hz or raise lapic_true_hz")]
    Lapic(u32),
    /// The phase-locked tick needs its last wind-up among the remembered ticks.
    #[error(
        "source = pll with tc_tick = {0}: the phase-locked kernel winds its clock up every tick; tc_tick can be 0 to 64"
    )]
    PllWindup(u32),
    /// A clock made of ticks cannot steer the tick.
    #[error("source = pll with tc = ticks: a clock made of ticks has no phase to lock to")]
    PllOnTicks,
    /// A clock made of ticks cannot be steered.
    #[error(
        "tc = ticks counts ticks, and nothing steers it: ntp_ppm and --at are for the counters i8254, tsc and acpi"
    )]
    SteeredTicks,
    /// There is no such preset.
    #[error("no preset is called '{0}'; `oversleep list presets` shows them all")]
    NoPreset(String),
    /// The values of a sweep cannot be parsed.
    #[error("{0}")]
    Sweep(&'static str),
    /// The file does not describe a kernel.
    #[error("{0}")]
    File(String),
    /// The file describes a kernel that cannot be built.
    #[error("{file}: {why}")]
    InFile {
        /// Name of the file.
        file: String,
        /// Why its kernel cannot be built.
        why: Box<Self>,
    },
}

impl ParameterError {
    /// Names the file that the error is in, unless it is named already.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        match self {
            Self::File(_) | Self::InFile { .. } => self,
            why => Self::InFile { file: file.to_owned(), why: Box::new(why) },
        }
    }

    /// Returns the error of a value that its parameter cannot have.
    pub(crate) fn value(name: &str, value: &str, why: impl Into<String>) -> Self {
        Self::Value { name: name.to_owned(), value: value.to_owned(), why: why.into() }
    }
}
