//! The functions behind `oversleep.explain` and `oversleep.explain_figures`.

use crate::arguments::wrong;
use crate::recording;
use oversleep_lab::import::csv::Mapping;
use oversleep_lab::report::Screen;
use oversleep_lab::session::{AskedExplanation, AskedTable, Explainer, Explanation};
use oversleep_py_common::signals::computed;
use oversleep_recording::Sink;
use oversleep_recording::asked::{AskedPair, Question, Repeated, Took};
use oversleep_recording::text::on_terminal;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// Returns the causes found in a recording as a document (JSON) and as text; `oversleep.explain` makes objects of it.
#[pyfunction]
pub(crate) fn explain(source: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
    let py = source.py();
    let shared = recording::any(source)?.unbind();
    // The recording is returned too: dropped in the other thread, it would stay until that had the interpreter's lock.
    let (found, _shared) = computed(py, move || {
        let inner = &shared.get().inner;
        let mut explainer = Explainer::new(&inner.meta);
        explainer.samples(&inner.samples);
        explainer.note(&inner.note);
        let text = |explanation: &Explanation| on_terminal(&explanation.text(Screen::PLAIN)).into_owned();
        let found = explainer.finish().map(|explanation| (explanation.json(), text(&explanation)));
        (found, shared)
    })?;
    found.ok_or_else(|| wrong("the recording has no samples"))
}

/// Figures as Python states them: requests with figures, or a table and what all of its rows asked for.
#[derive(FromPyObject)]
pub(crate) enum StatedFigures {
    Pairs(Vec<(String, String)>),
    Table((PathBuf, Option<String>)),
}

/// Returns what explains stated figures as a document (JSON) and as text. `after`: the same figures after a change, and the
/// conditions then.
#[pyfunction]
pub(crate) fn explain_figures(
    figures: StatedFigures,
    system: Option<&str>,
    method: Option<String>,
    conditions: Vec<String>,
    after: Option<(StatedFigures, Vec<String>)>,
) -> PyResult<(String, String)> {
    let question = |figures, conditions: &[String]| -> PyResult<Question> {
        Ok(Question {
            pairs: pairs(figures)?,
            conditions: conditions.iter().map(|text| parsed(text)).collect::<PyResult<_>>()?,
            ..Question::default()
        })
    };
    let before = Question { system: system.map(parsed).transpose()?, call: method, ..question(figures, &conditions)? };
    let answer = match after {
        None => AskedExplanation::new(&before),
        Some((figures, changed)) => AskedExplanation::of_change(&before, &before.after(question(figures, &changed)?)),
    };
    let answer = answer.map_err(|error| wrong(error.to_string()))?;
    Ok((answer.json(), on_terminal(&answer.text(Screen::PLAIN)).into_owned()))
}

fn pairs(figures: StatedFigures) -> PyResult<Vec<AskedPair>> {
    match figures {
        StatedFigures::Pairs(pairs) => pairs
            .iter()
            .map(|(asked, took)| {
                let (asked, took): (Repeated, Took) = (parsed(asked)?, parsed(took)?);
                AskedPair::new(asked, &took).map_err(|error| wrong(error.to_string()))
            })
            .collect(),
        StatedFigures::Table((path, asked)) => {
            let columns = Mapping::default();
            let asked = asked.as_deref().map(parsed).transpose()?;
            let name = |error: &dyn Display| format!("{}: {error}", path.display());
            let table = AskedTable::open(&path, &columns).map_err(|error| PyOSError::new_err(name(&error)))?;
            let table = table.ok_or_else(|| {
                wrong(name(
                    &"this is not a table without starts, which has columns such as requested_ms,took_ms; recordings are for explain()",
                ))
            })?;
            table.pairs(&columns, asked).map_err(|error| wrong(name(&error)))
        }
    }
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error: T::Err| wrong(error.to_string()))
}
