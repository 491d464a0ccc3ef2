//! Tracing of system calls with a time that other processes make.

use super::super::format::{EventLayout, PageLayout};
use super::super::timed::{Decoder, TIMED, calls};
use super::cpu_buffer::{CpuBuffer, header};
use super::instance::Instance;
use oversleep_recording::TimedCall;
use oversleep_sys::Refusal;

/// Size of each processor's ring buffer, in KiB: about 20 000 calls.
const BUFFER_KIB: u32 = 2_048;

/// Records the times that some processes pass to the kernel, in an instance of its own that is removed on drop.
///
/// While it records, every thread of the machine enters the kernel by a slower path, so sleeps that are timed are not
/// made during that time.
#[derive(Debug)]
pub struct CallTracer {
    // Dropped first: an instance with open files cannot be removed.
    buffers: Vec<CpuBuffer>,
    instance: Instance,
    decoder: Decoder,
    layout: PageLayout,
    enabled: Vec<String>,
    page: Vec<u8>,
}

impl CallTracer {
    /// Sets everything up, without recording yet.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] without rights on tracefs, [`Refusal::Unavailable`] where there is none or the kernel
    /// records no system calls.
    pub fn open() -> Result<Self, Refusal> {
        let instance = Instance::create(BUFFER_KIB)?;
        let layout = PageLayout::parse(&header(&instance.tracefs.root)?).map_err(Refusal::Failed)?;
        let (mut decoder, mut enabled) = (Decoder::default(), Vec::new());
        for timed in TIMED {
            let folder = format!("events/syscalls/sys_enter_{}", timed.name);
            // Not every architecture has every call, and not every kernel every field.
            let Ok(text) = instance.read(&format!("{folder}/format")) else { continue };
            let format = EventLayout::parse(&text).map_err(Refusal::Failed)?;
            if decoder.add(timed, &format).is_ok() {
                enabled.push(folder);
            }
        }
        if enabled.is_empty() {
            let why = "the kernel records no system calls (it was built without CONFIG_FTRACE_SYSCALLS)";
            return Err(Refusal::Unavailable(why.to_owned()));
        }
        let timer = "events/timer/hrtimer_start";
        let format = EventLayout::parse(&instance.read(&format!("{timer}/format"))?).map_err(Refusal::Failed)?;
        decoder.add_timer(&format).map_err(Refusal::Unavailable)?;
        enabled.push(timer.to_owned());
        // Threads and children that are started later are traced as well.
        instance.write("options/event-fork", "1")?;
        let buffers = CpuBuffer::all(instance.path())?;
        Ok(Self { buffers, instance, decoder, layout, enabled, page: vec![0; layout.page()] })
    }

    /// Starts recording what these threads, and those they start, pass to the kernel.
    pub fn start(&mut self, threads: &[i32]) -> Result<(), Refusal> {
        let numbers: Vec<String> = threads.iter().map(ToString::to_string).collect();
        if numbers.is_empty() {
            // Without a thread ID nothing would be filtered, and the whole machine recorded.
            return Err(Refusal::Unavailable("the threads to be watched are not known".to_owned()));
        }
        self.instance.write("set_event_pid", &numbers.join(" "))?;
        self.switch("1")?;
        self.instance.write("tracing_on", "1")
    }

    /// Stops recording, and returns the calls since the start.
    pub fn stop(&mut self) -> Result<Vec<TimedCall>, Refusal> {
        self.instance.write("tracing_on", "0")?;
        self.switch("0")?;
        let mut seen = Vec::new();
        for buffer in &mut self.buffers {
            while buffer.fill(&mut self.page)? {
                // Lost records mean fewer calls, but no wrong ones.
                buffer.take(&self.page, &self.layout, |at, record| seen.extend(self.decoder.decode(at, record)));
            }
        }
        Ok(calls(seen))
    }

    fn switch(&self, value: &str) -> Result<(), Refusal> {
        self.enabled.iter().try_for_each(|folder| self.instance.write(&format!("{folder}/enable"), value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::timed::TIMED;
    use super::*;
    use oversleep_sys::units::Nanos;
    use std::time::Duration;

    #[test]
    fn a_thread_s_calls_are_recorded_with_what_the_kernel_was_told() {
        let mut tracer = match CallTracer::open() {
            Ok(tracer) => tracer,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        tracer.start(&[super::super::thread_id()]).unwrap();
        (0..20).for_each(|_| std::thread::sleep(Duration::from_millis(3)));
        let calls = tracer.stop().unwrap();
        assert!(calls.iter().all(|call| TIMED.iter().any(|timed| timed.name == call.call)), "{calls:?}");
        // A call that was interrupted for a millisecond before it set its timer is left out: never all twenty of them.
        let told = calls.iter().filter_map(|call| Some(call.timer? - call.at));
        let long = told.filter(|told| *told > Nanos::from_micros(2_500)).count();
        assert!((1..=20).contains(&long), "{calls:?}");
    }
}
