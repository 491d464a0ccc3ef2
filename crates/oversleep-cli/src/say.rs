//! Notes on standard error.

/// A line on standard error. Whoever read it may have gone (`2>&1 | head`): then there is nobody to tell, and that
/// is no reason to stop, let alone to panic as `eprintln!` does.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($part)*);
    }};
}

pub(crate) use say;
