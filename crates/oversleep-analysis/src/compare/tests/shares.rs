//! Shares of schedules' periods, compared.

use super::*;
use oversleep_recording::document::{ComparedShare, PeriodsForWork, ShareShift, ShareVerdict};

const PERIOD: Nanos = Nanos::from_millis(10);

/// Returns a recording of a schedule of 100 periods, of which this many are late.
fn schedule(late: u64) -> ComparableRun {
    let mut one = run(0.0, None, &mut Pcg64Mcg::seed_from_u64(1));
    one.cells[0].cell.pattern = Pattern::Periodic { period: PERIOD };
    one.note.periods = vec![Periods { asked: 100, fresh: 100 - late, late, ..Periods::default() }];
    one
}

fn schedules(late: &[u64]) -> Vec<ComparableRun> {
    late.iter().copied().map(schedule).collect()
}

/// Returns the shift of a share in the first cell, if it is compared.
fn share(compared: &Compared, of: ComparedShare) -> Option<ShareShift> {
    compared.cells[0].periods.as_ref()?.shares.iter().find(|shift| shift.periods == of).cloned()
}

#[test]
fn shares_are_compared_recording_by_recording() {
    let (a, b) = (schedules(&[0, 1, 0, 1]), schedules(&[11, 12, 11, 15]));
    let late = share(&compare(&a, &b, false), ComparedShare::Late).unwrap();
    assert_eq!((late.a_percent, late.b_percent, late.size_points), (0.5, 12.25, 11.75));
    // The outermost of the sixteen differences are its ends: of 70 arrangements, one in 35 is as clear.
    assert_eq!((late.interval(), late.p, late.verdict), (Some([10.0, 15.0]), Some(2.0 / 70.0), ShareVerdict::More));
    assert_eq!(share(&compare(&b, &a, false), ComparedShare::Late).unwrap().verdict, ShareVerdict::Fewer);
    let same = share(&compare(&a, &schedules(&[1, 0, 1, 0]), false), ComparedShare::Late).unwrap();
    assert_eq!((same.size_points, same.verdict), (0.0, ShareVerdict::NotSeen));
    let skipped = share(&compare(&a, &b, false), ComparedShare::Skipped).unwrap();
    assert_eq!((skipped.interval(), skipped.verdict), (Some([0.0, 0.0]), ShareVerdict::NotSeen));
}

#[test]
fn pairs_of_schedules_are_compared_by_their_differences() {
    let (a, b) = (schedules(&[0, 10, 20, 30, 40, 50]), schedules(&[1, 12, 21, 32, 41, 52]));
    let late = share(&compare(&a, &b, true), ComparedShare::Late).unwrap();
    assert_eq!((late.verdict, late.interval()), (ShareVerdict::More, Some([1.0, 2.0])));
    assert_eq!(share(&compare(&a, &b, false), ComparedShare::Late).unwrap().verdict, ShareVerdict::NotSeen);
}

#[test]
fn one_recording_a_side_shows_its_shares_and_no_interval() {
    let late = share(&compare(&schedules(&[1]), &schedules(&[50]), false), ComparedShare::Late).unwrap();
    assert_eq!((late.size_points, late.interval(), late.p), (49.0, None, None));
    assert_eq!(late.verdict, ShareVerdict::Open);
}

#[test]
fn a_share_that_one_recording_does_not_know_is_not_compared() {
    let (mut a, b) = (schedules(&[0, 1]), schedules(&[3, 4]));
    a[1].note.periods.clear();
    let compared = compare(&a, &b, false);
    assert_eq!(compared.cells[0].periods.as_ref().unwrap().a.counts.asked, 100);
    assert_eq!(share(&compared, ComparedShare::Late), None);
}

#[test]
fn missed_periods_are_those_without_time_for_their_work() {
    let (mut a, mut b) = (schedules(&[0, 0]), schedules(&[0, 0]));
    let time = Nanos::from_millis(8);
    for (run, missed) in a.iter_mut().chain(&mut b).zip([1, 3, 10, 20]) {
        let work = Some(PeriodsForWork { time, enough: 100 - missed, missed });
        let (least, period) = (Some(Nanos::ZERO), PERIOD);
        run.cells[0].time_left = Some(TimeLeft { period, least, p50: None, p90: None, p99: None, p999: None, work });
    }
    let compared = compare(&a, &b, false);
    let missed = share(&compared, ComparedShare::Missed).unwrap();
    assert_eq!((missed.a_percent, missed.b_percent), (2.0, 15.0));
    let work = compared.cells[0].periods.as_ref().unwrap().b.work;
    assert_eq!(work, Some(PeriodsForWork { time, enough: 170, missed: 30 }));
    // Without the time that work takes nothing is missed.
    a[0].cells[0].time_left.as_mut().unwrap().work = None;
    let compared = compare(&a, &b, false);
    assert_eq!(share(&compared, ComparedShare::Missed), None);
    assert_eq!(compared.cells[0].periods.as_ref().unwrap().a.work, None);
}

/// Four recordings a side show a difference of one schedule, and cannot of one of two, whose probability is corrected.
#[test]
fn shares_of_several_rows_are_corrected_together() {
    let two = |late: &[u64]| -> Vec<ComparableRun> {
        let second = |mut one: ComparableRun| {
            let cell = Cell { id: 1, method: "select".to_owned(), ..one.cells[0].cell.clone() };
            let values = Values::Samples(series(&one.cells[0]).to_vec());
            one.cells.push(CellValues { cell, values, threads: Vec::new(), time_left: None });
            let own = one.note.periods[0];
            one.note.periods.push(Periods { cell: 1, ..own });
            one
        };
        schedules(late).into_iter().map(second).collect()
    };
    for (late, verdict) in [(&[11, 12, 11, 15][..], ShareVerdict::Open), (&[11, 12, 11, 15, 11], ShareVerdict::More)] {
        let compared = compare(&two(&vec![0; late.len()]), &two(late), false);
        assert_eq!((compared.cells.len(), share(&compared, ComparedShare::Late).unwrap().verdict), (2, verdict));
    }
}
