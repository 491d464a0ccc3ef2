//! How a probe becomes a process.

use super::protocol::quoted;
use oversleep_os::shell;
use oversleep_recording::runtimes::{Api, Form};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A probe that can be started.
#[derive(Debug, Clone)]
pub enum Launch {
    /// An API of a runtime, by the script in this program.
    Api(&'static Api),
    /// A command of the user's, handed to the system's shell, under the name that its cells have.
    Command {
        /// The name.
        name: String,
        /// The command.
        line: String,
        /// What is asked for, told in its environment: requests in nanoseconds, and sleeps of each.
        asked: (String, u64),
    },
}

impl Launch {
    /// Returns the name that its cells have.
    pub fn name(&self) -> &str {
        match self {
            Self::Api(api) => api.name,
            Self::Command { name, .. } => name,
        }
    }

    /// Returns what it is called where something is wrong with it.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Api(api) => api.name.to_owned(),
            Self::Command { line, .. } => quoted(line),
        }
    }

    /// Returns how to get what is not there.
    pub(super) fn get(&self) -> Option<&'static str> {
        if let Self::Api(api) = self { Some(api.runtime().get) } else { None }
    }

    /// Returns the oldest version of its runtime that has it, where not every one does.
    pub(super) fn since(&self) -> Option<&'static str> {
        if let Self::Api(api) = self { api.since } else { None }
    }

    /// Returns the command that starts it. Scripts are written, and built where they are, below `folder`.
    pub(super) fn command(&self, folder: &Path) -> io::Result<Command> {
        match self {
            Self::Command { line, asked, .. } => {
                let mut command = shell::command(line);
                command.env("OVERSLEEP_REQUESTS_NS", &asked.0).env("OVERSLEEP_COUNT", asked.1.to_string());
                Ok(command)
            }
            Self::Api(api) => script(api, &folder.join(api.name)),
        }
    }
}

fn script(api: &Api, folder: &Path) -> io::Result<Command> {
    let runtime = api.runtime();
    fs::create_dir(folder)?;
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
            return built(runtime.program, &files, folder);
        }
        Form::Program => {
            let mut command = Command::new(beside_us(runtime.program));
            command.arg(api.name);
            return Ok(command);
        }
    };
    let mut command = Command::new(runtime.program);
    command.arg(interpreted);
    Ok(command)
}

/// Returns where a program of this project is: beside this one, or wherever the system looks for programs.
fn beside_us(program: &str) -> PathBuf {
    let named = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let ours = std::env::current_exe().ok().and_then(|ours| Some(ours.parent()?.join(named)));
    ours.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(program))
}

fn built(program: &str, files: &[PathBuf], folder: &Path) -> io::Result<Command> {
    let probe = folder.join("probe");
    let mut build = Command::new(program);
    build.arg("build").arg("-o").arg(&probe).args(files).current_dir(folder).stdin(Stdio::null());
    let output = build.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        return Err(io::Error::other(format!("it could not be built: {last}")));
    }
    Ok(Command::new(probe))
}
