use super::pack::packed;
use super::select::SampleSelector;
use super::{file, histogram, script_text};
use oversleep_figures::Accumulator;
use oversleep_recording::document::{Bins, Page};
use oversleep_recording::plan::{Cell, Pattern};
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};

fn cell(id: u32, pattern: Pattern) -> Cell {
    Cell::new(id, "nanosleep", pattern)
}

fn cells() -> Vec<Cell> {
    vec![
        cell(0, Pattern::Fixed { requested: Nanos::MILLISECOND }),
        cell(1, Pattern::Periodic { period: Nanos::MILLISECOND }),
    ]
}

fn sample() -> impl Strategy<Value = Sample> {
    let time = -(1_i64 << 50)..(1_i64 << 50);
    (
        0_u32..2,
        0_u16..3,
        0_u64..1 << 40,
        time.clone(),
        prop::option::of(time.clone()),
        time.clone(),
        time,
        0_u16..4,
        any::<u16>(),
    )
        .prop_map(|(cell, thread, sequence, requested, deadline, start, end, cpu, flags)| Sample {
            cell,
            thread,
            sequence,
            requested: Nanos::new(requested),
            deadline: deadline.map(Nanos::new),
            start: Nanos::new(start),
            end: Nanos::new(end),
            cpu_start: 0,
            cpu_end: if cpu == 3 { Sample::NO_CPU } else { cpu },
            flags: Flags(flags),
            ..Sample::BLANK
        })
}

/// Sequence number, request, deadline and processor of the previous sample of a cell's thread.
type Before = (i64, i64, Option<i64>, i64);

