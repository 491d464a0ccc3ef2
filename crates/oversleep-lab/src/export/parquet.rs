//! Parquet, compressed with zstd: recordings as a table of sleeps and a table of findings, for engines that read any number of
//! files at once.
//!
//! Both tables begin with the columns of [`Facts`]. Where the dataset is partitioned by one of these columns, its
//! values are in the folders' names (`host=a/date=2026-11-23`) and not in the files, as Hive, Spark, `DuckDB`, polars
//! and pyarrow expect.

mod facts;
mod findings;
mod sleeps;
mod table;

pub use facts::{Facts, Partition};
pub use findings::FindingsTable;
pub use sleeps::{SleepWriter, SleepsTable};
