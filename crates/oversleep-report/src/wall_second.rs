//! Herman's lines: one signed error per sleep.

use oversleep_recording::Sample;
use oversleep_sys::units::Nanos;

/// The format of Herman's lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallSecondFormat {
    /// As published: only seconds with six decimals.
    pub as_published: bool,
    /// With the wall-clock time of the wake-up first, as his `debug` option printed.
    pub debug: bool,
}

impl WallSecondFormat {
    /// Returns the line of one sleep.
    pub fn line(self, sample: &Sample) -> String {
        let error = sample.oversleep();
        let wall = if self.debug { wall_time(sample.end) } else { String::new() };
        if self.as_published {
            format!("{wall}{:.6}", error.as_secs_f64())
        } else {
            let sign = if error < Nanos::ZERO { "" } else { "+" };
            format!("{wall}{sign}{error:#}")
        }
    }
}

fn wall_time(end: Nanos) -> String {
    // Rounded like the error that follows it: readers subtract one from the other.
    let (seconds, nanoseconds) = end.saturating_add(Nanos::new(500)).split();
    format!("({seconds}.{:06}) ", nanoseconds / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn woken(error: i64) -> Sample {
        let deadline = Nanos::from_secs(1_073_520_029);
        Sample { deadline: Some(deadline), end: deadline + Nanos::new(error), ..Sample::BLANK }
    }

    #[test]
    fn lines_are_written_as_published_or_in_the_reader_s_units() {
        let published = WallSecondFormat { as_published: true, debug: false };
        assert_eq!(published.line(&woken(19_496_000)), "0.019496");
        assert_eq!(published.line(&woken(-8_000)), "-0.000008");
        assert_eq!(
            WallSecondFormat { debug: true, ..published }.line(&woken(19_496_400)),
            "(1073520029.019496) 0.019496"
        );
        assert_eq!(
            WallSecondFormat { debug: true, ..published }.line(&woken(19_496_700)),
            "(1073520029.019497) 0.019497"
        );
        assert_eq!(
            WallSecondFormat { debug: true, ..published }.line(&woken(999_999_600)),
            "(1073520030.000000) 1.000000"
        );
        assert_eq!(WallSecondFormat::default().line(&woken(57_812)), "+57.812 µs");
        assert_eq!(WallSecondFormat::default().line(&woken(-57_812)), "-57.812 µs");
    }
}
