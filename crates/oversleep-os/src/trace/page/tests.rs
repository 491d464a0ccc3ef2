use super::*;
use proptest::prelude::*;

const LAYOUT: PageLayout = PageLayout { commit: 8, commit_size: 8, data: 16, capacity: 4080 };
const SLEEPS: &[u8] = include_bytes!("../../../tests/data/trace/sleeps-cpu0.raw");
const MARKER: &[u8] = include_bytes!("../../../tests/data/trace/marker-cpu0.raw");
const LOST: &[u8] = include_bytes!("../../../tests/data/trace/lost-cpu0.raw");

fn page(start: u64, words: &[u32]) -> Vec<u8> {
    let mut bytes = start.to_ne_bytes().to_vec();
    bytes.extend((4 * words.len() as u64).to_ne_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
    bytes
}

/// Returns the word before a record, with bit fields ordered as on this processor.
fn head(kind: u32, delta: u32) -> u32 {
    if cfg!(target_endian = "little") { kind | (delta << 5) } else { (kind << 27) | delta }
}

fn read(bytes: &[u8]) -> Vec<Result<(u64, usize), String>> {
    let page = Page::parse(bytes, &LAYOUT).unwrap();
    page.records().map(|record| record.map(|record| (record.at, record.bytes.len()))).collect()
}

#[test]
fn every_kind_of_word_is_understood() {
    let words = [
        head(2, 5),
        1,
        2, // two words of data, 5 ns after the page
        head(0, 10),
        9,
        3,
        4, // a length of 9: itself and 5 bytes, kept in 8
        head(30, 7),
        2, // 7 + 2·2²⁷ ns pass
        head(1, 1),
        5,
        head(29, 20),
        8,
        0, // discarded, but its 20 ns passed
        head(1, 1),
        6,
        head(31, 3),
        1, // at 3 + 2²⁷
        head(1, 4),
        7,
        head(29, 0),
        0xdead,
        0xbeef, // nothing more
    ];
    let far = 1_000 + 15 + 7 + (2 << 27) + 1;
    let stamp = 3 + (1 << 27) + 4;
    let expected = [(1_005, 8), (1_015, 5), (far, 4), (far + 21, 4), (stamp, 4)];
    assert_eq!(read(&page(1_000, &words)), expected.map(Ok));
}

#[test]
fn the_upper_bits_of_a_stamp_are_those_of_the_time_before() {
    let era = 3 << 59;
    assert_eq!(read(&page(era + 5, &[head(31, 3), 1, head(1, 0), 0])), [Ok((era + 3 + (1 << 27), 4))]);
}

#[test]
fn long_text_and_long_waits_in_a_captured_page() {
    let records: Vec<_> = read(MARKER).into_iter().map(Result::unwrap).collect();
    assert_eq!(records.len(), 3);
    // 200 letters do not fit into the short form; 300 and 150 ms do not fit into 27 bits of nanoseconds.
    assert!(records[1].1 > 200 && records[1].1 < 240, "{records:?}");
    let us = |ns: u64| (ns + 500) / 1_000;
    assert_eq!(us(records[1].0) - us(records[0].0), 303_754, "as the text file of the same buffer has it");
    assert_eq!(us(records[2].0) - us(records[1].0), 150_240);
}

#[test]
fn captured_pages_give_every_record_in_order_of_time() {
    let records: Vec<_> = SLEEPS.chunks(4096).flat_map(read).map(Result::unwrap).collect();
    let stats = include_str!("../../../tests/data/trace/sleeps.stats");
    let counted: usize = stats.lines().find_map(|line| line.strip_prefix("read events: ")).unwrap().parse().unwrap();
    assert_eq!(records.len(), counted);
    assert!(records.windows(2).all(|two| two[0].0 <= two[1].0));
}

#[test]
fn lost_records_are_counted_as_the_kernel_counts_them() {
    let pages: Vec<_> = LOST.chunks(4096).map(|bytes| Page::parse(bytes, &LAYOUT).unwrap()).collect();
    assert_eq!(pages.iter().filter_map(Page::missed).collect::<Vec<_>>(), [635], "overrun in lost-cpu0.stats");
    assert_eq!(pages.iter().map(|page| page.records().count()).sum::<usize>(), 265);
    assert!(SLEEPS.chunks(4096).all(|bytes| Page::parse(bytes, &LAYOUT).unwrap().missed().is_none()));
}

#[test]
fn damage_is_an_error_and_ends_the_page() {
    assert!(Page::parse(&[0; 10], &LAYOUT).is_err());
    let mut bytes = page(0, &[head(1, 0), 0]);
    bytes[8] = 200;
    assert!(Page::parse(&bytes, &LAYOUT).is_err(), "more data than there is");
    assert!(read(&page(0, &[head(28, 0), 0])).pop().unwrap().is_err());
    assert!(read(&page(0, &[head(0, 0), 3])).pop().unwrap().is_err());
    assert!(read(&page(0, &[head(30, 0)])).pop().unwrap().is_err());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_or_run_on(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        if let Ok(page) = Page::parse(&bytes, &LAYOUT) {
            prop_assert!(page.records().count() <= bytes.len() / 4 + 1);
        }
    }
}
