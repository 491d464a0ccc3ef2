//! Runs of `measure` and of `watch` alternate, and `oversleep compare --paired` tests whether they differ: what the host
//! does for longer than a pair is in both.
//!
//! Both record the same schedule; `script` (util-linux) gives each a terminal to draw on. Many short runs tell more than
//! few long ones, because what the host does for seconds is then in both runs of a pair: of 40 pairs of 5 s the 95 %
//! interval of the shift at p99 was 13 µs wide, of 40 pairs of 2 s it was 6 µs, and of 40 pairs of 1 s 8 µs.

use super::super::Options;
use super::super::tool::{self, Scratch};
use std::path::Path;

/// Period of the schedule: runs of 2 s have 4000 sleeps, enough for a p99.
const EVERY: &str = "500us";
/// Length of a run in seconds.
const LASTS: u32 = 2;
/// Time in seconds after which the live view is ended by a signal, beyond its measurement's: it stays open after that.
const MORE: f64 = 0.6;

pub(super) fn run(options: &Options, ours: &Path, conditions: &str) -> Result<(), String> {
    let rounds = if options.long { 300 } else { 40 };
    let ended = format!("timeout --foreground --signal=INT --preserve-status {}", f64::from(LASTS) + MORE);
    let scratch = Scratch::new("watch")?;
    let mut sides: [Vec<String>; 2] = Default::default();
    for round in 0..rounds {
        eprintln!("watch: round {} of {rounds}", round + 1);
        for side in tool::order::<2>(round) {
            let (until, command) = [("", "measure -q"), (&ended[..], "watch")][side];
            let file = scratch.file(&format!("{side}-{round}.arrows"));
            let line = format!(
                "{until} {} {command} -e periodic -i {EVERY} -d {LASTS}s {conditions} --out {file}",
                ours.display()
            );
            tool::run(Path::new("script"), &["-qec", &format!("stty rows 24 cols 80; {line}"), "/dev/null"])?;
            sides[side].push(file);
        }
    }
    let [without, with] = &sides;
    let mut words = vec!["compare", "--json", "--paired"];
    words.extend(without.iter().map(String::as_str));
    words.push("--");
    words.extend(with.iter().map(String::as_str));
    let compared = tool::json(ours, &words)?;
    let title = format!(
        "Does `watch` shift what `measure` finds? Schedule of {EVERY}{}, {rounds} interleaved pairs of runs of {LASTS} s",
        super::with(conditions)
    );
    super::print(options, &title, ["measure", "watch shifts by"], &compared)
}
