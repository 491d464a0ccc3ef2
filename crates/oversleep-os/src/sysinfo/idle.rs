//! The idle states of processors, and how long leaving them takes.

use super::files::{Files, number};
use crate::settings::latency_hold;
use oversleep_recording::machine::{Idle, IdleState};
use oversleep_sys::units::Nanos;

/// Maximum number of states, more than any driver has (`CPUIDLE_STATE_MAX` is 10).
const MOST_STATES: u32 = 32;

pub(super) fn read(files: Files, cpu: u32) -> Idle {
    let general = |name: &str| files(&format!("/sys/devices/system/cpu/cpuidle/{name}"));
    Idle {
        driver: general("current_driver"),
        governor: general("current_governor").or_else(|| general("current_governor_ro")),
        states: (0..MOST_STATES).map_while(|index| state(files, cpu, index)).collect(),
        guest_halt_poll: number(files, "/sys/module/haltpoll/parameters/guest_halt_poll_ns").map(Nanos::new),
        latency_hold: None,
    }
}

/// Returns the wake-up latency that some process holds, if one does and this user may read it.
pub(super) fn held() -> Option<Nanos> {
    latency_hold::read().ok().filter(|held| *held < latency_hold::UNHELD)
}

fn state(files: Files, cpu: u32, index: u32) -> Option<IdleState> {
    let path = |name: &str| format!("/sys/devices/system/cpu/cpu{cpu}/cpuidle/state{index}/{name}");
    let time = |name: &str| number::<u32>(files, &path(name)).map(|us| Nanos::from_micros(us.into()));
    Some(IdleState {
        name: files(&path("name"))?,
        latency: time("latency"),
        residency: time("residency"),
        disabled: number::<u64>(files, &path("disable")).map(|disabled| disabled != 0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::files::sample;
    use super::*;

    #[test]
    fn states_are_read_until_there_are_no_more() {
        let files = sample(&[
            ("/sys/devices/system/cpu/cpuidle/current_driver", "intel_idle\n"),
            ("/sys/devices/system/cpu/cpuidle/current_governor_ro", "menu\n"),
            ("/sys/devices/system/cpu/cpu4/cpuidle/state0/name", "POLL\n"),
            ("/sys/devices/system/cpu/cpu4/cpuidle/state1/name", "C1E\n"),
            ("/sys/devices/system/cpu/cpu4/cpuidle/state1/latency", "10\n"),
            ("/sys/devices/system/cpu/cpu4/cpuidle/state1/residency", "20\n"),
            ("/sys/devices/system/cpu/cpu4/cpuidle/state1/disable", "1\n"),
            ("/sys/devices/system/cpu/cpu4/cpuidle/state3/name", "never reached\n"),
        ]);
        let idle = read(&files, 4);
        assert_eq!((idle.driver.as_deref(), idle.governor.as_deref()), (Some("intel_idle"), Some("menu")));
        let poll = IdleState { name: "POLL".into(), ..IdleState::default() };
        let c1e = IdleState {
            name: "C1E".into(),
            latency: Some(Nanos::from_micros(10)),
            residency: Some(Nanos::from_micros(20)),
            disabled: Some(true),
        };
        assert_eq!(idle.states, [poll, c1e]);
        assert_eq!(read(&|_| None, 0), Idle::default());
    }
}
