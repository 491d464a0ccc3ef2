//! The drawing of one live view is turned on and off, in turns: the view that is paused draws nothing, while the
//! measurement goes on. Every block of time becomes a recording of its own for our own comparison of pairs.
//!
//! Two runs of a program differ by more than their drawing can explain, and what the host does changes within seconds;
//! blocks of half a second in one run have both in common. On and off follow each other as A B B A.

use super::super::Options;
use super::super::tool::Scratch;
use oversleep_lab::analysis::compare::{ComparableRun, Gather};
use oversleep_lab::session::Comparison;
use oversleep_recording::file::Reader;
use oversleep_recording::{Recording, Sink};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Period of the schedule: a block has 1000 sleeps, enough for a p99.
const EVERY: &str = "500us";
/// Length of a block. The view draws four times a second.
const BLOCK: Duration = Duration::from_millis(500);
/// Time from the start of the program to the first block.
const START: Duration = Duration::from_secs(3);
/// Time from a key to the beginning of its block: the key has arrived, and what it causes at once is over.
const SETTLE: Nanos = Nanos::from_millis(20);
/// Pairs of blocks: 100 give an interval of 5.7 µs at p99. The exact test takes up to 1000.
const PAIRS: usize = 100;
const LONG: usize = 700;
const PAUSE_KEY: &[u8] = b" ";

/// A stretch of time with the drawing on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    drawing: bool,
    from: Nanos,
    until: Nanos,
}

pub(super) fn run(options: &Options, ours: &Path, conditions: &str) -> Result<(), String> {
    let pairs = if options.long { LONG } else { PAIRS };
    let scratch = Scratch::new("watch")?;
    let file = scratch.file("drawing.arrows");
    let lasts = START + 2 * BLOCK * u32::try_from(pairs + 2).map_err(|error| error.to_string())?;
    let line = format!(
        "stty rows 24 cols 80; exec {} watch -e periodic -i {EVERY} -d {}s {conditions} --out {file}",
        ours.display(),
        lasts.as_secs()
    );
    eprintln!("watch: drawing on and off for {} s", lasts.as_secs());
    let child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("script: {error}"))?;
    let mut view = View(child);
    let blocks = alternate(&mut view, pairs)?;
    view.key(b"q")?;
    let status = view.0.wait().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("watch: {status}"));
    }
    let (on, off) = sides(Path::new(&file), &blocks)?;
    let comparison = Comparison::new(&off.iter().collect::<Vec<_>>(), &on.iter().collect::<Vec<_>>(), true);
    let compared = serde_json::from_str(&comparison.json()).map_err(|error| error.to_string())?;
    let title = format!(
        "Does drawing shift what is drawn? Schedule of {EVERY}{}, {pairs} pairs of blocks of {} s, drawing off and on in one run",
        super::with(conditions),
        BLOCK.as_secs_f64()
    );
    super::print(options, &title, ["off", "drawing shifts by"], &compared)
}

/// The live view on a terminal of its own; ended when this is dropped.
struct View(Child);

impl View {
    fn key(&mut self, key: &[u8]) -> Result<(), String> {
        let input = self.0.stdin.as_mut().ok_or("the terminal of `watch` takes no keys")?;
        input.write_all(key).and_then(|()| input.flush()).map_err(|error| format!("watch: {error}"))
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Turns the drawing on and off; returns the blocks of `pairs` pairs.
fn alternate(view: &mut View, pairs: usize) -> Result<Vec<Block>, String> {
    thread::sleep(START);
    let mut drawing = true;
    let mut next = clock::monotonic();
    let mut blocks = Vec::new();
    for wanted in (0..2 * pairs).map(draws) {
        if wanted != drawing {
            view.key(PAUSE_KEY)?;
            drawing = wanted;
        }
        let from = clock::monotonic() + SETTLE;
        next += Nanos::from(BLOCK);
        thread::sleep((next - clock::monotonic()).to_duration().unwrap_or_default());
        blocks.push(Block { drawing, from, until: clock::monotonic() });
    }
    Ok(blocks)
}

/// Returns whether the drawing is on in a block: on, off, off, on, and again.
const fn draws(block: usize) -> bool {
    matches!(block % 4, 0 | 3)
}

/// Returns the blocks with and without drawing as recordings, those of a pair at the same place.
fn sides(file: &Path, blocks: &[Block]) -> Result<(Vec<ComparableRun>, Vec<ComparableRun>), String> {
    let mut reader = Reader::open(file).map_err(|error| error.to_string())?;
    let mut recording = Recording::new(reader.meta().clone());
    reader.read_into(&mut recording).map_err(|error| error.to_string())?;
    let of = |block: &Block| {
        let mut gather = Gather::new("block", &recording.meta);
        let within = recording.samples.iter().filter(|sample| (block.from..block.until).contains(&sample.end));
        gather.samples(&within.copied().collect::<Vec<_>>());
        gather.finish()
    };
    let (on, off): (Vec<&Block>, Vec<&Block>) = blocks.iter().partition(|block| block.drawing);
    Ok((on.into_iter().map(of).collect(), off.into_iter().map(of).collect()))
}

#[cfg(test)]
mod tests {
    use super::draws;

    #[test]
    fn each_pair_has_both_and_their_order_changes() {
        let order: Vec<bool> = (0..8).map(draws).collect();
        assert!(order.chunks(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(order[..4], [true, false, false, true]);
        assert_eq!(order[..4], order[4..]);
    }
}
