//! Times, rates and ratios as types, so that units are checked by the compiler.

mod gcd;
mod hertz;
mod nanos;
mod operators;
mod parse;
mod ppm;
mod rate;

pub use gcd::gcd;
pub use hertz::Hertz;
pub use nanos::Nanos;
pub use parse::ParseNanosError;
pub use ppm::Ppm;
pub use rate::RateError;
