//! What changes how a thread sleeps, each restored when its guard is dropped.
