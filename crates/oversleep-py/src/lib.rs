//! The compiled half of the Python package `oversleep`: the module `oversleep._native`.
//!
//! `python/oversleep/_native.pyi` documents types, units and errors for users. Tests require that the two agree on
//! names, signatures, and the `help()` of classes. Every wait releases the interpreter's lock and can be ended by
//! Ctrl-C (module `signals`).

// Python methods take `&self`, however small it is.
#![allow(clippy::trivially_copy_pass_by_ref)]
// Python makes arguments for the call and gives them away.
#![allow(clippy::needless_pass_by_value)]

mod clock;
mod closable;
mod interval;
mod lab;
mod lateness;
mod number;
mod pacer;
mod rational;
mod signals;
mod single_caller;
mod sleep;
mod sleeper;
mod span;
mod tick;
mod ticker;

use pyo3::prelude::*;

/// The compiled half of the package.
#[pymodule(gil_used = true)]
mod _native {
    use pyo3::PyTypeInfo;
    use pyo3::prelude::*;

    /// Imports now what the first wait would import: if a signal handler raised during `PyO3`'s own import of datetime,
    /// `PyO3` would panic.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.py().import("threading")?;
        pyo3::types::PyDelta::type_object(module.py());
        module.setattr("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::clock::{Calibration, CounterClock};
    #[pymodule_export]
    use crate::lab::{Picture, Recording, experiments, explain, load, measure, methods, presets, simulate};
    #[pymodule_export]
    use crate::lateness::Lateness;
    #[pymodule_export]
    use crate::pacer::Pacer;
    #[pymodule_export]
    use crate::sleep::{now, now_ns, sleep, sleep_until};
    #[pymodule_export]
    use crate::sleeper::{Limit, SleepStats, Sleeper};
    #[pymodule_export]
    use crate::tick::Tick;
    #[pymodule_export]
    use crate::ticker::{LockedTicker, Ticker, WallTicker};
}
