//! Lines on standard error.

/// Writes a line to standard error. Errors are ignored: the reader may have gone (`2>&1 | head`), which is not a reason to
/// stop, or to panic as `eprintln!` does. Invisible characters, such as a line end in a file's name, are escaped.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let line = format!($($part)*);
        let _ = writeln!(anstream::stderr(), "{}", $crate::failure::on_one_line(&line));
    }};
}

pub(crate) use say;
