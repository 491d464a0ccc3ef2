//! Simulated kernels: models of a machine, with parameters that anyone can change.
//!
//! A [`Kernel`] is a name and [`Parameters`]; [`run`] carries out a plan on it and writes samples to a sink, as the
//! live machine does. True time is counted in integer picoseconds; the kernel's own numbers truncate as its C code
//! does. Nothing waits: simulated time jumps from event to event, so every sleep costs the same, however long it is
//! (only the phase-locked tick is computed step by step).
//!
//! ```
//! use oversleep_sim::{Kernel, Parameters};
//! // A kernel with parameters of your own, for instance random ones:
//! let parameters = Parameters { hz: 250, lat_base_us: 11.0, ..Parameters::default() };
//! let kernel = Kernel::new("mine", parameters)?;
//! assert_eq!(kernel.set("hz", "1000")?.parameters().hz, 1000);
//! # Ok::<(), oversleep_sim::ParameterError>(())
//! ```
//!
//! `docs/SIMULATOR.md` describes each part and its origin.

mod calibrate;
mod clock;
pub mod document;
mod facts;
mod kernel;
pub mod law;
mod machine;
mod params;
mod predict;
mod preset;
mod program;
mod refuse;
mod rng;
mod run;
mod scale;
mod sched;
mod set;
mod sleep;
mod sleep_sink;
mod steps;
mod sweep;
mod tally;
mod tick;
mod time;
mod underivable;
mod user;
mod validate;
mod vocabulary;

pub use clock::FrequencyChange;
pub use kernel::Kernel;
pub use law::counted::{TvToHzRow, tvtohz_table};
pub use oversleep_recording::document::ValueOrigin;
pub use params::Parameters;
pub use predict::{Predictor, SleepToPredict};
pub use preset::{Preset, Sourced, preset, preset_names};
pub use program::{Cut, CutCell};
pub use refuse::ParameterError;
pub use run::{Arithmetic, Outcome, Simulation, meta, run};
pub use set::names as parameter_names;
pub use steps::Steps;
pub use sweep::{Sweep, SweepRow, sweep};
pub use tally::Tally;
pub use underivable::{NOT_DERIVABLE, NotDerivable};
pub use vocabulary::{
    Api, KernelClock, Mechanism, PreciseCalls, Rounding, Scheduler, TickSource, TimeCounter, ZeroRequest, ZeroTicks,
};
