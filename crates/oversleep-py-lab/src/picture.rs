//! Plots of a recording, the same as those of the command line.

use crate::arguments::wrong;
use crate::recording::Recording;
use oversleep_lab::report::Screen;
use oversleep_lab::report::picture::{self, Plot};
use oversleep_lab::session::PageReader;
use oversleep_py_common::signals::detached;
use oversleep_recording::Sink;
use oversleep_recording::text::on_terminal;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A plot of a recording. A notebook shows it; ``print`` draws it with characters.
#[pyclass(frozen, module = "oversleep_lab")]
#[derive(Debug)]
pub(crate) struct Picture {
    /// The plot as SVG text.
    #[pyo3(get)]
    svg: String,
    text: String,
}

impl Picture {
    /// Draws the plot of that kind, or the most informative one.
    pub(crate) fn draw(recording: &Recording, name: &str, kind: Option<&str>) -> PyResult<Self> {
        let plot = kind.map(|kind| Plot::from_name(kind).ok_or_else(|| unknown(kind))).transpose()?;
        let inner = &recording.inner;
        let mut reader = PageReader::new(&inner.meta);
        reader.samples(&inner.samples);
        reader.note(&inner.note);
        let part = reader.finish(name);
        let plot = plot.unwrap_or_else(|| Plot::best(&part.recording));
        let nothing = |why: String| wrong(format!("there is nothing to plot: {why}"));
        let svg = picture::svg(plot, &part.subject()).map_err(nothing)?;
        let text = picture::text(plot, &part.subject(), Screen::PLAIN).map_err(nothing)?;
        Ok(Self { svg, text: on_terminal(&text).into_owned() })
    }
}

fn unknown(kind: &str) -> PyErr {
    let known: Vec<_> = Plot::ALL.iter().map(|(name, _)| format!("'{name}'")).collect();
    wrong(format!("kind is one of {}, not '{kind}'", known.join(", ")))
}

#[pymethods]
impl Picture {
    /// Returns the plot as the bytes of a PNG file.
    fn png(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        detached(py, || picture::png(&self.svg))?.map_err(wrong)
    }

    /// Writes the plot to a file whose name ends in `.svg` or `.png`; replaces an existing file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let bytes = match ending.as_deref() {
            Some("svg") => self.svg.clone().into_bytes(),
            Some("png") => self.png(py)?,
            _ => return Err(wrong(format!("{}: the name has to end in .svg or .png", path.display()))),
        };
        let cannot = |error| PyOSError::new_err(format!("cannot write {}: {error}", path.display()));
        std::fs::write(&path, bytes).map_err(cannot)
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}
