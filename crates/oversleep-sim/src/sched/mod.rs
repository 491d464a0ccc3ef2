//! When a thread whose sleep is over gets a processor that other threads keep busy.

mod oneill;
mod roundrobin;

use super::law::Grid;
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

/// Quanta that follow each other since a sleeper left at `from`.
struct Quanta {
    from: Ps,
    length: Ps,
}

impl Grid for Quanta {
    type Time = Ps;

    fn last(&mut self, at: Ps) -> i64 {
        (at - self.from).max(0) / self.length
    }

    fn first_from(&mut self, at: Ps) -> i64 {
        let elapsed = (at - self.from).max(0);
        elapsed / self.length + i64::from(elapsed % self.length > 0)
    }

    fn at(&mut self, quantum: i64) -> Ps {
        self.from.saturating_add(self.length.saturating_mul(quantum))
    }

    fn later(from: Ps, by: Ps) -> Ps {
        from.saturating_add(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantum_that_just_ended_costs_nothing() {
        let end = |due| roundrobin::runs_at(20, 1, 100, due);
        assert_eq!([end(100), end(101), end(120), end(121)], [100, 120, 120, 140]);
        assert_eq!(roundrobin::runs_at(20, 4, 100, 109), 180);
        assert_eq!(roundrobin::runs_at(20, 0, 100, 109), 109);
    }
}
