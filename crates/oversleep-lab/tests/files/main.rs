//! Files of other programs, and our recordings in the formats of other programs.

mod exports;
mod hostile;
mod importers;
mod long;
mod round_trip;
