//! The entry point of the crate: a request becomes a plan, a plan is run, a recording is explained.
//!
//! The command line and the Python package parse their input into the request types of this module and show the
//! documents it returns. Defaults, checks and orchestration are only here, so the same request gives the same document
//! from each. This module uses the others; none of them uses it.
//!
//! * [`plan`] and [`plan_diagnosis`]: turn a request into cells and turns;
//! * [`Runner`]: runs a plan, watches for stalls or surveys clocks, with a file, actions on late sleeps and a subscriber;
//! * [`Input`]: reads a file, a folder, standard input or the last recording;
//! * [`Results`]: the figures of a run or a file, as document and text;
//! * [`Comparison`]: compares two sides of recordings;
//! * [`reproduce`]: reproduces the numbers of publications;
//! * [`Explainer`]: says why the sleeps of a recording were late; [`AskedExplanation`]: what explains stated figures.

mod archive;
mod asked;
mod atomic_file;
mod bounds;
mod compare;
mod copies;
mod diagnose;
mod diagnosed;
mod error;
mod explain;
mod figures;
mod input;
mod kernel;
mod late;
mod live;
mod methods;
mod page;
mod plan;
mod recording_file;
mod reproduce;
mod request;
mod results;
mod run;
mod serve;
mod sinks;
mod subjects;
mod tail;

pub use archive::{Archive, Archived, MOST_FILES};
pub use asked::{AskedExplanation, AskedTable, StatedFigures, StatedFiguresError};
pub use atomic_file::AtomicFile;
pub use bounds::{BoundsRequest, plan_bounds};
pub use compare::{Comparison, ShiftLimit, most_runs};
pub use copies::Copies;
pub use diagnose::{DiagnoseError, DiagnosePlan, DiagnoseRequest, plan_diagnosis};
pub use error::{Interface, RequestError};
pub use explain::{Explainer, Explanation};
pub use figures::FiguresOnly;
pub use input::{Input, InputError, ReadRecording, is_standard, last_recordings, open_bytes};
pub use kernel::{frequency_changes, kernel};
pub use late::{LateAction, LateRequest};
pub use live::enter_note;
pub use methods::method;
pub use oversleep_analysis::bounds::Gather as GatherLateness;
pub use oversleep_analysis::compare::{ComparableRun, Gather};
pub use page::{PagePart, PageReader, page};
pub use plan::plan;
pub use recording_file::Keep;
pub use reproduce::{ReproduceError, ReproduceRequest, reproduce};
pub use request::{MeasureRequest, TraceRequest};
pub use results::{Breakdown, Results};
pub use run::RunError;
pub use run::describe;
pub use run::{ExtraSleeps, Opened, Runner};
pub use serve::{ServeRequest, Server};

/// Takes one line about a run that is not a result.
pub type Notice<'a> = &'a dyn Fn(&str);
