//! Benchmark of the first ten sleeps of a new thread.

use crate::stats::{Sorted, us};
use oversleep::{Nanos, Sleeper};
use oversleep_sys::clock::monotonic;
use std::fmt::Write;
use std::time::Duration;

const SLEEPS: usize = 10;

/// Returns tables of the lateness of the sleeps 1 to 10, over many threads; the contenders take turns.
pub fn section(threads: usize) -> String {
    let mut page =
        String::from("## First ten sleeps of a fresh thread\n\nµs past the deadline, p50 (p90) over threads.\n");
    for duration in [100, 1_000].map(Nanos::from_micros) {
        eprintln!("first: {duration}");
        let mut ours = vec![Vec::new(); SLEEPS];
        let mut theirs = vec![Vec::new(); SLEEPS];
        for _ in 0..threads {
            let mut sleeper = Sleeper::new();
            fresh(duration, &mut ours, move |time| {
                let _ = sleeper.sleep_for(time);
            });
            fresh(duration, &mut theirs, spin_sleep::sleep);
        }
        let _ = write!(page, "\n**{duration}**\n\n| contender |");
        (1..=SLEEPS).for_each(|n| page += &format!(" {n} |"));
        page += "\n|---|";
        page += &"---|".repeat(SLEEPS);
        for (name, late) in [("oversleep", ours), ("spin_sleep", theirs)] {
            let _ = write!(page, "\n| {name} |");
            for values in late {
                let sorted = Sorted::new(values);
                let _ = write!(page, " {} ({}) |", us(sorted.quantile(0.5)), us(sorted.quantile(0.9)));
            }
        }
        page.push('\n');
    }
    page
}

fn fresh(duration: Nanos, late: &mut [Vec<i64>], mut sleep: impl FnMut(Duration) + Send) {
    let time = duration.to_duration().unwrap_or_default();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for values in late.iter_mut() {
                let before = monotonic();
                sleep(time);
                values.push((monotonic() - before - duration).get());
            }
        });
    });
}
