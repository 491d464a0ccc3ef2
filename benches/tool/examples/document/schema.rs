//! Generator of the JSON Schema of every document that the program prints, from the documents' Rust types.

use oversleep_recording::document::clocks::Clocks;
use oversleep_recording::document::runtimes::Runtimes;
use oversleep_recording::document::trace::Traced;
use oversleep_recording::document::{
    AskedAnswer, Checkup, Compared, Diagnosed, Explained, LatenessBounds, Measured, Methods, Page, Presets, Recordings,
    Reproduced, RuntimeApis, Swept, WithHeadline,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// Returns the schema of the document of that name; `None` if there is no such document.
pub(crate) fn of_document(name: &str) -> Option<String> {
    Some(match name {
        "measure" => schema::<WithHeadline<Measured>>("oversleep measure --json; also simulate, report and stalls"),
        "trace" => schema::<WithHeadline<Traced<'static>>>(
            "oversleep trace --json; also measure --trace, and explain of what it traced",
        ),
        "check-up" => schema::<WithHeadline<Checkup>>("oversleep --json"),
        "explain" => schema::<WithHeadline<Explained>>("oversleep explain --json"),
        "explain-asked" => schema::<AskedAnswer>("oversleep explain --asked --json"),
        "diagnose" => schema::<WithHeadline<Diagnosed>>("oversleep diagnose --json"),
        "runtimes" => schema::<WithHeadline<Runtimes>>("oversleep runtimes --json"),
        "page" => schema::<Page>("the document in the page that oversleep report -o x.html writes"),
        "clocks" => schema::<WithHeadline<Clocks>>("oversleep clocks --json"),
        "list-methods" => schema::<Methods>("oversleep list --json"),
        "list-runtimes" => schema::<RuntimeApis>("oversleep list runtimes --json"),
        "list-recordings" => schema::<Recordings>("oversleep list recordings --json"),
        "list-presets" => schema::<Presets>("oversleep list presets --json"),
        "simulate-sweep" => schema::<Swept>("oversleep simulate --vary --json"),
        "simulate-vs" => schema::<[Measured; 2]>("oversleep simulate --vs --json"),
        "compare" => schema::<WithHeadline<Compared>>("oversleep compare --json"),
        "bounds" => schema::<WithHeadline<LatenessBounds>>("oversleep bounds --json"),
        "reproduce" => schema::<Reproduced>("oversleep reproduce --json"),
        _ => return None,
    })
}

/// Returns the schema of a type's JSON (draft 2020-12).
fn schema<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    // Descriptions come from doc comments, which say `None` where JSON has `null`.
    format!("{:#}\n", schema.as_value()).replace("`None`", "`null`")
}
