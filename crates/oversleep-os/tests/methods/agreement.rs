//! Checks that the catalogue and the code contain the same methods.

use oversleep_os::method::entries;
use oversleep_recording::catalog::{MethodId, MethodRow, ROWS, System};
use std::collections::HashSet;

/// Rows that a system has but that this version does not build there, each with its reason.
const NOT_BUILT: &[(MethodId, &[System], &str)] = &[
    (
        MethodId::Semtimedop,
        &[System::Linux, System::Illumos],
        "a System V semaphore outlives a killed process, and nothing may be left behind",
    ),
    (MethodId::Ppoll, &[System::Illumos], "libc does not declare it"),
    (MethodId::Sigtimedwait, &[System::Illumos], "libc does not declare it"),
    (MethodId::Setitimer, &[System::Illumos], "libc does not declare it"),
    (MethodId::TimerCreate, &[System::NetBsd, System::Illumos], "no SIGEV_THREAD_ID: it would signal any thread"),
    (MethodId::EpollWait, &[System::Illumos], "emulated for porting; event ports come first"),
    (MethodId::Timerfd, &[System::FreeBsd, System::NetBsd, System::Illumos], "kqueue and ports come first"),
    (MethodId::TimerfdAbs, &[System::FreeBsd, System::NetBsd, System::Illumos], "kqueue and ports come first"),
    (MethodId::TimerfdPeriodic, &[System::FreeBsd, System::NetBsd, System::Illumos], "kqueue and ports come first"),
];

fn reason_not_built(row: &MethodRow, here: System) -> Option<&'static str> {
    NOT_BUILT.iter().find(|(id, systems, _)| *id == row.id && systems.contains(&here)).map(|(.., reason)| *reason)
}

#[test]
fn every_row_of_this_system_has_code_or_a_reason() {
    let here = System::HERE.expect("tests run on a system of the catalogue");
    for row in ROWS.iter().filter(|row| row.systems.contains(&here)) {
        let built = entries().any(|entry| entry.id == row.id);
        match reason_not_built(row, here) {
            None => assert!(built, "{} has a row for {here} and no code", row.name),
            Some(reason) => assert!(!built, "{} has code, yet is listed as not built: {reason}", row.name),
        }
    }
}

#[test]
fn all_code_has_a_row_of_this_system_once() {
    let here = System::HERE.expect("tests run on a system of the catalogue");
    let mut seen = HashSet::new();
    for entry in entries() {
        let row = entry.id.row();
        assert!(seen.insert(entry.id), "{} is listed twice", row.name);
        assert!(row.systems.contains(&here), "{} has code, and its row does not name {here}", row.name);
    }
    assert!(seen.len() >= 3, "the portable methods exist everywhere");
}

#[test]
fn what_is_absent_says_where_it_is_found() {
    let here = System::HERE.expect("tests run on a system of the catalogue");
    let foreign = if here == System::Windows { MethodId::Nanosleep } else { MethodId::Sleep };
    let refusal = oversleep_os::method::open(foreign).err().expect("another system's call");
    assert_eq!(refusal.kind(), "unavailable");
    assert!(refusal.reason().contains(foreign.row().systems[0].name()), "{refusal}");
}

#[test]
fn the_calls_that_the_library_sleeps_with_are_methods_of_this_system() {
    let here = System::HERE.expect("tests run on a system of the catalogue");
    for call in oversleep_sys::wait::CALLS {
        let method = MethodId::from_name(call.name).unwrap_or_else(|| panic!("{} is not a method", call.name));
        assert!(method.row().systems.contains(&here), "{} is none of {here}", call.name);
        assert!(entries().any(|entry| entry.id == method), "{} is not measured here", call.name);
    }
}
