//! The report page: one self-contained file.
//!
//! Its script is written in TypeScript under `web/` and bundled into the folder `bundle`, which is part of the sources,
//! so building this crate needs no Node. The page holds the document as JSON and the samples as deflated columns.

mod embed;
mod gather;
mod pack;
mod select;
#[cfg(test)]
mod tests;
mod traces;

pub use embed::{file, script_text};
pub use gather::histogram;
pub use gather::{Gathered, Gatherer, Selection};
pub use pack::Packed;
pub use traces::traced;
