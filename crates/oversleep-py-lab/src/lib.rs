//! The compiled half of the Python package `oversleep-lab`: the module `oversleep_lab._native`.
//!
//! `python/oversleep_lab/_native.pyi` documents types, units and errors for users. Tests require that the two agree on
//! names, signatures, and the `help()` of classes.

// Python methods take `&self`, however small it is.
#![allow(clippy::trivially_copy_pass_by_ref)]
// Python makes arguments for the call and gives them away.
#![allow(clippy::needless_pass_by_value)]

mod arguments;
mod arrow;
mod causes;
mod document;
mod foreign;
mod interruptible;
mod keywords;
mod live;
mod model;
mod picture;
mod recording;
mod table;

use pyo3::prelude::*;

/// The compiled half of the package.
#[pymodule(gil_used = true)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        oversleep_py_common::signals::import_early(module.py())?;
        module.setattr("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::causes::{explain, explain_figures};
    #[pymodule_export]
    use crate::keywords::experiments;
    #[pymodule_export]
    use crate::live::{measure, methods};
    #[pymodule_export]
    use crate::model::{presets, simulate};
    #[pymodule_export]
    use crate::picture::Picture;
    #[pymodule_export]
    use crate::recording::{Recording, load};
}
