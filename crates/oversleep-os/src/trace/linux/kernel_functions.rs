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

/// The function of timers that count ticks and end waits of sockets.
const TICKS: &[&str] = &["process_timeout"];

/// Filters of timer events that keep the timers of waits; `None` if the kernel does not give the addresses.
pub(super) struct TimerFilters {
    /// Of timers with a resolution of nanoseconds.
    pub(super) fine: Option<String>,
    /// Of timers that count ticks.
    pub(super) ticks: Option<String>,
}

impl TimerFilters {
    pub(super) fn read() -> Self {
        let lines = File::open("/proc/kallsyms").map(|file| BufReader::new(file).lines().map_while(Result::ok));
        Self::parse(lines.into_iter().flatten())
    }

    /// Parses lines such as `ffffffff8141e2b0 t hrtimer_wakeup`. Without rights all addresses are zero.
    fn parse(lines: impl Iterator<Item = String>) -> Self {
        let address = |line: String| {
            let mut words = line.split(' ');
            let (address, name) = (words.next()?, words.nth(1)?);
            let known =
                WAITS.iter().chain(TICKS).any(|known| *known == name) && address.bytes().any(|digit| digit != b'0');
            known.then(|| (name.to_owned(), format!("function == 0x{address}")))
        };
        let found: Vec<(String, String)> = lines.filter_map(address).collect();
        let filter = |names: &[&str]| {
            let all: Vec<&str> =
                found.iter().filter(|(name, _)| names.contains(&&**name)).map(|(_, filter)| &**filter).collect();
            found.iter().any(|(name, _)| name == names[0]).then(|| all.join(" || "))
        };
        Self { fine: filter(WAITS), ticks: filter(TICKS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_the_addresses_or_there_is_none() {
        let lines = |text: &'static str| text.lines().map(str::to_owned);
        let known = "ffffffff8141e2b0 t hrtimer_wakeup\nffffffff81420000 t tick_nohz_handler\n\
                     ffffffff8142f2d0 T it_real_fn\nffffffffc0000000 t other [module]\n";
        let of = |text: &'static str| TimerFilters::parse(lines(text));
        let filter_of_both = "function == 0xffffffff8141e2b0 || function == 0xffffffff8142f2d0";
        assert_eq!(of(known).fine.as_deref(), Some(filter_of_both));
        assert_eq!(of(known).ticks, None);
        assert_eq!(of("ffffffff81430000 t process_timeout\n").ticks.as_deref(), Some("function == 0xffffffff81430000"));
        assert_eq!(of("0000000000000000 t hrtimer_wakeup\n").fine, None);
        assert_eq!(of("ffffffff8142f2d0 T it_real_fn\n").fine, None, "would hide all sleeps");
    }
}
