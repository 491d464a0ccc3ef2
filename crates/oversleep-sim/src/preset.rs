//! Kernels as TOML: presets and users' files.

use super::kernel::Kernel;
use super::params::Parameters;
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
    /// Least and greatest value on the machines that the preset stands for; `None` where they all have this one.
    pub spread: Option<[f64; 2]>,
}

/// A preset: a kernel with the source of every number.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    /// Name of the preset.
    pub name: String,
    /// Description in one line.
    pub title: String,
    /// Systems and versions that it stands for.
    pub systems: String,
    /// Calls and threads that it stands for.
    pub calls: String,
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
    /// Systems and versions that it stands for; its base's if missing.
    systems: Option<String>,
    /// Calls and threads that it stands for; its base's if missing.
    calls: Option<String>,
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
    let (mut sourced, mut table, mut systems, mut calls) = match &file.base {
        None => (Vec::new(), Table::new(), String::new(), String::new()),
        Some(base) => {
            let (base, text) = PRESETS
                .iter()
                .find(|(known, _)| known == base && depth < DEEPEST)
                .ok_or_else(|| ParameterError::NoPreset(base.clone()))?;
            let preset = from_text(base, text, depth + 1)?;
            (preset.parameters, set::table(preset.kernel.parameters()), preset.systems, preset.calls)
        }
    };
    systems = file.systems.unwrap_or(systems);
    calls = file.calls.unwrap_or(calls);
    for (key, value) in file.parameters {
        let entry = entry(name, value)?;
        if !set::known(&key) {
            return Err(set::unknown(&key));
        }
        set::check_kind(&key, &entry.value)?;
        table.insert(key.clone(), entry.value.clone());
        check_spread(name, &key, &entry)?;
        sourced.retain(|(known, _)| *known != key);
        sourced.push((key, entry));
    }
    let parameters: Parameters =
        set::from_table(table).map_err(|why| ParameterError::File(format!("{name}: {why}")))?;
    Ok(Preset {
        name: name.to_owned(),
        title: file.title,
        systems,
        calls,
        notes: file.notes,
        parameters: sourced,
        kernel: Kernel::new(name, parameters)?,
    })
}

/// Requires that a spread begins at or below the value and ends at or above it.
fn check_spread(name: &str, key: &str, entry: &Sourced) -> Result<(), ParameterError> {
    let value = entry.value.as_float().or_else(|| entry.value.as_integer().map(|whole| whole as f64));
    match (entry.spread, value) {
        (None, _) => Ok(()),
        (Some([least, most]), Some(value)) if least <= value && value <= most => Ok(()),
        _ => Err(ParameterError::File(format!("{name}: {key}: spread = [least, greatest] must include its value"))),
    }
}

impl Preset {
    /// Returns the kernels at the ends of its spread: every combination of least and greatest values.
    ///
    /// # Errors
    /// If one of them is not a valid kernel.
    pub fn extremes(&self) -> Result<Vec<Kernel>, ParameterError> {
        let mut kernels = vec![self.kernel.clone()];
        for (name, sourced) in &self.parameters {
            let Some(ends) = sourced.spread else { continue };
            let at = |kernel: &Kernel, end: f64| kernel.set(name, &end.to_string());
            kernels = kernels.iter().flat_map(|kernel| ends.map(|end| at(kernel, end))).collect::<Result<_, _>>()?;
        }
        Ok(kernels)
    }
}

fn entry(name: &str, value: Value) -> Result<Sourced, ParameterError> {
    match value {
        Value::Table(_) => value
            .try_into()
            .map_err(|error: toml::de::Error| ParameterError::File(format!("{name}: {}", error.message()))),
        value => Ok(Sourced { value, from: ValueOrigin::Assumed, source: "the file".to_owned(), spread: None }),
    }
}

macro_rules! presets {
    ($($name:literal)*) => {
        /// The name and text of every preset, in display order.
        pub(crate) const PRESETS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../presets/", $name, ".toml"))),)*];
    };
}

presets! {
    "darwin-7"
    "dragonfly-1.0"
    "dragonfly-1.0-i8254"
    "dragonfly-1.0-tvtohz-fix"
    "dragonfly-1.0-tvtohz-fix-herman"
    "dragonfly-frac"
    "dragonfly-pll"
    "dragonfly-pll-hz1000"
    "dragonfly-systimer"
    "freebsd-4.9"
    "freebsd-7-hz1000"
    "freebsd-7-hz2000"
    "freebsd-7-hz2500"
    "freebsd-7-hz4000"
    "freebsd-7-hz5000"
    "freebsd-7-hz10000"
    "freebsd-7-hz40000"
    "freebsd-8-hz1000"
    "freebsd-8-hz2000"
    "freebsd-8-hz2500"
    "freebsd-8-hz4000"
    "freebsd-8-hz5000"
    "freebsd-8-hz10000"
    "freebsd-8-hz40000"
    "freebsd-8-rizzo-fixed"
    "freebsd-8-rizzo-fixed-unsafe"
    "freebsd-10"
    "freebsd-10-busy"
    "freebsd-10-deviation-0"
    "freebsd-10-deviation-1"
    "freebsd-10-guest"
    "freebsd-15"
    "freertos"
    "freertos-hz1000"
    "illumos"
    "ios"
    "linux-2.4"
    "linux-2.6-hrtimer"
    "linux-2.6-hrtimer-rt"
    "linux-guest"
    "linux-nohighres-hz100"
    "linux-nohighres-hz250"
    "linux-nohighres-hz1000"
    "linux-real-time"
    "linux-server"
    "linux-wheel-4.8"
    "linux-wheel-4.8-hz250"
    "macos"
    "macos-active"
    "macos-app-nap"
    "macos-background"
    "macos-rt"
    "macos-tier-3"
    "macos-tier-3-user-idle"
    "macos-user-idle"
    "macos-utility"
    "netbsd"
    "nuttx"
    "openbsd"
    "openbsd-guest"
    "solaris-8"
    "windows-10-1ms"
    "windows-11"
    "windows-11-1ms"
    "windows-98"
    "windows-hires-waitable"
    "windows-nt-10ms"
    "windows-nt-15.6ms"
    "zephyr"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the folder of presets")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().replace(".toml", ""))
            .collect();
        assert_eq!(files, PRESETS.iter().map(|(name, _)| (*name).to_owned()).collect());
    }
}
