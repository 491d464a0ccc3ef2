use super::super::cells::MOST_CELLS;
use super::*;
use crate::csv;
use oversleep_recording::plan::Pattern;
use std::fmt::Write;

const HEADER: &str = "method,thread,requested_ns,start_mono_ns,end_mono_ns,start_real_ns,end_real_ns\n";

fn line(table: &mut String, method: &str, number: i64, requested: i64) {
    let (start, end) = (number * 3_000, number * 3_000 + requested + 50);
    writeln!(table, "{method},{},{requested},{start},{end},{},{}", number % 2, start + 7, end + 7).unwrap();
}

#[test]
fn what_comes_after_the_head_finds_or_makes_its_cell() {
    let mut table = HEADER.to_owned();
    let head = i64::try_from(HEAD).unwrap();
    (0..head).for_each(|number| line(&mut table, "nanosleep", number, 1_000));
    (head..head + 5_000).for_each(|number| line(&mut table, "nanosleep", number, 1_000 + number % 2));
    line(&mut table, "poll", head + 5_000, 1_000);
    let imported = csv::read(table.as_bytes(), "x.csv").unwrap();
    assert_eq!(imported.samples.len(), HEAD + 5_001);
    let cells = &imported.meta.plan.cells;
    assert_eq!(cells.iter().map(|cell| cell.method.as_str()).collect::<Vec<_>>(), ["nanosleep", "nanosleep", "poll"]);
    assert_eq!(imported.of_cell(1).count(), 2_500);
    assert!(imported.of_cell(1).all(|sample| sample.requested == Nanos::new(1_001)));
    assert_eq!(imported.note.brackets.len(), 2 * imported.samples.len());
}

#[test]
fn cells_stay_few() {
    let mut table = HEADER.to_owned();
    let head = i64::try_from(HEAD).unwrap();
    (0..head).for_each(|number| line(&mut table, "nanosleep", number, 1_000));
    (0..3_000).for_each(|number| line(&mut table, "nanosleep", head + number, 2_000 + number));
    let imported = csv::read(table.as_bytes(), "x.csv").unwrap();
    let cells = &imported.meta.plan.cells;
    assert_eq!(cells.len(), MOST_CELLS + 1);
    assert!(matches!(cells[MOST_CELLS].pattern, Pattern::Random { .. }));
    assert_eq!(imported.samples.len(), HEAD + 3_000);
    assert_eq!(imported.of_cell(u32::try_from(MOST_CELLS).unwrap()).count(), 3_000 - (MOST_CELLS - 1));
}

#[test]
fn conditions_in_words_alone_are_a_part_of_the_name() {
    let head = "method,condition,requested_ns,start_ns,end_ns";
    let rows = "nap,idle,9,0,10\nnap,busy,9,20,40\nnap,default,9,50,60\nnap,,9,70,80\n";
    let text = format!("{head}\n{rows}");
    let mut table = Table::open("t", FORMAT, text.as_bytes(), &Mapping::default(), 0).unwrap();
    assert!(table.remarks[0].starts_with("`condition` is in words"), "{:?}", table.remarks);
    let mut recording = oversleep_recording::Recording::new(table.meta.clone());
    table.rows_into(&mut recording).unwrap();
    let names: Vec<_> = recording.meta.plan.cells.iter().map(|cell| cell.method.as_str()).collect();
    assert_eq!(names, ["nap (idle)", "nap (busy)", "nap"]);
    assert_eq!(recording.of_cell(2).count(), 2);
    // Our own tables have the same in columns of their own.
    let ours = format!("{head},asked_nice,nice\nnap,nice 5,9,0,10,5,5\n");
    let cells = csv::read(ours.as_bytes(), "t").unwrap().meta.plan.cells;
    assert_eq!((cells[0].method.as_str(), cells[0].conditions.nice), ("nap", Some(5)));
}

#[test]
fn methods_are_not_merged_and_too_many_are_refused() {
    let head = "method,requested_ns,start_ns,end_ns\n";
    let long = "m".repeat(60);
    let table = format!("{head}{long}A,9,0,10\n{long}B,9,20,30\nna\u{1}p,9,40,50\nnap,9,60,70\n");
    assert_eq!(csv::read(table.as_bytes(), "t").unwrap().meta.plan.cells.len(), 4);
    let rows =
        |most: usize| (0..most).fold(head.to_owned(), |text, row| text + &format!("m{row},9,{row},{}\n", row + 10));
    assert_eq!(csv::read(rows(MOST_METHODS).as_bytes(), "t").unwrap().meta.plan.cells.len(), MOST_METHODS);
    let error = csv::read(rows(MOST_METHODS + 1).as_bytes(), "t").unwrap_err().to_string();
    assert_eq!(error, "line 1026: more than 1024 different methods; is `method` the column of methods?");
    // With two loads of each, there are too many pairs before there are too many of either.
    let pairs: String =
        (0..5_000).map(|row| format!("m{},9,{row},{},{}\n", row % 1_000, row + 10, row / 1_000)).collect();
    let error = csv::read(format!("method,requested_ns,start_ns,end_ns,load\n{pairs}").as_bytes(), "t").unwrap_err();
    assert_eq!(error.to_string(), "line 4098: more than 4096 different pairs of method and conditions");
}

