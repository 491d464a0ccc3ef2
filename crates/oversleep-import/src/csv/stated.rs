//! Tables that state each sleep's oversleep beside the times that it follows from.

use super::SleepRow;

/// Compares the oversleep that rows state with that of their times.
#[derive(Default)]
pub(super) struct StatedOversleep {
    rows: u64,
    different: u64,
}

impl StatedOversleep {
    /// Takes the next row.
    pub(super) fn add(&mut self, row: &SleepRow) {
        let Some(stated) = row.oversleep else { return };
        self.rows += 1;
        self.different += u64::from(row.sample(0, 0).oversleep().get() != stated);
    }

    /// Returns a remark if a row states another oversleep than its times have.
    pub(super) fn remark(&self) -> Option<String> {
        let Self { rows, different } = self;
        (*different > 0).then(|| {
            format!(
                "`oversleep_ns` of {different} of {rows} rows is not the oversleep of their times, which is used: end minus \
                 deadline, or end minus start minus request"
            )
        })
    }
}
