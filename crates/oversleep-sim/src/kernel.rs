//! A simulated kernel: a name and validated parameters.

use super::clock::FrequencyChange;
use super::params::Parameters;
use super::refuse::ParameterError;
use super::validate::validate;
use super::vocabulary::TimeCounter;
use std::sync::Arc;

/// A simulated kernel. Whatever its origin (preset, file, code), its parameters are validated: simulating it cannot
/// panic, and ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    name: String,
    parameters: Arc<Parameters>,
}

impl Kernel {
    /// Checks whether this kernel's clock can change its frequency as `changes` state.
    ///
    /// # Errors
    /// If there are changes, and its clock is made of ticks.
    pub fn accepts(&self, changes: &[FrequencyChange]) -> Result<(), ParameterError> {
        let steered = self.parameters.tc != TimeCounter::Ticks || changes.is_empty();
        if steered { Ok(()) } else { Err(ParameterError::SteeredTicks) }
    }

    /// Returns a kernel with these parameters.
    ///
    /// # Errors
    /// Parameters outside their domain, each with a line that says what is accepted.
    pub fn new(name: impl Into<String>, parameters: Parameters) -> Result<Self, ParameterError> {
        validate(&parameters)?;
        Ok(Self { name: name.into(), parameters: Arc::new(parameters) })
    }

    /// Returns the name of the preset or file, with the parameters changed since.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kernel's parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns the parameters, shared with machines.
    pub(crate) fn shared(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// Returns the same kernel with one parameter changed, such as `hz` to `1000` or `round` to `ceil`.
    ///
    /// # Errors
    /// An unknown parameter, a value of the wrong kind, or one that is not valid for a kernel.
    pub fn set(&self, name: &str, value: &str) -> Result<Self, ParameterError> {
        self.set_all(&[(name, value)])
    }

    /// Returns the same kernel with several parameters changed at once, so that only the result must be valid.
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
