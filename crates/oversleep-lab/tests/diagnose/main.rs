//! What the pattern witness says of recordings whose truth is known: real kernels, and generated ones.

mod causes;
mod csv;
mod kernels;
mod long;
mod overlay;
mod random;
mod simulated;
