//! `pace`: copies bytes or lines from standard input to standard output at an exact rate.

use super::background::{Ended, Reporter, until_stopped};
use crate::args::rate::{self, Amount, PaceUnit, Rate};
use crate::failure::Failure;
use crate::say::say;
use clap::Args as ClapArgs;
use oversleep::{Moment, Nanos, Pacer, now};
use std::io::{self, Read, Write};

/// Totals written so far, or what went wrong.
type Step = Result<Written, Failure>;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Written {
    units: u64,
    /// Units from which the rate is computed: those after the count began.
    counted: u64,
    /// Time in which the counted units were written, without the forgone time.
    time: Nanos,
    /// Time during which there was no input or the output blocked, beyond what the burst makes up for.
    forgone: Nanos,
}

/// The state at which the count for the rate begins.
#[derive(Debug, Clone, Copy)]
struct Beginning {
    at: Moment,
    units: u64,
    forgone: Nanos,
    /// Whether everything that was due before the first write has been written.
    settled: bool,
}

/// Counts the units written. Those due before the first write go out in a burst, which is allowed and is not an error of
/// the rate: the count begins after it.
#[derive(Debug, Default)]
struct Count {
    units: u64,
    beginning: Option<Beginning>,
}

impl Count {
    /// Adds `n` units written by `at`; `gathered` says whether more are due already, and `forgone` how much time the
    /// pacer has forgone so far.
    fn add(&mut self, n: u64, at: Moment, gathered: bool, forgone: Nanos) -> Written {
        self.units += n;
        let here = Beginning { at, units: self.units, forgone, settled: !gathered };
        let beginning = self.beginning.get_or_insert(here);
        if !beginning.settled && here.settled {
            *beginning = here;
        }
        let forgone = forgone.saturating_sub(beginning.forgone);
        Written {
            units: self.units,
            counted: self.units - beginning.units,
            time: at.saturating_since(beginning.at).saturating_sub(forgone),
            forgone,
        }
    }
}

/// Time's worth of units that one wake-up writes.
const WINDOW: Nanos = Nanos::from_millis(5);
/// Default burst as a part of a second's worth (1/10): an output that blocks for less time does not lower the rate.
const BURST_PART: u64 = 10;

pub(crate) fn run(args: &PaceArgs) -> Result<(), Failure> {
    let Rate { per_second, unit } = args.rate;
    let burst = match args.burst {
        Some(Amount { unit: Some(other), .. }) if other != unit => {
            let (burst, rate) = (other.name(), unit.name());
            return Err(Failure::usage(format!("--burst counts {burst} and the rate counts {rate}; use one of them")));
        }
        Some(burst) => burst.units,
        // A window's worth must fit into the burst, whatever the rate.
        None => (per_second.numerator() / per_second.denominator() / BURST_PART).max(2),
    };
    let pacer = Pacer::builder(per_second).burst(burst).try_build().map_err(Failure::usage)?;
    let mut last = Ok(Written::default());
    let ended = until_stopped(move |teller| copy(&pacer, unit, &teller), |step: Step| last = step)?;
    let written = last?;
    if args.stats {
        say!("{}", stats(args.rate, written));
    }
    match ended {
        Ended::Done => Ok(()),
        // The exit status must not say success: the copy is incomplete.
        Ended::Stopped => Err(Failure::trouble(format!("interrupted after {} {}", written.units, unit.name()))),
    }
}

fn copy(pacer: &Pacer, unit: PaceUnit, teller: &Reporter<Step>) {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = vec![0; 1 << 16];
    // What was read and is not yet written. With lines, an incomplete line waits here for its end.
    let mut pending: Vec<u8> = Vec::new();
    let (mut count, mut ended) = (Count::default(), false);
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
            let at = now();
            let written = count.add(n, at, pacer.next_due() <= at, pacer.forgone());
            let failed = wrote.is_err();
            if !teller.send(wrote.map(|()| written).map_err(Failure::from)) || failed {
                return;
            }
            rest = later;
        }
        let left = rest.len();
        pending.drain(..pending.len() - left);
    }
}

