//! The figures as one JSON document, the same shape whatever the source.

use crate::analysis::attribution::late_sleeps;
use crate::analysis::{CellSummary, Figures};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Unobtained};
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value, json};

/// The document. A value that the samples cannot carry is `null`.
pub fn document(meta: &Meta, note: &Note, cells: &[CellSummary]) -> Value {
    let unavailable: Vec<&Unobtained> = meta.unavailable.iter().chain(&note.unavailable).collect();
    let mut machine = meta.machine.clone();
    machine.timekeeping.tick_measured = note.tick_measured.or(machine.timekeeping.tick_measured);
    let mut document = json!({
        "format": Meta::FORMAT,
        "tool": meta.tool,
        "experiment": meta.plan.experiment,
        "origin": meta.origin,
        "started": meta.started,
        "ended": note.end,
        "machine": machine,
        "cells": cells.iter().map(cell).collect::<Vec<_>>(),
        "lost": note.lost,
        "unavailable": unavailable,
    });
    if let Some(late) = late_sleeps(&meta.plan, note) {
        document["late"] = json!(super::late::Json::from(&late));
    }
    document
}

fn cell(summary: &CellSummary) -> Value {
    let Cell { method, pattern, conditions, clock, .. } = &summary.cell;
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("method", json!(method));
    put("requested_ns", json!(pattern.requested()));
    put("pattern", json!(pattern).get("pattern").cloned().unwrap_or_default());
    put("absolute", json!(summary.cell.absolute()));
    put("clock", json!(clock));
    put("conditions", json!({"asked": conditions, "obtained": summary.obtained}));
    figures(&mut object, &summary.raw);
    object.insert("interrupted".to_owned(), json!(summary.interrupted));
    object.insert("failed".to_owned(), json!(summary.failed));
    object.insert("first_ns".to_owned(), json!(summary.first));
    if let Some(periods) = summary.periods {
        let account = json!({
            "asked": periods.asked, "fresh": periods.fresh, "late": periods.late,
            "skipped": periods.skipped, "early": periods.early,
        });
        object.insert("periods".to_owned(), account);
    }
    if let Some(series) = &summary.corrected {
        let mut corrected = Map::new();
        figures(&mut corrected, series);
        object.insert("corrected".to_owned(), Value::Object(corrected));
    }
    Value::Object(object)
}

fn figures(object: &mut Map<String, Value>, figures: &Figures) {
    let low = figures.p50_interval.map(|(low, _)| low);
    let high = figures.p50_interval.map(|(_, high)| high);
    let times: [(&str, Option<Nanos>); 8] = [
        ("min_ns", figures.min),
        ("p50_ns", figures.p50),
        ("p50_low_ns", low),
        ("p50_high_ns", high),
        ("p90_ns", figures.p90),
        ("p99_ns", figures.p99),
        ("p999_ns", figures.p999),
        ("max_ns", figures.max),
    ];
    object.insert("n".to_owned(), json!(figures.n));
    object.insert("early".to_owned(), json!(figures.early));
    object.insert("mean_ns".to_owned(), json!(figures.mean_ns));
    object.insert("sd_ns".to_owned(), json!(figures.sd_ns));
    for (key, value) in times {
        object.insert(key.to_owned(), json!(value));
    }
    object.insert("quantiles_exact".to_owned(), json!(figures.exact));
}
