//! The clocks.
