//! The presets of systems of today against what is published of each: lengths of single sleeps, call by call.

use crate::common::{fixed, greatest, late, least, mean, preset, scattered};
use oversleep_sim::preset as sourced;
use oversleep_sys::units::Nanos;

const MS: Nanos = Nanos::MILLISECOND;

/// Returns the least, mean and greatest lateness in µs of a call that begins anywhere in a tick.
fn spread(name: &str, method: &str, asked: Nanos) -> (f64, f64, f64) {
    let late = late(&preset(name), &scattered(method, asked, 400), 1);
    (least(&late), mean(&late), greatest(&late))
}

/// Returns the median lateness in µs of a call in a loop.
fn in_loop(name: &str, method: &str, asked: Nanos) -> f64 {
    let mut late = late(&preset(name), &fixed(method, asked, 51), 1);
    late.sort_by(f64::total_cmp);
    late[25]
}

fn close(value: f64, want: f64, by: f64) {
    assert!((value - want).abs() <= by, "{value} is not {want} ± {by}");
}

#[test]
fn macos_is_late_by_its_tier_and_notes_that_ask_for_precision_are_not() {
    let tiers = [
        ("macos-active", 1_000, 125.0),
        ("macos-active", 33_300, 1_000.0),
        ("macos", 1_000, 250.0),
        ("macos", 16_667, 4_166.75),
        ("macos", 33_300, 5_000.0),
        ("macos-utility", 1_000, 500.0),
        ("macos-utility", 100_000, 20_000.0),
        ("macos-tier-3", 10_000, 40_000.0),
        ("macos-tier-3", 33_300, 75_000.0),
        ("macos-background", 1_000, 32_000.0),
        ("macos-background", 33_300, 100_000.0),
        ("macos-app-nap", 1_000_000, 10_000_000.0),
        ("ios", 40_000, 5_000.0),
    ];
    for (name, us, want) in tiers {
        let asked = Nanos::from_micros(us);
        for method in ["nanosleep", "kqueue-timer-ns", "select"] {
            close(in_loop(name, method, asked), want + 10.0, 3.0);
        }
        close(in_loop(name, "kqueue-timer-critical", asked), 10.0, 3.0);
    }
    close(in_loop("macos-rt", "mach-wait-until", Nanos::from_micros(33_300)), 10.0, 3.0);
}

#[test]
fn freebsd_10_has_a_sixteenth_but_for_its_kqueue_timers_and_15_not_in_nanosleep() {
    close(in_loop("freebsd-10", "nanosleep", MS), 62.5 + 10.0, 3.0);
    close(in_loop("freebsd-10", "select", MS), 62.5 + 10.0, 3.0);
    close(in_loop("freebsd-10", "kqueue-timer-ns", MS), 10.0, 3.0);
    close(in_loop("freebsd-15", "nanosleep", MS), 10.0, 3.0);
    close(in_loop("freebsd-15", "select", MS), 62.5 + 10.0, 3.0);
    let (least, _, most) = spread("freebsd-10-guest", "nanosleep", Nanos::SECOND);
    assert!(least >= 62_500.0 && most <= 72_600.0, "{least} {most}");
}

#[test]
fn netbsd_and_openbsd_last_a_tick_more_and_illumos_does_not() {
    for name in ["netbsd", "openbsd"] {
        close(in_loop(name, "nanosleep", MS), 19_000.0, 20.0);
        close(in_loop(name, "nanosleep", Nanos::from_millis(50)), 10_000.0, 20.0);
    }
    close(in_loop("openbsd", "nanosleep", Nanos::ZERO), 10_000.0, 20.0);
    assert!(in_loop("netbsd", "nanosleep", Nanos::ZERO) < 5.0);
    let half = Nanos::from_micros(500);
    let (least, _, most) = spread("illumos", "nanosleep", half);
    assert!(least > 0.0 && least < 500.0 && most > 9_500.0 && most < 10_050.0, "{least} {most}");
    close(in_loop("illumos", "timer-port-highres", half), 31.0, 3.0);
    assert!(in_loop("illumos", "timer-port", half) > 9_000.0);
}

#[test]
fn windows_11_counts_from_now_and_high_resolution_timers_last_a_step_more() {
    let (least, _, most) = spread("windows-nt-15.6ms", "sleep", Nanos::from_millis(15));
    assert!(least < -14_000.0 && most < 700.0, "{least} {most}");
    let (least, _, most) = spread("windows-11-1ms", "sleep", MS);
    assert!(least > 0.0 && most > 950.0 && most < 1_050.0, "{least} {most}");
    close(in_loop("windows-11-1ms", "sleep", MS), 1_000.0, 20.0);
    let (least, middle, most) = spread("windows-hires-waitable", "waitable-timer-high-resolution", MS);
    assert!(least > 500.0 && most < 1_050.0, "{least} {most}");
    close(middle, 760.0, 30.0);
    close(in_loop("windows-11", "sleep", MS), 2.0 * 15_625.0 - 1_000.0 - 15_625.0, 20.0);
}

#[test]
fn freertos_cuts_to_ticks_of_which_the_first_has_begun() {
    let ms = Nanos::from_millis;
    assert!(in_loop("freertos", "nanosleep", ms(9)) < -8_990.0);
    let (least, _, most) = spread("freertos", "nanosleep", ms(25));
    assert!(least > -15_010.0 && least < -14_000.0 && most > -6_000.0 && most < -4_900.0, "{least} {most}");
    close(in_loop("freertos-hz1000", "nanosleep", ms(9)), 0.0, 20.0);
}

#[test]
fn linux_wakes_later_from_longer_sleeps_as_a_guest_alone() {
    for (us, guest) in [(100, 61.0), (3_500, 110.0), (100_000, 110.0)] {
        let asked = Nanos::from_micros(us);
        close(in_loop("linux-server", "nanosleep", asked), 58.5, 2.0);
        close(in_loop("linux-guest", "nanosleep", asked), guest, 3.0);
    }
}

#[test]
fn a_preset_includes_its_own_values_in_its_spread() {
    let macos = sourced("macos").unwrap();
    assert_eq!(macos.extremes().unwrap().len(), 8);
    assert!(macos.extremes().unwrap().iter().any(|kernel| kernel.parameters().event_rate_hz > 200.0));
    assert_eq!(sourced("dragonfly-1.0").unwrap().extremes().unwrap().len(), 1);
}
