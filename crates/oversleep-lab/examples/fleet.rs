//! Writes the dataset of a simulated fleet, for the tests of `contrib/spark` and `contrib/duckdb`: three sick hosts among a thousand,
//! and two that only look so.
//!
//!     cargo run --example fleet --features parquet -- FOLDER [HOSTS]

use oversleep_lab::export::parquet::Partition;
use oversleep_lab::session::{Dataset, MeasureRequest, plan};
use oversleep_recording::plan::Pattern;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_sim::{Kernel, meta, run};
use oversleep_sys::units::Nanos;
use std::error::Error;
use std::path::PathBuf;

/// Kernels of the fleet. The last wakes 8 µs later than the others.
const RELEASES: [(&str, &str); 3] = [("6.1.112", "34"), ("6.6.58", "34"), ("6.12.4", "42")];

/// How a host is unlike the others.
struct Kind {
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    started: &'static str,
}

const USUAL: Kind = Kind { name: "web", settings: &[], started: "2026-11-23T02:10:00Z" };

/// The first three are to be named, and nobody else. A busy host has late sleeps, but its best ones are as good as others' and its
/// worst come at no period; where it is night at another time, recordings are of another day.
const UNLIKE: [Kind; 5] = [
    Kind { name: "sick-tick", settings: &[("mechanism", "jiffies"), ("hz", "100")], ..USUAL },
    Kind { name: "sick-slack", settings: &[("slack_us", "1000")], ..USUAL },
    // A daemon delays the sleeps that end in its tick; here a tick is longer than a sleep, so that it meets one each time.
    Kind { name: "sick-daemon", settings: &[("hz", "10"), ("daemon_ticks", "300"), ("daemon_us", "150000")], ..USUAL },
    Kind { name: "busy", settings: &[("lat_exp_us", "2000")], ..USUAL },
    Kind { name: "tokyo", started: "2026-11-22T17:10:00Z", ..USUAL },
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name the folder of the dataset")?);
    let hosts: u64 = arguments.next().map_or(Ok(1_000), |count| count.parse())?;
    let requested = Nanos::from_millis(97);
    let request = MeasureRequest {
        methods: vec![DEFAULT_METHODS.measure.name().to_owned()],
        requests: vec![Pattern::Fixed { requested }],
        repeats: Some(2_000),
        ..MeasureRequest::default()
    };
    let plan = plan(&request).map_err(|error| format!("{error:?}"))?;
    let usual = Kernel::preset("linux-2.6-hrtimer")?.set_all(&[("read_unit_ns", "1"), ("lat_exp_us", "4")])?;
    for number in 0..hosts {
        // Spread among the others.
        let kind = usize::try_from(number / (hosts / 8).max(1)).ok().filter(|_| number % (hosts / 8).max(1) == 3);
        let kind = kind.and_then(|kind| UNLIKE.get(kind)).unwrap_or(&USUAL);
        let (release, base) = RELEASES[usize::try_from(number % 3)?];
        let kernel = usual.set("lat_base_us", base)?.set_all(kind.settings)?;
        let dataset = Dataset {
            folder: folder.clone(),
            partitions: vec![Partition::Host, Partition::Date],
            host: Some(format!("{}-{number:04}", kind.name)),
        };
        let mut meta = meta(&kernel, &plan);
        meta.started = Some(kind.started.to_owned());
        "Linux".clone_into(&mut meta.machine.system);
        release.clone_into(&mut meta.machine.release);
        let mut recording = dataset.recording(&meta);
        run(&kernel, &plan, number + 1, &mut recording);
        recording.finish()?;
    }
    println!("{hosts} hosts in {}", folder.display());
    Ok(())
}
