//! Rules with special names on the system that a recording comes from: Windows' timer resolutions, macOS' leeway.

use crate::random;
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose};
use oversleep_recording::Recording;
use oversleep_recording::document::Evidence;
use oversleep_recording::document::evidence::{ChangePoint, ProportionalSlack, Rounding, TickQuantised};
use oversleep_recording::plan::Plan;
use oversleep_sim::Kernel;
use oversleep_sys::units::Nanos;

fn of_preset(name: &str, plan: &Plan) -> Recording {
    random::record(&Kernel::preset(name).unwrap(), plan, 5)
}

fn machine(diagnosis: &Diagnosis, cause: Cause) -> Option<&Finding> {
    diagnosis.machine.iter().find(|finding| finding.cause() == cause)
}

fn rule(finding: &Finding) -> Option<&str> {
    match &finding.evidence {
        Evidence::TickQuantised(tick) => tick.system_rule.as_deref(),
        Evidence::TimerSlack(slack) => slack.pattern.as_ref()?.system_rule.as_deref(),
        Evidence::ProportionalSlack(share) => share.pattern.as_ref()?.system_rule.as_deref(),
        Evidence::Coalescing(coalescing) => coalescing.system_rule.as_deref(),
        Evidence::ChangePoint(change) => change.system_rule.as_deref(),
        _ => None,
    }
}

#[test]
fn windows_resolutions_are_named() {
    for (preset, resolution, rounding) in [
        ("windows-nt-15.6ms", 15_625_000.0, Rounding::Early),
        ("windows-nt-10ms", 10_000_000.0, Rounding::Early),
        ("windows-10-1ms", 997_000.0, Rounding::Early),
        ("windows-hires-waitable", 500_000.0, Rounding::UpPlusOne),
    ] {
        let diagnosis = diagnose(&of_preset(preset, &random::random_phase()));
        let tick = machine(&diagnosis, Cause::TickQuantised).unwrap();
        let evidence = tick.evidence.get::<TickQuantised>().expect("its evidence");
        assert_eq!(evidence.timer_resolution_ns, Some(resolution), "{preset}");
        assert_eq!(*evidence.rounding, Some(rounding), "{preset}");
        let is_early = rule(tick).is_some_and(|rule| rule.contains("one resolution early or late"));
        assert_eq!(is_early, rounding == Rounding::Early, "{preset}: {:?}", rule(tick));
        // 0.997 ms is the timer's resolution, not a drift of 3000 ppm.
        assert!(machine(&diagnosis, Cause::ClockDrift).is_none(), "{preset}");
        assert!(!diagnosis.has(Cause::ChangePoint), "{preset}");
    }
}

#[test]
fn other_systems_have_no_such_names() {
    let mut recording = of_preset("windows-nt-15.6ms", &random::random_phase());
    recording.meta.machine.system = "Linux".into();
    assert!(diagnose(&recording).all().all(|finding| rule(finding).is_none()));
}

/// Returns the same plan on one kernel and then on another, as one recording with 300 sleeps each.
fn changed(before: &str, after: &str) -> Recording {
    let mut recording = of_preset(before, &random::random_phase());
    recording.samples.truncate(300);
    let mut later = of_preset(after, &random::random_phase());
    later.samples.truncate(300);
    let gap = recording.samples[299].end.get() + 7_654_321 - later.samples[0].start.get();
    for mut sample in later.samples {
        sample.start = sample.start.saturating_add(Nanos::new(gap));
        sample.end = sample.end.saturating_add(Nanos::new(gap));
        sample.sequence += 300;
        recording.samples.push(sample);
    }
    recording
}

#[test]
fn a_change_of_resolution_is_told() {
    for (before, after) in [("windows-nt-15.6ms", "windows-10-1ms"), ("windows-10-1ms", "windows-nt-15.6ms")] {
        let diagnosis = diagnose(&changed(before, after));
        let change = diagnosis.all().find_map(|finding| finding.evidence.get::<ChangePoint>()).expect("a change");
        let at = change.sleep;
        assert!((290..=310).contains(&at), "{before} to {after}: {at}");
        let resolutions = change.resolutions.as_ref().expect("resolutions");
        assert!((resolutions.resolution_before_ns - resolutions.resolution_after_ns).abs() > 1.0);
    }
}

#[test]
fn leeway_on_macos_is_an_eighth_of_the_request_up_to_a_millisecond() {
    let sweep = random::sweep("nanosleep", 20, Nanos::SECOND, Nanos::from_millis(16));
    let diagnosis = diagnose(&of_preset("macos-active", &sweep));
    let share = diagnosis.all().find(|finding| finding.cause() == Cause::ProportionalSlack).expect("a share");
    assert!((share.size - 0.125).abs() < 1e-6, "{share:?}");
    assert_eq!(share.evidence.get::<ProportionalSlack>().and_then(|share| share.cap_ns), Some(1e6));
    assert!(diagnosis.all().filter_map(rule).all(|rule| rule.contains("time-sharing threads: an eighth")));
    let real_time = diagnose(&of_preset("macos-rt", &sweep));
    assert!(real_time.all().all(|finding| finding.cause() == Cause::ConstantCost));
}

#[test]
fn app_nap_is_named_by_its_leeway() {
    let diagnosis = diagnose(&of_preset("macos-background", &random::random_phase()));
    let share = diagnosis.all().find(|finding| finding.cause() == Cause::ProportionalSlack).expect("a leeway");
    assert!((share.size - 32.0).abs() < 0.01, "{share:?}");
    assert_eq!(share.evidence.get::<ProportionalSlack>().and_then(|share| share.cap_ns), Some(100e6));
    assert!(rule(share).unwrap().starts_with("App Nap"));
}
