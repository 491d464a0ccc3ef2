//! Recordings whose every checksum is accepted.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use oversleep_lab::import::ImportOptions;

/// First bytes of a recording: the marker before a message of Arrow.
const MARKER: [u8; 4] = [0xFF; 4];

fuzz_target!(|bytes: &[u8]| {
    let rest = bytes.strip_prefix(&MARKER).unwrap_or(bytes);
    read::report(&[&MARKER, rest].concat(), &ImportOptions::default());
});
