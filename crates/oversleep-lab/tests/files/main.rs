//! Files of other programs, and our recordings in the formats of other programs.

mod exports;
mod hostile;
mod importers;
mod left_out;
mod long;
mod round_trip;
