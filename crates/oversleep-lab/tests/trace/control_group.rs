//! A control group with a quota of processor time. Also used by the benchmark of plants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::Duration;

/// A control group that may use 10 ms of every 100 ms; removed when dropped.
pub(crate) struct ControlGroup(pub(crate) PathBuf);

impl ControlGroup {
    /// Creates a group whose name ends with this process's id.
    pub(crate) fn create(name: &str) -> Result<Self, String> {
        let name = format!("{name}-{}", process::id());
        let (one, two) = (Path::new("/sys/fs/cgroup/cpu"), Path::new("/sys/fs/cgroup"));
        let root = if one.join("cpu.cfs_quota_us").exists() || one.join("cgroup.procs").exists() { one } else { two };
        let group = Self(root.join(name));
        let said = |error: std::io::Error| format!("no control group of our own: {error}");
        fs::create_dir(&group.0).map_err(said)?;
        let write = |file: &str, text: &str| fs::write(group.0.join(file), text).map_err(said);
        if root == one {
            write("cpu.cfs_period_us", "100000")?;
            write("cpu.cfs_quota_us", "10000")?;
        } else {
            write("cpu.max", "10000 100000")?;
        }
        Ok(group)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        for _ in 0..50 {
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}
