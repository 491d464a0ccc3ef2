//! Tier one: a tracefs instance of our own, read as raw pages.

use super::super::Setup;
use super::super::format::{EventLayout, PageLayout};
use super::super::tracked::{Decoder, TRACKED, Tracked};
use super::cpu_buffer::{CpuBuffer, header};
use super::instance::Instance;
use oversleep_recording::trace::KernelEvents;
use oversleep_sys::Refusal;

/// Records what the kernel does around the sleeps of some threads.
///
/// Other users of tracefs see nothing of it, and dropping it removes it. Its instance is left behind only by a
/// `kill -9`; the next tracer that is opened on the machine then removes it.
#[derive(Debug)]
pub struct Tracer {
    // Dropped first: an instance with open files cannot be removed.
    buffers: Vec<CpuBuffer>,
    instance: Instance,
    decoder: Decoder,
    layout: PageLayout,
    enabled: Vec<&'static Tracked>,
    missing: Vec<(String, Refusal)>,
    page: Vec<u8>,
}

impl Tracer {
    /// Sets everything up for one thread, without recording yet. See [`Tracer::open_for`].
    pub fn open(thread: i32, setup: Setup) -> Result<Self, Refusal> {
        Self::open_for(&[thread], setup)
    }

    /// Sets everything up for these threads, without recording yet.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] without rights on tracefs, [`Refusal::Unavailable`] where the kernel has none or
    /// the process is in a separate process namespace, [`Refusal::Failed`] for an unexpected result.
    pub fn open_for(threads: &[i32], setup: Setup) -> Result<Self, Refusal> {
        let instance = Instance::create(setup.buffer_kib)?;
        let header = header(&instance.tracefs.root)?;
        let layout = PageLayout::parse(&header).map_err(Refusal::Failed)?;
        let mut tracer = Self {
            buffers: Vec::new(),
            instance,
            decoder: Decoder::default(),
            layout,
            enabled: Vec::new(),
            missing: Vec::new(),
            page: vec![0; layout.page()],
        };
        for tracked in TRACKED.iter().filter(|tracked| tracked.core || setup.explain) {
            let there = |name: &str| tracer.enabled.iter().any(|enabled| enabled.name == name);
            if tracked.stands_in_for().is_some_and(there) {
                continue;
            }
            match tracer.prepare(tracked, threads) {
                Ok(()) => tracer.enabled.push(tracked),
                Err(refusal) => tracer.missing.push((format!("{}:{}", tracked.system, tracked.name), refusal)),
            }
        }
        if !tracer.enabled.iter().any(|tracked| tracked.name == "sched_switch") {
            return Err(Refusal::Unavailable("tracefs has no sched:sched_switch".to_owned()));
        }
        tracer.buffers = CpuBuffer::all(tracer.instance.path())?;
        Ok(tracer)
    }

    /// Returns the events that this kernel lacks or denies, with reasons; the parts that they would separate are
    /// merged.
    pub fn missing(&self) -> &[(String, Refusal)] {
        &self.missing
    }

    /// Returns the name of the instance.
    pub fn name(&self) -> String {
        self.instance.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Starts recording. Before it, and after [`Tracer::stop`], the events cost nothing: they are disabled, not
    /// merely discarded.
    pub fn start(&mut self) -> Result<(), Refusal> {
        self.switch("1")?;
        self.instance.write("tracing_on", "1")
    }

    /// Stops recording; recorded events can still be drained.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        self.instance.write("tracing_on", "0")?;
        self.switch("0")
    }

    /// Returns the events recorded so far, and removes them.
    pub fn drain(&mut self) -> Result<KernelEvents, Refusal> {
        let mut batch = KernelEvents::default();
        for buffer in &mut self.buffers {
            while buffer.fill(&mut self.page)? {
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

    fn prepare(&mut self, tracked: &Tracked, threads: &[i32]) -> Result<(), Refusal> {
        let folder = format!("events/{}/{}", tracked.system, tracked.name);
        let format = self.instance.read(&format!("{folder}/format"))?;
        let format = EventLayout::parse(&format).map_err(Refusal::Failed)?;
        self.decoder.add(tracked, &format).map_err(Refusal::Unavailable)?;
        match tracked.filter.text(threads) {
            Some(filter) => self.instance.write(&format!("{folder}/filter"), &filter),
            None => Ok(()),
        }
    }

    fn switch(&self, value: &str) -> Result<(), Refusal> {
        let mut events = self.enabled.iter();
        events
            .try_for_each(|event| self.instance.write(&format!("events/{}/{}/enable", event.system, event.name), value))
    }
}
