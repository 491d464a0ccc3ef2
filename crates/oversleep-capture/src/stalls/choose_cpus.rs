//! Choice of the processors to watch.

/// The processors to watch, ascending, and those left for everything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuChoice {
    /// Processors to watch.
    pub watched: Vec<u32>,
    /// Processors that are not watched; empty only if all are watched part of the time.
    pub left: Vec<u32>,
}

/// Largest share of the time that may be spent spinning where every processor is watched.
const MOST_OF_ONE: f64 = 0.5;

/// Chooses among the processors that the process may run on: those asked for, or all except the first, which usually
/// serves most interrupts. At least one is not watched, unless all are to be watched for an explicitly given `share` of the
/// time, up to a half, and not under a real-time policy.
///
/// # Errors
/// One line for the user that says what is wrong and what to do.
pub fn choose_cpus(
    allowed: &[u32],
    asked: Option<&[u32]>,
    share: Option<f64>,
    real_time: bool,
) -> Result<CpuChoice, String> {
    if let [only] = allowed {
        asked.map_or(Ok(()), |asked| present(asked, allowed))?;
        return match share {
            Some(share) if share <= MOST_OF_ONE && !real_time => {
                Ok(CpuChoice { watched: vec![*only], left: Vec::new() })
            }
            Some(_) if real_time => Err(format!(
                "processor {only} is the only one: a real-time thread spinning on it would stop everything else; leave the policy out"
            )),
            Some(_) => Err(format!(
                "processor {only} is the only one: at most half of it can be spun away; --share 50% or less"
            )),
            None => Err(format!(
                "processor {only} is the only one, and spinning would take it from everything else; --share 25% watches it for a quarter of the time (50% at most)"
            )),
        };
    }
    let watched: Vec<u32> = match asked {
        None => allowed.iter().copied().skip(1).collect(),
        Some(asked) => {
            present(asked, allowed)?;
            allowed.iter().copied().filter(|cpu| asked.contains(cpu)).collect()
        }
    };
    let left: Vec<u32> = allowed.iter().copied().filter(|cpu| !watched.contains(cpu)).collect();
    match (watched.first(), left.is_empty()) {
        (None, _) => Err("there is no processor to watch".to_owned()),
        (Some(_), true) if !real_time && share.is_some_and(|share| share <= MOST_OF_ONE) => {
            Ok(CpuChoice { watched, left })
        }
        (Some(first), true) => {
            let others = allowed.iter().filter(|cpu| *cpu != first).map(u32::to_string).collect::<Vec<_>>().join(",");
            Err(format!(
                "spinning on all {} processors would leave none for anything else; leave one out, as in --cpus {others}{}",
                allowed.len(),
                if real_time { "" } else { ", or watch all of them part of the time: --share 25% (50% at most)" }
            ))
        }
        (Some(_), false) => Ok(CpuChoice { watched, left }),
    }
}

fn present(asked: &[u32], allowed: &[u32]) -> Result<(), String> {
    match asked.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(()),
        Some(cpu) => {
            let there: Vec<String> = allowed.iter().map(u32::to_string).collect();
            Err(format!("this process cannot run on processor {cpu}; it may use {}", there.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(allowed: &[u32], asked: Option<&[u32]>) -> Result<(Vec<u32>, Vec<u32>), String> {
        choose_cpus(allowed, asked, None, false).map(|choice| (choice.watched, choice.left))
    }

    #[test]
    fn one_processor_is_always_left() {
        assert_eq!(chosen(&[0, 1, 2], None), Ok((vec![1, 2], vec![0])));
        assert_eq!(chosen(&[2, 5], None), Ok((vec![5], vec![2])));
        assert_eq!(chosen(&[0, 1, 2], Some(&[2, 0])), Ok((vec![0, 2], vec![1])));
        let all = chosen(&[0, 1], Some(&[0, 1])).unwrap_err();
        assert_eq!(
            all,
            "spinning on all 2 processors would leave none for anything else; leave one out, as in --cpus 1, or watch all of them \
             part of the time: --share 25% (50% at most)"
        );
        let half = |share, real_time| choose_cpus(&[0, 1], Some(&[0, 1]), Some(share), real_time);
        assert_eq!(half(0.5, false), Ok(CpuChoice { watched: vec![0, 1], left: vec![] }));
        assert!(half(0.51, false).is_err() && half(0.25, true).is_err());
    }

    #[test]
    fn a_processor_that_cannot_be_had_is_named() {
        let error = chosen(&[0, 3], Some(&[1])).unwrap_err();
        assert_eq!(error, "this process cannot run on processor 1; it may use 0, 3");
        assert!(chosen(&[4], Some(&[1])).unwrap_err().contains("cannot run on processor 1"));
        assert!(chosen(&[], None).is_err());
    }

    #[test]
    fn the_only_one_is_watched_only_in_part_and_only_if_asked_for() {
        let with = |share, real_time| choose_cpus(&[0], None, share, real_time);
        assert_eq!(with(Some(0.5), false), Ok(CpuChoice { watched: vec![0], left: vec![] }));
        assert!(with(None, false).unwrap_err().contains("--share 25%"));
        assert!(with(Some(0.51), false).unwrap_err().contains("at most half"));
        assert!(with(Some(0.1), true).unwrap_err().contains("real-time"));
    }
}
