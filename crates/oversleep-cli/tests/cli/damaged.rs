//! Errors of damaged recordings, and of what is not a file, compared whole with those committed: each is a sound recording with
//! one damage, given to every command that reads recordings.

use crate::shown::same;
use crate::support::{Ran, finish, oversleep};
use crate::terminal::Terminal;
use arrow_ipc::root_as_message;
use oversleep_lab::session::{MeasureRequest, plan};
use oversleep_recording::file::Writer;
use oversleep_recording::plan::Pattern;
use oversleep_recording::{Recording, Sink};
use oversleep_sim::{Kernel, Simulation, meta};
use oversleep_sys::units::Nanos;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command};

/// Offsets at which the parts of a recording begin: its description, names of methods and conditions, two batches of samples, a note, and
/// the mark that ends it.
struct PartOffsets {
    names: usize,
    batches: [usize; 2],
    note: usize,
    end: usize,
}

/// Writes a simulated recording of two batches of a hundred samples each.
fn write_sound(path: &Path, seed: u64) {
    let kernel = Kernel::preset("linux-2.6-hrtimer").unwrap();
    let requests = vec![Pattern::fixed(Nanos::MILLISECOND)];
    let plan = plan(&MeasureRequest { requests, repeats: Some(200), ..MeasureRequest::default() }).unwrap();
    let mut made = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, seed).run(&mut made);
    let mut writer = Writer::create(path, &made.meta, false).unwrap();
    for half in made.samples.chunks(100) {
        writer.samples(half);
        writer.flush();
    }
    writer.note(&made.note);
    writer.finish().unwrap();
}

/// Returns where the messages of a recording begin.
fn messages(bytes: &[u8]) -> Vec<usize> {
    let (mut places, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        places.push(at);
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
        let Ok(message) = root_as_message(&bytes[at + 8..at + 8 + length]) else { break };
        at += 8 + length + usize::try_from(message.bodyLength()).unwrap();
    }
    places
}

fn parts(bytes: &[u8]) -> PartOffsets {
    let [0, names, _, first, second, note, end] = messages(bytes)[..] else { panic!("{:?}", messages(bytes)) };
    PartOffsets { names, batches: [first, second], note, end }
}

/// Returns the bytes with one bit changed in the byte at this place.
fn changed(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1;
    bytes
}

/// Returns where a text is, at `from` or later.
fn find(bytes: &[u8], from: usize, text: &str) -> usize {
    let found = bytes[from..].windows(text.len()).position(|window| window == text.as_bytes());
    from + found.unwrap_or_else(|| panic!("it has no {text}"))
}

/// Returns the recording as a later version might write it, which may do without our checksums.
fn later(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (format, checksum) = (find(&bytes, 0, "\"format\":2,") + 9, find(&bytes, 0, "oversleep-crc32"));
    (bytes[format], bytes[checksum]) = (b'7', b'O');
    bytes
}

/// Returns damaged recordings with their names.
fn damaged(sound: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let PartOffsets { names, batches: [first, second], note, end } = parts(sound);
    vec![
        ("empty.arrows", Vec::new()),
        ("cut-after-3-bytes.arrows", sound[..3].to_vec()),
        ("cut-in-description.arrows", sound[..names / 2].to_vec()),
        ("cut-in-names.arrows", sound[..names + 50].to_vec()),
        ("cut-before-batches.arrows", sound[..first].to_vec()),
        ("cut-in-batch-1.arrows", sound[..first + 1_000].to_vec()),
        ("cut-between-batches.arrows", sound[..second].to_vec()),
        ("cut-in-batch-2.arrows", sound[..second + 1_000].to_vec()),
        ("cut-before-note.arrows", sound[..note].to_vec()),
        ("cut-before-end.arrows", sound[..end].to_vec()),
        ("first-byte.arrows", changed(sound, 0)),
        ("structure.arrows", changed(sound, 8)),
        ("owner.arrows", changed(sound, find(sound, 0, "oversleep\0"))),
        ("description.arrows", changed(sound, find(sound, 0, "\"format\""))),
        ("names.arrows", changed(sound, find(sound, names, "nanosleep"))),
        ("batch-1.arrows", changed(sound, second - 100)),
        ("batch-2.arrows", changed(sound, note - 100)),
        ("begin-of-batch-2.arrows", changed(sound, second)),
        ("note.arrows", changed(sound, find(sound, note, "{\""))),
        ("end.arrows", changed(sound, end)),
        ("joined.arrows", sound.repeat(2)),
        ("later.arrows", later(sound)),
        ("without-checksum.arrows", changed(sound, find(sound, second, "oversleep-crc32"))),
    ]
}

/// Writes damaged recordings and two sound ones; returns their names, and where the parts of a sound one begin.
fn written(folder: &Path) -> (Vec<&'static str>, PartOffsets) {
    write_sound(&folder.join("sound.arrows"), 7);
    write_sound(&folder.join("other.arrows"), 8);
    let sound = fs::read(folder.join("sound.arrows")).unwrap();
    let damaged = damaged(&sound);
    for (name, bytes) in &damaged {
        fs::write(folder.join(name), bytes).unwrap();
    }
    (damaged.into_iter().map(|(name, _)| name).collect(), parts(&sound))
}

/// Runs the program in the folder.
fn run_in(folder: &Path, words: &[&str]) -> Ran {
    finish(oversleep().args(words).current_dir(folder).env("XDG_STATE_HOME", folder.join("state")))
}

