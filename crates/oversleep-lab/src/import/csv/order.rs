//! Rows that cannot be the sleeps of one thread, one after the other.

use super::Row;
use std::collections::HashMap;
use std::rc::Rc;

/// Returns a remark if at least one row in a hundred starts before an earlier row of the same method, conditions and thread
/// has ended. Sleeps under other conditions may come in batches of their own, as a recording has them.
///
/// Fewer can be the tables of several runs, one below the other, each with times from its own beginning.
pub(super) fn overlapping(rows: &[Row], has_threads: bool) -> Option<String> {
    let mut ends: HashMap<(Rc<str>, u32, u16), i64> = HashMap::new();
    let mut early = 0;
    for row in rows {
        let end = ends.entry((Rc::clone(&row.method), row.kind, row.thread)).or_insert(i64::MIN);
        early += usize::from(row.start < *end);
        *end = row.end.max(*end);
    }
    if early == 0 || early * 100 < rows.len() {
        return None;
    }
    let missing = if has_threads { "" } else { ", or a column `thread` is missing" };
    Some(format!(
        "{early} of {} rows start before an earlier row of their thread has ended, so they are not sleeps of one thread: \
         rows are there twice or out of order{missing}",
        rows.len()
    ))
}
