//! Lines on standard error.

/// Writes a line to standard error. Errors are ignored: the reader may have gone (`2>&1 | head`), which is not a reason to
/// stop, or to panic as `eprintln!` does.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($part)*);
    }};
}

pub(crate) use say;
