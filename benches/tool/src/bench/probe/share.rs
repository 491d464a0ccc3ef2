//! Share of the periods asked for that are delivered.

use super::peer::{self, OURS};
use crate::bench::Options;
use crate::bench::sheet::Sheet;
use crate::bench::tool::{self, Scratch, figure};
use std::path::Path;

const PERIODS_US: [u32; 5] = [1_000, 100, 50, 20, 10];

pub(super) fn compare(ours: &Path, with_peer: bool, options: &Options) -> Result<Sheet, String> {
    let seconds = if options.long { 10 } else { 2 };
    let scratch = Scratch::new("share")?;
    let mut sheet = Sheet::new(
        &format!("Periods delivered, FIFO 80, {seconds} s each"),
        &["period", "oversleep: fresh + late", "skipped (we say so)", "lost", "cyclictest (it does not say)"],
    );
    for period in PERIODS_US {
        eprintln!("share: {period} µs");
        let count = u64::from(seconds * 1_000_000 / period);
        let (period_text, count_text) = (format!("--interval={period}us"), count.to_string());
        let out = format!("--out={}", scratch.file("ours.arrows"));
        let document = tool::json(ours, &[&OURS[..], &[&period_text, "-n", &count_text, &out]].concat())?;
        let of = |key: &str| figure(&document, 0, &format!("periods/{key}")).unwrap_or(f64::NAN);
        let share = |periods: f64| format!("{:.1} %", 100.0 * periods / of("asked"));
        let lost = document.get("lost").map_or_else(String::new, ToString::to_string);
        let theirs = if with_peer {
            let (interval, length) = (period.to_string(), seconds.to_string());
            let found = peer::run(&["-i", &interval, "-D", &length], &scratch.file("theirs.json"))?;
            format!("{:.1} %", 100.0 * found.cycles / count as f64)
        } else {
            "–".to_owned()
        };
        sheet.row([format!("{period} µs"), share(of("fresh") + of("late")), share(of("skipped")), lost, theirs]);
    }
    sheet.remark("cyclictest's share is its cycle count divided by duration ÷ interval.");
    Ok(sheet)
}
