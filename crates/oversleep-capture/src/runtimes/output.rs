//! What a probe printed, checked without running it.

use super::output_lines::{self, OutputLine};
use super::protocol::{self, ProbeLine};
use std::io::{BufReader, Read};

/// Reads all that a probe printed and returns the number of its rows.
///
/// # Errors
/// The first thing that is not in the protocol of probes, with the number of its line.
pub fn count_rows(output: impl Read) -> Result<u64, String> {
    let (mut at, mut rows, mut wrong) = (0_u64, 0, None);
    output_lines::read(BufReader::new(output), |line| {
        at += 1;
        match parsed(line, at == 1) {
            Ok(ProbeLine::Sleep(_)) => rows += 1,
            Ok(ProbeLine::BlockOver | ProbeLine::Anchor(_) | ProbeLine::Collections(_) | ProbeLine::Nothing) => {}
            Err(why) => wrong = Some(format!("line {at}: {why}")),
        }
        wrong.is_none()
    });
    wrong.map_or(Ok(rows), Err)
}

/// Returns what a line says.
fn parsed(line: OutputLine, first: bool) -> Result<ProbeLine, String> {
    match line {
        OutputLine::Line { text, .. } if first => protocol::header(&text).map(|_| ProbeLine::Nothing),
        OutputLine::Line { text, .. } => protocol::line(&text),
        OutputLine::TooLong => Err("longer than any row".to_owned()),
        OutputLine::Unreadable => Err("not text in UTF-8".to_owned()),
        OutputLine::Cut(_) => Err("it has no end".to_owned()),
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
        assert!(wrong("hello\n").starts_with("line 1: the program's first line has to be"));
        assert!(wrong("# oversleep-probe 1 clock=own\n5,9,1\n").starts_with("line 2: '5,9,1' ends before it starts"));
        assert_eq!(wrong("# oversleep-probe 1 clock=own\n5,1"), "line 2: it has no end");
    }
}
