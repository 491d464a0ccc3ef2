//! The requested share is achieved, or the ceiling that prevented it is named.

use crate::{kernel, ms, us};
use oversleep::machine::Simulated;
use oversleep::{Ceiling, Nanos, SleepStats, Sleeper};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const SLEEPS: usize = 10_000;
const SHARES: [f64; 4] = [0.9, 0.97, 0.99, 0.999];

/// Sleeps and works alternately.
fn run(mut sleeper: Sleeper<Simulated>, duration: Nanos) -> SleepStats {
    let machine = sleeper.machine().clone();
    let mut random = Pcg64Mcg::seed_from_u64(7);
    for _ in 0..SLEEPS {
        let lateness = sleeper.sleep_for(duration);
        assert!(lateness.nanos() >= Nanos::ZERO, "early: {lateness}");
        kernel::work(&machine, &mut random, us(50));
    }
    sleeper.stats()
}

/// Returns an idle machine (virtual processors of an idle host wake like this), one with one busy thread, and one with
/// two.
fn machines() -> Vec<(&'static str, Simulated)> {
    let rarely = |part: u32, late: i64, seed: u64| {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        Simulated::new(move |_now, deadline| {
            let tail = us(6).as_f64() * (1.0 - random.random::<f64>()).powf(-0.5);
            let queue = if random.random_range(0..part) == 0 { random.random_range(0..late) } else { 0 };
            deadline + us(20 + queue) + Nanos::from_f64(tail)
        })
    };
    vec![("idle", rarely(10_000, 1, 1)), ("one busy", rarely(100, 3_000, 2)), ("two busy", rarely(8, 4_000, 3))]
}

#[test]
fn every_share_is_achieved_at_every_length_or_a_ceiling_is_named() {
    for duration in [us(100), us(250), ms(1), ms(4)] {
        for share in SHARES {
            for (name, machine) in machines() {
                let stats = run(Sleeper::builder().on_time(share).build_on(machine), duration);
                let on_time = stats.on_time().unwrap();
                let tolerance = if share > 0.995 { 0.001 } else { 0.005 };
                let case = format!("{name}, {duration}, {share}: {on_time}, {:?}", stats.limited_by());
                assert!(on_time <= share + tolerance, "{case}");
                assert!(stats.spun_share().unwrap() <= 0.51, "{case}");
                if on_time < share - tolerance {
                    let limit = stats.limited_by().expect(&case);
                    assert!([Ceiling::Processor, Ceiling::ShortSleep].contains(&limit.ceiling), "{case}");
                    assert!(limit.attainable() < share, "{case}");
                    assert!(name != "idle" || share > 0.99 || duration == us(100), "{case}");
                }
            }
        }
    }
}

#[test]
fn each_ceiling_is_named_by_its_own_name() {
    let late_by = |by: Nanos| Simulated::new(move |_now, deadline| deadline + by);
    let named = |sleeper: Sleeper<Simulated>, duration| run(sleeper, duration).limited_by().map(|limit| limit.ceiling);
    let tight = kernel::hrtimer(us(60), us(60));
    assert_eq!(
        named(Sleeper::builder().on_time(0.99).cpu_ceiling(0.02).build_on(tight), ms(1)),
        Some(Ceiling::Processor)
    );
    assert_eq!(
        named(Sleeper::builder().on_time(0.99).cpu_ceiling(0.2).build_on(late_by(us(80))), us(50)),
        Some(Ceiling::ShortSleep)
    );
    assert_eq!(
        named(Sleeper::builder().on_time(0.99).spin_ceiling(us(50)).build_on(late_by(us(80))), ms(1)),
        Some(Ceiling::FineWait)
    );
    let real_time = late_by(us(80));
    real_time.set_real_time(true);
    assert_eq!(
        named(Sleeper::builder().on_time(0.99).real_time_ceiling(us(50)).build_on(real_time), ms(1)),
        Some(Ceiling::RealTime)
    );
    assert_eq!(named(Sleeper::builder().on_time(0.99).build_on(late_by(us(80))), ms(1)), None);
}

#[test]
fn a_sleeper_without_a_promise_names_no_ceiling() {
    let stats = run(Sleeper::builder().eco().spin_ceiling(us(1)).build_on(kernel::hrtimer(us(60), us(60))), ms(1));
    assert_eq!((stats.asked(), stats.limited_by()), (None, None));
    assert_eq!(run(Sleeper::on(kernel::hrtimer(us(60), us(6))), ms(1)).asked(), None);
}

#[test]
fn sleeps_of_two_lengths_keep_the_promise_together() {
    let (_, machine) = machines().swap_remove(1);
    let mut sleeper = Sleeper::builder().on_time(0.99).build_on(machine);
    for n in 0..SLEEPS {
        let _ = sleeper.sleep_for(if n % 3 == 0 { us(400) } else { ms(4) });
    }
    let on_time = sleeper.stats().on_time().unwrap();
    assert!((on_time - 0.99).abs() <= 0.005, "{on_time}");
}
