use super::*;
use oversleep_recording::Recording;
use oversleep_recording::file::Writer;
use oversleep_recording::plan::build;
use std::io::{self, BufReader};

const TABLE: &str = "method,requested_ns,start_ns,end_ns\nnap,1000,0,1050\nnap,1000,2000,3060\n";

fn opened(bytes: &[u8]) -> Result<(String, usize, Ending), ImportError> {
    let mut source = open("x", bytes)?;
    let mut recording = Recording::new(source.meta().clone());
    let ending = source.read_into(&mut recording);
    assert_eq!(source.meta().plan, recording.meta.plan, "a sink hears of every cell");
    Ok((source.format().to_owned(), recording.samples.len(), ending))
}

fn error(input: impl BufRead) -> String {
    open("x", input).err().map_or_else(|| "opened".to_owned(), |error| error.to_string())
}

#[test]
fn a_format_is_recognised_by_what_the_file_begins_with() {
    let table = opened(TABLE.as_bytes()).unwrap();
    assert!(matches!(&table, (format, 2, Ending::Complete) if format == "csv"), "{table:?}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv"); // whatever its name says
    let plan = build::checkup(std::iter::empty(), 1);
    let meta = Meta { plan, ..open("x", TABLE.as_bytes()).unwrap().meta().clone() };
    Writer::create(&path, &meta, false).unwrap().finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let ours = opened(&bytes).unwrap();
    assert!(matches!(&ours, (format, 0, Ending::Complete) if format == "recording"), "{ours:?}");
    let cut = opened(&bytes[..bytes.len() - 3]).unwrap();
    assert!(cut.2.remark().is_some_and(|remark| remark.contains("whole up to")), "{cut:?}");
}

#[test]
fn a_line_without_an_end_is_refused() {
    assert!(error(vec![b'x'; (1 << 20) + 1].as_slice()).starts_with("x: line 1 does not end within 1 MiB"));
    assert!(error(BufReader::new(io::repeat(b'1'))).starts_with("x: line 1 does not end within 1 MiB"));
    assert!(error(BufReader::new(io::repeat(0))).starts_with("x: this is neither a recording nor text"));
    let (_, samples, ending) = opened(format!("{TABLE}{}", "9".repeat(2 << 20)).as_bytes()).unwrap();
    assert_eq!(samples, 2);
    assert!(matches!(ending, Ending::Broken(ImportError::Table { rows: 2, .. })), "{ending:?}");
}

#[test]
fn one_column_may_be_chosen_of_two_for_one_thing_and_empty_names_are_no_columns() {
    let options = ImportOptions { columns: "end=end_us".parse().unwrap(), ..ImportOptions::default() };
    assert!(open_with("x", &b"requested_ns,start_ns,end_ns,end_us\n1,1,1,1\n"[..], &options).is_ok());
    assert!(open("x", &b"requested_ns,start_ns,end_ns,,\n1,1,2,1,1\n"[..]).is_ok());
}

#[test]
fn rows_that_cannot_be_one_threads_sleeps_are_remarked_on() {
    let remarks = |rows: &[(i64, i64, u16)]| {
        let rows: String = rows.iter().map(|(start, end, thread)| format!("9,{start},{end},{thread}\n")).collect();
        let table = format!("requested_ns,start_ns,end_ns,thread\n{rows}");
        let source = open("x", table.as_bytes()).unwrap();
        source.remarks().to_vec()
    };
    assert!(remarks(&[(1, 11, 0), (11, 21, 0), (1, 15, 1), (15, 25, 1)]).is_empty());
    let said = "2 of 4 rows start before an earlier row of their thread has ended, so they are not sleeps of one thread: \
                rows are there twice or out of order";
    assert_eq!(remarks(&[(1, 11, 0), (1, 11, 0), (11, 21, 0), (11, 21, 0)]), [said]);
    assert_eq!(remarks(&[(31, 41, 0), (1, 11, 0), (41, 51, 0), (11, 21, 0)]), [said]);
    let table = "requested_ns,start_ns,end_ns\n9,1,11\n9,1,12\n";
    assert!(open("x", table.as_bytes()).unwrap().remarks()[0].ends_with(", or a column `thread` is missing"));
}

#[test]
fn what_the_system_refuses_is_said_as_that() {
    let folder = tempfile::tempdir().unwrap();
    // Some systems open a folder as a file, and refuse only to read it.
    if let Ok(file) = std::fs::File::open(folder.path()) {
        assert!(matches!(open("x", BufReader::new(file)), Err(ImportError::Read { .. })));
    } else {
        println!("skipped: this system opens no folder");
    }
}
