//! `pace`: bytes or lines from standard input to standard output at an exact rate.

mod rate;

use super::background::{Ended, Reporter, until_stopped};
use crate::failure::Failure;
use crate::say::say;
use clap::Args;
use oversleep::{Nanos, Pacer, now};
use rate::{Rate, Unit};
use std::io::{self, Read, Write};

/// What `pace` accepts.
#[derive(Args)]
pub(crate) struct PaceArgs {
    /// Bytes (10MB/s, 1.5MiB/s, 500k), bits (10Mbit/s) or lines (200lines/s, or 200msg/s) per second
    #[arg(value_parser = rate::parse, value_name = "RATE")]
    rate: Rate,
    /// How much may be written at once after a pause, such as 64KiB or 10lines [default: a tenth of a second's worth]
    #[arg(long, short, value_parser = rate::amount, value_name = "AMOUNT")]
    burst: Option<(u64, Unit)>,
    /// Say on standard error how exact the rate was
    #[arg(long)]
    stats: bool,
}

/// What was written so far, or what went wrong.
type Step = Result<Written, Failure>;

#[derive(Debug, Clone, Copy, Default)]
struct Written {
    units: u64,
    /// Those of the first write: the rate is of the others, over the time since.
    first: u64,
    time: Nanos,
}

/// One wake-up for so much time's worth of bytes.
const WINDOW: Nanos = Nanos::from_millis(5);
/// An output that blocks for less than this costs no rate.
const BURST_PART: u64 = 10;

pub(crate) fn run(args: &PaceArgs) -> Result<(), Failure> {
    let Rate { per_second, unit } = args.rate;
    let burst = match args.burst {
        Some((_, other)) if other != unit => {
            let (burst, rate) = (other.name(), unit.name());
            return Err(Failure::usage(format!("--burst counts {burst} and the rate counts {rate}; use one of them")));
        }
        Some((burst, _)) => burst,
        // The window's worth must fit into the burst, whatever the rate.
        None => (per_second.numerator() / per_second.denominator() / BURST_PART).max(2),
    };
    let pacer = Pacer::with_burst(per_second, burst).map_err(Failure::usage)?;
    let mut last = Ok(Written::default());
    let ended = until_stopped(move |teller| copy(&pacer, unit, &teller), |step: Step| last = step)?;
    let written = last?;
    if args.stats {
        say!("{}", stats(args.rate, written));
    }
    match ended {
        Ended::Done => Ok(()),
        // Whoever moves the copy to its place must not take it for whole.
        Ended::Stopped => Err(Failure::trouble(format!("interrupted after {} {}", written.units, unit.name()))),
    }
}

fn copy(pacer: &Pacer, unit: Unit, teller: &Reporter<Step>) {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = vec![0; 1 << 16];
    // What was read and is not written yet: of lines, the beginning of one may wait for its end.
    let mut pending: Vec<u8> = Vec::new();
    let (mut units, mut start, mut ended) = (0, None, false);
    while !ended {
        match input.read(&mut buffer) {
            Ok(0) => ended = true,
            Ok(n) => pending.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                teller.send(Err(Failure::trouble(format!("cannot read standard input: {error}"))));
                return;
            }
        }
        let mut rest = pending.as_slice();
        loop {
            let there = unit.count(rest, ended);
            if there == 0 {
                break;
            }
            let n = pacer.take_batch(there, WINDOW);
            let (now_due, later) = rest.split_at(unit.length(rest, n));
            let wrote = output.write_all(now_due).and_then(|()| output.flush());
            units += n;
            let at = now();
            let (since, first) = *start.get_or_insert((at, n));
            let failed = wrote.is_err();
            if !teller
                .send(wrote.map(|()| Written { units, first, time: at.saturating_since(since) }).map_err(Failure::from))
                || failed
            {
                return;
            }
            rest = later;
        }
        let left = rest.len();
        pending.drain(..pending.len() - left);
    }
}

fn stats(rate: Rate, written: Written) -> String {
    let Written { units, first, time } = written;
    let name = rate.unit.name();
    if time < Nanos::from_millis(10) {
        return format!("{units} {name}, too few for a rate");
    }
    let mean = (units - first) as f64 / time.as_secs_f64();
    let asked = rate.per_second.as_f64();
    let error = (mean / asked - 1.0) * 1e6;
    // The last write may be any part of a window's worth.
    let unsure = WINDOW.as_f64() / time.as_f64() * 1e6;
    format!("{units} {name} in {time}: {mean:.0} {name}/s, {error:+.0} ± {unsure:.0} ppm from the requested {asked:.0}")
}
