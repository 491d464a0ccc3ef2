//! Lines on standard error.

/// Writes a line to standard error. Errors are ignored: the reader may have gone (`2>&1 | head`), which is not a reason to
/// stop, or to panic as `eprintln!` does. What would change a terminal is left out.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let line = format!($($part)*);
        let _ = writeln!(anstream::stderr(), "{}", oversleep_recording::text::on_terminal(&line));
    }};
}

pub(crate) use say;
