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
fn a_table_that_breaks_off_gives_what_stands_before_that() {
    let (_, samples, ending) = opened(format!("{TABLE}nap,x,1,2\n").as_bytes()).unwrap();
    let Ending::Broken(error) = ending else { panic!("{ending:?}") };
    assert_eq!(samples, 2);
    let said = "x: line 4: `x` in column requested_ns is not a whole number of nanoseconds, such as 1000000; \
                sound rows before that: 2";
    assert_eq!(error.to_string(), said);
}

#[test]
fn hostile_input_is_refused_with_the_file_and_the_reason() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let marked = [&[0xFF, 0xFE][..], &utf16(TABLE)].concat();
    for (bytes, why) in [
        (
            Vec::new(),
            "x: it is empty: no recording and no table; copy it again from where it was made, or measure again",
        ),
        (marked, "x: this is text in UTF-16; save it as UTF-8"),
        (utf16(TABLE), "x: this is text in UTF-16; save it as UTF-8"),
        (b"\xFF".to_vec(), "x is not a recording of oversleep: it ends before its description is complete"),
        (b"\xFF\xFF\xFF\xFFnothing at all".to_vec(), "x is not a recording of oversleep"),
        (TABLE.as_bytes()[..7].to_vec(), "x: the header lacks `requested_ns`"),
        (b"\0\0\n\0".to_vec(), "x: this is neither a recording nor text"),
        (b"a,\0requested_ns\n1,2\n".to_vec(), "x: this is neither a recording nor text"),
        (vec![b'x'; (1 << 20) + 1], "x: line 1 does not end within 1 MiB"),
        (format!("{TABLE}{}", "9".repeat(2 << 20)).into_bytes(), "opened"),
    ] {
        let said = error(bytes.as_slice());
        assert!(said.starts_with(why) || said.contains(why) && said.starts_with('x'), "{why}: {said}");
        assert!(!said.contains(char::is_control), "{said:?}");
    }
    // Input that never ends.
    assert!(error(BufReader::new(io::repeat(b'1'))).starts_with("x: line 1 does not end within 1 MiB"));
    assert!(error(BufReader::new(io::repeat(0))).starts_with("x: this is neither a recording nor text"));
    let (_, samples, ending) = opened(format!("{TABLE}{}", "9".repeat(2 << 20)).as_bytes()).unwrap();
    assert_eq!(samples, 2);
    assert!(matches!(ending, Ending::Broken(ImportError::Table { rows: 2, .. })), "{ending:?}");
    // Control characters in a field, such as NUL, are shown by their code.
    let (_, _, ending) = opened(format!("{TABLE}nap,1\u{0}\u{1b}[31m,1,2\n").as_bytes()).unwrap();
    let Ending::Broken(broken) = ending else { panic!("{ending:?}") };
    assert!(broken.to_string().starts_with("x: line 4: `1\\u{0}\\u{1b}[31m` in column requested_ns"), "{broken}");
    let (_, _, ending) = opened(format!("{TABLE}nap,0\u{FEFF},1,2\n").as_bytes()).unwrap();
    let Ending::Broken(broken) = ending else { panic!("{ending:?}") };
    assert!(broken.to_string().contains("`0\\u{feff}` in column requested_ns"), "{broken}");
}

#[test]
fn what_is_known_and_not_read_is_named() {
    let hgrm = "#[a note]\n       Value     Percentile TotalCount 1/(1-Percentile)\n\n      60.383 0.0 1 1.00\n";
    for (bytes, said) in [
        (
            hgrm.as_bytes(),
            "x: this is HdrHistogram's list of percentiles (.hgrm), which is not read; read the log (.hlog)",
        ),
        (&b"\x1F\x8B\x08"[..], "x: this is data compressed by gzip, which is not read; decompress it first"),
        (&b"PAR1\x15"[..], "x: this is a table in Parquet, which is not read; read the recording or a table of sleeps"),
        (
            &b"PERFILE2h\0\0\0"[..],
            "x: this is perf's own recording, which is not read; write it as text first: perf sched timehist -i FILE",
        ),
        (
            &b"\n ---\n  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    |\n"[..],
            "x: this is a summary by perf sched, which is not read; read what perf sched timehist writes, or perf script",
        ),
        (
            &b"\nRuntime summary\n   comm  parent   sched-in     run-time    min-run     avg-run     max-run\n"[..],
            "x: this is a summary by perf sched, which is not read",
        ),
        (
            &b"{\n  \"format\": 1,\n  \"tool\": \"oversleep 0.1.0\",\n"[..],
            "x: this is a document of figures (--json of oversleep), which is not read; read the recording",
        ),
        (&b"# HELP a b\n"[..], "x: this is a file of metrics (Prometheus), which is not read; read the recording"),
        (&b"{\"results\":[]}"[..], "x: no command was run (read as hyperfine)"),
        (&b"{\n  \"results\": [\n  ]\n}\n"[..], "x: no command was run (read as hyperfine)"),
    ] {
        assert!(error(bytes).starts_with(said), "{}", error(bytes));
    }
}

#[test]
fn two_columns_for_one_thing_and_one_for_two_are_refused() {
    let options = |columns: &str| ImportOptions { columns: columns.parse().unwrap(), ..ImportOptions::default() };
    let said = |header: &str, options: &ImportOptions| {
        let row = header.split(',').map(|_| "1").collect::<Vec<_>>().join(",");
        let read = open_with("x", format!("{header}\n{row}\n").as_bytes(), options).err();
        read.map_or_else(|| "opened".to_owned(), |error| error.to_string())
    };
    let none = ImportOptions::default();
    for (header, why) in [
        ("requested_ns,start_ns,end_ns,end_ns", "x: columns `end_ns` and `end_ns` both give end_ns; rename or remove"),
        (
            "requested_ns,start_ns,end_ns,end_us",
            "x: columns `end_ns` and `end_us` both give end; name the right one with",
        ),
        ("requested_ns,start_ns,start_mono_ns,end_ns", "x: columns `start_mono_ns` and `start_ns` both give start"),
        ("requested_ns,start_ns,end_ns,load,load", "x: columns `load` and `load` both give load"),
        ("requested_ns,start_ns,end_ns,,", "opened"),
    ] {
        assert!(said(header, &none).starts_with(why), "{}", said(header, &none));
    }
    assert_eq!(said("requested_ns,start_ns,end_ns,end_us", &options("end=end_us")), "opened");
    let why =
        "x: column `start_ns` is taken both for requests and for starts; each needs a column of its own (--columns)";
    assert_eq!(said("start_ns,end_ns", &options("requested=start_ns")), why);
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
