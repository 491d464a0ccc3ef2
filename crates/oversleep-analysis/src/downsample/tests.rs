use super::*;
use oversleep_recording::plan::{Cell, ClockName, Kind, Pattern, Plan};
use oversleep_recording::{Bracket, Origin};
use oversleep_sys::units::Nanos;

fn meta(cells: u32) -> Meta {
    let cell = |id| Cell::new(id, "nanosleep", Pattern::fixed(Nanos::MILLISECOND));
    let plan = Plan { kind: Kind::Measure, cells: (0..cells).map(cell).collect(), turns: Vec::new(), seed: 0 };
    Meta::new("test", Origin::Imported { format: "test".to_owned(), file: String::new() }, plan)
}

fn sample(cell: u32, thread: u16, number: u64) -> Sample {
    let start = Nanos::new(number.cast_signed() * 2_000_000);
    let end = start + Nanos::MILLISECOND + Nanos::new(57_000);
    Sample { cell, thread, sequence: number, requested: Nanos::MILLISECOND, start, end, ..Sample::BLANK }
}

fn numbers(samples: &[Sample], cell: u32, thread: u16) -> Vec<u64> {
    samples.iter().filter(|own| own.cell == cell && own.thread == thread).map(|own| own.sequence).collect()
}

#[test]
fn up_to_the_bound_everything_is_kept_as_it_came() {
    let mut downsampler = Downsampler::with_bound(&meta(1), 100);
    let samples: Vec<Sample> = (0..100).map(|number| sample(0, (number % 3) as u16, number)).collect();
    samples.chunks(7).for_each(|batch| downsampler.samples(batch));
    let made = downsampler.finish();
    assert_eq!(made.first.samples, samples);
    assert_eq!(made.spread, None);
    assert_eq!(made.coverage(), Coverage { samples: 100, first: 100, spread: 0 });
}

#[test]
fn beyond_it_the_first_sleeps_of_every_thread_stay_without_a_gap() {
    let mut downsampler = Downsampler::with_bound(&meta(3), 1_000);
    for number in 0..10_000 {
        downsampler.samples(&[sample(0, 0, number), sample(0, 1, number)]);
        if number % 500 == 0 {
            downsampler.samples(&[sample(1, 0, number / 500)]);
        }
    }
    // A cell whose turn comes last still gets room.
    (0..5_000).for_each(|number| downsampler.samples(&[sample(2, 0, number)]));
    let made = downsampler.finish();
    assert_eq!(made.samples, 25_020);
    let first = &made.first.samples;
    assert!(first.len() <= 500 && first.len() >= 300, "{}", first.len());
    let long = [(0, 0), (0, 1), (2, 0)].map(|(cell, thread)| {
        let kept = numbers(first, cell, thread);
        assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
        kept.len()
    });
    assert!(long.iter().all(|&kept| kept == long[0]), "{long:?}");
    assert_eq!(numbers(first, 1, 0).len(), 20, "a cell of few sleeps is whole");
}

#[test]
fn the_others_are_spread_evenly_one_of_each_stratum() {
    let mut downsampler = Downsampler::with_bound(&meta(2), 1_000);
    for number in 0..9_999 {
        downsampler.samples(&[sample(0, 0, number)]);
    }
    (0..11).for_each(|number| downsampler.samples(&[sample(1, 0, number)]));
    let spread = downsampler.finish().spread.unwrap();
    let kept = numbers(&spread.recording.samples, 0, 0);
    let mut strata: Vec<u64> = kept.iter().map(|number| number / 32).collect();
    strata.dedup();
    assert!(kept.len() - strata.len() <= 3, "the latest are at most one in a hundred more");
    assert_eq!(strata, (0..=9_998 / 32).collect::<Vec<_>>());
    // Not always the same place within the stratum.
    let places: std::collections::BTreeSet<u64> = kept.iter().map(|number| number % 32).collect();
    assert!(places.len() > 20, "{places:?}");
    assert_eq!(spread.places[&0], kept);
    assert_eq!(numbers(&spread.recording.samples, 1, 0).len(), 11);
}

#[test]
fn joined_strata_hold_what_wider_ones_would_have() {
    let kept = |bound: usize| {
        let mut spread = Spread::new(bound);
        for ordinal in 0..4_096 {
            spread.take(0, &Placed { ordinal, place: ordinal, sample: sample(0, 0, ordinal) });
        }
        spread.finish().remove(0).iter().map(|placed| placed.ordinal).collect::<Vec<_>>()
    };
    let (few, many) = (kept(100), kept(1_000));
    assert!(few.len() < many.len());
    assert!(few.iter().all(|ordinal| many.contains(ordinal)));
}

#[test]
fn the_latest_are_among_them() {
    let mut downsampler = Downsampler::with_bound(&meta(1), 10_000);
    let stalls = [20_011, 44_444, 71_234];
    for number in 0..100_000 {
        let mut own = sample(0, 0, number);
        if stalls.contains(&number) {
            own.end += Nanos::SECOND;
        }
        downsampler.samples(&[own]);
    }
    let spread = downsampler.finish().spread.unwrap();
    let kept = numbers(&spread.recording.samples, 0, 0);
    assert!(stalls.iter().all(|stall| kept.contains(stall)));
    assert!(kept.is_sorted() && kept.windows(2).all(|pair| pair[0] < pair[1]), "in order and none twice");
    assert!(kept.len() <= 5_000 + 32);
}

#[test]
fn failed_and_foreign_samples_are_counted_but_not_kept_beyond_the_bound() {
    let mut downsampler = Downsampler::with_bound(&meta(1), 100);
    for number in 0..400 {
        let flags = if number % 4 == 0 { Flags::FAILED } else { Flags::default() };
        downsampler.samples(&[Sample { flags, ..sample(0, 0, number) }, sample(7, 0, number)]);
    }
    let made = downsampler.finish();
    assert_eq!(made.samples, 800);
    let all = made.first.samples.iter().chain(&made.spread.as_ref().unwrap().recording.samples);
    assert!(all.clone().count() > 50 && all.into_iter().all(|own| own.cell == 0 && own.flags == Flags::default()));
}

#[test]
fn bracketings_stay_bounded_and_spread() {
    let mut downsampler = Downsampler::with_bound(&meta(1), 100);
    for second in 0..10_000 {
        let bracket =
            |clock| Bracket { clock, monotonic: Nanos::SECOND * second, width: Nanos::ZERO, reading: Nanos::ZERO };
        let brackets = vec![bracket(ClockName::Realtime), bracket(ClockName::Tai)];
        downsampler.note(&Note { brackets, lost: 1, ..Note::default() });
    }
    let note = downsampler.finish().first.note;
    assert_eq!(note.lost, 10_000);
    assert!((100..=200).contains(&note.brackets.len()), "{}", note.brackets.len());
    let of = |clock| note.brackets.iter().filter(|own| own.clock == clock).count();
    assert_eq!(of(ClockName::Realtime), of(ClockName::Tai));
    assert!(note.brackets.last().unwrap().monotonic > Nanos::SECOND * 9_800);
}
