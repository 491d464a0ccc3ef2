//! Functions and classes that measure, simulate, explain and plot.

mod arguments;
mod arrow;
mod causes;
mod document;
mod foreign;
mod interruptible;
mod live;
mod model;
mod picture;
mod plan;
mod recording;
mod table;

pub(crate) use causes::explain;
pub(crate) use live::{measure, methods};
pub(crate) use model::{presets, simulate};
pub(crate) use picture::Picture;
pub(crate) use plan::experiments;
pub(crate) use recording::{Recording, load};