#[test]
fn many_requests_that_repeat_share_a_cell() {
    let mut table = HEADER.to_owned();
    (0..8_000).for_each(|number| line(&mut table, "nanosleep", number, 1_000 + number / 4));
    let imported = csv::read(table.as_bytes(), "x.csv").unwrap();
    let cells = &imported.meta.plan.cells;
    assert_eq!((cells.len(), imported.samples.len()), (MOST_CELLS + 1, 8_000));
    assert!(matches!(cells[MOST_CELLS].pattern, Pattern::Random { .. }));
    assert_eq!(imported.of_cell(u32::try_from(MOST_CELLS).unwrap()).count(), 8_000 - 4 * MOST_CELLS);
}

/// Every error names the line in which its row begins, whatever ends lines, and whatever comes before and within rows.
#[test]
fn errors_name_the_line_in_which_their_row_begins() {
    let line = |table: &str| {
        let said = csv::read(table.as_bytes(), "t").unwrap_err().to_string();
        let number = said.strip_prefix("line ").and_then(|rest| rest.split([':', ' ']).next()?.parse::<u64>().ok());
        number.unwrap_or_else(|| panic!("{said}"))
    };
    let sound = "a,9,10,30\n".repeat(3);
    let quoted = "\"a\nb\n\",9,10,30\n";
    let long = "a,9,10,30\n".repeat(2_000);
    let comment = format!("# {}\n", "c".repeat(9_000));
    for (before, expected) in [
        ("", 2),
        (&*sound, 5),
        (quoted, 5),
        ("# a comment\n\n\n# another\n", 6),
        (&*format!("{sound}{quoted}\n# a comment\n{sound}"), 13),
        // More than the library reads at a time.
        (&*long, 2_002),
        (&*format!("{comment}{comment}"), 4),
    ] {
        // An error of a number, of a row, of the fields' number, of text, and of what is without an end.
        let number = "a,9,10,x\n";
        for bad in [number, "a,9,10,3\n", "a,9\n", "\"a\nb\",9,10,x\n", "a,9,10,30", "\"a"] {
            let table = format!("method,requested_ns,start_ns,end_ns\n{before}{bad}");
            assert_eq!(line(&table), expected, "{before:.40} {bad}");
            assert_eq!(line(&table.replace('\n', "\r\n")), expected, "{before:.40} {bad} with \\r\\n");
            assert_eq!(line(&format!("# one\n{table}")), expected + 1, "{before:.40} {bad} after a comment");
        }
    }
    let shared_fields = "requested_ns,start_ns,end_ns,policy\r\n9,10,30,fifo:5\r\n\r\n9,10,30,sleepy\r\n";
    assert_eq!(line(shared_fields), 4);
    // A row that is not text.
    let bytes = [&b"requested_ns,start_ns,end_ns\r\n9,10,30\r\n"[..], b"9,10,\xFF\r\n"].concat();
    assert!(matches!(csv::read(&bytes[..], "t"), Err(CsvError::Binary { line: 3 })));
}

#[test]
fn threads_and_conditions_stay_few() {
    // Each row names nearly all processors in a few letters.
    let mut table = "requested_ns,start_ns,end_ns,cell,cpus\n".to_owned();
    (0..4_000).for_each(|row| writeln!(table, "9,{row},{},{row},0-8191", row + 9).unwrap());
    let error = csv::read(table.as_bytes(), "t").unwrap_err().to_string();
    assert!(error.ends_with("the conditions up to here take more than 32 MiB"), "{error}");
    let mut table = "thread,requested_ns,start_ns,end_ns\n".to_owned();
    let most = i64::try_from(MOST_TRACKS).unwrap();
    (0..most + 5).for_each(|row| {
        let (thread, requested) = (row % 65_536, 1_000 + row / 65_536);
        writeln!(table, "{thread},{requested},{row},{}", row + requested).unwrap();
    });
    let error = csv::read(table.as_bytes(), "t").unwrap_err().to_string();
    assert_eq!(error, "more than 262144 different pairs of cell and thread");
}

#[test]
fn a_last_line_without_its_end_may_lack_digits() {
    let head = "requested_ns,end_ns,start_ns\n";
    for (table, line) in [("9,30,10\n9,70,5", 3), ("9,30,10\r\n9,70,5", 3)] {
        let text = head.to_owned() + table;
        let mut table = Table::open("t", FORMAT, text.as_bytes(), &Mapping::default(), 0).unwrap();
        let mut recording = oversleep_recording::Recording::new(table.meta().clone());
        let (why, rows) = table.rows_into(&mut recording).unwrap_err();
        assert!(matches!(why, CsvError::Cut { line: at } if at == line), "{why}");
        assert_eq!((rows, recording.samples.len()), (1, 1));
    }
    for whole in ["9,30,10\n9,70,50\n", "9,30,10\n9,70,50\r\n", "\u{feff}9,30,10\n9,70,50\n"] {
        let table = if let Some(rows) = whole.strip_prefix('\u{feff}') {
            format!("\u{feff}{head}{rows}")
        } else {
            head.to_owned() + whole
        };
        assert_eq!(csv::read(table.as_bytes(), "t").unwrap().samples.len(), 2, "{whole:?}");
    }
    let marked = format!("\u{feff}{head}9,30,1");
    assert!(matches!(csv::read(marked.as_bytes(), "t"), Err(CsvError::Cut { line: 2 })));
}

