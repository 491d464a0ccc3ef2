//! Presets and sweeps as documents.

use super::{Kernel, Preset, Sourced, Sweep, SweepRow, Tally};
use oversleep_recording::document::{
    CutCell, ParameterValue, PresetFacts, Presets, SourcedParameter, Swept, SweptCell, SweptResult, SweptRow,
};
use oversleep_recording::plan::{Cell, Plan};
use toml::Value;

/// The version of these documents.
const FORMAT: u32 = 1;

/// Returns the document of presets, with the source of every number.
pub fn presets(presets: &[Preset]) -> Presets {
    let one = |preset: &Preset| PresetFacts {
        name: preset.name.clone(),
        title: preset.title.clone(),
        systems: preset.systems.clone(),
        calls: preset.calls.clone(),
        notes: preset.notes.clone(),
        parameters: preset.parameters.iter().map(|(name, known)| (name.clone(), parameter(known))).collect(),
    };
    Presets { format: FORMAT, presets: presets.iter().map(one).collect() }
}

fn parameter(known: &Sourced) -> SourcedParameter {
    SourcedParameter {
        value: value(&known.value),
        from: known.from,
        source: known.source.clone(),
        spread: known.spread,
    }
}

/// Converts a parameter's value: a switch, a number or a word; any other value in a file has been rejected before.
fn value(value: &Value) -> ParameterValue {
    match value {
        Value::Boolean(switch) => ParameterValue::Switch(*switch),
        Value::Integer(whole) => ParameterValue::Whole(*whole),
        Value::Float(number) => ParameterValue::Number(*number),
        Value::String(word) => ParameterValue::Word(word.clone()),
        other => ParameterValue::Word(other.to_string()),
    }
}

/// Returns the document of a sweep: figures of many kernels that differ in one parameter.
pub fn swept(kernel: &Kernel, over: &Sweep, plan: &Plan, rows: &[SweepRow]) -> Swept {
    Swept {
        format: FORMAT,
        kernel: kernel.name().to_owned(),
        parameter: over.parameter.clone(),
        rows: rows.iter().map(|row| SweptRow { value: row.value.clone(), result: result(row, plan) }).collect(),
    }
}

fn result(row: &SweepRow, plan: &Plan) -> SweptResult {
    match &row.result {
        Err(refused) => SweptResult::Refused { refused: refused.to_string() },
        Ok((tallies, outcome)) => SweptResult::Slept {
            simulated_ns: outcome.simulated,
            cells: plan.cells.iter().zip(tallies).map(|(cell, tally)| figures(cell, tally)).collect(),
            cut: outcome
                .cut
                .iter()
                .map(|cut| CutCell { cell: cut.cell, thread: cut.thread, why: format!("{:?}", cut.cut).to_lowercase() })
                .collect(),
        },
    }
}

fn figures(cell: &Cell, tally: &Tally) -> SweptCell {
    let some = tally.n > 0;
    SweptCell {
        method: cell.method.clone(),
        requested_ns: cell.pattern.requested(),
        n: tally.n,
        early: tally.early,
        min_ns: some.then_some(tally.min),
        mean_ns: tally.mean(),
        sd_ns: tally.sd(),
        max_ns: some.then_some(tally.max),
        resleeps: tally.resleeps,
    }
}
