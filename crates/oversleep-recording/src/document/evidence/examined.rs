//! Evidence of kernel events: of single sleeps that were examined.

use super::fact::evidence;

evidence! {
    /// What the kernel's events show of a cell's late sleeps that were examined one by one (`--on-late`).
    pub struct Examined {
        /// Number of sleeps that were examined; the latest of the run.
        pub examined: u64,
        /// Number of them of whose lateness the cause is the largest part.
        pub largest_part_of: u64,
        /// Who used the processor for more than half of the cause's time; `None` if nobody did.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub used_by: Option<String>,
    }
}
