//! The class `Recording` and the function `load`.

use crate::arguments::wrong;
use crate::interruptible::InterruptibleRecording;
use crate::picture::Picture;
use crate::{arrow, document, foreign, table};
use arrow_array::RecordBatch;
use oversleep_lab::figures::{Accumulator, CellSummary};
use oversleep_lab::import::ImportError;
use oversleep_lab::report::{Screen, notebook};
use oversleep_lab::session::{FiguresOnly, Input, InputError, ReadRecording, Results};
use oversleep_py_common::number::{in_range, whole, whole_called};
use oversleep_py_common::signals::detached;
use oversleep_recording::file::{ReadError, WriteError, Writer};
use oversleep_recording::text::{on_terminal, visible};
use oversleep_recording::{End, Origin, Sink};
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::cell::RefCell;
use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Samples and everything known of how they were made.
///
/// Hands its samples over as an Arrow stream (``pyarrow.table(r)``, ``polars.DataFrame(r)``,
/// ``pandas.DataFrame.from_arrow(r)``) in one piece of memory that all takers share: ``cell``, ``thread``, ``sequence``,
/// ``requested_ns``, ``deadline_ns`` (null where there is none), ``start_ns``, ``end_ns``, ``cpu_start``, ``cpu_end``,
/// ``flags``, ``run_queue_ns``, ``oversleep_ns``, ``method``, ``condition``. In a notebook it shows its figures and distributions.
#[pyclass(frozen, module = "oversleep_lab")]
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) inner: oversleep_recording::Recording,
    /// A notice on how the recording's file ended.
    remark: Option<String>,
    /// The samples as columns, made once; all consumers share this memory.
    batch: OnceLock<RecordBatch>,
    results: OnceLock<Results>,
}

impl Recording {
    pub(crate) fn new(inner: oversleep_recording::Recording) -> Self {
        Self { inner, remark: None, batch: OnceLock::new(), results: OnceLock::new() }
    }

    fn batch(&self, py: Python<'_>) -> PyResult<&RecordBatch> {
        if let Some(batch) = self.batch.get() {
            return Ok(batch);
        }
        let made = py.detach(|| table::one_batch(&self.inner)).map_err(|error| arrow::trouble(&error))?;
        Ok(self.batch.get_or_init(|| made))
    }

    fn results(&self) -> &Results {
        self.results.get_or_init(|| {
            let mut figures = FiguresOnly::new(&self.inner.meta);
            figures.samples(&self.inner.samples);
            figures.note(&self.inner.note);
            figures.finish()
        })
    }

    fn summary(&self) -> &[CellSummary] {
        &self.results().cells
    }

    /// Returns a line on what was recorded and where.
    fn title(&self) -> String {
        let meta = &self.inner.meta;
        let origin = match &meta.origin {
            Origin::Live => format!("measured on {} {}", meta.machine.system, meta.machine.release),
            Origin::Simulated { model, .. } => format!("simulated on {model}"),
            Origin::Imported { format, file } => format!("imported from {file} ({format})"),
        };
        let samples = self.inner.samples.len();
        let cells = match meta.plan.cells.len() {
            1 => "1 cell".to_owned(),
            many => format!("{many} cells"),
        };
        format!("{}: {samples} sleeps in {cells}, {}", meta.plan.kind, origin.trim_end())
    }

    /// Returns the notices that belong to the figures.
    fn remarks(&self) -> String {
        let tail = self.remark.as_ref().map_or_else(String::new, |remark| format!("{remark}\n"));
        tail + &self.results().remarks(Screen::PLAIN)
    }

    /// Returns the figures as text, as the command line shows them.
    fn shown(&self, py: Python<'_>, width: u16) -> String {
        let screen = Screen { width, colour: false };
        py.detach(|| {
            let figures = self.results().figures(screen);
            let remarks = self.remarks();
            let text = if remarks.is_empty() { figures } else { format!("{figures}\n{remarks}") };
            on_terminal(&text).into_owned()
        })
    }

    fn cell(&self, cell: i128) -> PyResult<&CellSummary> {
        let cells = self.summary();
        usize::try_from(cell)
            .ok()
            .and_then(|cell| cells.get(cell))
            .ok_or_else(|| wrong(format!("there is no cell {cell}; the recording has {}", cells.len())))
    }
}

#[pymethods]
impl Recording {
    fn __len__(&self) -> usize {
        self.inner.samples.len()
    }

    /// What the recording is of.
    #[getter]
    fn kind(&self) -> &str {
        self.inner.meta.plan.kind.name()
    }

    /// Whether all planned sleeps were made.
    #[getter]
    fn complete(&self) -> bool {
        self.inner.note.end == Some(End::Complete)
    }

