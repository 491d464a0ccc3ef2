//! Starting of probes as processes.

use oversleep_os::command;
use oversleep_recording::runtimes::{APIS, Api, ProbePackaging, Runtime};
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
        method: String,
        /// Command line.
        line: String,
        /// Values passed in its environment: requests in nanoseconds, and number of sleeps of each.
        asked: (String, u64),
    },
}

impl Launch {
    /// Returns the method name of the probe's cells.
    pub fn method(&self) -> &str {
        match self {
            Self::Api(api) => api.name,
            Self::Command { method, .. } => method,
        }
    }

    /// Returns how to install its runtime.
    pub(super) fn how_to_install(&self) -> Option<&'static str> {
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
            Self::Command { method, .. } => method,
        }
    }

    /// Returns whether the programs of its runtime are built by one command.
    pub(super) fn is_built_with_others(&self) -> bool {
        if let Self::Api(api) = self { api.runtime().packaging == ProbePackaging::Classes } else { false }
    }

    /// Returns whether it may make all its sleeps and print them at its end, without orders.
    pub(super) fn may_take_no_orders(&self) -> bool {
        matches!(self, Self::Command { .. })
    }

    /// Returns the commands that build and start it. Scripts are written below `folder`, and built there if necessary.
    pub(super) fn commands(&self, folder: &Path) -> io::Result<Commands> {
        match self {
            Self::Command { line, asked, .. } => {
                let mut command = command::of_line(line);
                command.env("OVERSLEEP_REQUESTS_NS", &asked.0).env("OVERSLEEP_COUNT", asked.1.to_string());
                Ok(Commands { build: None, start: command })
            }
            Self::Api(api) => script(api, folder),
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
    let folder = folder.join(if runtime.packaging == ProbePackaging::Classes { runtime.name } else { api.name });
    // It is there already if the probe is started a second time.
    fs::create_dir_all(&folder)?;
    let file = |name: &str, text: &str| -> io::Result<PathBuf> {
        let path = folder.join(name);
        fs::write(&path, text)?;
        Ok(path)
    };
    let joined = |first: &str, second: &str| format!("{}\n\n{second}", first.trim_end());
    let interpreted = match runtime.packaging {
        ProbePackaging::ApiFirst(ending) => file(&format!("probe.{ending}"), &joined(api.script, runtime.common))?,
        ProbePackaging::Classes => {
            let scripts = APIS.iter().filter(|api| api.is_of(runtime)).map(|api| api.script);
            let all: Vec<&str> = [runtime.common].into_iter().chain(scripts).collect();
            return Ok(compiled(runtime, &file("Probe.java", &all.join("\n"))?, api, &folder));
        }
        ProbePackaging::Built(ending) => {
            let files =
                [file(&format!("probe.{ending}"), runtime.common)?, file(&format!("api.{ending}"), api.script)?];
            return Ok(built(runtime.program, &files, &folder));
        }
        ProbePackaging::Program => {
            let mut command = Command::new(beside_us(runtime.program));
            command.arg(api.name);
            return Ok(Commands { build: None, start: command });
        }
    };
    let mut command = Command::new(runtime.program);
    command.arg(interpreted);
    Ok(Commands { build: None, start: command })
}

/// Returns the path of a program of this project: next to this one, or else found by the system.
fn beside_us(program: &str) -> PathBuf {
    let named = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let ours = std::env::current_exe().ok().and_then(|ours| Some(ours.parent()?.join(named)));
    ours.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(program))
}

fn built(program: &str, files: &[PathBuf], folder: &Path) -> Commands {
    let probe = folder.join("probe");
    let mut build = Command::new(program);
    build.arg("build").arg("-o").arg(&probe).args(files).current_dir(folder);
    // Its own temporary folders stay if it is ended, and this one is removed.
    build.env("GOTMPDIR", folder);
    Commands { build: Some(build), start: Command::new(probe) }
}

/// Compiles a file of classes. The compiler, which runs for a second, is itself compiled quickly and collects with one
/// thread; the probes run as Java sets itself up.
fn compiled(runtime: &Runtime, file: &Path, api: &Api, folder: &Path) -> Commands {
    let mut build = Command::new(runtime.program);
    build.args(["-XX:+IgnoreUnrecognizedVMOptions", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]);
    build.args(["-m", "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-d"]).arg(folder).arg(file);
    let mut start = Command::new(runtime.program);
    start.arg("-cp").arg(folder).arg("Probe").arg(api.class());
    Commands { build: Some(build), start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_builds_in_the_folder_of_the_run() {
        let api = Api::from_name("go-time-sleep").expect("a row");
        let folder = tempfile::tempdir().expect("a folder");
        let build = Launch::Api(api).commands(folder.path()).expect("files").build.expect("a build");
        let set = build.get_envs().find(|(name, _)| *name == "GOTMPDIR").and_then(|(_, value)| value).map(Path::new);
        assert!(set.is_some_and(|set| set.starts_with(folder.path()) && set.is_dir()), "{set:?}");
    }
}
