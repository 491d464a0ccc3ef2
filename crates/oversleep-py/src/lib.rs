//! The compiled half of the Python package `oversleep`: the module `oversleep._native`.
//!
//! `python/oversleep/_native.pyi` documents types, units and errors for users. Tests require that the two agree on
//! names, signatures, and the `help()` of classes. Every wait releases the interpreter's lock and can be ended by
//! Ctrl-C (module `machine`).

// Python methods take `&self`, however small it is.
#![allow(clippy::trivially_copy_pass_by_ref)]
// Python makes arguments for the call and gives them away.
#![allow(clippy::needless_pass_by_value)]

mod clock;
mod closable;
mod control;
mod lateness;
mod machine;
mod pacer;
mod rational;
mod single_caller;
mod sleep;
mod sleeper;
mod tick;
mod ticker;

use pyo3::prelude::*;

/// The compiled half of the package.
#[pymodule(gil_used = true)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        oversleep_py_common::signals::import_early(module.py())?;
        crate::machine::prepare(module)?;
        module.setattr("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::clock::{Calibration, CounterClock};
    #[pymodule_export]
    use crate::closable::Cancel;
    #[pymodule_export]
    use crate::control::{Control, control};
    #[pymodule_export]
    use crate::lateness::Lateness;
    #[pymodule_export]
    use crate::pacer::Pacer;
    #[pymodule_export]
    use crate::sleep::{kernel_sleep, kernel_sleep_until, now, now_ns, sleep, sleep_until};
    #[pymodule_export]
    use crate::sleeper::{Limit, SleepStats, Sleeper};
    #[pymodule_export]
    use crate::tick::Tick;
    #[pymodule_export]
    use crate::ticker::{LockedTicker, Ticker, WallTicker};
}
