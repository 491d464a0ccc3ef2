//! `compare --run`: measures both sides in turns A B B A, each turn in a process and a recording of its own.

use super::{gathered, refusals_of};
use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::progress::Bar;
use crate::running;
use crate::say::say;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::session::{ComparableRun, Comparison};
use oversleep_recording::plan::{Cell, Conditions, Pattern};
use oversleep_sys::units::Nanos;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Fewest blocks of A B B A. They make six pairs, the fewest with an interval of 95 %; a control needs four recordings
/// of A.
const FEWEST_BLOCKS: usize = 3;
/// Most blocks: more take longer to compare than to measure.
const MOST_BLOCKS: usize = 250;
const DEFAULT_DURATION: Nanos = Nanos::from_secs(60);
/// Options of `measure` about output. They have no effect on a side, which keeps and prints nothing.
const OUTPUT: [&str; 9] =
    ["-o", "--out", "--force", "--no-save", "--json", "--csv", "--markdown", "--fail-if", "--work"];

/// Recordings of each side that a page shows.
const SHOWN: usize = 4;

/// Measures blocks in this folder until the medians are known as exactly as `--resolve` asks or time is over, but at least
/// [`FEWEST_BLOCKS`]. Returns with the comparison which conditions were refused, and the files of the recordings that a page shows.
pub(super) fn measure(
    sides: &[Vec<OsString>; 2],
    args: &CompareArgs,
    folder: &Path,
) -> Result<(Comparison, Vec<String>, Vec<PathBuf>), Failure> {
    let word_of = |word: &OsString| word.to_string_lossy().split('=').next().unwrap_or_default().to_owned();
    if let Some(word) = sides.iter().flatten().map(word_of).find(|word| OUTPUT.contains(&word.as_str())) {
        return Err(Failure::usage(format!(
            "{word} has no effect on a side of --run, whose recordings are compared and not kept; leave it out (--json, \
             --markdown, --out, --work and --fail-if of `compare` come before --run)"
        )));
    }
    let stop = running::on_signals()?;
    let limit = args.duration.unwrap_or(DEFAULT_DURATION).as_secs_f64();
    let begun = Instant::now();
    let mut bar = Bar::new(args.quiet);
    let (mut a, mut b): (Vec<ComparableRun>, Vec<ComparableRun>) = (Vec::new(), Vec::new());
    let mut comparison = None;
    for block in 1..=MOST_BLOCKS {
        let turn = |side: usize, number: usize| measure_side(&sides[side], side, number, folder, args);
        for (place, side) in [0, 1, 1, 0].into_iter().enumerate() {
            let run = turn(side, 2 * block - 1 + place / 2)?;
            if stopped(&stop) {
                break;
            }
            if side == 0 { a.push(run) } else { b.push(run) }
        }
        if stopped(&stop) {
            break;
        }
        if block == 1
            && let Some((first, second)) = a.first().zip(b.first())
            && let Some(difference) = difference(first, second)
        {
            say!("{difference}");
        }
        let (of_a, of_b): (Vec<_>, Vec<_>) = (a.iter().collect(), b.iter().collect());
        let elapsed = begun.elapsed().as_secs_f64();
        let found = comparison.insert(Comparison::interleaved(&of_a, &of_b, Nanos::from_f64(1e9 * elapsed)));
        let known = found.resolution();
        bar.blocks(block, elapsed / limit, known);
        let enough = args.resolve.zip(known).is_some_and(|(wanted, known)| known <= wanted);
        if block >= FEWEST_BLOCKS && (enough || elapsed + elapsed / block as f64 > limit) {
            break;
        }
    }
    bar.clear();
    let took = begun.elapsed().as_secs_f64();
    if let Some(asked) = args.duration.filter(|_| took > limit && a.len() == 2 * FEWEST_BLOCKS && !stopped(&stop)) {
        say!(
            "{FEWEST_BLOCKS} blocks A B B A, the fewest that give an interval, took {took:.1} s, longer than {asked} (-d)"
        );
    }
    let comparison = comparison.ok_or_else(|| Failure::trouble("interrupted before both sides were measured once"))?;
    if stopped(&stop) {
        say!("interrupted; this is what was measured until then");
    } else if let Some(wanted) = args.resolve
        && comparison.resolution().is_none_or(|known| known > wanted)
    {
        say!("time ran out before the medians were known to {wanted}; give a longer -d");
    }
    let of_side = |name: &'static str| (1..=SHOWN).map(move |number| folder.join(format!("{name}-{number}.arrows")));
    let shown = of_side("A").chain(of_side("B")).filter(|file| file.exists()).collect();
    Ok((comparison, refusals_of(&a, &b), shown))
}