/// Runs `watch` on a terminal in the folder, to the end of the replay if it gets so far. Returns `None` if there is no terminal.
fn watch_in(folder: &Path, file: &str) -> Option<Ran> {
    let terminal = Terminal::start(folder, (80, 24), &[("NO_COLOR", "1")], &["watch", file])?;
    let ended = terminal.end_with("end of the recording", "q");
    let err = fs::read_to_string(folder.join("err")).unwrap();
    assert!(!err.contains("panicked"), "{file}: {err}");
    assert_eq!(ended.was_drawn, ended.code == Some(0), "{file}: nothing is drawn of what cannot be read: {err}");
    Some(Ran { code: ended.code, out: String::new(), err })
}

/// Returns what a command line writes to standard error, with its exit status. Requires that it says one thing that is wrong,
/// below at most one remark, and that standard output has nothing if it failed.
fn said(words: &[&str], ran: &Ran) -> String {
    let remarks = ran.err.lines().filter(|line| !line.starts_with("oversleep: ")).count();
    let errors = ran.err.lines().count() - remarks;
    assert_eq!(errors, usize::from(ran.code != Some(0)), "{words:?}: {ran:?}");
    assert!(remarks <= 2 - errors, "{words:?}: {ran:?}");
    format!("$ oversleep {}\n{}[{}]\n\n", words.join(" "), ran.err, ran.code.unwrap_or(-1))
}

/// Compares what a command says of each file with the snapshot. Places in the sound recording have names there, because they
/// change with the length of its description.
fn same_of_each(snapshot: &str, words: &[&str], run: impl Fn(&Path, &[&str]) -> Option<Ran>) {
    let folder = tempfile::tempdir().unwrap();
    let (files, PartOffsets { batches: [first, second], note, end, .. }) = written(folder.path());
    let mut text = String::new();
    for file in files {
        let words = [words, &[file]].concat();
        let Some(ran) = run(folder.path(), &words) else { return };
        text += &said(&words, &ran);
    }
    for (place, name) in [(first, "BATCH-1"), (second, "BATCH-2"), (note, "NOTE"), (end, "END")] {
        text = text.replace(&format!("at byte {place},"), &format!("at byte {name},"));
        text = text.replace(&format!("at byte {place};"), &format!("at byte {name};"));
    }
    same(snapshot, &text);
}

#[test]
fn errors_of_damaged_recordings_that_are_reported() {
    same_of_each("errors-damaged-report", &["report"], |folder, words| Some(run_in(folder, words)));
}

#[test]
fn errors_of_damaged_recordings_that_are_explained() {
    same_of_each("errors-damaged-explain", &["explain"], |folder, words| Some(run_in(folder, words)));
}

#[test]
fn errors_of_damaged_recordings_that_are_compared() {
    same_of_each("errors-damaged-compare", &["compare", "other.arrows"], |folder, words| Some(run_in(folder, words)));
}

#[test]
fn errors_of_damaged_recordings_that_are_exported() {
    same_of_each("errors-damaged-export", &["export"], |folder, words| Some(run_in(folder, words)));
}

#[test]
fn errors_of_damaged_recordings_that_are_watched() {
    same_of_each("errors-damaged-watch", &["watch"], |folder, words| watch_in(folder, words[words.len() - 1]));
}

/// The commands that read recordings, each without the name of the one that is damaged.
const READERS: [&[&str]; 5] = [&["report"], &["explain"], &["compare", "other.arrows"], &["export"], &["watch"]];

/// Returns what each reader says of a name; `watch` only where there is a terminal. `before` is called before each command.
fn said_of<T>(folder: &Path, name: &str, before: impl Fn() -> T) -> String {
    let each = READERS.iter().filter_map(|words| {
        let words = [*words, &[name]].concat();
        let begun = before();
        let ran = if words[0] == "watch" { watch_in(folder, name)? } else { run_in(folder, &words) };
        drop(begun);
        Some(said(&words, &ran))
    });
    each.collect()
}

/// A shell that opens a pipe to write nothing into it; it is ended if nobody opened the other side.
struct Silent(Child);

impl Silent {
    fn begin(folder: &Path) -> Self {
        Self(Command::new("sh").args(["-c", ": > pipe"]).current_dir(folder).spawn().unwrap())
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn errors_of_what_is_not_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if !Path::new("/dev/zero").exists() || Command::new("mkfifo").arg(folder.join("pipe")).status().is_err() {
        println!("skipped: this system has no /dev/zero or no mkfifo");
        return;
    }
    write_sound(&folder.join("other.arrows"), 8);
    fs::create_dir(folder.join("folder")).unwrap();
    let text = ["missing.arrows", "folder", "/dev/zero", "/dev/null"].map(|name| said_of(folder, name, || ()));
    let of_pipe = said_of(folder, "pipe", || Silent::begin(folder));
    same("errors-not-files", &(text.concat() + &of_pipe));
}

#[test]
fn errors_of_a_file_without_permission() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_sound(&folder.join("other.arrows"), 8);
    write_sound(&folder.join("closed.arrows"), 7);
    let closed = Command::new("chmod").args(["000", "closed.arrows"]).current_dir(folder).status();
    if closed.is_err() || File::open(folder.join("closed.arrows")).is_ok() {
        println!("skipped: this user, such as root, may read every file");
        return;
    }
    same("errors-unreadable", &said_of(folder, "closed.arrows", || ()));
}
