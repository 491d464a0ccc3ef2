//! Addresses of kernel functions, which timer events name by address alone.

use std::fs::File;
use std::io::{BufRead, BufReader};

/// The functions of timers that end waits of programs: those of sleeping threads, of timerfd, POSIX timers and
/// `setitimer`, and of `io_uring`. A thread's context arms others too (the scheduler's, the network's), which end no wait.
const WAITS: &[&str] = &[
    "hrtimer_wakeup",
    "timerfd_tmrproc",
    "posix_timer_fn",
    "it_real_fn",
    "io_timeout_fn",
    "io_link_timeout_fn",
    "io_cqring_timer_wakeup",
    "io_cqring_min_timer_wakeup",
];

/// Returns the filter of timer events that keeps those timers; `None` if the kernel does not give the addresses.
pub(super) fn waits_filter() -> Option<String> {
    filter(BufReader::new(File::open("/proc/kallsyms").ok()?).lines().map_while(Result::ok))
}

/// Makes the filter of lines such as `ffffffff8141e2b0 t hrtimer_wakeup`. Without rights all addresses are zero.
fn filter(lines: impl Iterator<Item = String>) -> Option<String> {
    let address = |line: String| {
        let mut words = line.split(' ');
        let (address, name) = (words.next()?, words.nth(1)?);
        let known = WAITS.contains(&name) && address.bytes().any(|digit| digit != b'0');
        known.then(|| (name.to_owned(), format!("function == 0x{address}")))
    };
    let found: Vec<(String, String)> = lines.filter_map(address).collect();
    let all: Vec<&str> = found.iter().map(|(_, filter)| &**filter).collect();
    found.iter().any(|(name, _)| name == WAITS[0]).then(|| all.join(" || "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_the_addresses_or_there_is_none() {
        let lines = |text: &'static str| text.lines().map(str::to_owned);
        let known = "ffffffff8141e2b0 t hrtimer_wakeup\nffffffff81420000 t tick_nohz_handler\n\
                     ffffffff8142f2d0 T it_real_fn\nffffffffc0000000 t other [module]\n";
        let filter_of_both = "function == 0xffffffff8141e2b0 || function == 0xffffffff8142f2d0";
        assert_eq!(filter(lines(known)).as_deref(), Some(filter_of_both));
        assert_eq!(filter(lines("0000000000000000 t hrtimer_wakeup\n")), None);
        assert_eq!(filter(lines("ffffffff8142f2d0 T it_real_fn\n")), None, "would hide all sleeps");
    }
}
