//! When a thread whose sleep is over gets a processor that other threads keep busy.

mod oneill;
mod roundrobin;

use super::machine::Machine;
use super::scale::Scale;
use super::time::{PS_PER_US, Ps, ps_from_us};
use super::vocabulary::Scheduler;

/// Returns the true time at which a thread runs that went to sleep at `from` and is due at `due`, beside `busy` busy
/// threads.
pub(crate) fn runs_at<S: Scale>(m: &mut Machine<S>, busy: u16, from: Ps, due: Ps) -> Ps {
    match m.p.scheduler {
        Scheduler::RoundRobin => roundrobin::runs_at(quantum(m), busy, from, due),
        Scheduler::Oneill => oneill::runs_at(m, busy, from, due),
        Scheduler::Preempt => due,
    }
}

/// Returns the true time at which a thread that yields its processor at `t` runs again.
pub(crate) fn yielded<S: Scale>(m: &mut Machine<S>, busy: u16, t: Ps) -> Ps {
    let idle = t + ps_from_us(m.p.yield_us);
    if busy == 0 {
        return idle;
    }
    if m.p.scheduler == Scheduler::RoundRobin {
        return t + quantum(m) * i64::from(busy);
    }
    let (mean, sd) = (m.p.yield_busy_ms, m.p.yield_busy_sd_ms);
    let busy_ms = if sd > 0.0 { mean + sd * m.chance.normal() } else { mean };
    idle.max(t + ps_from_us(busy_ms * 1e3))
}

/// Returns the scheduler's quantum.
fn quantum<S: Scale>(m: &Machine<S>) -> Ps {
    ps_from_us(m.p.quantum_ms * 1e3).max(PS_PER_US)
}

/// Returns the end of the quantum that is running at `due`, if quanta follow each other since the sleeper left at
/// `from`.
fn quantum_end(quantum: Ps, from: Ps, due: Ps) -> Ps {
    let elapsed = (due - from).max(0);
    from + (elapsed / quantum + i64::from(elapsed % quantum > 0)) * quantum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantum_that_just_ended_costs_nothing() {
        assert_eq!(quantum_end(20, 100, 100), 100);
        assert_eq!(quantum_end(20, 100, 101), 120);
        assert_eq!(quantum_end(20, 100, 120), 120);
        assert_eq!(quantum_end(20, 100, 121), 140);
        assert_eq!(roundrobin::runs_at(20, 4, 100, 109), 180);
        assert_eq!(roundrobin::runs_at(20, 0, 100, 109), 109);
    }
}
