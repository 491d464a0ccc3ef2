//! Time that the host took from this guest's processors.

use super::files::Files;
use oversleep_recording::machine::Steal;
use oversleep_sys::units::{Hertz, Nanos};

pub(super) fn read(files: Files) -> Vec<Steal> {
    match (files("/proc/stat"), user_hz()) {
        (Some(stat), Some(rate)) => parse(&stat, rate),
        _ => Vec::new(),
    }
}

/// Returns the stolen time of every processor so far, for differences between two moments.
pub fn now() -> Vec<Steal> {
    read(&super::files::real)
}

/// Returns `USER_HZ`, the unit in which `/proc` counts processor time; not the kernel's tick.
#[cfg(unix)]
pub fn user_hz() -> Option<Hertz> {
    // SAFETY: takes a name, returns a number or −1.
    let rate = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    Hertz::new(u64::try_from(rate).ok()?, 1)
}

/// Returns `None`: the unit of processor time is not known here.
#[cfg(not(unix))]
pub fn user_hz() -> Option<Hertz> {
    None
}

/// Parses lines `cpuN user nice system idle iowait irq softirq steal …`; steal exists since Linux 2.6.11.
pub(super) fn parse(stat: &str, rate: Hertz) -> Vec<Steal> {
    let of_line = |line: &str| {
        let mut words = line.strip_prefix("cpu")?.split_whitespace();
        let cpu = words.next().filter(|_| !line.starts_with("cpu "))?.parse().ok()?;
        let ticks = words.nth(7)?.parse().ok()?;
        Some(Steal { cpu, stolen: Nanos::from_ticks(ticks, rate)? })
    };
    stat.lines().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eighth_number_is_stolen_ticks() {
        let hundred = Hertz::new(100, 1).unwrap();
        let seen = parse(include_str!("../../tests/data/stat.txt"), hundred);
        let at = |cpu, ms| Steal { cpu, stolen: Nanos::from_millis(ms) };
        assert_eq!(seen, [at(0, 420), at(1, 580)]);
        assert!(parse("cpu0 1 2 3 4\ncpux 1 2 3 4 5 6 7 8\ncpu 1 2 3 4 5 6 7 8\n", hundred).is_empty());
    }
}
