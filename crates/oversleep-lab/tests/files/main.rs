//! Files of other programs, and our recordings in the formats of other programs.

mod altered;
mod exports;
mod hostile;
mod importers;
mod left_out;
mod long;
mod pictures;
mod round_trip;
