//! The one way in: a request becomes a plan, a plan is run, a recording is explained.
//!
//! The command line and the Python package parse what is theirs into the request types of this module and show the
//! documents it returns; defaults, checks and orchestration are here alone, so the same request gives the same
//! document from each. This room composes the others; none of them uses it.

mod describe;
mod error;
mod keep;
mod kernel;
mod methods;
mod options;
mod plan;
mod request;
mod run;
mod sinks;

pub use describe::describe;
pub use error::{Interface, RequestError};
pub use keep::Keep;
pub use kernel::{frequency_changes, kernel};
pub use methods::method;
pub use plan::plan;
pub use request::{Experiment, MeasureRequest};
pub use run::{Finished, Run, RunError};
