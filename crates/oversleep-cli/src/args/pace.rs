//! Arguments of `pace`.

use super::rate::{self, Amount, Rate};
use clap::Args as ClapArgs;

/// What `pace` accepts.
#[derive(ClapArgs)]
pub(crate) struct PaceArgs {
    /// Bytes (10MB/s, 1.5MiB/s, 500k), bits (10Mbit/s) or lines (200lines/s, or 200msg/s) per second
    #[arg(value_parser = rate::parse, value_name = "RATE")]
    pub(crate) rate: Rate,
    /// How much may be written at once after a pause, such as 64KiB or 10lines; 1500 is of bytes, or of lines if RATE counts lines [default: a tenth of a second's worth]
    #[arg(long, short, value_parser = rate::amount, value_name = "AMOUNT")]
    pub(crate) burst: Option<Amount>,
    /// Say on standard error how exact the rate was, once what had gathered at the start was written
    #[arg(long)]
    pub(crate) stats: bool,
}
