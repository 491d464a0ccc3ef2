//! A table behind a line that says which of its columns holds what, as `--columns` does.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use oversleep_lab::import::ImportOptions;

fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return };
    let (line, table) = bytes.split_at(end);
    let Ok(columns) = String::from_utf8_lossy(line).parse() else { return };
    read::report(&table[1..], &ImportOptions { columns, ..ImportOptions::default() });
});
