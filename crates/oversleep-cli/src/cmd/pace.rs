//! `pace`: bytes from standard input to standard output at an exact rate.

use super::beside::{Ended, Teller, until_stopped};
use crate::failure::Failure;
use crate::say::say;
use clap::Args;
use oversleep::{Hertz, Nanos, Pacer, now, rate};
use std::io::{self, Read, Write};

/// What `pace` can be told.
#[derive(Args)]
pub(crate) struct PaceArgs {
    /// Bytes per second: 10MB/s, 1.5MiB/s, 500k, 1200
    #[arg(value_parser = bytes_per_second, value_name = "RATE")]
    rate: Hertz,
    /// Say on standard error how exact the rate was
    #[arg(long)]
    stats: bool,
}

/// A number, a decimal (k, M, G) or binary (Ki, Mi, Gi) multiple, and optionally `B` and `/s`.
fn bytes_per_second(text: &str) -> Result<Hertz, String> {
    let bare = text.trim();
    let bare = bare.strip_suffix("/s").unwrap_or(bare);
    let bare = bare.strip_suffix('B').unwrap_or(bare);
    let (number, multiple) = match bare.strip_suffix('i') {
        Some(rest) if rest.ends_with(['k', 'K']) => (&rest[..rest.len() - 1], 1 << 10),
        Some(rest) if rest.ends_with('M') => (&rest[..rest.len() - 1], 1 << 20),
        Some(rest) if rest.ends_with('G') => (&rest[..rest.len() - 1], 1 << 30),
        _ => (bare, 1),
    };
    let rate = rate::parse(number).map_err(|error| error.to_string())?;
    let numerator = rate.numerator().checked_mul(multiple).ok_or("a rate beyond what can be counted")?;
    Hertz::new(numerator, rate.denominator()).ok_or_else(|| "a rate above zero is needed".to_owned())
}

/// What was written so far, or what went wrong.
type Step = Result<Written, Failure>;

#[derive(Debug, Clone, Copy, Default)]
struct Written {
    bytes: u64,
    /// Those of the first write: the rate is of the others, over the time since.
    first: u64,
    time: Nanos,
}

/// One wake-up for so much time's worth of bytes.
const WINDOW: Nanos = Nanos::from_millis(5);
/// An output that blocks for less than this costs no rate.
const BURST_PART: u64 = 10;

pub(crate) fn run(args: &PaceArgs) -> Result<(), Failure> {
    let whole = args.rate.numerator() / args.rate.denominator();
    // The window's worth must fit into the burst, whatever the rate.
    let burst = (whole / BURST_PART).max(2);
    let pacer = Pacer::with_burst(args.rate, burst).map_err(Failure::usage)?;
    let mut last = Ok(Written::default());
    let ended = until_stopped(move |teller| copy(&pacer, &teller), |step: Step| last = step)?;
    let written = last?;
    if args.stats {
        say!("{}", stats(args.rate, written));
    }
    match ended {
        Ended::Done => Ok(()),
        // Whoever moves the copy to its place must not take it for whole.
        Ended::Stopped => Err(Failure::trouble(format!("interrupted after {} bytes", written.bytes))),
    }
}

fn copy(pacer: &Pacer, teller: &Teller<Step>) {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = vec![0; 1 << 16];
    let (mut bytes, mut start) = (0, None);
    loop {
        let mut rest = match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) => &buffer[..n],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                teller.tell(Err(Failure::trouble(format!("cannot read standard input: {error}"))));
                return;
            }
        };
        while !rest.is_empty() {
            let n = pacer.take_batch(rest.len() as u64, WINDOW);
            let (now_due, later) = rest.split_at(usize::try_from(n).unwrap_or(rest.len()));
            let wrote = output.write_all(now_due).and_then(|()| output.flush());
            bytes += n;
            let at = now();
            let (since, first) = *start.get_or_insert((at, n));
            let failed = wrote.is_err();
            if !teller.tell(wrote.map(|()| Written { bytes, first, time: at - since }).map_err(Failure::from)) || failed
            {
                return;
            }
            rest = later;
        }
    }
}

fn stats(rate: Hertz, written: Written) -> String {
    let Written { bytes, first, time } = written;
    if time < Nanos::from_millis(10) {
        return format!("{bytes} bytes, too few to speak of a rate");
    }
    let mean = (bytes - first) as f64 / time.as_secs_f64();
    let error = (mean / rate.as_f64() - 1.0) * 1e6;
    // The last write may be any part of a window's worth.
    let unsure = WINDOW.as_f64() / time.as_f64() * 1e6;
    let asked = rate.as_f64();
    format!("{bytes} bytes in {time}: {mean:.0} B/s, {error:+.0} ± {unsure:.0} ppm of the {asked:.0} asked for")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_bytes_as_people_write_them() {
        let of = |text: &str| bytes_per_second(text).map(Hertz::as_f64);
        assert_eq!(of("10MB/s"), Ok(10e6));
        assert_eq!(of("1.5MiB/s"), Ok(1_572_864.0));
        assert_eq!(of("500k"), Ok(500e3));
        assert_eq!(of("1200"), Ok(1_200.0));
        assert_eq!(of("1KiB"), Ok(1_024.0));
        for text in ["", "0", "-1MB/s", "fast", "10XB/s", "1Mi i"] {
            assert!(of(text).is_err(), "{text}");
        }
    }
}
