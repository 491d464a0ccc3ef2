//! The pipeline of oversleep: recordings are captured or imported, analysed, and shown.
//!
//! Stages pass on values, not control. A plan says what to sleep; [`capture`] runs it on this machine
//! (`oversleep-sim` on a simulated one; [`import`] reads other programs' files) and sends samples and notes to a
//! sink; [`analysis`] takes any recording; a [`report`] shows recordings and analyses.
//!
//! This crate contains no `unsafe` code and names no platform: both belong to `oversleep-os` and `oversleep-sys`.

pub use oversleep_analysis as analysis;
pub use oversleep_capture as capture;
pub use oversleep_export as export;
pub use oversleep_figures as figures;
pub use oversleep_import as import;
pub use oversleep_report as report;
pub use oversleep_reproduce as reproduce;

pub mod session;
