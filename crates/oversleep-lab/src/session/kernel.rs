//! Simulated kernels, by the names that users write.

use oversleep_sim::{FrequencyChange, Kernel, ParameterError, preset_names};

/// Returns the preset with this name, or else the kernel whose name and text `read` returns.
///
/// # Errors
/// A wrong parameter of the kernel, or the error of `read`.
pub fn kernel<E: From<ParameterError>>(
    name: &str,
    read: impl FnOnce() -> Result<(String, String), E>,
) -> Result<Kernel, E> {
    if preset_names().any(|known| known == name) {
        return Ok(Kernel::preset(name)?);
    }
    let (name, text) = read()?;
    Ok(Kernel::from_toml(&name, &text).map_err(|why| why.in_file(&name))?)
}

/// Returns the changes of the clock's frequency described by words such as `300s ntp_ppm=-10`: two words per change, in
/// any grouping.
///
/// # Errors
/// The first invalid change.
pub fn frequency_changes<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<FrequencyChange>, ParameterError> {
    let mut all = Vec::new();
    for text in words {
        let before = all.len();
        all.extend(text.split_whitespace());
        if all.len() == before {
            // Parsing empty text returns the error that says what is expected.
            "".parse::<FrequencyChange>()?;
        }
    }
    all.chunks(2).map(|pair| pair.join(" ").parse()).collect()
}
