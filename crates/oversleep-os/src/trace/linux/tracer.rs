//! Tier one: tracefs instances of our own, read as raw pages.

use super::super::Setup;
use super::super::format::{EventLayout, PageLayout};
use super::super::tracked::{CALLS, Decoder, TRACKED, Tracked, WHEEL};
use super::cpu_buffer::{CpuBuffer, header};
use super::instance::{Guard, Instance};
use super::kernel_functions::TimerFilters;
use crate::sysinfo::tick::claimed;
use oversleep_recording::trace::KernelEvents;
use oversleep_sys::Refusal;

/// Records what the kernel does around the sleeps of some threads, or around the waits of a program.
///
/// Other users of tracefs see nothing of it, and dropping it removes it. After a `kill -9`, a process that was started for
/// this removes the instances of a program's tracer; those of one thread's stay until the next tracer is opened.
#[derive(Debug)]
pub struct Tracer {
    sources: Vec<Source>,
    decoder: Decoder,
    layout: PageLayout,
    missing: Vec<(String, Refusal)>,
    page: Vec<u8>,
    /// Number of pages of a processor's buffer, and the one being read.
    pages: usize,
    // Dropped after the instances that it would remove.
    guard: Option<Guard>,
}

/// One instance and the events that it records.
#[derive(Debug)]
struct Source {
    // Dropped first: an instance with open files cannot be removed.
    buffers: Vec<CpuBuffer>,
    instance: Instance,
    enabled: Vec<&'static Tracked>,
}

fn has_ended(thread: i32) -> bool {
    !std::path::Path::new(&format!("/proc/{thread}")).exists()
}

impl Tracer {
    /// Sets everything up for one thread, without recording yet. See [`Tracer::open_for`].
    pub fn open(thread: i32, setup: Setup) -> Result<Self, Refusal> {
        Self::open_for(&[thread], setup)
    }

    /// Sets everything up for these threads of this process, without recording yet.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] without rights on tracefs, [`Refusal::Unavailable`] where the kernel has none or
    /// the process is in a separate process namespace, [`Refusal::Failed`] for an unexpected result.
    pub fn open_for(threads: &[i32], setup: Setup) -> Result<Self, Refusal> {
        let (mut tracer, mut source) = Self::begin(setup)?;
        for tracked in wanted(setup) {
            let there = |name: &str| source.enabled.iter().any(|enabled| enabled.name == name);
            if tracked.stands_in_for().is_none_or(|other| !there(other)) {
                tracer.enable(&mut source, tracked, tracked.filter.text(threads));
            }
        }
        tracer.finish(source)?;
        tracer.checked()
    }

    /// Sets everything up for these threads of other processes, and for all threads and processes that they start, without
    /// recording yet. Their system calls are recorded too.
    ///
    /// One instance records what these threads do, another what the processors do: a timer expires in an interrupt, in
    /// which any thread may be running.
    ///
    /// # Errors
    /// As [`Tracer::open_for`].
    pub fn open_program(threads: &[i32], setup: Setup) -> Result<Self, Refusal> {
        let (mut tracer, mut program) = Self::begin(setup)?;
        tracer.decoder.tick = claimed();
        let filters = TimerFilters::read();
        // Without its filter, ticks of the kernel's own timers would be taken for those of waits.
        let wheel: &[Tracked] = if filters.ticks.is_some() { WHEEL } else { &[] };
        let filter = |tracked: &Tracked| match tracked.name {
            "hrtimer_start" | "hrtimer_expire_entry" => filters.fine.clone(),
            "timer_start" | "timer_expire_entry" => filters.ticks.clone(),
            _ => None,
        };
        let mut machine =
            Source { buffers: Vec::new(), instance: Instance::create(setup.buffer_kib)?, enabled: Vec::new() };
        for tracked in wanted(setup).chain(CALLS).chain(wheel) {
            let source = if tracked.is_of_threads() { &mut program } else { &mut machine };
            tracer.enable(source, tracked, filter(tracked));
        }
        program.instance.write("options/event-fork", "1")?;
        tracer.finish(program)?;
        tracer.add(threads)?;
        tracer.finish(machine)?;
        let instances: Vec<_> = tracer.sources.iter().map(|source| source.instance.path()).collect();
        tracer.guard = Guard::start(&instances);
        for needed in ["sys_enter", "sys_exit", "hrtimer_start"] {
            if !tracer.records(needed) {
                let why = format!("the kernel does not record {needed} (it was built without CONFIG_FTRACE_SYSCALLS?)");
                return Err(Refusal::Unavailable(why));
            }
        }
        tracer.checked()
    }

    fn begin(setup: Setup) -> Result<(Self, Source), Refusal> {
        let instance = Instance::create(setup.buffer_kib)?;
        let layout = PageLayout::parse(&header(&instance.tracefs.root)?).map_err(Refusal::Failed)?;
        let (sources, decoder, missing, page) = (Vec::new(), Decoder::default(), Vec::new(), vec![0; layout.page()]);
        let pages = (setup.buffer_kib as usize * 1_024).div_ceil(layout.capacity.max(1)) + 1;
        let source = Source { buffers: Vec::new(), instance, enabled: Vec::new() };
        Ok((Self { sources, decoder, layout, missing, page, pages, guard: None }, source))
    }

