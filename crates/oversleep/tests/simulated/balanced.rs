//! A sleeper that promises no share does no harm: it is never later than the kernel's sleep, and never dear.

use crate::{kernel, ms, us};
use oversleep::clock::WallTime;
use oversleep::machine::{Machine, Simulated};
use oversleep::{Ceiling, Moment, Nanos, SleepStats, Sleeper};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::cell::Cell;

const SLEEPS: usize = 10_000;

/// A machine whose scheduler takes the processor away from a thread that waits awake for longer than `patience`, and
/// delays one wake-up in `delays` by up to 3 ms unless it is asked to run the thread soon.
struct Fair {
    machine: Simulated,
    patience: Nanos,
    asked: Cell<u64>,
    woke: Cell<Moment>,
}

const TAKEN_AWAY: Nanos = Nanos::from_millis(3);

impl Fair {
    fn new(patience: Nanos, delays: u32) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(11);
        let machine = Simulated::new(move |_now, deadline| {
            let queue = if random.random_range(0..delays) == 0 { random.random_range(300..3_000) } else { 0 };
            deadline + us(20 + queue)
        });
        Self { machine, patience, asked: Cell::new(0), woke: Cell::new(Moment::from_nanos(Nanos::ZERO)) }
    }
}

impl Machine for &Fair {
    fn now(&self) -> Moment {
        self.machine.now()
    }

    fn wall(&self) -> WallTime {
        self.machine.wall()
    }

    fn sleep_until(&self, deadline: Moment) {
        self.machine.sleep_until(deadline);
        self.woke.set(self.machine.now());
    }

    fn sleep_until_among_busy(&self, deadline: Moment) {
        self.asked.set(self.asked.get() + 1);
        let late = deadline.max(self.machine.now()) + us(20);
        self.machine.advance(late - self.machine.now());
        self.woke.set(self.machine.now());
    }

    fn pause(&self) {
        self.machine.pause();
        if self.machine.now() - self.woke.get() > self.patience {
            self.machine.advance(TAKEN_AWAY);
            self.woke.set(self.machine.now());
        }
    }
}

fn run<M: Machine>(sleeper: &mut Sleeper<M>, duration: Nanos) -> SleepStats {
    for _ in 0..SLEEPS {
        assert!(sleeper.sleep_for(duration).nanos() >= Nanos::ZERO);
    }
    sleeper.stats()
}

#[test]
fn on_a_quiet_machine_nearly_all_sleeps_are_on_time_for_a_fiftieth_of_a_processor() {
    for duration in [ms(4), us(16_700), ms(100)] {
        let mut sleeper = Sleeper::on(kernel::hrtimer(us(25), us(6)));
        let stats = run(&mut sleeper, duration);
        assert!(stats.on_time().unwrap() > 0.9, "{duration}: {stats:?}");
        assert!(stats.spun_share().unwrap() <= 0.021, "{duration}: {stats:?}");
    }
}

#[test]
fn the_processor_ceiling_of_a_fiftieth_holds_at_every_length() {
    for duration in [us(50), us(100), us(250), ms(1), ms(4)] {
        for machine in [kernel::hrtimer(us(25), us(6)), kernel::loaded(), kernel::at_tick(ms(4))] {
            let stats = run(&mut Sleeper::on(machine), duration);
            assert!(stats.spun_share().unwrap() <= 0.021, "{duration}: {stats:?}");
        }
    }
}

#[test]
fn a_far_tail_is_left_to_the_kernel_and_said() {
    // One sleep in ten is late by 4 ms: waiting for it awake would cost 4 ms in nine others.
    let mut sleeper = Sleeper::on(kernel::loaded());
    let stats = run(&mut sleeper, us(16_700));
    let limit = stats.limited_by().unwrap();
    assert_eq!(limit.ceiling, Ceiling::Worth);
    assert!((0.8..0.92).contains(&limit.attainable()), "{limit}");
    assert!(stats.spun_per_sleep().unwrap() < us(60), "{stats:?}");
    assert!(sleeper.margin(us(16_700)) <= us(200));
}

