//! Any file: its format is recognised from its content.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use oversleep_lab::import::ImportOptions;

fuzz_target!(|bytes: &[u8]| read::report(bytes, &ImportOptions::default()));
