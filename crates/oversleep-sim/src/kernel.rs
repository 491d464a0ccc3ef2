//! A simulated kernel: a name and parameters that have been accepted.

use super::clock::FrequencyChange;
use super::params::Parameters;
use super::refuse::ParameterError;
use super::validate::validate;
use super::vocabulary::TimeCounter;
use std::sync::Arc;

/// A simulated kernel. However it came about (preset, file, code), its parameters are accepted: simulating it cannot
/// panic and ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    name: String,
    parameters: Arc<Parameters>,
}

impl Kernel {
    /// Says whether this kernel's clock can change its frequency as `changes` say.
    ///
    /// # Errors
    /// If there are changes, and its clock is made of ticks.
    pub fn accepts(&self, changes: &[FrequencyChange]) -> Result<(), ParameterError> {
        let steered = self.parameters.tc != TimeCounter::Ticks || changes.is_empty();
        if steered { Ok(()) } else { Err(ParameterError::SteeredTicks) }
    }

    /// Returns the kernel of these parameters.
    ///
    /// # Errors
    /// Parameters outside their domain, each with a line that says what would be accepted.
    pub fn new(name: impl Into<String>, parameters: Parameters) -> Result<Self, ParameterError> {
        validate(&parameters)?;
        Ok(Self { name: name.into(), parameters: Arc::new(parameters) })
    }

    /// Returns the preset's or the file's name; with the parameters changed since.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns them for machines that share them.
    pub(crate) fn shared(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// Returns the same kernel with one parameter changed, as in `hz`, `1000` or `round`, `ceil`.
    ///
    /// # Errors
    /// An unknown parameter, a value that is not of its kind, or one that makes no kernel.
    pub fn set(&self, name: &str, value: &str) -> Result<Self, ParameterError> {
        self.set_all(&[(name, value)])
    }

    /// Returns the same with several changed at once, so that only the outcome must make a kernel, not each step.
    ///
    /// # Errors
    /// As [`Kernel::set`].
    pub fn set_all(&self, changes: &[(&str, &str)]) -> Result<Self, ParameterError> {
        let mut parameters = (*self.parameters).clone();
        let mut kernel_name = self.name.clone();
        for (name, value) in changes {
            parameters = super::set::set(&parameters, name, value)?;
            kernel_name.extend([" ", name, "=", value.trim()]);
        }
        Self::new(kernel_name, parameters)
    }
}
