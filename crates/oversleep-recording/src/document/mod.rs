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
mod headline;
mod interventions;
mod kernels;
pub mod late;
mod methods;
mod model;
mod page;
mod recordings;
mod remedy;
mod reproduced;
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
pub use finding::{Predicted, PredictedQuantile};
pub use headline::WithHeadline;
pub use interventions::{CauseSize, Effect, Interventions, Shift, SizeInterval};
pub use kernels::{
    CutCell, ParameterValue, PresetFacts, Presets, SourcedParameter, Swept, SweptCell, SweptResult, SweptRow,
    ValueOrigin,
};
pub use methods::{ApiFacts, RuntimeApis};
pub use methods::{MethodFacts, Methods};
pub use model::{Alternative, Fit, FittedModel, LeftOut, Model, ModelOverlay, share_of_request};
pub use page::{
    Bins, DriftLine, PackedColumn, PackedSamples, Page, PageCell, PageCounts, PageRecording, PageSeries, PageShift,
    PageTable, PageTrace, PredictedLine, TracedSleep,
};
pub use recordings::{RecordingFacts, Recordings};
pub use reproduced::{Agreement, Basis, Claim, FigureUnit, Publication, Reproduced, ReproducedFigure, ReproducedTable};
pub use witnesses::{CauseEstimates, Corroboration, Estimate, SideBySide, WitnessAgreement};
