//! Starting of probes as processes.

use super::protocol::quoted;
use oversleep_os::command;
use oversleep_recording::runtimes::{Api, Form};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A probe that can be started.
#[derive(Debug, Clone)]
pub enum Launch {
    /// An API of a runtime, whose script is part of this program.
    Api(&'static Api),
    /// A user's command, run by the system's shell.
    Command {
        /// Method name of its cells.
        name: String,
        /// Command line.
        line: String,
        /// Values passed in its environment: requests in nanoseconds, and number of sleeps of each.
        asked: (String, u64),
    },
}

impl Launch {
    /// Returns the method name of the probe's cells.
    pub fn name(&self) -> &str {
        match self {
            Self::Api(api) => api.name,
            Self::Command { name, .. } => name,
        }
    }

    /// Returns the name used in messages about the probe.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Api(api) => api.name.to_owned(),
            Self::Command { line, .. } => quoted(line),
        }
    }

    /// Returns how to install its runtime.
    pub(super) fn get(&self) -> Option<&'static str> {
        if let Self::Api(api) = self { Some(api.runtime().get) } else { None }
    }

    /// Returns the oldest version of its runtime that has the API, if not every version does.
    pub(super) fn since(&self) -> Option<&'static str> {
        if let Self::Api(api) = self { api.since } else { None }
    }

    /// Returns the name that it shares with the probes of the same runtime.
    pub(super) fn runtime(&self) -> &str {
        match self {
            Self::Api(api) => api.runtime().name,
            Self::Command { name, .. } => name,
        }
    }

    /// Returns the commands that build and start it. Scripts are written below `folder`, and built there if necessary.
    pub(super) fn commands(&self, folder: &Path) -> io::Result<Commands> {
        match self {
            Self::Command { line, asked, .. } => {
                let mut command = command::of_line(line);
                command.env("OVERSLEEP_REQUESTS_NS", &asked.0).env("OVERSLEEP_COUNT", asked.1.to_string());
                Ok(Commands { build: None, start: command })
            }
            Self::Api(api) => script(api, &folder.join(api.name)),
        }
    }
}

/// Commands that make a process of a probe.
pub(super) struct Commands {
    /// Has to succeed before the start.
    pub(super) build: Option<Command>,
    pub(super) start: Command,
}

fn script(api: &Api, folder: &Path) -> io::Result<Commands> {
    let runtime = api.runtime();
    // It is there already if the probe is started a second time.
    fs::create_dir_all(folder)?;
    let file = |name: &str, text: &str| -> io::Result<PathBuf> {
        let path = folder.join(name);
        fs::write(&path, text)?;
        Ok(path)
    };
    let joined = |first: &str, second: &str| format!("{}\n\n{second}", first.trim_end());
    let interpreted = match runtime.form {
        Form::ApiFirst(ending) => file(&format!("probe.{ending}"), &joined(api.script, runtime.common))?,
        Form::CommonFirst(ending) => file(&format!("Probe.{ending}"), &joined(runtime.common, api.script))?,
        Form::Built(ending) => {
            let files =
                [file(&format!("probe.{ending}"), runtime.common)?, file(&format!("api.{ending}"), api.script)?];
            return Ok(built(runtime.program, &files, folder));
        }
        Form::Program => {
            let mut command = Command::new(beside_us(runtime.program));
            command.arg(api.name);
            return Ok(Commands { build: None, start: command });
        }
    };
    let mut command = Command::new(runtime.program);
    command.arg(interpreted);
    Ok(Commands { build: None, start: command })
}

/// Returns the path of a program of this project: beside this one, or else found by the system.
fn beside_us(program: &str) -> PathBuf {
    let named = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let ours = std::env::current_exe().ok().and_then(|ours| Some(ours.parent()?.join(named)));
    ours.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(program))
}

fn built(program: &str, files: &[PathBuf], folder: &Path) -> Commands {
    let probe = folder.join("probe");
    let mut build = Command::new(program);
    build.arg("build").arg("-o").arg(&probe).args(files).current_dir(folder);
    Commands { build: Some(build), start: Command::new(probe) }
}
