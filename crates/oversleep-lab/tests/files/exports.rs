//! Exports for other programs hold what was recorded.

use crate::round_trip::{four, write_to};
use oversleep_lab::export::ExportFormat;
use oversleep_lab::import;
use oversleep_lab::session::FiguresOnly;
use oversleep_recording::Recording;
use oversleep_recording::document::Measured;
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

fn written(format: ExportFormat, recording: &Recording) -> Vec<u8> {
    let mut out = Vec::new();
    let mut exporter = format.exporter(&recording.meta, Box::new(&mut out));
    write_to(recording, &mut *exporter);
    exporter.finish().unwrap();
    out
}

fn figures(bytes: &[u8]) -> (String, Measured) {
    let mut source = import::open("x", bytes).unwrap();
    let mut figures = FiguresOnly::new(source.meta());
    source.read_into(&mut figures);
    (source.format().to_owned(), figures.finish().document())
}

fn measured(recording: &Recording) -> Measured {
    let mut figures = FiguresOnly::new(&recording.meta);
    write_to(recording, &mut figures);
    figures.finish().document()
}

/// Checks that every figure of the recording is within the bounds from the exported buckets.
fn agrees(format: ExportFormat, name: &str) {
    let recording = four();
    let expected = measured(&recording);
    let (found, back) = figures(&written(format, &recording));
    assert_eq!(found, name);
    assert_eq!(back.distributions.len(), expected.cells.len());
    for (cell, distribution) in expected.cells.iter().zip(&back.distributions) {
        assert_eq!((distribution.n, distribution.outside), (cell.raw.n, 0), "{name}");
        for (figure, bounds) in
            [(cell.raw.p50, distribution.p50), (cell.raw.p90, distribution.p90), (cell.raw.p99, distribution.p99)]
        {
            let (figure, bounds) = (figure.unwrap(), bounds.unwrap());
            assert!(bounds.low.unwrap() <= figure && figure <= bounds.high.unwrap(), "{name}: {figure} {bounds:?}");
        }
    }
}

#[test]
fn a_log_of_histograms_is_read_back_within_its_digits() {
    agrees(ExportFormat::Hlog, "hdrhistogram-log");
}

#[test]
fn cyclictest_s_json_is_read_back_to_the_microsecond() {
    agrees(ExportFormat::Cyclictest, "rt-tests-json");
}

#[test]
fn cyclictest_s_lines_are_read_back_as_extremes_and_a_mean() {
    let recording = four();
    let text = written(ExportFormat::CyclictestLines, &recording);
    assert!(text.starts_with(b"T: 0 (    0) P:"), "{}", String::from_utf8_lossy(&text));
    let (expected, (found, back)) = (measured(&recording), figures(&text));
    assert_eq!((found.as_str(), back.distributions.len()), ("cyclictest-summary", expected.cells.len()));
    for (cell, lines) in expected.cells.iter().zip(&back.distributions) {
        assert_eq!(lines.n, cell.raw.n);
        let (min, max) = (cell.raw.min.unwrap(), cell.raw.max.unwrap());
        assert!(lines.min.unwrap() <= min && lines.max.unwrap() >= max, "{lines:?}");
        assert!((lines.mean_ns.unwrap() - cell.raw.mean_ns.unwrap()).abs() <= 1_000.0, "{lines:?}");
    }
}

/// Returns cyclictest's JSON of periods of 2 ms on a processor of the sleeper's own choice, or pinned to 1.
fn cyclictest_of_a_schedule(affinity: Option<Vec<u32>>) -> serde_json::Value {
    let mut recording = four();
    recording.meta.plan.cells.truncate(1);
    recording.samples.retain(|sample| sample.cell == 0);
    recording.note.obtained.clear();
    let cell = &mut recording.meta.plan.cells[0];
    cell.pattern = Pattern::Periodic { period: Nanos::from_millis(2) };
    cell.conditions.affinity = affinity;
    recording.samples.iter_mut().for_each(|sample| sample.cpu_end = 1);
    serde_json::from_slice(&written(ExportFormat::Cyclictest, &recording)).unwrap()
}

#[test]
fn cyclictest_s_json_claims_a_processor_only_where_one_was_set_and_states_the_interval() {
    let free = cyclictest_of_a_schedule(None);
    assert_eq!(free["thread"]["0"]["cpu"], -1);
    assert!(free["cmdline:"].as_str().unwrap().ends_with(" -i 2000 -d 0"), "{}", free["cmdline:"]);
    assert_eq!(cyclictest_of_a_schedule(Some(vec![1]))["thread"]["0"]["cpu"], 1);
    assert_eq!(cyclictest_of_a_schedule(Some(vec![0, 1]))["thread"]["0"]["cpu"], -1);
    let (_, back) = figures(&serde_json::to_vec(&free).unwrap());
    assert_eq!(back.distributions[0].requested_ns, Some(Nanos::from_millis(2)));
    assert_eq!(back.distributions[0].conditions.affinity, None);
}

