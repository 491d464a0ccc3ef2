//! The pipeline of oversleep: recordings are captured or imported, analysed, and shown.
//!
//! Stages pass on values, not control. A plan says what to sleep; [`capture`] runs it on this machine
//! (`oversleep-sim` on a simulated one; [`import`] reads other programs' files) and sends samples and notes to a
//! sink; [`analysis`] takes any recording; a [`report`] shows recordings and analyses.
//!
//! This crate contains no `unsafe` code and names no platform: both belong to `oversleep-os` and `oversleep-sys`.

pub mod analysis;
pub mod capture;
pub mod export;
pub mod figures;
pub mod import;
pub mod report;
pub mod reproduce;
pub mod session;
