//! Values that several commands read.

use oversleep_lab::plan::{Pattern, Phase, Policy};
use oversleep_lab::source::trace::Tier;
use oversleep_os::catalog::{MethodId, ROWS, Row};
use oversleep_os::units::Nanos;
use std::collections::BTreeSet;

/// A duration that can be slept: not negative.
pub(crate) fn request(text: &str) -> Result<Nanos, String> {
    if text.trim_start().starts_with('-') {
        return Err("nothing can sleep for less than no time".to_owned());
    }
    text.parse().map_err(|error| format!("{error}"))
}

/// One duration, or a range from which each sleep draws its own.
pub(crate) fn requests(text: &str) -> Result<Pattern, String> {
    let Some((from, to)) = text.split_once("..") else { return request(text).map(Pattern::fixed) };
    match (request(from)?, request(to)?) {
        (from, to) if from < to => Ok(Pattern::Random { from, to }),
        _ => Err(format!("'{text}' is no range; the shorter request comes first")),
    }
}

/// A duration that must last.
pub(crate) fn positive(text: &str) -> Result<Nanos, String> {
    match request(text)? {
        Nanos::ZERO => Err("it must be longer than nothing".to_owned()),
        duration => Ok(duration),
    }
}

/// A method of the catalogue, whatever system it is of.
pub(crate) fn method(name: &str) -> Result<&'static Row, String> {
    MethodId::from_name(name).map(MethodId::row).ok_or_else(|| {
        let near = ROWS
            .iter()
            .map(|row| row.name)
            .filter(|known| known.contains(name) || name.contains(known))
            .collect::<BTreeSet<_>>();
        let near = if near.is_empty() {
            "`oversleep list` shows what there is".to_owned()
        } else {
            format!("did you mean {}?", near.into_iter().collect::<Vec<_>>().join(", "))
        };
        format!("no sleep method is called '{name}'; {near}")
    })
}

/// A tier of kernel evidence, by name.
pub(crate) fn tier(name: &str) -> Result<Tier, String> {
    Tier::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Tier::ALL.iter().map(|tier| tier.name()).collect();
        format!("no tier is called '{name}'; there are {}", known.join(", "))
    })
}

/// `other`, `batch`, `idle`, `fifo:80`, `rr:10`, `deadline:100us/1ms` or `deadline:100us/800us/1ms`.
pub(crate) fn policy(text: &str) -> Result<Policy, String> {
    let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let priority = || match rest {
        None => Ok(1),
        Some(rest) => rest.parse::<i32>().map_err(|_| format!("'{rest}' is no priority; write {name}:80")),
    };
    match (name, rest) {
        ("other", None) => Ok(Policy::Other),
        ("batch", None) => Ok(Policy::Batch),
        ("idle", None) => Ok(Policy::Idle),
        ("fifo", _) => Ok(Policy::Fifo { priority: priority()? }),
        ("rr", _) => Ok(Policy::Rr { priority: priority()? }),
        ("deadline", Some(rest)) => {
            let times: Vec<Nanos> = rest.split('/').map(positive).collect::<Result<_, _>>()?;
            match times[..] {
                [runtime, period] => Ok(Policy::Deadline { runtime, deadline: period, period }),
                [runtime, deadline, period] => Ok(Policy::Deadline { runtime, deadline, period }),
                _ => Err("write deadline:RUNTIME/PERIOD or deadline:RUNTIME/DEADLINE/PERIOD".to_owned()),
            }
        }
        _ => Err(format!(
            "'{text}' is no policy; there are other, batch, idle, fifo:PRIORITY, rr:PRIORITY and deadline:RUNTIME/PERIOD"
        )),
    }
}

/// `back-to-back`, `random` or `random:10ms`.
pub(crate) fn phase(text: &str) -> Result<Phase, String> {
    match text.split_once(':') {
        None if text == "back-to-back" => Ok(Phase::BackToBack),
        None if text == "random" => Ok(Phase::Random { window: Nanos::from_millis(10) }),
        Some(("random", window)) => Ok(Phase::Random { window: positive(window)? }),
        _ => Err(format!("'{text}' is no phase; there are back-to-back, random and random:WINDOW")),
    }
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
    fn policies_are_read() {
        assert_eq!(policy("other"), Ok(Policy::Other));
        assert_eq!(policy("fifo:80"), Ok(Policy::Fifo { priority: 80 }));
        assert_eq!(policy("fifo"), Ok(Policy::Fifo { priority: 1 }));
        let (runtime, period) = (Nanos::from_micros(100), Nanos::MILLISECOND);
        assert_eq!(policy("deadline:100us/1ms"), Ok(Policy::Deadline { runtime, deadline: period, period }));
        for wrong in ["nice", "other:1", "fifo:high", "deadline", "deadline:1ms", "deadline:0ns/1ms"] {
            assert!(policy(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn processors_are_read() {
        assert_eq!(cpus("0-2,7,1"), Ok(Cpus(vec![0, 1, 2, 7])));
        for wrong in ["", "a", "3-1", "-1", "0-99999999", "1,,2"] {
            assert!(cpus(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn unknown_methods_get_a_hint() {
        assert!(method("nanosleep").is_ok());
        assert!(method("nano").unwrap_err().contains("did you mean "));
        assert!(method("nap").unwrap_err().contains("oversleep list"));
    }

    #[test]
    fn ranges_are_read() {
        let (from, to) = (Nanos::from_micros(200), Nanos::from_millis(60));
        assert_eq!(requests("200us..60ms"), Ok(Pattern::Random { from, to }));
        assert_eq!(requests("1ms"), Ok(Pattern::fixed(Nanos::MILLISECOND)));
        for wrong in ["1ms..1ms", "..1ms", "2ms..1ms", "1ms..", "-1ms..1ms"] {
            assert!(requests(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_time_can_be_negative() {
        assert!(request("-1ns").is_err() && request("-1").is_err());
        assert!(request("10000000000000000000ns").unwrap_err().contains("292 years"));
        assert_eq!(request("0"), Ok(Nanos::ZERO));
        assert!(positive("0").is_err());
    }
}
