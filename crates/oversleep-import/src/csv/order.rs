//! Rows that cannot be the sleeps of one thread, one after the other.

use super::SleepRow;
use std::collections::HashMap;
use std::rc::Rc;

/// Number of threads of a method and its conditions above which no more are followed.
const MOST: usize = 1 << 18;

/// Counts rows that start before an earlier row of the same method, conditions and thread has ended. Sleeps under other
/// conditions may come in batches of their own, as a recording has them.
#[derive(Default)]
pub(super) struct Overlap {
    ends: HashMap<(Rc<str>, u32, u16), i64>,
    rows: u64,
    early: u64,
}

impl Overlap {
    /// Takes the next row.
    pub(super) fn add(&mut self, row: &SleepRow) {
        let of = (Rc::clone(&row.method), row.field_set, row.thread);
        if self.ends.len() == MOST && !self.ends.contains_key(&of) {
            return;
        }
        let end = self.ends.entry(of).or_insert(i64::MIN);
        self.rows += 1;
        self.early += u64::from(row.start < *end);
        *end = row.end.max(*end);
    }

    /// Returns a remark if at least one row in a hundred is such a row.
    ///
    /// Fewer can be the tables of several runs, one below the other, each with times from its own beginning.
    pub(super) fn remark(&self, has_threads: bool) -> Option<String> {
        let Self { rows, early, .. } = self;
        if *early == 0 || early * 100 < *rows {
            return None;
        }
        let missing = if has_threads { "" } else { ", or a column `thread` is missing" };
        Some(format!(
            "{early} of {rows} rows start before an earlier row of their thread has ended, so they are not sleeps of one \
             thread: rows are there twice or out of order{missing}"
        ))
    }
}