/// Unpacks samples as the page's script does: from planes to differences to samples.
fn unpacked(layout: &oversleep_recording::document::PackedSamples, bytes: &[u8]) -> Vec<Sample> {
    let planes = miniz_oxide::inflate::decompress_to_vec(bytes).expect("deflated planes");
    let count = usize::try_from(layout.count).expect("a count");
    let mut columns: HashMap<&str, Vec<u64>> = HashMap::new();
    let mut start = 0;
    for column in &layout.columns {
        let mut values = vec![0_u64; count];
        for byte in 0..column.width {
            for (value, plane) in values.iter_mut().zip(&planes[start..start + count]) {
                *value += u64::from(*plane) << (8 * byte);
            }
            start += count;
        }
        columns.insert(&column.name, values);
    }
    assert_eq!(start, planes.len());
    let signed = |name: &str, row: usize| {
        let folded = columns[name][row];
        (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()
    };
    let (mut cell, mut thread) = (0_i64, 0_i64);
    let mut before: HashMap<(i64, i64), Before> = HashMap::new();
    let mut ends: HashMap<i64, i64> = HashMap::new();
    (0..count)
        .map(|row| {
            cell += signed("cell", row);
            thread += signed("thread", row);
            let known = before.entry((cell, thread)).or_insert((-1, 0, None, 0));
            let sequence = known.0 + 1 + signed("sequence", row);
            let requested = known.1 + signed("requested", row);
            let cpu = known.3 + signed("cpu", row);
            let start = ends.get(&thread).copied().unwrap_or(0) + signed("start", row);
            let mut due = start + requested;
            let mut deadline = None;
            if columns["has-deadline"][row] == 1 {
                if let (1, Some(last)) = (cell, known.2) {
                    due = last + 1_000_000 * (sequence - known.0);
                }
                due += signed("deadline", row);
                deadline = Some(due);
            }
            let end = due + signed("late", row);
            ends.insert(thread, end);
            *known = (sequence, requested, deadline.or(known.2), cpu);
            Sample {
                cell: u32::try_from(cell).expect("a cell"),
                thread: u16::try_from(thread).expect("a thread"),
                sequence: sequence.cast_unsigned(),
                requested: Nanos::new(requested),
                deadline: deadline.map(Nanos::new),
                start: Nanos::new(start),
                end: Nanos::new(end),
                cpu_start: 0,
                cpu_end: u16::try_from(cpu).unwrap_or(Sample::NO_CPU),
                flags: Flags(u16::try_from(columns["flags"][row] % (1 << 16)).expect("flags")),
                ..Sample::BLANK
            }
        })
        .collect()
}

fn selected(samples: &[Sample], most: usize) -> super::select::SelectedSamples {
    let mut selector = SampleSelector::new(most);
    selector.take(samples);
    selector.finish()
}

proptest! {
    #[test]
    fn packed_samples_come_back_whole(samples in prop::collection::vec(sample(), 1..60)) {
        let packed = packed(&selected(&samples, 1000), &cells(), &[0, 0]).expect("near enough");
        prop_assert_eq!(unpacked(&packed.layout, &packed.bytes), samples);
    }
}

#[test]
fn times_that_no_browser_counts_are_not_embedded() {
    let far = Sample { end: Nanos::MAX, ..Sample::BLANK };
    assert!(packed(&selected(&[far], 10), &cells(), &[0, 0]).is_none());
    // Times far from zero may still be near the clock's origin.
    let now = Nanos::new(1_763_831_156_000_000_007);
    let sample = Sample { start: now, end: now, ..Sample::BLANK };
    let packed = packed(&selected(&[sample], 10), &cells(), &[now.get(), 0]).expect("near its origin");
    assert_eq!(unpacked(&packed.layout, &packed.bytes)[0].end, Nanos::ZERO);
}

#[test]
fn of_many_samples_the_latest_is_always_kept() {
    let sample = |number: i64| Sample {
        sequence: number.cast_unsigned(),
        end: Nanos::new(if number == 12_345 { 100_000_000 } else { number % 1_000 }),
        ..Sample::BLANK
    };
    let samples: Vec<Sample> = (0..50_000).map(sample).collect();
    let part = selected(&samples, 1000);
    assert!(part.one_of > 32 && part.samples.len() < 6_000, "{} of one in {}", part.samples.len(), part.one_of);
    assert_eq!(part.seen, 50_000);
    assert!(part.samples.iter().any(|sample| sample.sequence == 12_345));
    assert!(part.samples.is_sorted_by_key(|sample| sample.sequence));
    // Those that are there for being extremes are known, so that shares can be computed without them.
    let latest = part.samples.iter().position(|sample| sample.sequence == 12_345).expect("kept");
    assert_eq!(part.is_extra.len(), part.samples.len());
    let evenly = part.is_extra.iter().filter(|extra| !**extra).count() as u64;
    let packed = packed(&part, &cells(), &[0, 0]).expect("near enough");
    let flags = packed.layout.columns.last().expect("columns");
    assert_eq!((flags.name.as_str(), flags.width), ("flags", 3), "{:?}", packed.layout);
    let planes = miniz_oxide::inflate::decompress_to_vec(&packed.bytes).expect("deflated planes");
    let marks = &planes[planes.len() - part.samples.len()..];
    assert!(marks.iter().zip(&part.is_extra).all(|(mark, extra)| (*mark == 1) == *extra));
    assert!(part.is_extra[latest] && evenly * part.one_of > 40_000 && evenly * part.one_of < 60_000, "{evenly}");
}

#[test]
fn every_sleep_is_in_the_bin_that_holds_it() {
    let edges: Vec<i64> = Bins::edges().collect();
    let values = [-1_000_000, -1, 0, 1, 999, 57_123, 3_000_000_000, i64::MAX];
    let mut all = Accumulator::default();
    for value in values {
        all.add(value);
    }
    let histogram = histogram(&all);
    assert_eq!(histogram.iter().map(|(_, count)| count).sum::<u64>(), values.len() as u64);
    let holds = |bin: i32, value: i64| {
        let edge = |bin: i32| usize::try_from(bin).ok().and_then(|bin| edges.get(bin)).copied();
        match bin {
            0 => value == 0,
            1.. => edge(bin - 1).is_some_and(|low| low <= value) && edge(bin).is_none_or(|high| value < high),
            _ => edge(-bin - 1).is_some_and(|low| low <= -value) && edge(-bin).is_none_or(|high| -value < high),
        }
    };
    for value in values {
        assert!(histogram.iter().any(|(bin, _)| holds(*bin, value)), "{value} in none of {histogram:?}");
    }
}

#[test]
fn no_text_ends_its_element() {
    let hostile = "</script><script>alert(1)</script><!-- </title> & ]]>";
    let causes = BTreeMap::from([(hostile.to_owned(), hostile.to_owned())]);
    let page = Page {
        format: 1,
        tool: hostile.into(),
        headline: hostile.into(),
        causes,
        recordings: Vec::new(),
        compared: Vec::new(),
    };
    let html = file(&page, &[], hostile).expect("a page");
    assert!(!html.contains("alert(1)</script>") && !html.contains("<!-- </title>"), "{html}");
    assert_eq!(html.matches("</script>").count(), 2, "the document's and the program's");
    let json = script_text(&serde_json::to_string(hostile).expect("text"));
    assert_eq!(serde_json::from_str::<String>(&json).expect("the same text"), hostile);
}
