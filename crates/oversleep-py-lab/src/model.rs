//! Measurements of simulated kernels: the functions behind `oversleep.simulate` and `oversleep.presets`.

use crate::arguments::{items, word, wrong};
use crate::document;
use crate::interruptible::InterruptibleRecording;
use crate::keywords::planned;
use crate::recording::Recording;
use oversleep_lab::session::{Runner, frequency_changes, kernel};
use oversleep_py_common::signals::detached;
use oversleep_sim::{Kernel, ParameterError, meta, preset, preset_names};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::Path;

/// Carries out a plan on a kernel model and records every sleep. `oversleep.simulate` documents the keywords.
#[pyfunction]
#[pyo3(signature = (kernel, experiment, changed, at, keywords))]
pub(crate) fn simulate(
    py: Python<'_>,
    kernel: &str,
    experiment: Option<&str>,
    changed: Option<&Bound<'_, PyDict>>,
    at: Option<&Bound<'_, PyAny>>,
    keywords: &Bound<'_, PyDict>,
) -> PyResult<Recording> {
    let kernel = named(kernel)?.set_all(&borrowed(&parameters(changed)?)).map_err(refused)?;
    let steps = items(at, "at")?.iter().map(|change| word(change, "at")).collect::<PyResult<Vec<String>>>()?;
    let steps = frequency_changes(steps.iter().map(String::as_str)).map_err(refused)?;
    kernel.accepts(&steps).map_err(refused)?;
    let plan = planned(experiment, keywords)?;
    let mut heard = InterruptibleRecording::new(meta(&kernel, &plan));
    let ran = detached(py, || {
        // A run that keeps no file has no notices.
        let run = Runner { subscriber: Some(&mut heard), ..Runner::new("", &|_| {}) };
        run.simulate(&kernel, &plan, &steps).map(drop)
    })?;
    ran.map_err(|error| wrong(error.to_string()))?;
    Ok(Recording::new(heard.inner))
}

/// Returns the preset called `name`, or else the kernel model in the file of that name.
fn named(name: &str) -> PyResult<Kernel> {
    kernel(name, || {
        if !Path::new(name).exists() {
            return Err(Refused::File(format!(
                "no preset and no file is called '{name}'; oversleep.presets() lists the presets"
            )));
        }
        let text = std::fs::read_to_string(name).map_err(|error| Refused::File(format!("{name}: {error}")))?;
        Ok((name.to_owned(), text))
    })
    .map_err(|error| match error {
        Refused::File(text) => wrong(text),
        Refused::Parameter(error) => refused(error),
    })
}

/// Why a kernel model cannot be had.
enum Refused {
    File(String),
    Parameter(ParameterError),
}

impl From<ParameterError> for Refused {
    fn from(error: ParameterError) -> Self {
        Self::Parameter(error)
    }
}

/// Returns the error in terms of Python: arguments have no dashes, and a function lists the presets.
fn refused(error: ParameterError) -> PyErr {
    match error {
        ParameterError::NoPreset(name) => {
            wrong(format!("no preset is called '{name}'; oversleep.presets() lists them"))
        }
        error => {
            let text = error.to_string();
            wrong(text.strip_prefix("--").unwrap_or(&text))
        }
    }
}

/// Returns the parameters with their values as text, which is parsed as in a kernel's TOML file.
fn parameters(changed: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(changed) = changed else { return Ok(Vec::new()) };
    changed.iter().map(|(name, value)| Ok((word(&name, "a parameter of set")?, value.str()?.to_string()))).collect()
}

fn borrowed(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
    pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// Returns the simulated kernels that come with the package, as a dict from name to title.
#[pyfunction]
pub(crate) fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let presets = preset_names().map(preset).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let titles: BTreeMap<_, _> = presets.into_iter().map(|preset| (preset.name, preset.title)).collect();
    document::objects(py, &titles)
}
