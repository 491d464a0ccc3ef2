use super::{Live, Spectrum, TIME_STEP};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Cell, Conditions, Pattern, build};
use oversleep_recording::{Meta, Origin, Sample, Sink};
use oversleep_sys::units::Nanos;

fn live() -> Live {
    let row = MethodId::ClockNanosleepAbs.row();
    let plan = build::periodic(row, Nanos::MILLISECOND, 1_000, &Conditions::default(), 1);
    Live::new(&Meta::new("test", Origin::Live, plan))
}

/// Returns the wake-up of period `sequence`, with this lateness.
fn wake(sequence: u64, late: Nanos, cpu: u16) -> Sample {
    let due = Nanos::from_millis(1 + sequence.cast_signed());
    let start = due - Nanos::MILLISECOND;
    let deadline = Some(due);
    Sample { sequence, requested: Nanos::MILLISECOND, deadline, start, end: due + late, cpu_end: cpu, ..Sample::BLANK }
}

#[test]
fn rows_are_by_processor_and_periods_are_accounted_for() {
    let mut live = live();
    let us = Nanos::from_micros;
    live.samples(&[wake(0, us(50), 0), wake(1, us(-3), 1), wake(2, us(2_500), 0), wake(5, us(60), 0)]);
    let rows: Vec<_> = live.rows().map(|row| (row.cpu, row.n, row.early, row.latest)).collect();
    assert_eq!(rows, [(0, 3, 0, us(60)), (1, 1, 1, us(-3))]);
    let (row, worst) = live.worst().expect("sleeps");
    assert_eq!((row.cpu, worst.late, worst.at, worst.sequence), (0, us(2_500), us(5_500), 2));
    let periods = live.periods().expect("a schedule");
    assert_eq!((periods.asked, periods.fresh, periods.late, periods.skipped), (6, 3, 1, 2));
    assert_eq!(live.rows().next().map(super::LiveRow::quantiles), Some([None, None]), "three sleeps carry no median");
    live.reset();
    assert_eq!((live.seen(), live.rows().count(), live.periods()), ((0, 0), 0, None));
    assert_eq!(live.now(), us(6_060));
}

#[test]
fn a_picture_has_every_sleep_and_the_latest_last() {
    let mut live = live();
    let sleeps: Vec<Sample> =
        (0..600).map(|n| wake(n, Nanos::from_micros(if n == 599 { 90_000 } else { 55 }), 0)).collect();
    live.samples(&sleeps);
    let picture = live.spectrum().picture(4, 6, 1);
    let sums: Vec<u64> = (0..4).map(|x| picture.iter().map(|row| row[x]).sum()).collect();
    assert_eq!((sums.iter().sum::<u64>(), sums[0]), (600, 0), "{picture:?}");
    // 10 to 100 µs is the fifth of six rows, 10 to 100 ms the second; no sleep is early.
    assert_eq!((picture[4].iter().sum::<u64>(), picture[1][3], picture[6].iter().sum::<u64>()), (599, 1, 0));
    assert_eq!((Spectrum::edge(6, 4), Spectrum::edge(6, 0)), (Nanos::from_micros(10), Nanos::from_millis(100)));
    let grouped = live.spectrum().picture(4, 6, 100);
    assert_eq!(grouped.iter().map(|row| row[3]).sum::<u64>(), 600);
    assert!(TIME_STEP < Nanos::SECOND);
}

#[test]
fn cells_whose_requests_round_alike_have_different_labels() {
    let mut live = live();
    assert_eq!(live.label(0), "clock-nanosleep-abs every 1.00 ms");
    let planned = live.planned(0).expect("a cell").clone();
    for (id, us) in [(1, 16_670), (2, 16_700)] {
        live.cell(&Cell { id, pattern: Pattern::fixed(Nanos::from_micros(us)), ..planned.clone() });
    }
    let labels = [1, 2, 3].map(|cell| live.label(cell));
    assert_eq!(labels, ["clock-nanosleep-abs 16.67 ms", "clock-nanosleep-abs 16.7 ms", "cell 3"]);
}
