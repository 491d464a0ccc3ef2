use super::summary::unexplained;
use super::usual::UsualPartTimes;
use super::*;
use oversleep_sys::units::Nanos;
use proptest::prelude::*;

fn at(ns: i64) -> Nanos {
    Nanos::new(ns)
}

fn hog(time: i64) -> (Owner, Nanos) {
    (Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 }, at(time))
}

/// Returns a sleep that took `wake` ns to be woken, `queue` to be run and 3 to return.
fn sleep(wake: i64, queue: i64, owners: Vec<(Owner, Nanos)>) -> Breakdown {
    let mut chain = BreakdownBuilder::new(0, at(0), at(wake + queue + 3));
    chain.part(PartKind::Wake, at(wake), None, PartEvidence::Tracepoint);
    *chain.part(PartKind::RunQueue, at(queue), None, PartEvidence::Tracepoint) = owners;
    chain.mark(PartKind::Return, at(wake + queue + 3), None, PartEvidence::Tracepoint);
    chain.finish()
}

#[test]
fn a_chain_checks_its_sum_its_order_and_its_owners() {
    assert!(sleep(2, 5, vec![hog(5)]).is_complete());
    let mut short = BreakdownBuilder::new(0, at(0), at(10));
    short.mark(PartKind::Wake, at(9), None, PartEvidence::Tracepoint);
    assert_eq!(short.finish().complete, Complete::Partial("the parts sum to 9 ns of 10 ns".to_owned()));
    let owned = sleep(2, 5, vec![hog(4), (Owner::Timer, at(2))]);
    assert_eq!(owned.complete, Complete::Partial("more owners than time in run queue".to_owned()));
    let mut back = BreakdownBuilder::new(0, at(0), at(10));
    back.mark(PartKind::Wake, at(12), None, PartEvidence::Tracepoint);
    back.mark(PartKind::Return, at(10), None, PartEvidence::Tracepoint);
    let back = back.finish();
    assert!(!back.is_complete());
    assert_eq!(back.total(PartKind::Return), at(-2));
}

#[test]
fn what_exceeds_the_usual_and_what_nobody_owns_is_unexplained() {
    // Wake-ups take 2 ns here; one took 50 more. Of one queue, 6 ns had a hidden owner.
    let sleeps = [
        sleep(2, 10, vec![hog(10)]),
        sleep(2, 10, vec![hog(4), (Owner::Hidden, at(6))]),
        sleep(52, 10, vec![hog(10)]),
        sleep(1, 0, vec![]),
        sleep(2, 0, vec![]),
    ];
    let sleeps: Vec<&Breakdown> = sleeps.iter().collect();
    assert_eq!(unexplained(&sleeps, &UsualPartTimes::compute(&sleeps)), [0, 6, 50, 0, 0].map(at));
}

/// Returns a sleep whose interrupt was `irq_late` ns late, on an idle processor or not, and that returned in `back` ns.
fn after_idle(irq_late: i64, idle: bool, back: i64) -> Breakdown {
    let mut chain = BreakdownBuilder::new(0, at(0), at(irq_late + back));
    let owners = chain.part(PartKind::IrqLate, at(irq_late), None, PartEvidence::Tracepoint);
    owners.extend(idle.then_some((Owner::Idle(None), at(irq_late))));
    chain.mark(PartKind::Return, at(irq_late + back), None, PartEvidence::Tracepoint);
    chain.finish()
}

#[test]
fn what_is_slow_wherever_leaving_idle_is_slow_is_cold_and_not_unexplained() {
    let warm = (0..60).map(|n| after_idle(1_000 + n, true, 100));
    let cold = (0..50).map(|n| after_idle(9_000 + n, true, 400));
    let outlier = after_idle(9_100, true, 450);
    let sleeps: Vec<Breakdown> = warm.chain(cold).chain([outlier]).collect();
    let sleeps: Vec<&Breakdown> = sleeps.iter().collect();
    let usual = UsualPartTimes::compute(&sleeps);
    let nameless = unexplained(&sleeps, &usual);
    assert_eq!(nameless.iter().copied().sum::<Nanos>(), at(50), "only what exceeds its like");
    let [culprit] = &usual.culprits(&sleeps)[..] else { panic!("one kind of part is cold") };
    assert_eq!((culprit.during, culprit.time, culprit.sleeps), (PartKind::Return, at(51 * 300), 51));
}

