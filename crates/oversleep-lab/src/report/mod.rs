//! What people and programs read. A file per format.

pub mod breakdown;
pub mod check;
pub mod clocks;
mod columns;
pub mod compare;
pub mod distributions;
pub mod findings;
pub mod header;
pub mod headline;
pub mod herman;
pub mod html;
pub mod interventions;
pub mod kernels;
pub mod late;
pub mod live;
pub mod markdown;
pub mod methods;
pub mod notebook;
pub mod notes;
pub mod oneill;
pub mod overlay;
pub mod periodic;
pub mod picture;
pub mod recordings;
pub(crate) mod repeat;
pub mod reproduced;
pub mod rizzo;
pub mod runtimes;
mod shape;
pub mod stalls;
mod style;
pub mod table;
pub mod versus;
pub mod witnesses;

pub use style::Screen;
