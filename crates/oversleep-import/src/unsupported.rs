//! Files of kinds that are known and not read, among them some that `export` writes.

use super::whole_file::has;

/// Returns what a file is that begins with `start`, if it is of a kind that is not read, and what to read instead.
pub(super) fn recognise(start: &[u8]) -> Option<(&'static str, &'static str)> {
    const SAMPLES: &str = "read the recording or a table of sleeps instead";
    let first = start.trim_ascii_start();
    match start {
        [0x1F, 0x8B, ..] => Some(("data compressed by gzip", "decompress it first")),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(("data compressed by zstd", "decompress it first")),
        [b'P', b'K', 3, 4, ..] => Some(("a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV")),
        [b'P', b'A', b'R', b'1', ..] => Some(("a table in Parquet", SAMPLES)),
        [0x89, b'P', b'N', b'G', ..] => Some(("a picture (PNG)", SAMPLES)),
        _ if start.starts_with(b"PERFILE2") => Some((
            "perf's own recording",
            "write it as text first: perf sched timehist -i FILE, or perf script -i FILE",
        )),
        _ if has(start, "Max delay ms") || has(start, "run-time") && has(start, "sched-in") => {
            Some(("a summary by perf sched", "read what perf sched timehist writes, or perf script"))
        }
        _ if first.starts_with(b"[{") => Some((
            "a list in JSON",
            "give each of its documents a file of its own, or write one object per line (JSON lines)",
        )),
        _ if first.starts_with(b"{") && has(start, "\"format\"") && has(start, "\"tool\": \"oversleep") => {
            Some(("a document of figures (--json of oversleep)", SAMPLES))
        }
        _ if first.starts_with(b"<svg") || first.starts_with(b"<?xml") => {
            Some(("a picture (SVG) or other XML", SAMPLES))
        }
        _ if has(start, " Percentile TotalCount 1/(1-Percentile)") => Some((
            "HdrHistogram's list of percentiles (.hgrm)",
            "read the log (.hlog), the recording or a table of sleeps instead",
        )),
        _ if first.starts_with(b"# HELP ") || first.starts_with(b"# TYPE ") => {
            Some(("a file of metrics (Prometheus)", SAMPLES))
        }
        _ => None,
    }
}