fn stats(rate: Rate, written: Written) -> String {
    let Written { units, counted, time, forgone } = written;
    let name = rate.unit.name();
    if time < Nanos::from_millis(10) {
        return format!("{units} {name}, too few for a rate");
    }
    let mean = counted as f64 / time.as_secs_f64();
    let asked = rate.per_second.as_f64();
    let error = (mean / asked - 1.0) * 1e6;
    // The last write may have been any part of a window's worth.
    let unsure = WINDOW.as_f64() / time.as_f64() * 1e6;
    let waited = if forgone > Nanos::from_millis(10) {
        format!("; {forgone} more waiting for input or output")
    } else {
        String::new()
    };
    format!(
        "{units} {name}; after the first burst {counted} in {time}: {mean:.0} {name}/s, {error:+.0} ± {unsure:.0} ppm from the \
         requested {asked:.0}{waited}"
    )
}

/// What `pace` accepts.
#[derive(ClapArgs)]
pub(crate) struct PaceArgs {
    /// How much a second: bytes (10MB/s, 1.5MiB/s, 500k), bits (10Mbit/s) or lines (200lines/s, or 200msg/s)
    #[arg(value_parser = rate::parse, value_name = "RATE")]
    pub(crate) rate: Rate,
    /// How much may be written at once after a pause, such as 64KiB or 10lines; 1500 is of bytes, or of lines if RATE counts lines [default: a tenth of a second's worth]
    #[arg(long, short, value_parser = rate::amount, value_name = "AMOUNT")]
    pub(crate) burst: Option<Amount>,
    /// Say on standard error how exact the rate was, once what had gathered at the start was written
    #[arg(long)]
    pub(crate) stats: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep::Hertz;

    fn at(ms: i64) -> Moment {
        Moment::from_nanos(Nanos::from_millis(ms))
    }

    fn bytes_a_second(rate: u64) -> Rate {
        Rate { per_second: Hertz::new(rate, 1).unwrap(), unit: PaceUnit::Bytes }
    }

    #[test]
    fn what_gathered_before_the_first_write_is_no_error() {
        let mut count = Count::default();
        // The input came 80 ms late: 80 ms' worth goes out in two writes, and then 100 000 bytes a second.
        count.add(5_000, at(80), true, Nanos::ZERO);
        count.add(3_000, at(80), false, Nanos::ZERO);
        let written = count.add(100_000, at(1_080), false, Nanos::ZERO);
        let expected = Written { units: 108_000, counted: 100_000, time: Nanos::SECOND, forgone: Nanos::ZERO };
        assert_eq!(written, expected);
        assert_eq!(
            stats(bytes_a_second(100_000), written),
            "108000 bytes; after the first burst 100000 in 1.00 s: 100000 bytes/s, +0 ± 5000 ppm from the requested 100000"
        );
    }

    #[test]
    fn time_without_input_is_said_and_no_error() {
        let mut count = Count::default();
        count.add(500, at(5), false, Nanos::from_millis(2));
        let written = count.add(100_000, at(3_005), false, Nanos::from_millis(2_002));
        assert!(
            stats(bytes_a_second(100_000), written)
                .ends_with("+0 ± 5000 ppm from the requested 100000; 2.00 s more waiting for input or output")
        );
    }

    #[test]
    fn an_output_that_never_keeps_up_is_counted_from_the_first_write() {
        let mut count = Count::default();
        count.add(500, at(5), true, Nanos::ZERO);
        let written = count.add(50_000, at(1_005), true, Nanos::ZERO);
        assert_eq!((written.counted, written.time), (50_000, Nanos::SECOND));
        assert_eq!(stats(bytes_a_second(1), Written::default()), "0 bytes, too few for a rate");
    }
}