/// cyclictest has no early wake-ups; its readers take what is in no bucket for overflows.
#[test]
fn cyclictest_s_json_leaves_early_wake_ups_out_and_counts_them() {
    let mut recording = four();
    recording.samples.iter_mut().filter(|sample| sample.cell == 0).take(100).for_each(|sample| {
        sample.end = sample.start.saturating_add(sample.requested).saturating_sub(Nanos::from_micros(20));
        sample.deadline = None;
    });
    let json = written(ExportFormat::Cyclictest, &recording);
    let document: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let thread = &document["thread"]["0"];
    let counted: u64 = thread["histogram"].as_object().unwrap().values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!((thread["cycles"].as_u64(), thread["early"].as_u64()), (Some(counted), Some(100)));
    assert!(thread["min"].as_i64().unwrap() >= 0);
    figures(&json);
}

#[test]
fn percentiles_end_with_all_values() {
    let recording = four();
    let text = String::from_utf8(written(ExportFormat::Hgrm, &recording)).unwrap();
    assert_eq!(text.matches("Value     Percentile TotalCount").count(), 4, "{text}");
    assert_eq!(text.matches("1.000000000000        300\n").count(), 4, "{text}");
    assert_eq!(text.matches("Total count    =          300]").count(), 4, "{text}");
    let latest = recording.of_cell(0).map(|sample| sample.oversleep().get()).max().unwrap() as f64 / 1e3;
    let max = text.lines().find_map(|line| line.strip_prefix("#[Max     =")).unwrap().split(',').next().unwrap();
    let max: f64 = max.trim().parse().unwrap();
    assert!((max / latest - 1.0).abs() < 1e-3, "{max} µs where {latest} µs was the latest");
}

#[test]
fn open_metrics_count_every_sleep_once() {
    let recording = four();
    let text = String::from_utf8(written(ExportFormat::OpenMetrics, &recording)).unwrap();
    assert!(text.ends_with("# EOF\n"));
    let mut series: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("oversleep_lateness_seconds_bucket{le=")) {
        let (labels, value) = line.split_once("} ").unwrap();
        let (_, labels) = labels.split_once(',').unwrap();
        series.entry(labels).or_default().push(value.parse().unwrap());
    }
    assert_eq!(series.len(), 4, "{text}");
    for counts in series.values() {
        assert!(counts.is_sorted() && counts.last() == Some(&300), "{counts:?}");
    }
    // The bucket of 50 µs counts everything at or below it.
    let at_or_below = recording.of_cell(0).filter(|sample| sample.oversleep() <= Nanos::from_micros(50)).count();
    let line = text.lines().find(|line| line.contains("le=\"0.00005\",cell=\"0\"")).unwrap();
    assert!(line.ends_with(&format!(" {at_or_below}")), "{line}");
    assert!(!text.contains("_sum{"), "early wakes let a sum fall:\n{text}");
}

/// Returns the fields of a protobuf message: number, and either a value or bytes.
fn fields(mut bytes: &[u8]) -> Vec<(u64, u64, Vec<u8>)> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let (first, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            value |= u64::from(first & 0x7F) << shift;
            if first & 0x80 == 0 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = varint(&mut bytes);
        match key & 7 {
            0 => found.push((key >> 3, value, Vec::new())),
            2 => {
                let (inside, rest) = bytes.split_at(usize::try_from(value).unwrap());
                bytes = rest;
                found.push((key >> 3, value, inside.to_vec()));
            }
            kind => panic!("a field of kind {kind}"),
        }
    }
    found
}

#[test]
fn a_trace_has_every_sleep_and_closes_what_it_opens() {
    let recording = four();
    let bytes = written(ExportFormat::Perfetto, &recording);
    let (mut tracks, mut depth, mut begun, mut late) = (0, 0_i64, 0, 0);
    for (field, _, packet) in fields(&bytes) {
        assert_eq!(field, 1, "a trace is packets");
        let packet = fields(&packet);
        tracks += packet.iter().filter(|(field, ..)| *field == 60).count();
        for (_, _, event) in packet.iter().filter(|(field, ..)| *field == 11) {
            assert!(packet.iter().any(|(field, ..)| *field == 8), "an event without a time");
            let event = fields(event);
            let kind = event.iter().find(|(field, ..)| *field == 9).unwrap().1;
            depth += if kind == 1 { 1 } else { -1 };
            let name = event.iter().find(|(field, ..)| *field == 23).map(|(_, _, name)| name.as_slice());
            begun += usize::from(name == Some(b"nanosleep"));
            late += usize::from(name == Some(b"late"));
            assert!((0..=2).contains(&depth), "a slice that nobody closed");
        }
    }
    let too_late = recording.samples.iter().filter(|sample| sample.oversleep() > Nanos::ZERO).count();
    assert_eq!((tracks, depth, begun, late), (4, 0, recording.samples.len(), too_late));
}
