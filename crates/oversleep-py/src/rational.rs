//! Rates and periods as people write them in Python, kept exact.

use oversleep::rate::{self, RateError};
use oversleep::{Hertz, Period, PeriodError};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDeltaAccess, PyString};

/// Units per second: an int, a Fraction (both exact), a float (its shortest decimal is taken as exact, so 59.94 is
/// 5994/100), or a text such as `60000/1001` or `10M`.
pub(crate) fn hertz(value: &Bound<'_, PyAny>) -> PyResult<Hertz> {
    let read = match text(value)? {
        Text::Word(word) => rate::parse(&word),
        Text::Fraction(above, below) if below == "1" => rate::parse(&above),
        Text::Fraction(above, below) => rate::parse(&format!("{above}/{below}")),
        Text::Float(number) => rate::per_second(number),
        Text::Neither(kind) => {
            return Err(PyTypeError::new_err(format!("a rate is a number, a Fraction or a text, not {kind}")));
        }
    };
    read.map_err(|error| PyValueError::new_err(shortened(&error)))
}

/// What a number is made of.
enum Text {
    Word(String),
    Fraction(String, String),
    Float(f64),
    Neither(String),
}

/// Integers and fractions of any kind (Python's, numpy's) have a numerator and a denominator.
fn text(value: &Bound<'_, PyAny>) -> PyResult<Text> {
    if let Ok(word) = value.cast::<PyString>() {
        return Ok(Text::Word(word.to_cow()?.into_owned()));
    }
    if let (Ok(above), Ok(below)) = (value.getattr("numerator"), value.getattr("denominator")) {
        return Ok(Text::Fraction(above.str()?.to_string(), below.str()?.to_string()));
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(Text::Float(number)),
        Err(_) => Ok(Text::Neither(value.get_type().name()?.to_string())),
    }
}

/// The message; a number of hundreds of digits is out of range, and not repeated.
fn shortened(error: &RateError) -> String {
    match error {
        RateError::NotARate(text) if text.len() > 34 && text.bytes().all(|b| b.is_ascii_digit() || b == b'/') => {
            "a rate must be between 10⁻⁹ and 10¹⁵ per second".to_owned()
        }
        error => error.to_string(),
    }
}

/// Seconds between two ticks: a Fraction or an int (exact), a timedelta (exact), or a float (its shortest decimal is
/// taken as exact).
pub(crate) fn period(value: &Bound<'_, PyAny>) -> PyResult<Period> {
    if let Ok(delta) = value.cast::<PyDelta>() {
        let seconds = i128::from(delta.get_days()) * 86_400 + i128::from(delta.get_seconds());
        let micros = seconds * 1_000_000 + i128::from(delta.get_microseconds());
        return of_fraction(&micros.to_string(), "1000000");
    }
    match text(value)? {
        Text::Fraction(above, below) => of_fraction(&above, &below),
        Text::Float(number) if number.is_nan() => Err(PyValueError::new_err("a period cannot be NaN")),
        Text::Float(number) if number <= 0.0 => Err(refused(PeriodError::NotPositive)),
        Text::Float(number) if number < 1e-9 => Err(refused(PeriodError::TooShort)),
        Text::Float(number) => {
            let rate =
                rate::once_in(number).map_err(|_| PyValueError::new_err("a period beyond 31 years cannot be kept"))?;
            Period::of(rate).map_err(refused)
        }
        Text::Word(_) => {
            Err(PyTypeError::new_err("a period is a number of seconds, a Fraction or a timedelta, not str"))
        }
        Text::Neither(kind) => {
            Err(PyTypeError::new_err(format!("a period is a number of seconds, a Fraction or a timedelta, not {kind}")))
        }
    }
}

/// `above / below` seconds, both decimals.
fn of_fraction(above: &str, below: &str) -> PyResult<Period> {
    if above.starts_with('-') || above == "0" {
        return Err(refused(PeriodError::NotPositive));
    }
    let seconds = above.parse::<f64>().unwrap_or(f64::INFINITY) / below.parse::<f64>().unwrap_or(f64::INFINITY);
    if seconds < 1e-9 {
        return Err(refused(PeriodError::TooShort));
    }
    // Up to 31 years rates are read exactly; longer periods are no ticker's business.
    let rate = rate::parse(&format!("{below}/{above}")).map_err(|_| match seconds {
        1e9.. => PyValueError::new_err("a period beyond 31 years cannot be kept"),
        _ => PyValueError::new_err("a period's numerator and denominator must be below 2⁶⁴"),
    })?;
    Period::of(rate).map_err(refused)
}

pub(crate) fn refused(error: PeriodError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
