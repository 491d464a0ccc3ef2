//! Clocks of illumos: `gethrtime` and its relatives.

use crate::clock::entry::{Clock, ClockEntry};
use oversleep_recording::catalog::ClockId;

pub(super) static ENTRIES: &[ClockEntry] =
    &[ClockEntry::new::<Elapsed>(ClockId::Gethrtime), ClockEntry::new::<Virtual>(ClockId::Gethrvtime)];

unsafe extern "C" {
    fn gethrtime() -> i64;
    fn gethrvtime() -> i64;
}

struct Elapsed;

impl Clock for Elapsed {
    #[inline]
    fn read() -> i64 {
        // SAFETY: takes nothing and keeps nothing.
        unsafe { gethrtime() }
    }
}

struct Virtual;

impl Clock for Virtual {
    #[inline]
    fn read() -> i64 {
        // SAFETY: takes nothing and keeps nothing.
        unsafe { gethrvtime() }
    }
}
