//! Kernels as TOML: presets and users' files.

use super::kernel::Kernel;
use super::params::Parameters;
use super::presets::PRESETS;
use super::refuse::ParameterError;
use super::set;
use oversleep_recording::document::ValueOrigin;
use serde::Deserialize;
use toml::{Table, Value};

/// A parameter of a preset, with the source of its value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sourced {
    /// Value of the parameter.
    pub value: Value,
    /// How the value is known.
    pub from: ValueOrigin,
    /// Where the value was found, or what it was fitted to.
    pub source: String,
}

/// A preset: a kernel with the source of every number.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    /// Name of the preset.
    pub name: String,
    /// Description in one line.
    pub title: String,
    /// Further remarks.
    pub notes: Option<String>,
    /// Parameters that it states, including those of its base; all others have the values of [`Parameters::default`].
    pub parameters: Vec<(String, Sourced)>,
    /// The kernel.
    pub kernel: Kernel,
}

/// The contents of a file. A parameter is a plain value, or a value with its source as in presets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    title: String,
    notes: Option<String>,
    /// Preset that the file changes.
    base: Option<String>,
    #[serde(default)]
    parameters: Table,
}

/// Returns the names of all presets.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// Returns a preset with its sources.
///
/// # Errors
/// An error if there is no preset with this name.
pub fn preset(name: &str) -> Result<Preset, ParameterError> {
    let (name, text) =
        PRESETS.iter().find(|(known, _)| *known == name).ok_or_else(|| ParameterError::NoPreset(name.to_owned()))?;
    from_text(name, text, 0)
}

impl Kernel {
    /// Returns the kernel of the preset with this name.
    ///
    /// # Errors
    /// An error if there is none.
    pub fn preset(name: &str) -> Result<Self, ParameterError> {
        preset(name).map(|preset| preset.kernel)
    }

    /// Returns the kernel described by a file's text: `base = "a preset"`, then `[parameters]` with plain values
    /// (`hz = 1000`), or with their sources as in the presets.
    ///
    /// # Errors
    /// A text that is not such a file, or parameters that [`Kernel::new`] rejects.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, ParameterError> {
        from_text(name, text, 0).map(|preset| preset.kernel)
    }
}

/// Maximum depth of presets that are based on one another.
const DEEPEST: u32 = 8;

fn from_text(name: &str, text: &str, depth: u32) -> Result<Preset, ParameterError> {
    let file: File = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        ParameterError::File(format!("{name}: line {line}: {}", error.message()))
    })?;
    let (mut sourced, mut table) = match &file.base {
        None => (Vec::new(), Table::new()),
        Some(base) => {
            let (base, text) = PRESETS
                .iter()
                .find(|(known, _)| known == base && depth < DEEPEST)
                .ok_or_else(|| ParameterError::NoPreset(base.clone()))?;
            let preset = from_text(base, text, depth + 1)?;
            (preset.parameters, set::table(preset.kernel.parameters()))
        }
    };
    for (key, value) in file.parameters {
        let entry = entry(name, value)?;
        if !set::known(&key) {
            return Err(set::unknown(&key));
        }
        set::check_kind(&key, &entry.value)?;
        table.insert(key.clone(), entry.value.clone());
        sourced.retain(|(known, _)| *known != key);
        sourced.push((key, entry));
    }
    let parameters: Parameters =
        set::from_table(table).map_err(|why| ParameterError::File(format!("{name}: {why}")))?;
    Ok(Preset {
        name: name.to_owned(),
        title: file.title,
        notes: file.notes,
        parameters: sourced,
        kernel: Kernel::new(name, parameters)?,
    })
}

fn entry(name: &str, value: Value) -> Result<Sourced, ParameterError> {
    match value {
        Value::Table(_) => value
            .try_into()
            .map_err(|error: toml::de::Error| ParameterError::File(format!("{name}: {}", error.message()))),
        value => Ok(Sourced { value, from: ValueOrigin::Assumed, source: "the file".to_owned() }),
    }
}
