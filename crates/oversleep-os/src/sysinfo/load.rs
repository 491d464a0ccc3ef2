//! The load of the machine.

use super::files::Files;
use oversleep_recording::machine::Load;

/// Returns the current load.
pub fn now() -> Option<Load> {
    read(&super::files::real)
}

#[cfg(unix)]
pub(super) fn read(files: Files) -> Option<Load> {
    let mut averages = [0.0; 3];
    // SAFETY: the system writes at most the three numbers that were requested.
    let count = unsafe { libc::getloadavg(averages.as_mut_ptr(), 3) };
    let [one_minute, five_minutes, fifteen_minutes] = averages;
    let runnable = files("/proc/loadavg").and_then(|text| runnable(&text));
    (count == 3).then_some(Load { one_minute, five_minutes, fifteen_minutes, runnable })
}

#[cfg(not(unix))]
pub(super) fn read(_files: Files) -> Option<Load> {
    None
}

/// Returns the number before the slash in a text such as `0.95 0.30 0.18 2/92 19977`.
#[cfg(unix)]
fn runnable(text: &str) -> Option<u32> {
    text.split_whitespace().nth(3)?.split_once('/')?.0.parse().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_word_counts_threads() {
        assert_eq!(runnable("0.95 0.30 0.18 2/92 19977"), Some(2));
        assert_eq!(runnable("0.95 0.30"), None);
    }
}
