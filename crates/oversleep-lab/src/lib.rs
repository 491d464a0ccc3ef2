//! The pipeline of oversleep: a source makes a recording, analyses take it, reports show it.
//!
//! Stages hand over values, never control. A [`plan::Plan`] says what to sleep; a [`source`] (the live machine,
//! a simulated kernel, an imported file) carries it out and pours [`recording::Sample`]s and notes into a
//! [`recording::Sink`]; an [`analysis`] takes any recording; a [`report`] shows recordings and analyses.
//!
//! This crate contains no `unsafe` code and names no platform: both belong to `oversleep-os`.

pub mod analysis;
pub mod plan;
pub mod recording;
pub mod report;
pub mod source;
