//! What a probe printed, checked without running it.

use super::lines::{self, Heard};
use super::protocol::{self, Said};
use std::io::{BufReader, Read};

/// Reads all that a probe printed and returns the number of its rows.
///
/// # Errors
/// The first thing that is not in the protocol of probes, with the number of its line.
pub fn count_rows(output: impl Read) -> Result<u64, String> {
    let (mut at, mut rows, mut wrong) = (0_u64, 0, None);
    lines::read(BufReader::new(output), |heard| {
        at += 1;
        match said(heard, at == 1) {
            Ok(Said::Row(_)) => rows += 1,
            Ok(Said::BlockOver | Said::Anchor(_) | Said::Collections(_) | Said::Nothing) => {}
            Err(why) => wrong = Some(format!("line {at}: {why}")),
        }
        wrong.is_none()
    });
    wrong.map_or(Ok(rows), Err)
}

/// Returns what a line says.
fn said(heard: Heard, first: bool) -> Result<Said, String> {
    match heard {
        Heard::Line { text, .. } if first => protocol::header(&text).map(|_| Said::Nothing),
        Heard::Line { text, .. } => protocol::line(&text),
        Heard::TooLong => Err("longer than any row".to_owned()),
        Heard::Unreadable => Err("not text in UTF-8".to_owned()),
        Heard::Cut => Err("it has no end".to_owned()),
    }
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
