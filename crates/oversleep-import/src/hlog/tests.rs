use super::encoded::WORK;
use super::*;
use crate::Ending;
use miniz_oxide::deflate::compress_to_vec_zlib;
use oversleep_recording::Recording;
use std::io::Cursor;

/// Returns the line of an interval with this histogram, compressed.
fn line(histogram: &[u8]) -> String {
    let zlib = compress_to_vec_zlib(histogram, 9);
    let length = u32::try_from(zlib.len()).unwrap().to_be_bytes();
    format!("0.0,1.0,1.0,{}\n", STANDARD.encode([&COMPRESSED[..], &length, &zlib].concat()))
}

/// Reads a log and returns its error; empty if there is none.
fn error(lines: &str) -> String {
    let log = format!("#[Histogram log format version 1.3]\n{lines}");
    match read("x", Box::new(Cursor::new(log)), &ImportOptions::default()) {
        Err(error) => error.to_string(),
        Ok(mut records) => {
            let mut recording = Recording::new(records.meta().clone());
            match records.read_into(&mut recording) {
                Ending::Broken(error) => error.to_string(),
                _ => String::new(),
            }
        }
    }
}

/// Returns a histogram of values from `low` to the largest number of 63 bits, with its counters.
fn histogram(low: u64, digits: u32, counters: &[u8]) -> Vec<u8> {
    let length = u32::try_from(counters.len()).unwrap();
    let mut bytes = [0x1c84_9313_u32, length, 0, digits].map(u32::to_be_bytes).concat();
    bytes.extend([low, i64::MAX.unsigned_abs()].map(u64::to_be_bytes).concat());
    bytes.extend(1.0_f64.to_be_bytes());
    bytes.extend(counters);
    bytes
}

#[test]
fn what_a_line_inflates_to_is_bounded() {
    let long = histogram(1, 3, &vec![0; 9 << 20]);
    let why = "x: line 2: the histogram has more than 8 MiB when decompressed, which no histogram has";
    assert!(error(&line(&long)).starts_with(why), "{}", error(&line(&long)));
    // A length of 4 GiB is not believed; the right length is.
    let mut wrong = histogram(1, 3, &[2]);
    wrong[4..8].fill(0xFF);
    assert!(error(&line(&wrong)).contains("where a compressed histogram in base64 is expected"));
    assert_eq!(error(&line(&histogram(1, 3, &[2]))), "");
}

/// Each of these would take minutes or gigabytes in a decoder that makes all counters that a histogram states.
#[test]
fn hostile_logs_take_little_work() {
    WORK.set(0);
    // One value of the finest histogram, near its end: -6 000 000 as a number is a run of zeros.
    let run: i64 = -6_000_000;
    let mut folded = ((run << 1) ^ (run >> 63)).cast_unsigned();
    let mut counters = Vec::new();
    while folded > 0x7F {
        counters.push(u8::try_from(folded & 0x7F).unwrap() | 0x80);
        folded >>= 7;
    }
    counters.extend([u8::try_from(folded).unwrap(), 2]);
    let far = line(&histogram(1, 5, &counters)).repeat(20_000);
    assert_eq!(error(&far), "");
    // The same with many tags, each of which would have counters of its own.
    let tagged: String = (0..20).map(|tag| format!("Tag={tag},{}", line(&histogram(1, 5, &counters)))).collect();
    let said = error(&tagged);
    assert!(said.contains("line 3: the histograms up to here have more than 8388608 different buckets"), "{said}");
    let tags: String = (0..9_000).map(|tag| format!("Tag={tag},{}", line(&histogram(1, 3, &[2])))).collect();
    assert!(error(&tags).contains("line 8194: more than 8192 different tags"), "{}", error(&tags));
    // Eight MiB of zeros in eight kB, again and again.
    let zeros = line(&histogram(1, 3, &vec![0; 8_000_000])).repeat(4);
    assert!(error(&zeros).contains("decompress to far more than those of a log"), "{}", error(&zeros));
    // Zeros have a byte each: three logs' lines of 8 million, read once. All counters of each line, or of each tag, would be a
    // thousand times more.
    let work = WORK.get();
    println!("{work}");
    assert!(work < 100_000_000, "{work}");
}
