//! Input files, and standard input in place of one.

use crate::failure::Failure;
use crate::say::notice;
use oversleep_lab::session::{Copies, Input, InputError, is_standard};
use oversleep_recording::file::WriteError;
use oversleep_recording::{Meta, Sink};
use std::path::Path;

/// Name of standard input in the file system, where it has one.
const STANDARD_PATH: &str = "/dev/stdin";

/// Reads a recording, or another program's file, into the sink that `make` returns, and reports what is missing from it. With `copies`, a
/// copy of one of those is refused.
pub(crate) fn read_into<'a, S: Sink + 'a>(
    input: &Input,
    copies: Option<&mut Copies>,
    make: impl FnOnce(&Meta) -> &'a mut S,
) -> Result<Meta, Failure> {
    read(input, copies, make, "--partial reads them")
}

/// Does the same; `way` says how the part of a damaged recording before the damage can be used.
pub(crate) fn read<'a, S: Sink + 'a>(
    input: &Input,
    copies: Option<&mut Copies>,
    make: impl FnOnce(&Meta) -> &'a mut S,
    way: &str,
) -> Result<Meta, Failure> {
    let read = input.read_into(copies, &notice, make).map_err(|error| match error {
        InputError::Import(error) if error.has_sound_part() => Failure::trouble(format!("{error} ({way})")),
        error => error.into(),
    })?;
    read.ending.iter().chain(&read.remarks).for_each(|remark| notice(remark));
    Ok(read.meta)
}

/// Refuses to write over a file that is read: one of these paths of [`Input::located`], or the file that standard input is redirected
/// from, where the system has a name for it. Every command that reads files and writes one calls this first, and reads the
/// same paths.
pub(crate) fn refuse_overwriting<'a>(
    out: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    // What does not exist yet, and what is a device, cannot be lost.
    let Some(out) = out.filter(|out| out.is_file()) else { return Ok(()) };
    let Ok(replaced) = out.canonicalize() else { return Ok(()) };
    for input in inputs {
        let read = if is_standard(input) { Path::new(STANDARD_PATH) } else { input };
        // Of a folder, its segments are read.
        if read.canonicalize().is_ok_and(|read| read == replaced || Some(&*read) == replaced.parent()) {
            return Err(Failure::usage(format!("{} would be written over itself; name another file", out.display())));
        }
    }
    Ok(())
}

/// Refuses to replace a file that exists, unless `force` is given, as `measure --out` does. What is a device or a folder is
/// not replaced.
pub(crate) fn refuse_replacing(out: Option<&Path>, force: bool) -> Result<(), Failure> {
    match out.filter(|out| !force && out.is_file()) {
        Some(out) => Err(Failure::trouble(WriteError::Exists { path: out.display().to_string() })),
        None => Ok(()),
    }
}
