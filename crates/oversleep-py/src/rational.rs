//! Rates and periods as arguments in Python, kept exact.

use oversleep::{Hertz, Nanos, Period, PeriodError, RateError};
use oversleep_py_common::number::{real, whole};
use oversleep_py_common::span::span;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Returns a rate in units per second: from an int or a Fraction (exact), a float (its shortest decimal is taken as
/// exact, so 59.94 is 5994/100), or a text such as `60000/1001` or `10M`.
pub(crate) fn hertz(value: &Bound<'_, PyAny>) -> PyResult<Hertz> {
    if span(value, "rate")?.is_some() {
        return Err(PyTypeError::new_err("a rate is a number per second, not a time; a time is a period"));
    }
    let read = match text(value)? {
        Text::Word(word) => word.parse(),
        Text::Fraction(above, 1) => above.to_string().parse(),
        Text::Fraction(above, below) => format!("{above}/{below}").parse(),
        Text::Float(number) => Hertz::try_from(number),
        Text::Neither(kind) => {
            return Err(PyTypeError::new_err(format!("a rate is a number, a Fraction or a text, not {kind}")));
        }
    };
    read.map_err(|error| PyValueError::new_err(shortened(&error)))
}

/// An argument by its kind: a text, numerator and denominator, a float, or the name of another type.
enum Text {
    Word(String),
    Fraction(i128, i128),
    Float(f64),
    Neither(String),
}

/// Returns an argument by its kind. Integers and fractions of any kind (Python's, numpy's) have a numerator and a
/// denominator; those too large for [`whole`] become numbers too large for any rate.
fn text(value: &Bound<'_, PyAny>) -> PyResult<Text> {
    if let Ok(word) = value.cast::<PyString>() {
        return Ok(Text::Word(word.to_cow()?.into_owned()));
    }
    if let (Ok(above), Ok(below)) = (value.getattr("numerator"), value.getattr("denominator")) {
        return Ok(Text::Fraction(whole(&above)?, whole(&below)?));
    }
    match real(value) {
        Ok(number) => Ok(Text::Float(number)),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            Ok(Text::Neither(value.get_type().name()?.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// Returns the error's message, without the number if it has hundreds of digits: it is out of range then.
fn shortened(error: &RateError) -> String {
    let long = |text: &str| text.len() > 34 && text.bytes().all(|byte| byte.is_ascii_digit() || b"/-".contains(&byte));
    match error {
        RateError::NotARate(text) | RateError::NotPositive(text) if long(text) => {
            "a rate must be between 10⁻⁹ and 10¹⁵ per second".to_owned()
        }
        error => error.to_string(),
    }
}

/// Returns the time between two ticks: from seconds as a Fraction or an int (exact) or a float (its shortest decimal is
/// taken as exact), or from a timedelta (exact).
pub(crate) fn period(value: &Bound<'_, PyAny>) -> PyResult<Period> {
    if let Some(span) = span(value, "period")? {
        return from_fraction(span.above, span.below);
    }
    match text(value)? {
        Text::Fraction(above, below) => from_fraction(above, below),
        Text::Float(number) if number.is_nan() => Err(PyValueError::new_err("a period cannot be NaN")),
        Text::Float(number) if number <= 0.0 => Err(refused(PeriodError::NotPositive)),
        Text::Float(number) if number < 1e-9 => Err(refused(PeriodError::TooShort)),
        // A rate of a float is not below one in 31 years.
        Text::Float(number) => match Hertz::once_in(number) {
            Ok(rate) => Period::try_from(rate).map_err(refused),
            Err(_) => Period::try_every(Nanos::from_f64(number * 1e9)).map_err(refused),
        },
        Text::Word(_) => {
            Err(PyTypeError::new_err("a period is a number of seconds, a Fraction or a timedelta, not str"))
        }
        Text::Neither(kind) => {
            Err(PyTypeError::new_err(format!("a period is a number of seconds, a Fraction or a timedelta, not {kind}")))
        }
    }
}

/// Returns a period of `above / below` seconds; `below` is above zero.
fn from_fraction(above: i128, below: i128) -> PyResult<Period> {
    if above <= 0 {
        return Err(refused(PeriodError::NotPositive));
    }
    if let (Ok(above), Ok(below)) = (u64::try_from(above), u64::try_from(below)) {
        let rate = Hertz::new(below, above).ok_or_else(|| refused(PeriodError::NotPositive))?;
        return Period::try_from(rate).map_err(refused);
    }
    Err(match above as f64 / below as f64 {
        ..1e-9 => refused(PeriodError::TooShort),
        LONGEST.. => refused(PeriodError::TooLong),
        _ => PyValueError::new_err("a period's numerator and denominator must be below 2⁶⁴"),
    })
}

/// 292 years in seconds.
const LONGEST: f64 = 9.223_372_036e9;

/// Returns a `fractions.Fraction`.
pub(crate) fn fraction(py: Python<'_>, above: u64, below: u64) -> PyResult<Bound<'_, PyAny>> {
    py.import("fractions")?.getattr("Fraction")?.call1((above, below))
}

pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
