//! When a thread whose sleep is over gets a processor that other threads keep busy.

use super::law::Grid;
use super::law::quantum::turn;
use super::machine::Machine;
use super::scale::Scale;
use super::time::{PS_PER_US, Ps, ps_from_us};
use super::vocabulary::Scheduler;

/// Returns the true time at which a thread runs that went to sleep at `from` and is due at `due`, beside `busy` busy
/// threads.
pub(crate) fn runs_at<S: Scale>(m: &mut Machine<S>, busy: u16, from: Ps, due: Ps) -> Ps {
    match m.p.scheduler {
        Scheduler::RoundRobin => round_robin(quantum(m), busy, from, due),
        Scheduler::Oneill => oneill(m, busy, from, due),
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

/// Returns when the thread runs if it goes to the tail of the queue: after the rest of the running quantum and one whole quantum per further busy thread.
fn round_robin(quantum: Ps, busy: u16, from: Ps, due: Ps) -> Ps {
    if busy == 0 {
        return due;
    }
    let mut quanta = Quanta { from, length: quantum };
    let end = turn(&mut quanta, due, i64::from(busy) - 1);
    quanta.at(end)
}

/// Maximum number of quanta waited for (more has a probability below 10⁻⁴ at the smallest `p_run` accepted).
const MOST: u32 = 1_000;

/// Returns when the thread runs. With one busy thread: at once. With more, at the end of the running quantum with
/// probability `p_run`, otherwise at the end of the next one with the same probability, and so on.
///
/// It explains O'Neill's numbers (Windows 98), fitted: placing a woken thread simply at the tail or the head of the queue does not give
/// a mean of 24.6 ms with a standard deviation of 20 to 25.
fn oneill<S: Scale>(m: &mut Machine<S>, busy: u16, from: Ps, due: Ps) -> Ps {
    if busy < 2 {
        return due;
    }
    let quantum = quantum(m);
    let mut quanta = Quanta { from, length: quantum };
    let mut end = turn(&mut quanta, due, 0);
    for _ in 0..MOST {
        if m.chance.unit() < m.p.p_run {
            break;
        }
        end += 1;
    }
    quanta.at(end)
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
        let end = |due| round_robin(20, 1, 100, due);
        assert_eq!([end(100), end(101), end(120), end(121)], [100, 120, 120, 140]);
        assert_eq!(round_robin(20, 4, 100, 109), 180);
        assert_eq!(round_robin(20, 0, 100, 109), 109);
    }
}
