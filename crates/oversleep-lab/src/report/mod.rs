//! What people and programs read. A file per format.

pub mod breakdown;
pub mod check;
pub mod clocks;
pub mod findings;
pub mod herman;
pub mod interventions;
pub mod late;
pub mod methods;
pub mod notes;
pub mod oneill;
pub mod overlay;
pub mod periodic;
pub mod rizzo;
mod shape;
pub mod stalls;
mod style;
pub mod table;
pub mod versus;
pub mod witnesses;

pub use style::Look;