    /// Opens the buffers of an instance whose events are chosen.
    fn finish(&mut self, mut source: Source) -> Result<(), Refusal> {
        source.buffers = CpuBuffer::all(source.instance.path())?;
        self.sources.push(source);
        Ok(())
    }

    fn checked(self) -> Result<Self, Refusal> {
        if self.records("sched_switch") {
            return Ok(self);
        }
        Err(Refusal::Unavailable("tracefs has no sched:sched_switch".to_owned()))
    }

    fn records(&self, name: &str) -> bool {
        self.sources.iter().flat_map(|source| &source.enabled).any(|enabled| enabled.name == name)
    }

    /// Adds threads to those whose program is traced.
    pub fn add(&self, threads: &[i32]) -> Result<(), Refusal> {
        let Some(program) = self.sources.first() else { return Ok(()) };
        threads.iter().try_for_each(|thread| match program.instance.append("set_event_pid", &thread.to_string()) {
            // It has ended in the meantime.
            Err(_) if has_ended(*thread) => Ok(()),
            result => result,
        })
    }

    /// Returns whether a thread is one of those whose program is traced, or has ended. The kernel tells by a flag of each processor, which
    /// was seen to be out of date after a switch that the trace lacks: events of a foreign thread then come, too.
    pub fn traces(&self, thread: i32) -> bool {
        let Some(program) = self.sources.first() else { return true };
        let Ok(list) = program.instance.read("set_event_pid") else { return true };
        list.lines().any(|line| line.trim().parse() == Ok(thread)) || has_ended(thread)
    }

    /// Returns the events that this kernel lacks or denies, with reasons; the parts that they would separate are
    /// merged.
    pub fn missing(&self) -> &[(String, Refusal)] {
        &self.missing
    }

    /// Returns the name of the first instance.
    pub fn name(&self) -> String {
        let name = |source: &Source| Some(source.instance.path().file_name()?.to_string_lossy().into_owned());
        self.sources.first().and_then(name).unwrap_or_default()
    }

    /// Starts recording. Before it, and after [`Tracer::stop`], the events cost nothing: they are disabled, not
    /// merely discarded.
    pub fn start(&mut self) -> Result<(), Refusal> {
        self.sources.iter().try_for_each(|source| source.switch("1"))?;
        self.sources.iter().try_for_each(|source| source.instance.write("tracing_on", "1"))
    }

    /// Stops recording; recorded events can still be drained.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        self.sources.iter().try_for_each(|source| source.instance.write("tracing_on", "0"))?;
        self.sources.iter().try_for_each(|source| source.switch("0"))
    }

    /// Returns whether a processor's buffer is half full: events will be lost if they are not drained soon.
    pub fn is_filling(&self) -> bool {
        self.sources.iter().flat_map(|source| &source.buffers).any(CpuBuffer::is_filling)
    }

    /// Returns the events recorded so far, and removes them; where they come faster than they are read, not those that come
    /// meanwhile.
    pub fn drain(&mut self) -> Result<KernelEvents, Refusal> {
        let mut batch = KernelEvents::default();
        for buffer in self.sources.iter_mut().flat_map(|source| &mut source.buffers) {
            for _ in 0..self.pages {
                if !buffer.fill(&mut self.page)? {
                    break;
                }
                let cpu = buffer.cpu;
                let gaps = buffer.take(&self.page, &self.layout, |at, record| {
                    batch.events.extend(self.decoder.decode(at, cpu, record));
                });
                batch.gaps.extend(gaps);
            }
        }
        batch.events.sort_by_key(|event| event.at);
        Ok(batch)
    }

    /// Chooses an event for an instance, or notes why it cannot be had.
    fn enable(&mut self, source: &mut Source, tracked: &'static Tracked, filter: Option<String>) {
        match self.prepare(&source.instance, tracked, filter) {
            Ok(()) => source.enabled.push(tracked),
            Err(refusal) => self.missing.push((format!("{}:{}", tracked.system, tracked.name), refusal)),
        }
    }

    fn prepare(&mut self, instance: &Instance, tracked: &Tracked, filter: Option<String>) -> Result<(), Refusal> {
        let folder = format!("events/{}/{}", tracked.system, tracked.name);
        let format = instance.read(&format!("{folder}/format"))?;
        let format = EventLayout::parse(&format).map_err(Refusal::Failed)?;
        self.decoder.add(tracked, &format).map_err(Refusal::Unavailable)?;
        filter.map_or(Ok(()), |filter| instance.write(&format!("{folder}/filter"), &filter))
    }
}

impl Source {
    fn switch(&self, value: &str) -> Result<(), Refusal> {
        let mut events = self.enabled.iter();
        events
            .try_for_each(|event| self.instance.write(&format!("events/{}/{}/enable", event.system, event.name), value))
    }
}

/// Returns the events that a set-up asks for.
fn wanted(setup: Setup) -> impl Iterator<Item = &'static Tracked> {
    TRACKED.iter().filter(move |tracked| tracked.core || setup.explain)
}
