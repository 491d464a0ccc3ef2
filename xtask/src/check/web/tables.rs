//! Tables of samples that show on a page what no simulated kernel does: texts as markup, a rhythm with a stop, a single late
//! sleep among a million.

use std::fmt::Write as _;

/// A page's name, and the function that returns its table.
type Table = (&'static str, fn() -> String);

/// The tables.
pub(super) const TABLES: [Table; 3] = [("texts", texts), ("rhythm", rhythm), ("planted", planted)];

const HEADER: &str = "method,requested_ns,start_ns,end_ns\n";

/// Returns texts that would be run as markup if they were not escaped.
fn texts() -> String {
    format!(
        "{HEADER}</script><script>alert(1)</script>,1000000,0,1058000\n\
         <!--<img src=x onerror=alert(1)>,1000000,2000000,3058000\n"
    )
}

/// Returns sleeps of a kernel with a tick of 10 ms. What wakes at every 73rd tick delays them by 300 µs, and once the thread
/// is stopped for 3 s.
fn rhythm() -> String {
    const TICK: u64 = 10_000_000;
    let (mut out, mut start) = (HEADER.to_owned(), 0);
    for n in 0..4_000 {
        let requested = 200_000 + hash(n) % 59_800_000;
        let tick = (start + requested).div_ceil(TICK) + 1;
        let delay = if tick.is_multiple_of(73) { 300_000 } else { 0 };
        let stop = if n == 3_000 { 3_000_000_000 } else { 0 };
        let end = tick * TICK + 20_000 + hash(n + (1 << 32)) % 4_000 + delay + stop;
        let _ = writeln!(out, "nanosleep,{requested},{start},{end}");
        start = end + 1_000 + hash(n + (1 << 33)) % 20_000_000;
    }
    out
}

/// Returns more sleeps than a page holds, late by 50 to 70 µs, with one in the middle that is late by 100 ms. It is not among
/// those that a page would hold if it did not keep the latest.
fn planted() -> String {
    const REQUESTED: u64 = 1_000_000;
    let (mut out, mut start) = (HEADER.to_owned(), 0);
    for n in 0..1_100_000 {
        let late = if n == 550_047 { 100_000_000 } else { 50_000 + hash(n) % 20_000 };
        let end = start + REQUESTED + late;
        let _ = writeln!(out, "nanosleep,{REQUESTED},{start},{end}");
        start = end + 1_000;
    }
    out
}

/// Returns a number that looks random.
fn hash(number: u64) -> u64 {
    let mut hash = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}
