//! Simulated kernels by the names that users write.

use oversleep_sim::{FrequencyChange, Kernel, ParameterError, preset_names};

/// Returns the preset of that name, or else the kernel that `read` finds in the file of that name.
///
/// # Errors
/// What is wrong with the kernel's parameters; or the error of `read`.
pub fn kernel<E: From<ParameterError>>(
    name: &str,
    read: impl FnOnce() -> Result<(String, String), E>,
) -> Result<Kernel, E> {
    if preset_names().any(|known| known == name) {
        return Ok(Kernel::preset(name)?);
    }
    let (name, text) = read()?;
    Ok(Kernel::from_toml(&name, &text)?)
}

/// Returns the changes of the clock's frequency that words such as `300s ntp_ppm=-10` describe, two words each, however
/// they are grouped.
///
/// # Errors
/// The first change that makes no sense.
pub fn frequency_changes<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<FrequencyChange>, ParameterError> {
    let mut all = Vec::new();
    for text in words {
        let before = all.len();
        all.extend(text.split_whitespace());
        if all.len() == before {
            // Says what is expected in the place of nothing.
            "".parse::<FrequencyChange>()?;
        }
    }
    all.chunks(2).map(|pair| pair.join(" ").parse()).collect()
}
