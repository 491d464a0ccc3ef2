//! Wake-up latency in blocks of four runs: oversleep, cyclictest, cyclictest, oversleep.

use super::peer::{self, Found, OURS};
use crate::bench::Options;
use crate::bench::sheet::Sheet;
use crate::bench::tool::{self, Scratch, figure, micros, ratio};
use std::path::Path;

/// Periods of 1 ms per run.
const LOOPS: &str = "2500";

pub(super) fn compare(ours: &Path, with_peer: bool, options: &Options) -> Result<Sheet, String> {
    let blocks = if options.long { 60 } else { 9 };
    let scratch = Scratch::new("latency")?;
    let (mut a, mut b) = (Series::default(), Series::default());
    let (mut of_means, mut of_medians) = (Vec::new(), Vec::new());
    for block in 0..blocks {
        eprintln!("latency: block {} of {blocks}", block + 1);
        let first = of_ours(ours, &scratch)?;
        let (second, third) =
            if with_peer { (Some(of_peer(&scratch)?), Some(of_peer(&scratch)?)) } else { (None, None) };
        let fourth = of_ours(ours, &scratch)?;
        if let (Some(second), Some(third)) = (&second, &third) {
            of_means.push((first.mean_ns + fourth.mean_ns) / (second.mean_ns + third.mean_ns));
            let both = |one: &Found, other: &Found| Some(one.median_ns? + other.median_ns?);
            of_medians.extend(both(&first, &fourth).zip(both(second, third)).map(|(ours, theirs)| ours / theirs));
        }
        a.enter(&first);
        a.enter(&fourth);
        second.iter().chain(&third).for_each(|found| b.enter(found));
    }
    let mut sheet = Sheet::new(
        &format!("Wake-up latency, FIFO 80, 1 ms, {blocks} ABBA blocks of 4 × {LOOPS} periods"),
        &["", "oversleep", "cyclictest", "ratio, 95 % interval"],
    );
    sheet.row(["median".to_owned(), a.median(), b.median(), ratio(&of_medians)]);
    sheet.row(["mean".to_owned(), a.mean(), b.mean(), ratio(&of_means)]);
    sheet.remark("Figures are medians over runs; ratios are taken block by block. Below 1, ours is earlier.");
    Ok(sheet)
}

#[derive(Default)]
struct Series {
    means: Vec<f64>,
    medians: Vec<f64>,
}

impl Series {
    fn enter(&mut self, found: &Found) {
        self.means.push(found.mean_ns);
        self.medians.extend(found.median_ns);
    }

    fn mean(&self) -> String {
        tool::median(&self.means).map_or("–".to_owned(), |(middle, ..)| micros(middle))
    }

    fn median(&self) -> String {
        tool::median(&self.medians).map_or("–".to_owned(), |(middle, ..)| micros(middle))
    }
}

fn of_ours(ours: &Path, scratch: &Scratch) -> Result<Found, String> {
    let out = format!("--out={}", scratch.file("ours.arrows"));
    let document = tool::json(ours, &[&OURS[..], &["--interval=1ms", "-n", LOOPS, &out]].concat())?;
    if let Some(missing) = document.pointer("/unavailable/0") {
        return Err(format!("not the same conditions: {missing}"));
    }
    Ok(Found {
        cycles: figure(&document, 0, "n").ok_or("no count")?,
        mean_ns: figure(&document, 0, "mean_ns").ok_or("no mean")?,
        median_ns: figure(&document, 0, "p50_ns"),
    })
}

fn of_peer(scratch: &Scratch) -> Result<Found, String> {
    // One bucket per nanosecond up to 400 µs, so that its median is as exact as ours.
    peer::run(&["-i", "1000", "-l", LOOPS, "-N", "-h", "400000"], &scratch.file("theirs.json"))
}
