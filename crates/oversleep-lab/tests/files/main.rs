//! Other programs' files, and our recordings as their files.

mod exports;
mod hostile;
mod importers;
mod round_trip;
