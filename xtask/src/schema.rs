//! The JSON Schema of every document the program prints, from the documents' own types.

use oversleep_recording::document::{Checkup, Diagnosed, Explained, Measured, Methods, Presets, Swept};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

pub(crate) fn measure() -> String {
    of::<Measured>("oversleep measure --json; also simulate, report and stalls")
}

pub(crate) fn checkup() -> String {
    of::<Checkup>("oversleep --json")
}

pub(crate) fn explain() -> String {
    of::<Explained>("oversleep explain --json")
}

pub(crate) fn diagnose() -> String {
    of::<Diagnosed>("oversleep diagnose --json")
}

pub(crate) fn list_methods() -> String {
    of::<Methods>("oversleep list --json")
}

pub(crate) fn list_presets() -> String {
    of::<Presets>("oversleep list presets --json")
}

pub(crate) fn simulate_sweep() -> String {
    of::<Swept>("oversleep simulate --sweep --json")
}

pub(crate) fn simulate_vs() -> String {
    of::<[Measured; 2]>("oversleep simulate --vs --json")
}

/// The schema of what a type is written as (draft 2020-12).
fn of<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    // What Rust calls `None` is `null` in JSON.
    format!("{:#}\n", schema.as_value()).replace("`None`", "`null`")
}
