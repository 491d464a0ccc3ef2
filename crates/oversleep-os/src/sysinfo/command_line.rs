//! Options of the kernel's command line that affect sleep.

/// Names of the options that affect sleep, without `=`.
const MATTER: &[&str] = &[
    "clocksource",
    "cpuidle.governor",
    "cpuidle.off",
    "cpuidle_haltpoll.force",
    "haltpoll.guest_halt_poll_ns",
    "highres",
    "hpet",
    "idle",
    "intel_idle.max_cstate",
    "intel_pstate",
    "irqaffinity",
    "isolcpus",
    "maxcpus",
    "mitigations",
    "nmi_watchdog",
    "no-kvmclock",
    "nohz",
    "nohz_full",
    "nohlt",
    "nosmt",
    "nosoftlockup",
    "nowatchdog",
    "nr_cpus",
    "preempt",
    "processor.max_cstate",
    "rcu_nocb_poll",
    "rcu_nocbs",
    "skew_tick",
    "threadirqs",
    "timer_migration",
    "tsc",
];

/// Returns the options that affect sleep, complete and in order. What follows `--` is for `init`, not for the kernel.
pub(super) fn that_matter(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (option, after) = next(rest);
        if option == "--" {
            break;
        }
        // The kernel treats dashes and underscores in a name alike (`parameq`).
        let name = option.split('=').next().unwrap_or(option).replace('-', "_");
        if MATTER.iter().any(|known| known.replace('-', "_") == name) {
            found.push(option.to_owned());
        }
        rest = after;
    }
    found
}

/// Returns the first option, including quotes, and the rest of the text.
fn next(text: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            _ if character.is_whitespace() && !quoted => return (&text[..at], text[at..].trim_start()),
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_kept_in_order() {
        let line = "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro isolcpus=managed_irq,domain,2-3 nohz_full=2-3 quiet \
                    dyndbg=\"file a.c idle=poll\" processor.max-cstate=1 threadirqs idle=poll -- nohz=off\n";
        let kept = that_matter(line);
        assert_eq!(
            kept,
            ["isolcpus=managed_irq,domain,2-3", "nohz_full=2-3", "processor.max-cstate=1", "threadirqs", "idle=poll"]
        );
        assert!(that_matter("").is_empty());
        assert!(that_matter("idlepoll \"unclosed nohz=off").is_empty());
    }

    #[test]
    fn this_kind_of_guest_says_how_it_idles() {
        let kept = that_matter(include_str!("../../tests/data/cmdline-firecracker.txt"));
        assert!(kept.contains(&"cpuidle_haltpoll.force=1".to_owned()), "{kept:?}");
        assert!(kept.iter().all(|option| !option.starts_with("--")), "{kept:?}");
    }
}