/// The shortest time of a turn that is made shorter for the sake of `-d`, and the longest.
const TURNS: (Nanos, Nanos) = (Nanos::from_millis(500), Nanos::from_secs(10));

/// Returns how long a turn of a side lasts that says nothing of its length, if all turns together may last `limit`.
fn length(words: &[OsString], limit: Option<Nanos>) -> Option<Nanos> {
    const SAID: [&str; 6] = ["-n", "--count", "-d", "--duration", "-e", "--experiment"];
    let says = |word: &OsString| {
        let word = word.to_string_lossy();
        SAID.iter().any(|name| word.starts_with(name))
    };
    let turns = 4 * i64::try_from(FEWEST_BLOCKS).unwrap_or(i64::MAX);
    let each = limit.filter(|_| !words.iter().any(says)).map(|limit| Nanos::new(limit.get() / turns))?;
    Some(each.clamp(TURNS.0, TURNS.1))
}

/// Returns a remark if the sides do not measure the same kind of sleep: side B does not take over the options of side A.
fn difference(a: &ComparableRun, b: &ComparableRun) -> Option<String> {
    let first = |run: &ComparableRun| run.meta.plan.cells.first().cloned();
    let (a, b) = (first(a)?, first(b)?);
    let is_periodic = |cell: &Cell| matches!(cell.pattern, Pattern::Periodic { .. });
    let schedules = is_periodic(&a) != is_periodic(&b);
    // A policy may be what is compared; with another condition beside it, it seems forgotten.
    let without_policy = |cell: &Cell| Conditions { policy: None, ..cell.conditions.clone() };
    let policies = a.conditions.policy != b.conditions.policy && without_policy(&a) != without_policy(&b);
    let what = match (schedules, policies) {
        (true, true) => "schedule and policy",
        (true, false) => "schedule",
        (false, true) => "policy",
        (false, false) => return None,
    };
    Some(format!("WARNING: the sides differ in {what}: B does not inherit A's options, so write all options for both"))
}

fn stopped(stop: &Stop) -> bool {
    stop.stopped()
}

/// Measures one side once and reads its recording.
fn measure_side(
    words: &[OsString],
    side: usize,
    number: usize,
    folder: &Path,
    args: &CompareArgs,
) -> Result<ComparableRun, Failure> {
    let name = ["A", "B"][side];
    let file = folder.join(format!("{name}-{number}.arrows"));
    let program = std::env::current_exe()
        .map_err(|error| Failure::trouble(format!("cannot find this program's file: {error}")))?;
    let output = Command::new(program)
        .args(["measure", "--quiet", "--force", "--out"])
        .arg(&file)
        .args(
            length(words, args.duration)
                .map(|each| ["--duration".to_owned(), format!("{each:#}").replace(' ', "")])
                .iter()
                .flatten(),
        )
        // Last, so that an option without its value is reported as such and takes none of ours.
        .args(words.iter().filter(|word| !["-q", "--quiet"].contains(&word.to_string_lossy().as_ref())))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| Failure::trouble(format!("side {name}: {error}")))?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        let last = messages.lines().last().unwrap_or("it said nothing").trim_start_matches("oversleep: ").to_owned();
        let text = format!("side {name}: {last}");
        return Err(if output.status.code() == Some(2) { Failure::Usage(text) } else { Failure::Trouble(text) });
    }
    let mut run = gathered(&file, &format!("side {name}"), args)?;
    run.name = format!("{name} {number}");
    // The samples are in memory now; the files of a long comparison would fill the disk.
    if number > SHOWN || !args.makes_page() {
        _ = std::fs::remove_file(&file);
    }
    Ok(run)
}
