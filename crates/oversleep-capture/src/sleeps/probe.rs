//! Checks whether a cell's method and conditions are available before it is planned.

use super::enforce::Enforced;
use oversleep_os::method;
use oversleep_os::settings::latency_hold;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Cell, Conditions};
use oversleep_sys::Refusal;
use std::thread;

/// Opens the cell's method and applies its conditions on a new thread, which ends with them.
///
/// # Errors
/// The first refusal.
pub fn probe(cell: &Cell) -> Result<(), Refusal> {
    let id = MethodId::from_name(&cell.method)
        .ok_or_else(|| Refusal::Unavailable(format!("no sleep method is called '{}'", cell.method)))?;
    if let Some(latency) = cell.conditions.latency_hold {
        drop(latency_hold::apply(latency)?);
    }
    let conditions = cell.conditions.clone();
    let attempt = move || method::open(id).and_then(|_| put_on(&conditions));
    match thread::Builder::new().spawn(attempt).map(thread::JoinHandle::join) {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(Refusal::Failed("the thread that tried it out died".into())),
        Err(error) => Err(Refusal::from_os("a thread to try it out", &error)),
    }
}

fn put_on(conditions: &Conditions) -> Result<(), Refusal> {
    match Enforced::for_life(conditions, 0).refused() {
        [] => Ok(()),
        [(_, refusal), ..] => Err(refusal.clone()),
    }
}
