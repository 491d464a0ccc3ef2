//! Lines on standard error.

/// Writes a line to standard error, above the progress bar. Errors are ignored: the reader may have gone (`2>&1 | head`), which is not a reason to
/// stop, or to panic as `eprintln!` does. Invisible characters, such as a line end in a file's name, are escaped.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let line = format!($($part)*);
        let line = $crate::failure::on_one_line(&line);
        let _ = $crate::progress::without_bar(|| writeln!(anstream::stderr(), "{line}"));
    }};
}

pub(crate) use say;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Has [`notice`] write only errors from now on, if `quiet`.
pub(crate) fn keep_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Writes a line to standard error, as [`say`] does; with `--quiet` only what went wrong.
pub(crate) fn notice(line: &str) {
    let is_trouble = ["oversleep:", "WARNING"].iter().any(|start| line.starts_with(start));
    if is_trouble || !QUIET.load(Ordering::Relaxed) {
        say!("{line}");
    }
}
