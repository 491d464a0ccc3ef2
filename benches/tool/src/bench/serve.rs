//! `serve`: does the exporter go on answering under 200 clients at once, most of them ill-behaved, and what is lost when
//! it is killed?
//!
//! Each life of the exporter ends with `kill -9`. Then the segments are read, and the time from the kill back to the end of
//! the last sleep in it is what was lost, both on the monotonic clock. An honest client asks once a second.

mod clients;
mod life;

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use clients::{Clients, Honest};
use life::{Life, read_segments};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Number of clients at once, besides the honest one.
const CLIENTS: usize = 200;
/// Goals: memory, and time lost at a kill.
const GOAL_KIB: u64 = 20 << 10;
const GOAL_LOST_MS: f64 = 1_000.0;

/// What was seen of all lives.
#[derive(Default)]
struct Seen {
    quiet_kib: u64,
    resident_kib: Vec<u64>,
    peak_kib: u64,
    descriptors: usize,
    processor: Duration,
    lived: Duration,
    lost_ms: Vec<f64>,
    kept: usize,
    restart: Vec<Duration>,
}

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::named_or_release(options)?;
    println!("{}", sheet::place());
    let (kills, lasts) = if options.long { (10, 60) } else { (3, 20) };
    let scratch = Scratch::new("serve")?;
    let folder = scratch.0.join("kept");
    let mut seen = Seen::default();
    let mut life = Life::begin(&ours, &folder, None)?;
    sleep(Duration::from_secs(5));
    seen.quiet_kib = life.resident_kib();
    let up = Arc::new(AtomicBool::new(true));
    let clients = Clients::begin(life.address, CLIENTS);
    let honest = Honest::begin(life.address, up.clone());
    for kill in 1..=kills {
        eprintln!("serve: kill {kill} of {kills} in {lasts} s");
        let until = Instant::now() + Duration::from_secs(lasts);
        while Instant::now() < until {
            sleep(Duration::from_secs(1));
            seen.resident_kib.push(life.resident_kib());
            seen.descriptors = seen.descriptors.max(life.descriptors());
        }
        seen.peak_kib = seen.peak_kib.max(life.peak_kib());
        seen.processor += life.processor_time();
        seen.lived += life.begun.elapsed();
        up.store(false, Ordering::SeqCst);
        let (address, killed) = (life.address, life.kill());
        let (lost, kept) = read_segments(&folder, killed)?;
        seen.lost_ms.push(lost.as_f64() / 1e6);
        seen.kept += kept;
        if kill < kills {
            let begun = Instant::now();
            life = Life::begin(&ours, &folder, Some(address))?;
            seen.restart.push(begun.elapsed());
            up.store(true, Ordering::SeqCst);
        } else {
            break;
        }
    }
    let (honest, asked) = (honest.end(), clients.end());
    report(options, kills, lasts, &seen, &honest, asked, &folder)
}

fn report(
    options: &Options,
    kills: u64,
    lasts: u64,
    seen: &Seen,
    honest: &clients::Answers,
    asked: u64,
    folder: &Path,
) -> Result<(), String> {
    let title = format!("The exporter under {CLIENTS} clients, killed {kills} times after {lasts} s each");
    let mut sheet = Sheet::new(&title, &["figure", "measured", "goal"]);
    let unanswered = honest.asked - honest.answered;
    sheet.row([
        "scrapes of an honest client".to_owned(),
        format!("{} of {} answered", honest.answered, honest.asked),
        "all".to_owned(),
    ]);
    sheet.row([
        "its slowest answer".to_owned(),
        format!("{:.0} ms", honest.slowest.as_secs_f64() * 1e3),
        String::new(),
    ]);
    let slowest =
        seen.restart.iter().max().map_or("–".to_owned(), |most| format!("{:.0} ms", most.as_secs_f64() * 1e3));
    sheet.row(["first answer after a restart, at most".to_owned(), slowest, String::new()]);
    sheet.row(["connections of the others".to_owned(), asked.to_string(), String::new()]);
    let lost = seen.lost_ms.iter().copied().fold(0.0, f64::max);
    sheet.row(["lost at a kill, at most".to_owned(), format!("{lost:.0} ms"), format!("{GOAL_LOST_MS:.0} ms")]);
    sheet.row([
        "segments readable".to_owned(),
        format!("{kills} of {kills}, {} sleeps in all", seen.kept),
        "all".to_owned(),
    ]);
    let mib = |kib: u64| format!("{:.1} MiB", kib as f64 / 1024.0);
    let third = seen.resident_kib.len() / 3;
    let highest = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    sheet.row(["memory before the clients".to_owned(), mib(seen.quiet_kib), mib(GOAL_KIB)]);
    sheet.row(["peak memory".to_owned(), mib(seen.peak_kib), mib(GOAL_KIB)]);
    let ends = [highest(&seen.resident_kib[..third]), highest(&seen.resident_kib[2 * third..])].map(mib);
    sheet.row(["highest in the first and the last third".to_owned(), ends.join(", "), "equal".to_owned()]);
    sheet.row(["open files and connections, at most".to_owned(), seen.descriptors.to_string(), String::new()]);
    let share = seen.processor.as_secs_f64() / seen.lived.as_secs_f64() * 100.0;
    sheet.row(["processor time, answering all this".to_owned(), format!("{share:.1} % of one"), String::new()]);
    sheet.print(options);
    let failed = [
        (unanswered > 0).then(|| format!("{unanswered} scrapes had no answer: {}", honest.why)),
        (lost > GOAL_LOST_MS).then(|| format!("{lost:.0} ms were lost at a kill of {}", folder.display())),
        (seen.peak_kib > GOAL_KIB).then(|| format!("it took {}", mib(seen.peak_kib))),
    ];
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
}
