use crate::support::alone;
use oversleep_os::settings::nice;

#[test]
fn a_niceness_is_held_and_taken_back_or_refused_before_it_is_set() {
    alone(|| {
        let before = nice::read().unwrap();
        let asked = (before + 3).min(19);
        match nice::apply(asked) {
            Ok(guard) => {
                assert_eq!(guard.obtained(), asked);
                assert_eq!(nice::read().unwrap(), asked);
                drop(guard);
            }
            Err(refusal) => {
                assert_eq!(refusal.kind(), "forbidden");
                assert!(refusal.reason().contains("RLIMIT_NICE"), "{refusal}");
            }
        }
        assert_eq!(nice::read().unwrap(), before);
    });
}

#[test]
fn a_niceness_outside_the_range_names_the_range() {
    for asked in [-21, 20, i32::MAX] {
        let refusal = nice::apply(asked).unwrap_err();
        assert_eq!(refusal.reason(), format!("a niceness of {asked} is out of range: -20 to 19"));
    }
}
