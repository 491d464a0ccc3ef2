//! What a program prints that `oversleep runtimes` runs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oversleep_lab::capture::runtimes::count_rows;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = count_rows(Cursor::new(bytes.to_vec())) {
        assert!(error.starts_with("line ") && error.lines().count() == 1 && error.len() < 2_000, "{error}");
    }
});
