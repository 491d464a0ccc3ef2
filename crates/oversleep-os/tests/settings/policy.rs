use crate::support::alone;
use oversleep_os::settings::{Policy, policy, timer_slack};
use oversleep_sys::units::Nanos;
use oversleep_sys::wait;

/// Holds a policy for as long as two reads take, and checks that the old one is restored.
fn held(asked: Policy) {
    alone(move || {
        let before = policy::read().unwrap();
        match policy::apply(asked) {
            Ok(guard) => {
                assert_eq!(guard.obtained(), asked);
                assert_eq!(policy::read().unwrap(), asked);
                assert_eq!(wait::is_real_time(), asked.is_real_time());
                let runtime = if let Policy::Deadline { runtime, .. } = asked { Some(runtime) } else { None };
                assert_eq!(wait::budget(), runtime);
                drop(guard);
            }
            Err(refusal) => println!("not tested: {refusal}"),
        }
        assert_eq!(policy::read().unwrap(), before);
        assert_eq!((wait::is_real_time(), wait::budget()), (false, None));
    });
}

#[test]
fn batch_is_held_and_left() {
    held(Policy::Batch);
}

#[test]
fn idle_is_held_and_left() {
    held(Policy::Idle);
}

#[test]
fn fifo_is_held_and_left() {
    held(Policy::Fifo { priority: 1 });
}

#[test]
fn round_robin_is_held_and_left() {
    held(Policy::Rr { priority: 2 });
}

#[test]
fn deadline_is_held_and_left() {
    let ms = |ms| Nanos::from_millis(ms);
    held(Policy::Deadline { runtime: ms(1), deadline: ms(5), period: ms(10) });
}

/// What no thread can have is known before anything is applied.
#[cfg(target_os = "linux")]
#[test]
fn what_the_system_lacks_is_refused_without_applying_it() {
    let refused = |asked: Policy| policy::check(asked).unwrap_err().reason().to_owned();
    let fifo = |priority| Policy::Fifo { priority };
    assert_eq!(
        (policy::check(fifo(1)), policy::check(fifo(99)), policy::check(Policy::Batch)),
        (Ok(()), Ok(()), Ok(()))
    );
    assert_eq!(refused(fifo(0)), "priority 0 is out of range: fifo takes 1 to 99 here");
    assert_eq!(refused(Policy::Rr { priority: 100 }), "priority 100 is out of range: rr takes 1 to 99 here");
    let of = |runtime, deadline, period| {
        let [runtime, deadline, period] = [runtime, deadline, period].map(Nanos::from_micros);
        Policy::Deadline { runtime, deadline, period }
    };
    assert_eq!(policy::check(of(100, 1_000, 1_000)), Ok(()));
    assert!(refused(of(1, 1_000, 1_000)).starts_with("a deadline policy needs 1.024 µs"));
    assert!(refused(of(100, 2_000, 1_000)).starts_with("a deadline policy needs 1.024 µs"));
}

#[test]
fn a_slack_set_before_survives_a_real_time_policy() {
    alone(|| {
        let slack = timer_slack::apply(Nanos::new(1)).unwrap();
        match policy::apply(Policy::Fifo { priority: 1 }) {
            Ok(guard) => drop(guard),
            Err(refusal) => println!("not tested: {refusal}"),
        }
        assert_eq!(timer_slack::read().unwrap(), slack.obtained());
    });
}

#[test]
fn a_priority_out_of_range_names_the_range() {
    let said = |asked| policy::apply(asked).unwrap_err().reason().to_owned();
    assert_eq!(said(Policy::Fifo { priority: 0 }), "priority 0 is out of range: fifo takes 1 to 99 here");
    assert_eq!(said(Policy::Rr { priority: 100 }), "priority 100 is out of range: rr takes 1 to 99 here");
    assert_eq!(said(Policy::Rr { priority: -3 }), "priority -3 is out of range: rr takes 1 to 99 here");
}

#[test]
fn a_budget_the_kernel_would_not_take_is_said_in_words() {
    let asked = Policy::Deadline { runtime: Nanos::new(5), deadline: Nanos::new(4), period: Nanos::new(3) };
    let refusal = policy::apply(asked).unwrap_err();
    assert!(refusal.reason().contains("runtime ≤ deadline ≤ period"), "{refusal}");
    let asked = Policy::Deadline {
        runtime: Nanos::from_micros(2),
        deadline: Nanos::from_secs(8_000),
        period: Nanos::from_secs(9_000),
    };
    assert!(policy::apply(asked).is_err());
}