    /// A notice on how the recording's file ended, if there is one.
    #[getter]
    fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.batch(py)?.schema_ref().fields().iter().map(|field| field.name().clone()).collect())
    }

    /// Returns the samples as an Arrow stream (`PyCapsule` interface), sharing this recording's memory.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested schema.
        let _ = requested_schema;
        arrow::stream(py, self.batch(py)?)
    }

    /// Returns the columns' Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, self.batch(py)?)
    }

    /// Returns each cell's figures: a list of dicts, keys as in the JSON of `oversleep report --json`.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.document(py)?.get_item("cells")
    }

    /// Returns everything as one dict: machine, cells, what was unavailable.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document::parsed(py, &self.json(py))
    }

    /// Returns the same document as text, identical to the byte with the output of `oversleep report --json`.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| self.results().json())
    }

    /// Returns the figures as text, as the command line shows them.
    #[pyo3(signature = (width=120))]
    fn table(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] width: i128) -> PyResult<String> {
        Ok(self.shown(py, in_range(width, "width", 1, u16::MAX.into())?))
    }

    /// Counts a cell's oversleeps between edges (nanoseconds): below the first, between each two, at or above the last.
    fn histogram(&self, #[pyo3(from_py_with = whole)] cell: i128, edges_ns: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        let edge = |edge: PyResult<Bound<'_, PyAny>>| -> PyResult<i64> {
            in_range(whole_called(&edge?, "an edge")?, "an edge", i64::MIN.into(), i64::MAX.into())
        };
        let edges_ns = edges_ns.try_iter()?.map(edge).collect::<PyResult<Vec<_>>>()?;
        if edges_ns.is_empty() || edges_ns.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(wrong("edges must ascend, and there must be one"));
        }
        Ok(Accumulator::counts(&self.cell(cell)?.values, &edges_ns))
    }

    /// Returns columns of numbers as a dict of lists.
    #[pyo3(signature = (*columns))]
    fn lists<'py>(&self, py: Python<'py>, columns: Vec<String>) -> PyResult<Bound<'py, PyDict>> {
        let lists = PyDict::new(py);
        for name in columns {
            let list = table::list(py, self.batch(py)?, &name)?;
            lists.set_item(
                &name,
                list.ok_or_else(|| wrong(format!("there is no column of numbers called '{name}'")))?,
            )?;
        }
        Ok(lists)
    }

    /// Writes the recording to a file (Arrow IPC stream) that any reader of Arrow can open.
    #[pyo3(signature = (path, *, replace=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<()> {
        let written = py.detach(|| {
            let mut writer = Writer::create(&path, &self.inner.meta, replace)?;
            writer.samples(&self.inner.samples);
            writer.note(&self.inner.note);
            writer.finish()
        });
        match written {
            Ok(_) => Ok(()),
            Err(WriteError::Exists { path }) => {
                Err(PyFileExistsError::new_err(format!("{path} exists already; replace=True replaces it")))
            }
            Err(WriteError::Busy { path }) => Err(PyOSError::new_err(format!("{path} is being written by a run"))),
            Err(WriteError::Create { path, source }) => {
                Err(PyOSError::new_err(format!("cannot create {path}: {source}")))
            }
            Err(error) => Err(PyOSError::new_err(error.to_string())),
        }
    }

    /// Returns a plot of this kind, or the most informative one.
    #[pyo3(signature = (kind=None))]
    fn plot(&self, py: Python<'_>, kind: Option<&str>) -> PyResult<Picture> {
        detached(py, || Picture::draw(self, &self.title(), kind))?
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| notebook::fragment(&self.title(), self.summary(), &self.remarks()))
    }

    fn __repr__(&self) -> String {
        format!("<Recording {}>", visible(&self.title()))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.shown(py, 120)
    }
}

/// Reads a recording's file, a folder of segments, or a file of another program, such as a CSV table. What is left out of it is
/// warned of.
#[pyfunction]
#[pyo3(signature = (path, *, partial=false))]
pub(crate) fn load(py: Python<'_>, path: PathBuf, partial: bool) -> PyResult<Recording> {
    let (recording, remarks) = detached(py, || open(path, partial))??;
    for remark in remarks {
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(visible(&remark).into_owned())?, 1)?;
    }
    Ok(recording)
}

/// Returns a file's recording, and remarks on which it is and what was left out of it.
fn open(path: PathBuf, partial: bool) -> PyResult<(Recording, Vec<String>)> {
    let input = Input { path: Some(path), partial, ..Input::default() };
    let found = RefCell::new(Vec::new());
    let notice = |line: &str| found.borrow_mut().push(line.to_owned());
    let mut read = None;
    let ReadRecording { ending, remarks, .. } = input
        .read_into(None, &notice, |meta| read.insert(InterruptibleRecording::new(meta.clone())))
        .map_err(|error| match error {
            InputError::Import(error) => not_read(error),
            error => wrong(error.to_string()),
        })?;
    let read = read.ok_or_else(|| wrong("the recording has no header".to_owned()))?;
    let remarks = found.take().into_iter().chain(remarks).collect();
    Ok((Recording { remark: ending, ..Recording::new(read.inner) }, remarks))
}

fn not_read(error: ImportError) -> PyErr {
    match error {
        ImportError::Read { name, source } => unreadable(Path::new(&name), &source),
        ImportError::Recording(ReadError::Open { path, source }) => unreadable(Path::new(&path), &source),
        error if error.has_sound_part() => wrong(format!("{error} (oversleep.load(…, partial=True) reads them)")),
        error => wrong(error.to_string()),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    let text = format!("cannot read {}: {error}", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}

/// Returns a recording from a recording, a file's path, or an Arrow table.
pub(crate) fn any<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Recording>> {
    if let Ok(recording) = given.cast::<Recording>() {
        return Ok(recording.clone());
    }
    if given.hasattr("__arrow_c_stream__")? {
        return Bound::new(given.py(), Recording::new(foreign::read(given)?));
    }
    let Ok(path) = given.extract::<PathBuf>() else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a recording, a file's path or an Arrow table is needed, not {kind}"
        )));
    };
    Bound::new(given.py(), load(given.py(), path, false)?)
}
