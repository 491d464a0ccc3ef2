//! The processor time that control groups allow, and how often it was used up.

use super::files::{Files, number};
use oversleep_recording::machine::Quota;
use oversleep_sys::units::Nanos;

/// Returns the tightest quota in force with its current counts; `None` if there is none.
pub fn now() -> Option<Quota> {
    read(&super::files::real)
}

pub(super) fn read(files: Files) -> Option<Quota> {
    let (groups, mounts) = (files("/proc/self/cgroup")?, files("/proc/self/mountinfo")?);
    let quotas = groups.lines().filter_map(|line| hierarchy(line, &mounts)).flat_map(|at| at.quotas(files));
    quotas.min_by(|a, b| a.cpus.total_cmp(&b.cpus))
}

/// A control-group hierarchy that can have processor quotas, and the process's place in it.
struct Hierarchy {
    version: Version,
    mount: String,
    path: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Version {
    One,
    Two,
}

/// Parses a line of `/proc/self/cgroup`, `id:controllers:path`; id 0 without controllers is version 2.
fn hierarchy(line: &str, mounts: &str) -> Option<Hierarchy> {
    let mut parts = line.splitn(3, ':');
    let (id, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let version = match (id, controllers) {
        ("0", "") => Version::Two,
        _ if controllers.split(',').any(|name| name == "cpu") => Version::One,
        _ => return None,
    };
    let (root, mount) = mounts.lines().find_map(|line| mounted(line, version))?;
    // In a container the mount may show only a part of the tree, whose root is still part of the path.
    let path = path.strip_prefix(root.trim_end_matches('/')).unwrap_or("");
    let outside = path.split('/').any(|part| part == "..");
    let path = if outside { "" } else { path.trim_end_matches('/') };
    Some(Hierarchy { version, mount, path: path.to_owned() })
}

/// Parses a line of `mountinfo`: `id parent dev root mount options … - type source super-options`.
fn mounted(line: &str, version: Version) -> Option<(String, String)> {
    let (before, after) = line.split_once(" - ")?;
    let mut after = after.split_whitespace();
    let (kind, options) = (after.next()?, after.nth(1).unwrap_or(""));
    let fits = match version {
        Version::Two => kind == "cgroup2",
        Version::One => kind == "cgroup" && options.split(',').any(|option| option == "cpu"),
    };
    let mut before = before.split_whitespace().skip(3);
    fits.then_some((before.next()?.to_owned(), before.next()?.to_owned()))
}

impl Hierarchy {
    /// Returns the quotas of the group and of all groups above it.
    fn quotas(&self, files: Files) -> Vec<Quota> {
        let ends = self.path.match_indices('/').map(|(at, _)| at).chain([self.path.len()]);
        let mut paths: Vec<&str> = ends.map(|end| &self.path[..end]).collect();
        paths.dedup();
        paths.into_iter().filter_map(|path| self.quota(files, path)).collect()
    }

    fn quota(&self, files: Files, path: &str) -> Option<Quota> {
        let file = |name: &str| format!("{}{path}/{name}", self.mount);
        let (quota, period) = match self.version {
            Version::Two => cpu_max(&files(&file("cpu.max"))?)?,
            Version::One => (number(files, &file("cpu.cfs_quota_us"))?, number(files, &file("cpu.cfs_period_us"))?),
        };
        // Version 1 writes −1 for no quota.
        if quota <= 0 || period <= 0 {
            return None;
        }
        let stat = files(&file("cpu.stat")).unwrap_or_default();
        let throttled = value(&stat, "throttled_usec").map(|us| us.saturating_mul(1_000));
        let throttled = throttled.or_else(|| value(&stat, "throttled_time"));
        Some(Quota {
            group: if path.is_empty() { "/".into() } else { path.into() },
            cpus: quota as f64 / period as f64,
            quota: Nanos::MICROSECOND.checked_mul(quota)?,
            period: Nanos::MICROSECOND.checked_mul(period)?,
            periods: value(&stat, "nr_periods"),
            throttled_periods: value(&stat, "nr_throttled"),
            throttled: throttled.and_then(|ns| i64::try_from(ns).ok()).map(Nanos::new),
        })
    }
}

/// Parses `quota period` in microseconds; `max` means no quota.
fn cpu_max(text: &str) -> Option<(i64, i64)> {
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

fn value(stat: &str, key: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::super::files::sample;
    use super::*;

    const UNIFIED: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";

    #[test]
    fn the_tightest_on_the_way_up_counts() {
        let files = sample(&[
            ("/proc/self/cgroup", "0::/app.slice/run.scope"),
            ("/proc/self/mountinfo", UNIFIED),
            ("/sys/fs/cgroup/app.slice/cpu.max", "50000 100000"),
            ("/sys/fs/cgroup/app.slice/cpu.stat", "usage_usec 9\nnr_periods 7\nnr_throttled 3\nthrottled_usec 250\n"),
            ("/sys/fs/cgroup/app.slice/run.scope/cpu.max", "150000 100000"),
        ]);
        let quota = read(&files).unwrap();
        assert_eq!(quota.group, "/app.slice");
        assert!((quota.cpus - 0.5).abs() < 1e-12);
        assert_eq!((quota.quota, quota.period), (Nanos::from_millis(50), Nanos::from_millis(100)));
        assert_eq!((quota.periods, quota.throttled_periods), (Some(7), Some(3)));
        assert_eq!(quota.throttled, Some(Nanos::from_micros(250)));
    }

    #[test]
    fn both_versions_at_once_are_searched() {
        let groups = include_str!("../../tests/data/cgroup-hybrid.txt");
        let mounts = include_str!("../../tests/data/mountinfo-hybrid.txt");
        let none = [("/proc/self/cgroup", groups), ("/proc/self/mountinfo", mounts)];
        let mut files = none.to_vec();
        files.push(("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000"));
        files.push(("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1"));
        assert_eq!(read(&sample(&files)), None);
        files.pop();
        files.push(("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "25000"));
        files.push(("/sys/fs/cgroup/cpu/cpu.stat", "nr_periods 4\nnr_throttled 1\nthrottled_time 1234\n"));
        let quota = read(&sample(&files)).unwrap();
        assert_eq!((quota.group.as_str(), quota.quota), ("/", Nanos::from_millis(25)));
        assert_eq!(quota.throttled, Some(Nanos::new(1_234)));
        assert_eq!(read(&sample(&none)), None);
    }

    #[test]
    fn a_container_sees_its_part_of_the_tree() {
        let mounts = "40 30 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct";
        let texts = [
            ("/proc/self/cgroup", "4:cpu,cpuacct:/docker/abc"),
            ("/proc/self/mountinfo", mounts),
            ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000"),
            ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000"),
        ];
        assert!((read(&sample(&texts)).unwrap().cpus - 2.0).abs() < 1e-12);
    }

    #[test]
    fn no_quota_and_nonsense_are_none() {
        let with = |max: &'static str| {
            let texts = [
                ("/proc/self/cgroup", "0::/../x\ngarbage"),
                ("/proc/self/mountinfo", UNIFIED),
                ("/sys/fs/cgroup/cpu.max", max),
            ];
            read(&sample(&texts))
        };
        assert_eq!(with("max 100000"), None);
        assert_eq!(with("0 0"), None);
        assert_eq!(with("9223372036854775807 100000"), None);
        assert!(with("100000 100000").is_some());
        assert_eq!(read(&|_| None), None);
    }
}
