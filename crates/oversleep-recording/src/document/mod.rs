//! What programs read: the documents that commands print as JSON, and everything in them.
//!
//! Plain types with `Serialize`. Their JSON Schema is generated into `docs/schema`; text and Python's objects are views
//! of them.

mod cause;
pub mod evidence;
mod finding;
mod model;
mod remedy;

pub use cause::Cause;
pub use evidence::Evidence;
pub use finding::{Budget, CellDiagnosis, Diagnosis, Finding, Remedy, Split, Undecided, Unit, Witness};
pub use model::{Alternative, Fit, Laid, LeftOut, Model, ModelOverlay};
