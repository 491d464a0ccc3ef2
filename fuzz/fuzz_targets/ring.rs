//! Recordings of the ring whose every checksum is accepted.
//!
//! The description of a ring is deflated, which random changes seldom survive: so the frames after it are also read behind
//! the description of a sound file.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use oversleep_lab::import::ImportOptions;

const SOUND: &[u8] = include_bytes!("../../crates/oversleep-recording/tests/data/first.ring");
const LINE: &[u8] = b"oversleep ring 1\n";

fuzz_target!(|bytes: &[u8]| {
    let frames = bytes.strip_prefix(LINE).unwrap_or(bytes);
    read::report(&[LINE, frames].concat(), &ImportOptions::default());
    let [a, b, c] = [0, 1, 2].map(|at| SOUND[LINE.len() + at]);
    let head = LINE.len() + 8 + u32::from_le_bytes([a, b, c, 0]) as usize;
    read::report(&[&SOUND[..head], frames].concat(), &ImportOptions::default());
});
