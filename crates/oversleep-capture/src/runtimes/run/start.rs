//! Starts the programs of a runtime side by side. Nothing is measured meanwhile.

use super::super::build::{Build, Built};
use super::super::launch::{Commands, Launch};
use super::super::probe::Probe;
use super::super::protocol::Header;
use super::super::settings::Starts;
use super::ProbeRun;
use super::key::Key;
use super::position::{longest_time_of, warm_up};
use oversleep_recording::plan::{Cell, Conditions, Load};
use oversleep_recording::{Note, Obtained, Probe as Known};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::io;
use std::process::{Command, Stdio};

/// Programs that printed nothing in time, each with a line that says so.
type Silent<'a> = Vec<(&'a str, String)>;

/// Why no command can be started.
const NO_SHELL: &str = "the system's shell, which runs commands, is not found in PATH";

/// A build, and the programs that it makes with how they are started.
struct ToBuild<'a> {
    build: Command,
    programs: Vec<(&'a Launch, Command)>,
}

/// Says that the run's time was over at `place`: whether the program hangs is then not known.
pub(super) fn ended_with_run(place: &str) -> String {
    format!("was ended with the run's time (-d), {place}")
}

impl<'a> ProbeRun<'a> {
    /// Starts these programs side by side, except those that have failed. If one says nothing in time, it has failed if
    /// these programs go last; otherwise all of them are ended again, and the silent ones returned.
    pub(super) fn start(&mut self, launches: &[&'a Launch], goes_last: bool) -> Silent<'a> {
        let Starts { at_first, at_last } = self.settings.starts;
        // A program that takes no orders may print its first line at its end.
        let without_orders = launches.iter().filter(|launch| launch.may_take_no_orders());
        let sleeping =
            without_orders.map(|launch| longest_time_of(self.plan, launch.method())).max().unwrap_or_default();
        let limit = if goes_last { at_last } else { at_first }.saturating_add(sleeping);
        let limit = limit.min(self.left().max(Nanos::ZERO));
        let mut silent = Silent::new();
        let has_failed = |launch: &&Launch| self.failed.contains(&Key::new(launch.method()));
        let wanted: Vec<&Launch> = launches.iter().copied().filter(|launch| !has_failed(launch)).collect();
        let commands = self.build(&wanted, limit, goes_last, &mut silent);
        let mut introduced = Vec::new();
        if silent.is_empty() || goes_last {
            introduced = self.introduce(commands, limit, &mut silent);
        }
        if self.is_out_of_time() {
            // They may only have been slow: there is no second start for which they could be set aside.
            for (_, why) in &mut silent {
                *why = ended_with_run("before its first line");
            }
        } else if !(silent.is_empty() || goes_last) {
            // Programs that wait would disturb others by their timers and collections of garbage.
            return silent;
        }
        for (name, why) in silent {
            self.failed.insert(Key::new(name));
            self.note_probe(name, &Header::default(), |known| Known { failed: Some(why.clone()), ..known });
            self.note_unavailable(name, &Refusal::Failed(why));
        }
        for (launch, probe) in introduced {
            self.make_ready(Key::new(launch.method()), probe);
        }
        self.start_without_load(&wanted, limit);
        Silent::new()
    }

    /// Starts those programs that are busy inside once more, without load, if they have turns without.
    fn start_without_load(&mut self, launches: &[&'a Launch], limit: Nanos) {
        let Some(asked) = self.inside else { return };
        let is_planned = |launch: &Launch| {
            let key = Key::without_load(launch.method());
            self.plan.cells.iter().any(|cell| self.key(cell) == key)
        };
        let is_busy = |launch: &Launch| {
            let probe = self.probes.get(&Key::new(launch.method()));
            probe.is_some_and(|probe| probe.header.load == Some(asked.threads))
        };
        let busy: Vec<&Launch> =
            launches.iter().copied().filter(|launch| is_planned(launch) && is_busy(launch)).collect();
        let mut starting = Vec::new();
        for launch in busy {
            let key = Key::without_load(launch.method());
            let started = launch.commands(self.folder.path()).and_then(|commands| self.spawn(key, commands.start));
            match started {
                Ok(probe) => starting.push((key, probe)),
                Err(error) => self.note_unavailable(&key.to_string(), &Refusal::Failed(error.to_string())),
            }
        }
        let until = monotonic().saturating_add(limit);
        for (key, mut probe) in starting {
            match probe.greet(until, &self.settings.stop) {
                Ok(true) => self.make_ready(key, probe),
                Ok(false) => {
                    let hangs = probe.silent(limit);
                    let is_over = self.is_out_of_time();
                    let why = if is_over { ended_with_run("before its first line") } else { hangs };
                    self.fail(key, &mut probe, why);
                }
                Err(why) => self.fail(key, &mut probe, why),
            }
        }
    }

    /// Returns the commands of these programs, after building what has to be built: one build first, so that the others
    /// find what it compiled of the runtime's own library, then those side by side.
    fn build(
        &mut self,
        launches: &[&'a Launch],
        limit: Nanos,
        goes_last: bool,
        silent: &mut Silent<'a>,
    ) -> Vec<(&'a Launch, Command)> {
        let mut ready = Vec::new();
        let mut builds: Vec<ToBuild<'a>> = Vec::new();
        for &launch in launches {
            let (build, start) = match launch.commands(self.folder.path()) {
                Ok(Commands { build, start }) => (build, (launch, start)),
                Err(error) => {
                    self.refuse(launch, &error);
                    continue;
                }
            };
            let shared = builds.first_mut().filter(|_| launch.is_built_with_others());
            match (build, shared) {
                (None, _) => ready.push(start),
                (Some(_), Some(shared)) => shared.programs.push(start),
                (Some(build), None) => builds.push(ToBuild { build, programs: vec![start] }),
            }
        }
        let others = builds.split_off(builds.len().min(1));
        for group in [builds, others] {
            if silent.is_empty() || goes_last {
                ready.extend(self.build_beside(group, limit, silent));
            }
        }
        ready
    }

    /// Runs builds side by side; returns how those programs are started that were built.
    fn build_beside(
        &mut self,
        builds: Vec<ToBuild<'a>>,
        limit: Nanos,
        silent: &mut Silent<'a>,
    ) -> Vec<(&'a Launch, Command)> {
        let until = monotonic().saturating_add(limit);
        let begun: Vec<_> = builds.into_iter().map(|built| (Build::start(built.build), built.programs)).collect();
        let mut ready = Vec::new();
        for (build, programs) in begun {
            let failed = match build.map(|build| build.wait(until, &self.settings.stop)) {
                Ok(Built::Done) => {
                    ready.extend(programs);
                    continue;
                }
                Ok(Built::Stopped) => continue,
                Ok(Built::Late) => {
                    let late = || format!("hangs: it was not built within {limit}; the build was ended");
                    silent.extend(programs.iter().map(|(launch, _)| (launch.method(), late())));
                    continue;
                }
                Ok(Built::Failed(why)) => io::Error::other(why),
                Err(error) => error,
            };
            for (launch, _) in &programs {
                self.refuse(launch, &failed);
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
            match self.spawn(Key::new(launch.method()), command) {
                Ok(probe) => starting.push((launch, probe)),
                Err(error) => self.refuse(launch, &error),
            }
        }
        let until = monotonic().saturating_add(limit);
        let mut introduced = Vec::new();
        for (launch, mut probe) in starting {
            match probe.greet(until, &self.settings.stop) {
                Ok(true) => introduced.push((launch, probe)),
                Ok(false) => silent.push((launch.method(), probe.silent(limit))),
                Err(why) => self.fail(Key::new(launch.method()), &mut probe, why),
            }
        }
        introduced
    }

    fn spawn(&self, key: Key<'_>, mut command: Command) -> io::Result<Probe> {
        if let Some(load) = self.inside.filter(|_| !key.without_load) {
            command.env("OVERSLEEP_LOAD", load.threads.to_string());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = monotonic();
        Ok(Probe::new(self.starter.start(command)?, started))
    }

    fn refuse(&mut self, launch: &'a Launch, error: &io::Error) {
        self.failed.insert(Key::new(launch.method()));
        let refusal = match (error.kind(), launch.how_to_install()) {
            (io::ErrorKind::NotFound, None) => Refusal::Failed(NO_SHELL.to_owned()),
            (io::ErrorKind::NotFound, Some(get)) => Refusal::Unavailable(format!("not installed here ({get})")),
            _ if error.raw_os_error().is_some() => Refusal::Failed(format!("could not be started: {error}")),
            _ => Refusal::Failed(error.to_string()),
        };
        self.note_unavailable(launch.method(), &refusal);
    }

    /// Relates the clock of a program to ours and makes it sleep a few times, while no other is busy.
    fn make_ready(&mut self, key: Key<'a>, mut probe: Probe) {
        // Its end replaces this; a recording that is cut off before has it.
        if !key.without_load {
            self.note_probe(key.name, &probe.header, |known| known);
            self.sink.flush();
        }
        match probe.relate_clock(&self.settings.stop).and_then(|()| self.warm(key.name, &mut probe)) {
            Ok(()) => {
                self.note_clock(key, &probe);
                self.note_inside(key, &probe);
                drop(self.probes.insert(key, probe));
            }
            Err(why) => self.fail(key, &mut probe, why),
        }
    }

    /// Notes the error of times converted to our clock, as far as it is known before the samples.
    fn note_clock(&mut self, key: Key<'a>, probe: &Probe) {
        if !key.without_load && !probe.header.monotonic {
            let clock_error = Some(probe.first_clock_error());
            self.note_probe(key.name, &probe.header, |known| Known { clock_error, ..known });
        }
    }

    /// Makes a probe sleep a few times before its first sample.
    fn warm(&self, name: &str, probe: &mut Probe) -> Result<(), String> {
        let (request, sleeps) = warm_up(self.plan, name, self.settings.warm_up);
        if sleeps == 0 {
            return Ok(());
        }
        let limit = self.time_limit(request, sleeps);
        match probe.block(request, sleeps, limit, &self.settings.stop) {
            Ok(_) => Ok(()),
            Err(failed) if failed.is_late && self.is_out_of_time() => Err(ended_with_run("before its first sample")),
            Err(failed) => Err(failed.why),
        }
    }

    /// Notes the load within a program, as the program reports it.
    fn note_inside(&mut self, key: Key<'a>, probe: &Probe) {
        let Some(asked) = self.inside else { return };
        let reported = probe.header.load.map(|threads| Load { threads, ..asked });
        let load = reported.filter(|_| !key.without_load);
        if !key.without_load && load != Some(asked) {
            let why = format!("it does not say that it is busy inside (load={})", asked.threads);
            self.note_unavailable(&format!("load in {key}"), &Refusal::Unavailable(why));
        }
        let conditions = Conditions { load, ..self.obtained.clone() };
        let of_cell = |cell: &Cell| Obtained { cell: cell.id, thread: 0, conditions: conditions.clone() };
        let obtained = self.plan.cells.iter().filter(|cell| self.key(cell) == key).map(of_cell).collect();
        self.sink.note(&Note { obtained, ..Note::default() });
    }
}
