//! Tier one: an instance of our own, read as raw pages.

use super::super::Setup;
use super::super::format::{Format, PageLayout};
use super::super::page::Page;
use super::super::tracked::{Decoder, TRACKED, Tracked};
use super::instance::Instance;
use oversleep_recording::trace::Gap;
use oversleep_recording::trace::KernelEvents;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Records what the kernel does around the sleeps of one thread.
///
/// Nothing of it is seen by other users of tracefs, and dropping it removes it. Its instance outlives only a
/// `kill -9`; the next tracer opened on the machine removes it then.
#[derive(Debug)]
pub struct Tracer {
    // Dropped first: an instance with open files cannot be removed.
    pipes: Vec<Pipe>,
    instance: Instance,
    decoder: Decoder,
    layout: PageLayout,
    enabled: Vec<&'static Tracked>,
    missing: Vec<(String, Refusal)>,
    page: Vec<u8>,
}

/// A processor's ring.
#[derive(Debug)]
struct Pipe {
    cpu: u16,
    file: File,
    last: Nanos,
}

impl Tracer {
    /// Sets everything up for one thread; records nothing yet. See [`Tracer::open_for`].
    pub fn open(thread: i32, setup: Setup) -> Result<Self, Refusal> {
        Self::open_for(&[thread], setup)
    }

    /// Sets everything up for these threads; records nothing yet.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] without rights on tracefs, [`Refusal::Unavailable`] where the kernel has none or
    /// the process lives among thread numbers of its own, [`Refusal::Failed`] where it answers oddly.
    pub fn open_for(threads: &[i32], setup: Setup) -> Result<Self, Refusal> {
        let instance = Instance::create(setup.buffer_kib)?;
        let header = header(&instance.tracefs.root)?;
        let layout = PageLayout::parse(&header).map_err(Refusal::Failed)?;
        let mut tracer = Self {
            pipes: Vec::new(),
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
        tracer.pipes = tracer.pipes()?;
        Ok(tracer)
    }

    /// Events this kernel lacks or denies, and why; the parts they would tell apart are merged.
    pub fn missing(&self) -> &[(String, Refusal)] {
        &self.missing
    }

    /// Returns the instance's name.
    pub fn name(&self) -> String {
        self.instance.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Begins to record. Before it, and after [`Tracer::stop`], the events cost nothing: they are disabled, not
    /// merely thrown away.
    pub fn start(&mut self) -> Result<(), Refusal> {
        self.switch("1")?;
        self.instance.write("tracing_on", "1")
    }

    /// Records no more; what was recorded can still be drained.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        self.instance.write("tracing_on", "0")?;
        self.switch("0")
    }

    /// Takes what was recorded so far.
    pub fn drain(&mut self) -> Result<KernelEvents, Refusal> {
        let mut batch = KernelEvents::default();
        for pipe in &mut self.pipes {
            while pipe.fill(&mut self.page)? {
                pipe.take(&self.page, &self.layout, &self.decoder, &mut batch);
            }
        }
        batch.events.sort_by_key(|event| event.at);
        Ok(batch)
    }

    fn prepare(&mut self, tracked: &Tracked, threads: &[i32]) -> Result<(), Refusal> {
        let folder = format!("events/{}/{}", tracked.system, tracked.name);
        let format = self.instance.read(&format!("{folder}/format"))?;
        let format = Format::parse(&format).map_err(Refusal::Failed)?;
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

    fn pipes(&self) -> Result<Vec<Pipe>, Refusal> {
        let folder = self.instance.path().join("per_cpu");
        let entries = std::fs::read_dir(&folder).map_err(|error| Refusal::from_os("tracefs per_cpu", &error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| name.strip_prefix("cpu")?.parse().ok()).map(|cpu| Pipe::open(&folder, cpu)).collect()
    }
}

/// In one read: this file answers only reads from its beginning (seen on 6.18).
fn header(root: &Path) -> Result<String, Refusal> {
    let mut text = vec![0; 16 * 1024];
    let file = File::open(root.join("events/header_page")).and_then(|mut file| file.read(&mut text));
    let length = file.map_err(|error| Refusal::from_os("tracefs header_page", &error))?;
    Ok(String::from_utf8_lossy(&text[..length]).into_owned())
}

impl Pipe {
    fn open(folder: &Path, cpu: u16) -> Result<Self, Refusal> {
        let path = folder.join(format!("cpu{cpu}/trace_pipe_raw"));
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path);
        let file = file.map_err(|error| Refusal::from_os("tracefs trace_pipe_raw", &error))?;
        Ok(Self { cpu, file, last: Nanos::ZERO })
    }

    /// Reads the next page; `false` if there is none.
    fn fill(&mut self, page: &mut [u8]) -> Result<bool, Refusal> {
        loop {
            match self.file.read(page) {
                Ok(0) => return Ok(false),
                Ok(length) => {
                    page[length..].fill(0);
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Refusal::from_os("tracefs trace_pipe_raw", &error)),
            }
        }
    }

    fn take(&mut self, bytes: &[u8], layout: &PageLayout, decoder: &Decoder, batch: &mut KernelEvents) {
        let Ok(page) = Page::parse(bytes, layout) else {
            // Nothing in it can be told; whatever it held is lost until the next page that can.
            batch.gaps.push(Gap { cpu: self.cpu, from: self.last, until: Nanos::MAX, records: 0 });
            return;
        };
        let start = Nanos::new(i64::try_from(page.start).unwrap_or(i64::MAX));
        if let Some(records) = page.missed() {
            batch.gaps.push(Gap { cpu: self.cpu, from: self.last, until: start, records });
        }
        self.last = self.last.max(start);
        for record in page.records() {
            let Ok(record) = record else {
                batch.gaps.push(Gap { cpu: self.cpu, from: self.last, until: Nanos::MAX, records: 0 });
                return;
            };
            self.last = Nanos::new(i64::try_from(record.at).unwrap_or(i64::MAX));
            batch.events.extend(decoder.decode(record.at, self.cpu, record.bytes));
        }
    }
}