#[test]
fn a_late_interrupt_on_a_busy_processor_makes_nothing_cold() {
    let late = |n: i64| after_idle(1_000 * n, false, if n < 60 { 100 } else { 400 });
    let sleeps: Vec<Breakdown> = (0..111).map(late).collect();
    let sleeps: Vec<&Breakdown> = sleeps.iter().collect();
    let usual = UsualPartTimes::compute(&sleeps);
    assert_eq!(unexplained(&sleeps, &usual).into_iter().sum::<Nanos>(), at(51 * 300));
    assert!(usual.culprits(&sleeps).is_empty());
}

#[test]
fn slowness_that_does_not_go_with_leaving_idle_stays_unexplained() {
    // Every third return is slow, whatever its interrupt, so that groups of fifty do not explain it.
    let sleeps: Vec<Breakdown> =
        (0..3_000).map(|n| after_idle(1_000 + n, true, if n % 3 == 0 { 400 } else { 100 })).collect();
    let sleeps: Vec<&Breakdown> = sleeps.iter().collect();
    let usual = UsualPartTimes::compute(&sleeps);
    assert_eq!(unexplained(&sleeps, &usual).into_iter().sum::<Nanos>(), at(1_000 * 300));
}

#[test]
fn culprits_are_added_up_by_name_and_part() {
    let other = (Owner::Task { tid: 8, comm: "hog".to_owned(), prio: 19 }, at(3));
    let sleeps = [sleep(2, 10, vec![hog(7), other]), sleep(2, 5, vec![hog(1), (Owner::Idle(Some(1)), at(4))])];
    let sleeps: Vec<&Breakdown> = sleeps.iter().collect();
    let found: Vec<_> = culprits(&sleeps).into_iter().map(|c| (c.name.0, c.time.get(), c.sleeps)).collect();
    assert_eq!(found, [("hog (real time 80)".to_owned(), 11, 2), ("idle processor".to_owned(), 4, 1)]);
}

#[test]
fn a_summary_counts_reasons_and_gives_no_quantile_too_few_sleeps_carry() {
    let mut early = BreakdownBuilder::new(0, at(10), at(0));
    early.trouble("woke early".to_owned());
    let broken = |ns: i64| {
        let mut chain = BreakdownBuilder::new(0, at(0), at(ns));
        chain.trouble(format!("a part would be -{ns} ns: marks out of order"));
        chain.finish()
    };
    let mut sleeps: Vec<_> = (0..10).map(|queue| sleep(2, queue, vec![hog(queue)])).collect();
    sleeps.extend([early.finish(), broken(7), broken(8)]);
    let summary = summarise(&sleeps);
    assert_eq!((summary.sleeps, summary.complete), (13, 10));
    let reasons: Vec<_> = summary.partial.iter().map(|(why, count)| (why.as_str(), *count)).collect();
    assert_eq!(reasons, [("a part would be … ns: marks out of order", 2), ("woke early", 1)]);
    assert_eq!((summary.oversleep.p50, summary.oversleep.p99), (Some(at(9)), None));
    // The parts at the median are those of one sleep, so they sum to its oversleep.
    let typical: Nanos = summary.parts.iter().filter_map(|part| part.typical).sum();
    assert_eq!(Some(typical), summary.oversleep.p50);
    let shares: f64 = summary.parts.iter().filter_map(|part| part.share).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    assert_eq!(summarise(&[]).unexplained_share, None);
}

proptest! {
    #[test]
    fn marks_in_any_order_sum_or_say_why(marks in proptest::collection::vec(-1_000..1_000_i64, 0..12), end in -1_000..1_000_i64) {
        let mut chain = BreakdownBuilder::new(0, at(0), at(end));
        for mark in &marks {
            chain.mark(PartKind::Wake, at(*mark), None, PartEvidence::Tracepoint);
        }
        chain.mark(PartKind::Return, at(end), None, PartEvidence::Tracepoint);
        let breakdown = chain.finish();
        prop_assert_eq!(breakdown.sum(), breakdown.oversleep());
        let sorted = marks.iter().chain([&end]).is_sorted() && marks.first().is_none_or(|first| *first >= 0) && end >= 0;
        prop_assert_eq!(breakdown.is_complete(), sorted);
    }
}