#[test]
fn numbers_are_read_as_programs_write_them() {
    let read = |row: &str| csv::read(format!("method,requested_ns,start_ns,end_ns\n{row}\n").as_bytes(), "t");
    let sample = read("a,1e6,1000000.0,3000000").unwrap().samples[0];
    assert_eq!((sample.requested, sample.start), (Nanos::MILLISECOND, Nanos::MILLISECOND));
    // Names are shown on terminals and must not contain control characters.
    let long = "x".repeat(300);
    let recording = read(&format!("\u{1b}[31mnano{long},1,1,2")).unwrap();
    let method = &recording.meta.plan.cells[0].method;
    assert!(method.starts_with("[31mnano") && method.len() == 60, "{method}");
}

#[test]
fn a_bad_line_far_down_is_told_with_its_number() {
    let mut table = HEADER.to_owned();
    (0..300_000).for_each(|number| line(&mut table, "nanosleep", number, 1_000));
    table += "nanosleep,0,x,1,2,3,4\n";
    let error = csv::read(table.as_bytes(), "x.csv").unwrap_err();
    assert!(matches!(error, CsvError::Number { line: 300_002, .. }), "{error}");
}

#[test]
fn one_request_for_all_rows_is_stated_where_no_column_has_it() {
    // Work of 1 ms, then a sleep of 5 ms that is 0.2 ms late.
    let mut text = "t0_us,t1_us\n".to_owned();
    (0..100).for_each(|round| writeln!(text, "{},{}", 6_200 * round + 1_000, 6_200 * (round + 1)).unwrap());
    let columns = || "start=t0_us,end=t1_us".parse::<Mapping>().unwrap();
    let refused = Table::open("t", FORMAT, text.as_bytes(), &columns(), 0).err().unwrap().to_string();
    assert!(refused.contains("lacks `requested_ns`") && refused.contains("--asked 5ms"), "{refused}");
    let stated = columns().with_request(Some(Nanos::from_millis(5)));
    let mut table = Table::open("t", FORMAT, text.as_bytes(), &stated, 0).unwrap();
    let mut recording = oversleep_recording::Recording::new(table.meta.clone());
    table.rows_into(&mut recording).unwrap();
    assert!(recording.samples.iter().all(|sample| sample.oversleep() == Nanos::from_micros(200)));
    // Names and units that people choose are told how to be read; a request in another unit is told from a column in one.
    let open = |text: &str, mapping: Mapping| Table::open("t", FORMAT, text.as_bytes(), &mapping, 0).map(|_| ());
    let own = open(&text.replace("t0_us,t1_us", "begin,t1_us"), Mapping::default()).unwrap_err().to_string();
    assert!(own.contains(": --columns 'start=begin:s,end=t1_us', with ms, us or ns"), "{own}");
    let words = open(&text.replace("t0_us,t1_us", "sleep start (ms),Sleep End (ms)"), Mapping::default());
    let words = words.unwrap_err().to_string();
    assert!(words.contains("'start=sleep start (ms):ms,end=Sleep End (ms):ms'"), "{words}");
    let mapped = "start_ns=t0_us:us,end=t1_us".parse::<Mapping>().unwrap();
    assert!(open(&text, mapped.with_request(Some(Nanos::from_millis(5)))).is_ok());
    let small = columns().with_request(Some(Nanos::from_micros(5)));
    let doubted = open(&text, small).unwrap_err().to_string();
    assert!(doubted.starts_with("sleeps last 1000 times as long as --asked says: correct it"), "{doubted}");
    let twice = "requested_ns,start_ns,end_ns\n5,0,9\n";
    let stated = Mapping::default().with_request(Some(Nanos::from_millis(5)));
    let refused = Table::open("t", FORMAT, twice.as_bytes(), &stated, 0).err().unwrap().to_string();
    assert!(refused.contains("leave out --asked"), "{refused}");
}

#[test]
fn a_table_in_which_no_sleep_takes_time_is_refused() {
    let open = |rows: &str| {
        let text = format!("requested_ns,start_ns,end_ns\n{rows}");
        Table::open("t", FORMAT, text.as_bytes(), &Mapping::default(), 0).map(|_| ()).map_err(|why| why.to_string())
    };
    let refused = open("5,7,7\n5,7,7\n").unwrap_err();
    assert!(refused.starts_with("end_ns equals start_ns in all 2 rows"), "{refused}");
    assert_eq!(open("5,7,7\n5,7,12\n"), Ok(()));
    // Nothing was asked for: such a sleep may end at once.
    assert_eq!(open("0,7,7\n0,7,7\n"), Ok(()));
}
