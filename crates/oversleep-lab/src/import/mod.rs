//! Other programs' files, read as recordings. A file per format.

pub mod csv;
