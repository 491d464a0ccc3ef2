//! A control group's quota is named as the reason why the sleeper had to wait.

use crate::control_group::ControlGroup;
use crate::{options, traced};
use oversleep_lab::analysis::attribution::Owner;
use oversleep_os::settings::affinity;
use oversleep_os::sysinfo::quota;
use oversleep_recording::plan::{Load, LoadKind};
use std::env;
use std::fs;
use std::path::Path;
use std::process::{self, Command};

#[test]
fn a_quota_is_named_as_throttling() {
    let group = match ControlGroup::create("oversleep-test") {
        Ok(group) => group,
        Err(why) => return println!("skipped: {why}"),
    };
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "quota::sleeper", "--ignored", "--nocapture"])
        .env("OVERSLEEP_TEST_GROUP", &group.0)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    let line = said.lines().find(|line| line.starts_with("throttled") || line.starts_with("skipped"));
    println!("{}", line.unwrap_or("nothing was said"));
    assert!(child.status.success() && line.is_some(), "{said}{}", String::from_utf8_lossy(&child.stderr));
}

#[test]
#[ignore = "the child of a_quota_is_named_as_throttling"]
fn sleeper() {
    println!();
    let Ok(group) = env::var("OVERSLEEP_TEST_GROUP") else { return println!("skipped: run by the other test") };
    if let Err(error) = fs::write(Path::new(&group).join("cgroup.procs"), process::id().to_string()) {
        return println!("skipped: {error}");
    }
    let mut options = options(150);
    // The busy thread, which this thread starts, has to be on the sleeper's processor: each processor keeps some of the
    // quota for itself, so on another one the sleeper would go on with what is left there while the busy thread is
    // throttled, period after period.
    let _one = affinity::apply(options.conditions.affinity.as_deref().unwrap()).unwrap();
    options.conditions.load = Some(Load { threads: 1, kind: LoadKind::Spin });
    let before = quota::now().and_then(|quota| quota.throttled_periods).unwrap_or(0);
    let Some(run) = traced(&options) else { return };
    let periods = quota::now().and_then(|quota| quota.throttled_periods).unwrap_or(0) - before;
    let blamed = |owners: &[(Owner, _)]| owners.iter().any(|(owner, _)| *owner == Owner::Throttled);
    let named = run.breakdowns.iter().filter(|breakdown| breakdown.parts.iter().any(|part| blamed(&part.owners)));
    let named = named.count();
    // On a machine that starves both threads, the quota is hardly ever used up, and then perhaps by the busy thread while
    // the sleeper sleeps: 2 periods of 33 s have been seen to delay no sleep.
    assert!(named > 0 || periods < 10, "throttled in {periods} periods, and nobody says so");
    println!("throttled: named in {named} of {} sleeps; {periods} periods", run.breakdowns.len());
}
