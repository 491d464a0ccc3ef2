//! Functions and classes that measure, simulate, explain and plot.

mod arguments;
mod arrow;
mod causes;
mod document;
mod foreign;
mod interruptible;
mod keywords;
mod live;
mod model;
mod picture;
mod recording;
mod table;

pub(crate) use causes::explain;
pub(crate) use keywords::experiments;
pub(crate) use live::{measure, methods};
pub(crate) use model::{presets, simulate};
pub(crate) use picture::Picture;
pub(crate) use recording::{Recording, load};
