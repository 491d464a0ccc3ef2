//! What a probe printed, checked without running it.

use super::lines::{Heard, lines};
use super::protocol::{self, Said};
use std::io::Read;

/// Reads all that a probe printed and returns the number of its rows.
///
/// # Errors
/// The first thing that is not in the protocol of probes, with the number of its line.
pub fn count_rows(output: impl Read + Send + 'static) -> Result<u64, String> {
    let mut rows = 0;
    for (at, heard) in lines(output).into_iter().enumerate() {
        let read = match heard {
            Heard::Line { text, .. } if at == 0 => protocol::header(&text).map(|_| Said::Nothing),
            Heard::Line { text, .. } => protocol::line(&text),
            Heard::TooLong => Err("longer than any row".to_owned()),
            Heard::Unreadable => Err("not text in UTF-8".to_owned()),
            Heard::Cut => Err("it has no end".to_owned()),
        };
        match read.map_err(|why| format!("line {}: {why}", at + 1))? {
            Said::Row(_) => rows += 1,
            Said::BlockOver | Said::Anchor(_) | Said::Collections(_) | Said::Nothing => {}
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_and_the_first_wrong_line_is_named() {
        let good = "# oversleep-probe 1 clock=own\nrequested_ns,start_ns,end_ns\n5,1,9\n5,10,19\n\n# anchor 7\n";
        assert_eq!(count_rows(good.as_bytes()), Ok(2));
        let wrong = |output: &'static str| count_rows(output.as_bytes()).unwrap_err();
        assert!(wrong("hello\n").starts_with("line 1: a probe's first line is"));
        assert!(wrong("# oversleep-probe 1 clock=own\n5,9,1\n").starts_with("line 2: '5,9,1' ends before it starts"));
        assert_eq!(wrong("# oversleep-probe 1 clock=own\n5,1"), "line 2: it has no end");
    }
}
