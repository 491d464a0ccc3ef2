//! The kernel's own primitives, which sleep between the blocks of probes under the same conditions.

use super::protocol::ProbeSleep;
use crate::sleeps::{Enforced, Spent};
use oversleep_os::method::{self, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, Mode};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Flags, SleepCost};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// A thread that sleeps by one method, one block at a time.
pub(super) struct Native {
    blocks: Sender<(Nanos, u64)>,
    rows: Receiver<Block>,
}

/// The rows of a block, and what its sleeps took of the processor.
type Block = (Vec<ProbeSleep>, Option<SleepCost>);

impl Native {
    pub(super) fn open(id: MethodId, conditions: &Conditions) -> Result<Self, Refusal> {
        let (blocks, orders) = channel::<(Nanos, u64)>();
        let (give, rows) = channel();
        let (tell, ready) = channel();
        let conditions = conditions.clone();
        let work = move || {
            // What is refused here was also refused on the probes' thread, where it is reported.
            let _enforced = Enforced::for_life(&conditions, 0);
            let mut waiter = match method::open(id) {
                Ok(waiter) => waiter,
                Err(refusal) => return drop(tell.send(Err(refusal))),
            };
            let _ = tell.send(Ok(()));
            for (request, count) in orders {
                let spent = Spent::now();
                let block = (0..count).map(|_| sleep(&mut *waiter, id.row().mode, request)).collect();
                if give.send((block, spent.and_then(|before| before.until_now(count)))).is_err() {
                    return;
                }
            }
        };
        let failed = |why: String| Refusal::Failed(why);
        thread::Builder::new().name("native".to_owned()).spawn(work).map_err(|error| failed(error.to_string()))?;
        ready.recv().map_err(|error| failed(error.to_string()))??;
        Ok(Self { blocks, rows })
    }

    /// Sleeps a block.
    pub(super) fn block(&self, request: Nanos, count: u64) -> Block {
        let _ = self.blocks.send((request, count));
        self.rows.recv().unwrap_or_default()
    }
}

fn sleep(waiter: &mut dyn Waiter, mode: Mode, requested: Nanos) -> ProbeSleep {
    waiter.prepare(match mode {
        Mode::Absolute => Request::Until(monotonic() + requested),
        _ => Request::For(requested),
    });
    let start = monotonic();
    let woken = waiter.wait();
    let end = monotonic();
    let flags = match woken {
        Woken::TimedOut => Flags::default(),
        Woken::Interrupted => Flags::INTERRUPTED,
        Woken::Failed(_) => Flags::FAILED,
    };
    ProbeSleep { requested, start, end, flags }
}