#[test]
fn no_wait_is_so_long_that_the_scheduler_ends_it() {
    // Wake-ups are late by anything up to a tick of 4 ms, and no wait of more than 0.3 ms goes undisturbed.
    let fair = Fair::new(us(300), u32::MAX);
    let mut random = Pcg64Mcg::seed_from_u64(3);
    fair.machine.set_wake(move |_now, deadline| deadline + us(random.random_range(0..4_000)));
    let stats = run(&mut Sleeper::on(&fair), us(16_700));
    assert_eq!(stats.interrupted(), 0, "{stats:?}");
    // The kernel alone is late by at most 4 ms, and so is this.
    assert!(stats.worst().nanos() <= ms(4), "{stats:?}");
}

#[test]
fn where_wake_ups_are_delayed_the_kernel_is_asked_to_run_the_thread_soon() {
    let busy = Fair::new(Nanos::MAX, 8);
    let stats = run(&mut Sleeper::on(&busy), us(16_700));
    assert!(stats.on_time().unwrap() > 0.97, "{stats:?}");
    assert!(busy.asked.get() > SLEEPS as u64 / 2);
    let quiet = Fair::new(Nanos::MAX, u32::MAX);
    run(&mut Sleeper::on(&quiet), us(16_700));
    assert_eq!(quiet.asked.get(), 0, "system calls for nothing");
    let left = Fair::new(Nanos::MAX, 8);
    run(&mut Sleeper::builder().leave_slack().build_on(&left), us(16_700));
    assert_eq!(left.asked.get(), 0, "the thread's slice was to be left as it is");
}

#[test]
fn a_promise_is_not_waited_for_awake_where_that_is_interrupted() {
    // One wake-up in ten is late by up to 2 ms whatever is asked, and waits of more than 0.5 ms are interrupted.
    let fair = Fair::new(us(500), u32::MAX);
    let mut random = Pcg64Mcg::seed_from_u64(5);
    fair.machine.set_wake(move |now, deadline| {
        let long = deadline - now > ms(3) && random.random_range(0..10) == 0;
        deadline + us(20 + if long { random.random_range(0..2_000) } else { 0 })
    });
    let stats = run(&mut Sleeper::builder().on_time(0.99).leave_slack().build_on(&fair), us(16_700));
    assert!(stats.punctual().unwrap() > 0.97, "{stats:?}");
    assert!(stats.spun_per_sleep().unwrap() < us(300), "{stats:?}");
}

#[test]
fn a_promise_that_gets_no_more_than_the_default_costs_no_more() {
    // One wake-up in three is late by up to 3 ms whatever is asked, and waits of more than 0.3 ms are interrupted.
    let fair = || {
        let fair = Fair::new(us(300), u32::MAX);
        let mut random = Pcg64Mcg::seed_from_u64(5);
        fair.machine.set_wake(move |now, deadline| {
            let late = if random.random_range(0..3) == 0 { random.random_range(0..3_000) } else { 0 };
            now.max(deadline) + us(20 + late)
        });
        fair
    };
    for duration in [us(1_333), ms(4), us(16_700)] {
        let (with, without) = (fair(), fair());
        let promise = Sleeper::builder().on_time(0.99).leave_slack();
        let tried = run(&mut promise.build_on(&with), duration);
        let default = run(&mut Sleeper::builder().leave_slack().build_on(&without), duration);
        let case = format!("{duration}: {tried:?}, default {default:?}");
        assert!(tried.punctual().unwrap() > default.punctual().unwrap() - 0.02, "{case}");
        assert!(tried.spun_share().unwrap() < default.spun_share().unwrap() + 0.03, "{case}");
        assert_eq!(tried.limited_by().unwrap().ceiling, Ceiling::Interruptions, "{case}");
    }
}
