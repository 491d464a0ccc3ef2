use crate::support::alone;
use oversleep_os::cpu;
use oversleep_os::settings::affinity;

#[test]
fn a_thread_stays_where_it_is_put_and_is_freed_again() {
    alone(|| {
        let before = affinity::read().unwrap();
        for cpu in before.clone() {
            let guard = affinity::apply(&[cpu]).unwrap();
            assert_eq!(guard.obtained(), [cpu]);
            assert_eq!(cpu::current().map(u32::from), Some(cpu));
            drop(guard);
            assert_eq!(affinity::read().unwrap(), before);
        }
    });
}

#[test]
fn a_processor_that_is_not_there_changes_nothing() {
    alone(|| {
        let before = affinity::read().unwrap();
        let refusal = affinity::apply(&[before[0], 4095]).unwrap_err();
        assert_eq!(refusal.kind(), "unavailable");
        assert!(refusal.reason().starts_with("CPU 4095 is not there; this machine has "), "{refusal}");
        assert_eq!(affinity::read().unwrap(), before);
    });
}
