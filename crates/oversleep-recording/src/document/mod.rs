//! The documents that commands print as JSON, and everything in them.
//!
//! Plain types with `Serialize`. Their JSON Schema is generated into `docs/schema`; text output and Python's objects
//! present the same data.

mod asked;
pub mod attach;
mod bounds;
pub mod breakdown;
mod cause;
mod chart;
pub mod clocks;
mod compare;
pub mod evidence;
mod explained;
mod figures;
mod finding;
#[cfg(test)]
mod glossary;
mod interventions;
mod kernels;
pub mod late;
mod methods;
mod model;
mod page;
mod predicted;
mod recordings;
mod remedy;
mod reproduced;
mod runtime_apis;
pub mod runtimes;
pub mod stalls;
pub mod trace;
mod witnesses;

pub use asked::{AskedAnswer, AskedCandidate, percent_of_candidates};
pub use bounds::{BoundedCell, LatenessBounds, LengthLaw, TailBasis, TailBound, TailCarried, TailPart};
pub use cause::Cause;
pub use chart::{AxisScale, AxisUnit, Chart, ChartAxis, ChartMark, ChartSeries};
pub use compare::{
    Compared, ComparedCell, ComparedFigure, ComparedMaximum, ComparedName, ComparedPeriods, ComparedRun, ComparedShare,
    ErrorSource, FactDifference, PairedBy, PeriodsOfSide, QuantileShift, ShareShift, ShareVerdict, ShiftBounds,
    ShiftVerdict, StatedFacts, UncomparedFigure,
};
pub use evidence::Evidence;
pub use explained::{Checkup, Coverage, Diagnosed, Explained, ExplainedCell};
pub use figures::{
    AskedAndObtained, Bounds, CellFigures, CorrectedBounds, CostFigures, DistributionFigures, Figures, Measured,
    PeriodCounts, PeriodsForWork, ShareOver, ThreadFigures, TimeLeft,
};
pub use finding::{Budget, CellDiagnosis, Diagnosis, Finding, Remedy, Split, Undecided, Unit, Witness};
pub use interventions::{CauseSize, Effect, Interventions, Shift, SizeInterval};
pub use kernels::{
    CutCell, ParameterValue, PresetFacts, Presets, SourcedParameter, Swept, SweptCell, SweptResult, SweptRow,
    ValueOrigin,
};
pub use methods::{MethodFacts, Methods};
pub use model::{Alternative, Fit, FittedModel, LeftOut, Model, ModelOverlay};
pub use page::{
    Bins, DriftLine, PackedColumn, PackedSamples, Page, PageCell, PageCounts, PageRecording, PageSeries, PageShift,
    PageTrace, PredictedLine, TracedSleep,
};
pub use predicted::{Predicted, PredictedQuantile};
pub use recordings::{RecordingFacts, Recordings};
pub use reproduced::{Agreement, Basis, Claim, FigureUnit, Publication, Reproduced, ReproducedFigure, ReproducedTable};
pub use runtime_apis::{ApiFacts, RuntimeApis};
pub use witnesses::{CauseEstimates, Corroboration, Estimate, SideBySide, WitnessAgreement};
