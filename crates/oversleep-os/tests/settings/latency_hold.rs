use crate::support::{alone, machine_wide};
use oversleep_os::settings::latency_hold;
use oversleep_sys::units::Nanos;

#[test]
fn what_is_held_is_in_force_until_let_go() {
    let _turn = machine_wide();
    alone(|| {
        let before = match latency_hold::read() {
            Ok(before) => before,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        let guard = latency_hold::apply(Nanos::new(17_900)).unwrap();
        assert_eq!(guard.obtained(), before.min(Nanos::from_micros(17)));
        let stricter = latency_hold::apply(Nanos::ZERO).unwrap();
        assert_eq!(stricter.obtained(), Nanos::ZERO);
        drop(stricter);
        assert_eq!(latency_hold::read().unwrap(), guard.obtained());
        drop(guard);
        assert_eq!(latency_hold::read().unwrap(), before);
    });
}
