//! Values that several commands read.

use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;

pub(crate) use oversleep_recording::plan::words::{positive, request};

/// A tier of kernel evidence, by name.
pub(crate) fn tier(name: &str) -> Result<Tier, String> {
    Tier::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Tier::ALL.iter().map(|tier| tier.name()).collect();
        format!("no tier is called '{name}'; there are {}", known.join(", "))
    })
}

/// About how long: a number of seconds, or a time with its unit; a second to a day.
pub(crate) fn seconds(text: &str) -> Result<Nanos, String> {
    let wrong = || format!("'{text}' is no number of seconds from 1 to 86400; write 60, or 5min");
    let time = match text.trim().parse::<u32>() {
        Ok(seconds) => Nanos::from_secs(seconds.into()),
        Err(_) => positive(text).map_err(|_| wrong())?,
    };
    if (Nanos::SECOND..=Nanos::from_secs(86_400)).contains(&time) { Ok(time) } else { Err(wrong()) }
}

/// Processors: `0`, `0,2`, `0-3,8`.
pub(crate) fn cpus(text: &str) -> Result<Cpus, String> {
    let wrong = || format!("'{text}' is no list of processors; write 0, 0,2 or 0-3");
    let mut cpus = BTreeSet::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let from: u32 = from.trim().parse().map_err(|_| wrong())?;
        let to: u32 = to.trim().parse().map_err(|_| wrong())?;
        if from > to || to > 65_534 {
            return Err(wrong());
        }
        cpus.extend(from..=to);
    }
    Ok(Cpus(cpus.into_iter().collect()))
}

/// A set of processors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cpus(pub(crate) Vec<u32>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_read() {
        assert_eq!(cpus("0-2,7,1"), Ok(Cpus(vec![0, 1, 2, 7])));
        for wrong in ["", "a", "3-1", "-1", "0-99999999", "1,,2"] {
            assert!(cpus(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seconds_are_read_with_and_without_their_unit() {
        assert_eq!(seconds("60"), Ok(Nanos::from_secs(60)));
        assert_eq!(seconds("5min"), Ok(Nanos::from_secs(300)));
        assert_eq!(seconds("1500ms"), Ok(Nanos::from_millis(1_500)));
        for wrong in ["NaN", "", "0", "-5", "1.5", "999ms", "86401", "2h30", "5000000000"] {
            assert!(seconds(wrong).is_err_and(|text| text.contains("no number of seconds")), "{wrong}");
        }
    }
}
