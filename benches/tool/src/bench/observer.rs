//! `observer`: do progress drawn, or samples collected a hundred times as often, disturb the sleeping threads?

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch, micros, ratio};
use oversleep_lab::figures::Summariser;
use oversleep_recording::document::Figures;
use oversleep_recording::file::Reader;
use oversleep_sys::units::Nanos;
use std::path::Path;

/// Kinds of runs and their options. `script` (util-linux) gives each of them a terminal to draw on.
const KINDS: [(&str, &str); 3] =
    [("nothing drawn", "-q"), ("progress drawn", ""), ("collected every 10 ms", "-q --flush-every=10ms")];

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::release()?;
    println!("{}", sheet::place());
    let rounds = if options.long { 40 } else { 8 };
    let scratch = Scratch::new("observer")?;
    let mut medians: [Vec<f64>; 3] = Default::default();
    let mut tails: [Vec<f64>; 3] = Default::default();
    for round in 0..rounds {
        eprintln!("observer: round {} of {rounds}", round + 1);
        for kind in tool::order::<3>(round) {
            let figures = once(&ours, KINDS[kind].1, &scratch)?;
            medians[kind].extend(figures.p50.map(Nanos::as_f64));
            tails[kind].extend(figures.p99.map(Nanos::as_f64));
        }
    }
    let mut sheet = Sheet::new(
        &format!("Does watching disturb? 1 ms schedule, 2000 periods, {rounds} interleaved rounds"),
        &["", "p50", "against nothing drawn", "p99", "against nothing drawn"],
    );
    for kind in 0..KINDS.len() {
        let against = |values: &[Vec<f64>; 3]| -> Vec<f64> {
            values[kind].iter().zip(&values[0]).map(|(value, base)| value / base).collect()
        };
        let shown = |values: &[f64]| tool::median(values).map_or("–".to_owned(), |(middle, ..)| micros(middle));
        sheet.row([
            KINDS[kind].0.to_owned(),
            shown(&medians[kind]),
            ratio(&against(&medians)),
            shown(&tails[kind]),
            ratio(&against(&tails)),
        ]);
    }
    sheet.print(options);
    Ok(())
}

fn once(ours: &Path, how: &str, scratch: &Scratch) -> Result<Figures, String> {
    let file = scratch.file("ours.arrows");
    let command = format!("{} measure -e periodic --interval 1ms -n 2000 {how} --force --out {file}", ours.display());
    tool::run(Path::new("script"), &["-qec", &command, "/dev/null"])?;
    let mut reader = Reader::open(Path::new(&file)).map_err(|error| error.to_string())?;
    let mut summary = Summariser::new(reader.meta());
    reader.read_into(&mut summary).map_err(|error| error.to_string())?;
    summary.finish().into_iter().next().map(|cell| cell.raw).ok_or_else(|| "an empty recording".to_owned())
}
