//! A question about sleeps that were never recorded: what was asked for, how long it took, and what is known about the
//! system and the call. Everything is as somebody states it; nothing here was measured by this program.

mod condition;
mod figure;
mod platform;

pub use condition::{ConditionError, StatedCondition};
pub use figure::{AskedError, Figure, Reading, Repeated, Took};
pub use platform::{Platform, PlatformError, StatedSystem};

use crate::catalog::{CallBehaviour, CallRow, CallTrait, call, version_beside};
use oversleep_sys::units::Nanos;
use std::mem;

/// What is known of sleeps that all had the same request.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedPair {
    /// Requested duration of one sleep.
    pub requested: Nanos,
    /// Figures of how long one sleep lasted.
    pub figures: Vec<Figure>,
    /// Number of sleeps that statistics stand for, if stated.
    pub count: Option<u64>,
    /// Whether a figure was written with a sign, as a lateness.
    pub signed: bool,
    /// Whether a figure is a rate: of a loop, each turn of which has the loop's own work in it, too.
    pub is_rate: bool,
}

impl AskedPair {
    /// Returns how long a sleep lasted by a wall clock, if that is stated.
    pub fn wall(&self) -> Option<Nanos> {
        self.figures.iter().find_map(|figure| if let Figure::Wall(at) = figure { Some(at.time) } else { None })
    }

    /// Returns how long a sleep lasted on a clock that stands still during suspension, if that is stated.
    pub fn uptime(&self) -> Option<Nanos> {
        self.figures.iter().find_map(|figure| if let Figure::Uptime(at) = figure { Some(at.time) } else { None })
    }
}

/// A question: figures, and what is stated about where they come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Question {
    /// Requests with their figures.
    pub pairs: Vec<AskedPair>,
    /// Stated system.
    pub system: Option<StatedSystem>,
    /// Stated call, as written.
    pub call: Option<String>,
    /// Stated conditions.
    pub conditions: Vec<StatedCondition>,
}

impl Question {
    /// Returns the question about the same sleeps after a change. What `changed` does not state is as before; a condition
    /// takes the place of one of its kind.
    #[must_use]
    pub fn after(&self, changed: Self) -> Self {
        let is_kept = |known: &&StatedCondition| {
            changed.conditions.iter().all(|new| mem::discriminant(new) != mem::discriminant(*known))
        };
        Self {
            pairs: changed.pairs,
            system: changed.system.or_else(|| self.system.clone()),
            call: changed.call.or_else(|| self.call.clone()),
            conditions: self.conditions.iter().filter(is_kept).chain(&changed.conditions).cloned().collect(),
        }
    }

    /// Returns what the catalogue knows of the stated call.
    pub fn call_row(&self) -> Option<&'static CallRow> {
        let system = self.system.as_ref();
        let text = system.map_or("", |system| system.text.as_str());
        call(self.call.as_deref()?, text, system.and_then(|system| system.platform))
    }

    /// Returns the stated platform, or the only one that has the stated call.
    pub fn platform(&self) -> Option<Platform> {
        let stated = self.system.as_ref().and_then(|system| system.platform);
        stated.or_else(|| match self.call_row()?.platforms {
            [only] => Some(*only),
            _ => None,
        })
    }

    /// Returns whether this is known of the stated call.
    pub fn call_has(&self, what: CallTrait) -> bool {
        self.call_row().zip(self.call.as_deref()).is_some_and(|(row, call)| row.has(what, call))
    }

    /// Returns the version of the call's runtime, if it is stated.
    pub fn runtime_version(&self) -> Option<(u32, u32)> {
        self.version_of(self.call_row()?.runtime)
    }

    /// Returns the version that stands beside the name of a program in the stated call or system.
    pub fn version_of(&self, program: &str) -> Option<(u32, u32)> {
        version_beside(&self.call_and_system(), program)
    }

    fn call_and_system(&self) -> String {
        let system = self.system.as_ref().map_or("", |system| system.text.as_str());
        format!("{} {system}", self.call.as_deref().unwrap_or_default())
    }

    /// Returns what the call does in the stated version of its runtime, if it has changed and that is told.
    pub fn in_version(&self) -> Option<CallBehaviour> {
        let (row, platform) = (self.call_row()?, self.platform()?);
        row.in_version(&self.call_and_system(), platform == Platform::Windows)
    }

    /// Checks that the statements can all be true together.
    ///
    /// # Errors
    /// The first contradiction found: a system that never had the call or the condition, or figures that cannot be of the
    /// same sleeps.
    pub fn check(&self) -> Result<(), AskedError> {
        if self.pairs.is_empty() {
            return Err(AskedError::Nothing);
        }
        self.pairs.iter().try_for_each(figure::check)?;
        if self.call.as_deref().is_some_and(|call| call.trim().is_empty()) {
            return Err(AskedError::NoCall);
        }
        let contradicts = |one: &StatedCondition, other: &StatedCondition| {
            mem::discriminant(one) == mem::discriminant(other) && one != other
        };
        for (index, one) in self.conditions.iter().enumerate() {
            if let Some(other) = self.conditions[..index].iter().find(|other| contradicts(one, other)) {
                return Err(AskedError::TwoConditions(other.to_string(), one.to_string()));
            }
        }
        let Some(platform) = self.platform() else { return Ok(()) };
        let system = self.system.as_ref().map_or_else(|| platform.name().to_owned(), ToString::to_string);
        if let (Some(row), Some(call)) = (self.call_row(), &self.call)
            && !row.is_on(platform)
        {
            let only = row.platforms.iter().map(|platform| platform.name()).collect::<Vec<_>>().join(", ");
            return Err(AskedError::NoSuchCall { call: call.clone(), system, only });
        }
        if let Some(call) =
            self.call.as_ref().filter(|_| self.system.as_ref().is_some_and(StatedSystem::is_before_win32))
        {
            let only = "Windows NT 3.1, Windows 95 and later (Win32)".to_owned();
            return Err(AskedError::NoSuchCall { call: call.clone(), system, only });
        }
        match self.conditions.iter().find_map(|condition| Some((condition, condition.only_on(platform)?))) {
            Some((condition, only)) => {
                Err(AskedError::NoSuchCondition { condition: condition.to_string(), system, only: only.to_owned() })
            }
            None => Ok(()),
        }
    }
}
