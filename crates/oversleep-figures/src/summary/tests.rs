use super::*;
use oversleep_recording::Origin;
use oversleep_recording::plan::{Kind, Plan};

/// Two cells in turns: early, within the bins and beyond, with and without flags, in batches of many lengths.
#[test]
fn figures_are_those_of_all_samples_however_they_are_batched() {
    let cell = |id| Cell::new(id, "nanosleep", Pattern::Fixed { requested: Nanos::MILLISECOND });
    let cells = vec![cell(0), cell(1)];
    let plan = Plan { kind: Kind::Measure, cells, turns: Vec::new(), seed: 1 };
    let mut summary = Summariser::new(&Meta::new("test", Origin::Live, plan));
    let late = |number: u64| Nanos::new(((number * 7_919) % 300_000).cast_signed() - 20_000);
    let flags = |number: u64| match number {
        0 | 1 => Flags::FIRST,
        _ if number.is_multiple_of(333) => Flags::FAILED,
        _ if number.is_multiple_of(100) => Flags::INTERRUPTED,
        _ => Flags::default(),
    };
    let samples: Vec<Sample> = (0..20_000)
        .map(|number| Sample {
            cell: u32::from(number % 2 == 1),
            sequence: number / 2,
            requested: Nanos::MILLISECOND,
            end: Nanos::MILLISECOND + late(number),
            flags: flags(number),
            ..Sample::BLANK
        })
        .collect();
    let mut rest = &samples[..];
    for length in (0..).map(|turn| [1, 255, 256, 257, 2_000][turn % 5]) {
        let (batch, later) = rest.split_at(length.min(rest.len()));
        summary.samples(batch);
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
    for found in summary.finish() {
        let all: Vec<&Sample> = samples.iter().filter(|sample| sample.cell == found.cell.id).collect();
        let with = |flags| all.iter().filter(|sample| sample.flags == flags).count() as u64;
        assert_eq!((found.failed, found.interrupted), (with(Flags::FAILED), with(Flags::INTERRUPTED)));
        let kept = all.iter().filter(|sample| sample.flags != Flags::FAILED);
        let mut sorted: Vec<i64> = kept.map(|sample| sample.oversleep().get()).collect();
        sorted.sort_unstable();
        let raw = found.raw;
        assert_eq!((raw.n, raw.early), (sorted.len() as u64, sorted.partition_point(|ns| *ns < 0) as u64));
        let at = |p| super::super::quantile::of_sorted(&sorted, p).map(Nanos::new);
        assert_eq!((raw.min, raw.max), (Some(Nanos::new(sorted[0])), sorted.last().copied().map(Nanos::new)));
        assert_eq!((raw.p50, raw.p99), (at(Fraction::P50), at(Fraction::P99)));
        assert_eq!((raw.exact, found.first.len()), (true, 1));
    }
}
