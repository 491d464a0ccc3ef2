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
        (Vec::new(), "x: nothing in it: no recording and no table"),
        (marked, "x: this is text in UTF-16; save it as UTF-8"),
        (utf16(TABLE), "x: this is text in UTF-16; save it as UTF-8"),
        (b"\xFF".to_vec(), "x is not a recording of oversleep: it ends before its head is complete"),
        (b"\xFF\xFF\xFF\xFFnothing at all".to_vec(), "x is not a recording of oversleep"),
        (TABLE.as_bytes()[..7].to_vec(), "x: the header lacks `requested_ns`"),
        (b"\0\0\n\0".to_vec(), "this is not text"),
        (b"a,\0requested_ns\n1,2\n".to_vec(), "this is not text"),
        (vec![b'x'; (1 << 20) + 1], "x: line 1 does not end within 1 MiB"),
        (format!("{TABLE}{}", "9".repeat(2 << 20)).into_bytes(), "opened"),
    ] {
        let said = error(bytes.as_slice());
        assert!(said.starts_with(why) || said.contains(why) && said.starts_with('x'), "{why}: {said}");
        assert!(!said.contains(char::is_control), "{said:?}");
    }
    // Input that never ends.
    assert_eq!(error(BufReader::new(io::repeat(0))), error(BufReader::new(io::repeat(b'1'))));
    assert!(error(BufReader::new(io::repeat(0))).starts_with("x: line 1 does not end within 1 MiB"));
    let (_, samples, ending) = opened(format!("{TABLE}{}", "9".repeat(2 << 20)).as_bytes()).unwrap();
    assert_eq!(samples, 2);
    assert!(matches!(ending, Ending::Broken(ImportError::Table { rows: 2, .. })), "{ending:?}");
    // Control characters in a field, such as NUL, are left out where it is shown.
    let (_, _, ending) = opened(format!("{TABLE}nap,1\u{0}\u{1b}[31m,1,2\n").as_bytes()).unwrap();
    let Ending::Broken(broken) = ending else { panic!("{ending:?}") };
    assert!(broken.to_string().starts_with("x: line 4: `1[31m` in column requested_ns"), "{broken}");
}

#[test]
fn what_the_system_refuses_is_said_as_that() {
    let folder = tempfile::tempdir().unwrap();
    // Some systems open a folder as a file, and refuse only to read it.
    if let Ok(file) = std::fs::File::open(folder.path()) {
        assert!(matches!(open("x", BufReader::new(file)), Err(ImportError::Read { .. })));
    } else {
        println!("not tested: this system opens no folder");
    }
}
