//! Starts the programs of a runtime side by side. Nothing is measured meanwhile.

use super::super::build::{Build, Built};
use super::super::launch::{Commands, Launch};
use super::super::probe::Probe;
use super::super::protocol::Header;
use super::super::settings::Starts;
use super::Run;
use oversleep_recording::plan::{Cell, Conditions, Load};
use oversleep_recording::{Note, Obtained, Probe as Known};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::io;
use std::process::{Command, Stdio};

/// Programs that said nothing in time, each with a line that says so.
type Silent<'a> = Vec<(&'a str, String)>;

impl<'a> Run<'a> {
    /// Starts these programs side by side, except those that have failed. If one says nothing in time, it has failed if
    /// these programs go last; otherwise all of them are ended again, and the silent ones returned.
    pub(super) fn start(&mut self, launches: &[&'a Launch], goes_last: bool) -> Silent<'a> {
        let Starts { at_first, at_last } = self.settings.starts;
        let limit = if goes_last { at_last } else { at_first }.min(self.left().max(Nanos::ZERO));
        let mut silent = Silent::new();
        let wanted: Vec<&Launch> =
            launches.iter().copied().filter(|launch| !self.failed.contains(launch.name())).collect();
        let commands = self.build(&wanted, limit, goes_last, &mut silent);
        let mut introduced = Vec::new();
        if silent.is_empty() || goes_last {
            introduced = self.introduce(commands, limit, &mut silent);
        }
        if !(silent.is_empty() || goes_last) {
            // Programs that wait would disturb others by their timers and collections of garbage.
            return silent;
        }
        for (name, why) in silent {
            self.failed.insert(name);
            self.note_probe(name, &Header::default(), |known| Known { failed: Some(why.clone()), ..known });
            self.note_unavailable(name, &Refusal::Failed(why));
        }
        for (launch, probe) in introduced {
            self.make_ready(launch, probe);
        }
        Silent::new()
    }

    /// Returns the commands of these programs, after building what has to be built: one program first, so that the
    /// others find what it compiled of the runtime's own library, then those side by side.
    fn build(
        &mut self,
        launches: &[&'a Launch],
        limit: Nanos,
        goes_last: bool,
        silent: &mut Silent<'a>,
    ) -> Vec<(&'a Launch, Command)> {
        let mut ready = Vec::new();
        let mut to_build = Vec::new();
        for &launch in launches {
            match launch.commands(self.folder.path()) {
                Ok(Commands { build: Some(build), start }) => to_build.push((launch, build, start)),
                Ok(Commands { build: None, start }) => ready.push((launch, start)),
                Err(error) => self.refuse(launch, &error),
            }
        }
        let others = to_build.split_off(to_build.len().min(1));
        for group in [to_build, others] {
            if silent.is_empty() || goes_last {
                ready.extend(self.build_beside(group, limit, silent));
            }
        }
        ready
    }

    /// Builds programs side by side; returns how those are started that were built.
    fn build_beside(
        &mut self,
        programs: Vec<(&'a Launch, Command, Command)>,
        limit: Nanos,
        silent: &mut Silent<'a>,
    ) -> Vec<(&'a Launch, Command)> {
        let until = monotonic().saturating_add(limit);
        let begun: Vec<_> =
            programs.into_iter().map(|(launch, build, start)| (launch, Build::start(build), start)).collect();
        let mut ready = Vec::new();
        for (launch, build, start) in begun {
            let name = launch.name();
            match build.map(|build| build.wait(until, &self.settings.stop)) {
                Ok(Built::Done) => ready.push((launch, start)),
                Ok(Built::Late) => {
                    silent.push((name, format!("{name} hangs: it was not built within {limit}; the build was ended")));
                }
                Ok(Built::Stopped) => {}
                Ok(Built::Failed(why)) => self.refuse(launch, &io::Error::other(why)),
                Err(error) => self.refuse(launch, &error),
            }
        }
        ready
    }

    /// Starts programs side by side; returns those that introduced themselves.
    fn introduce(
        &mut self,
        commands: Vec<(&'a Launch, Command)>,
        limit: Nanos,
        silent: &mut Silent<'a>,
    ) -> Vec<(&'a Launch, Probe)> {
        let mut starting = Vec::new();
        for (launch, command) in commands {
            match self.spawn(launch, command) {
                Ok(probe) => starting.push((launch, probe)),
                Err(error) => self.refuse(launch, &error),
            }
        }
        let until = monotonic().saturating_add(limit);
        let mut introduced = Vec::new();
        for (launch, mut probe) in starting {
            match probe.greet(until, &self.settings.stop) {
                Ok(true) => introduced.push((launch, probe)),
                Ok(false) => silent.push((launch.name(), probe.silent(limit))),
                Err(why) => self.fail(launch.name(), &mut probe, why),
            }
        }
        introduced
    }

    fn spawn(&self, launch: &Launch, mut command: Command) -> io::Result<Probe> {
        if let Some(load) = self.inside {
            command.env("OVERSLEEP_LOAD", load.threads.to_string());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(Probe::new(launch, self.starter.start(command)?))
    }

    fn refuse(&mut self, launch: &'a Launch, error: &io::Error) {
        self.failed.insert(launch.name());
        let refusal = match (error.kind(), launch.get()) {
            (io::ErrorKind::NotFound, Some(get)) => Refusal::Unavailable(format!("not installed here ({get})")),
            _ => Refusal::Failed(error.to_string()),
        };
        self.note_unavailable(launch.name(), &refusal);
    }

    /// Relates the clock of a program to ours and makes it sleep a few times, while no other is busy.
    fn make_ready(&mut self, launch: &'a Launch, mut probe: Probe) {
        let name = launch.name();
        match probe.relate_clock(&self.settings.stop).and_then(|()| self.warm(name, &mut probe)) {
            Ok(()) => {
                self.note_inside(name, &probe);
                drop(self.probes.insert(name, probe));
            }
            Err(why) => self.fail(name, &mut probe, why),
        }
    }

    /// Makes a probe sleep a few times before its first sample.
    fn warm(&self, name: &str, probe: &mut Probe) -> Result<(), String> {
        if self.settings.warm_up == 0 {
            return Ok(());
        }
        let requests = self.plan.cells.iter().filter(|cell| cell.method == name);
        let shortest = requests.filter_map(|cell| cell.pattern.requested()).min().unwrap_or(Nanos::MILLISECOND);
        let limit = self.patience(shortest, self.settings.warm_up);
        let warmed = probe.block(shortest, self.settings.warm_up, limit, &self.settings.stop);
        warmed.map(drop).map_err(|failed| failed.why)
    }

    /// Notes the load within a program, as the program reports it.
    fn note_inside(&mut self, name: &str, probe: &Probe) {
        let Some(asked) = self.inside else { return };
        let load = probe.header.load.map(|threads| Load { threads, ..asked });
        if load != Some(asked) {
            let why = format!("it does not say that it is busy inside (load={})", asked.threads);
            self.note_unavailable(&format!("load in {name}"), &Refusal::Unavailable(why));
        }
        let conditions = Conditions { load, ..self.obtained.clone() };
        let of_cell = |cell: &Cell| Obtained { cell: cell.id, thread: 0, conditions: conditions.clone() };
        let obtained = self.plan.cells.iter().filter(|cell| cell.method == name).map(of_cell).collect();
        self.sink.note(&Note { obtained, ..Note::default() });
    }
}
