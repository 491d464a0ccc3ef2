//! The recorded events, one row each, and how their records become [`Event`]s.
//!
//! Each is optional: without one, two parts of a sleep are merged, and this is reported.

use super::format::{EventLayout, Field};
use oversleep_recording::document::late::THIS_PROGRAM;
use oversleep_recording::trace::{Event, EventKind, Interrupt, Task};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A kernel event that is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Tracked {
    /// Folder below `events`.
    pub system: &'static str,
    /// Folder of the event itself.
    pub name: &'static str,
    /// Filter of the records to keep.
    pub filter: Filter,
    /// Whether the chain of marks needs the event; otherwise it only explains.
    pub core: bool,
    fields: &'static [&'static str],
    decode: fn(&Fields<'_>) -> Option<EventKind>,
}

impl Tracked {
    /// Returns whether the event is about the threads that are traced. The kernel moves threads to other run queues while
    /// anybody runs, so that this event cannot be chosen by the thread that is running.
    pub fn is_of_threads(&self) -> bool {
        self.filter != Filter::All && self.name != "sched_migrate_task"
    }

    /// Returns the earlier event in the list in whose absence this one is recorded: one event less between the timer
    /// and the return saved 2 µs after idle.
    pub fn stands_in_for(&self) -> Option<&'static str> {
        (self.name == "sched_waking").then_some("sched_wakeup")
    }
}

/// The filter of an event's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// Keeps all records.
    All,
    /// Keeps those recorded while the thread ran.
    WhileRunning,
    /// Keeps those about the thread.
    About,
}

/// Maximum number of threads in a filter, because the kernel compares each record with each. More are not filtered at
/// all.
const FILTERED: usize = 16;

impl Filter {
    /// Returns the filter in the kernel's syntax, for any of these threads; `None` for no filter. Without threads
    /// nothing is filtered: more than necessary is recorded, never less.
    pub fn text(self, threads: &[i32]) -> Option<String> {
        let field = match self {
            Self::All => return None,
            Self::WhileRunning => "common_pid",
            Self::About => "pid",
        };
        let any: Vec<String> = threads.iter().map(|thread| format!("{field} == {thread}")).collect();
        (!any.is_empty() && any.len() <= FILTERED).then(|| any.join(" || "))
    }
}

macro_rules! tracked {
    ($(#[$about:meta])* $list:ident: $($core:ident $filter:ident $system:literal $name:literal [$($field:literal)*] $decode:expr;)*) => {
        $(#[$about])*
        pub const $list: &[Tracked] = &[$(Tracked {
            system: $system, name: $name, filter: Filter::$filter, core: $core,
            fields: &[$($field),*], decode: $decode,
        }),*];
    };
}

const CORE: bool = true;
const MORE: bool = false;

tracked! {
    /// Every event that is recorded around sleeps.
    ///
    /// `syscalls:*` would force every thread of the machine through the slow system-call path, and perf cannot
    /// sample `irq_work_exit`; the former are not listed, the latter is read through tracefs alone.
    TRACKED:
    CORE WhileRunning "timer" "hrtimer_start" ["hrtimer" "softexpires" "expires"] |f|
        Some(EventKind::TimerStart {
            timer: f.number(0)?, soft: Nanos::new(f.number(1)?), hard: Nanos::new(f.number(2)?),
        });
    CORE All "timer" "hrtimer_expire_entry" ["hrtimer" "now"] |f|
        Some(EventKind::TimerExpire { timer: f.number(0)?, now: Nanos::new(f.number(1)?) });
    CORE About "sched" "sched_wakeup" ["pid" "target_cpu"] |f|
        Some(EventKind::Wakeup { tid: f.tid(0)?, queue: f.unsigned(1).and_then(|cpu| u16::try_from(cpu).ok()) });
    CORE About "sched" "sched_waking" ["pid"] |f| Some(EventKind::Waking { tid: f.tid(0)? });
    MORE About "sched" "sched_migrate_task" ["pid" "dest_cpu"] |f|
        Some(EventKind::Moved { tid: f.tid(0)?, queue: f.unsigned(1).and_then(|cpu| u16::try_from(cpu).ok())? });
    CORE All "sched" "sched_switch"
        ["prev_pid" "prev_comm" "prev_prio" "prev_state" "next_pid" "next_comm" "next_prio"] switch;
    CORE All "irq_vectors" "local_timer_entry" [] |_| Some(EventKind::TimerInterrupt);
    CORE All "irq_vectors" "local_timer_exit" [] |_| Some(EventKind::InterruptExit { what: Interrupt::Timer });
    MORE All "irq" "irq_handler_entry" ["irq" "name"] |f| Some(device_entry(f.tid(0)?, f.text(1)?));
    MORE All "irq" "irq_handler_exit" ["irq"] |f|
        Some(EventKind::InterruptExit { what: Interrupt::Device { irq: f.tid(0)?, name: String::new() } });
    MORE All "irq" "softirq_entry" ["vec"] |f|
        Some(EventKind::InterruptEntry { what: Interrupt::Softirq(f.unsigned(0)?) });
    MORE All "irq" "softirq_exit" ["vec"] |f|
        Some(EventKind::InterruptExit { what: Interrupt::Softirq(f.unsigned(0)?) });
    MORE All "irq_vectors" "reschedule_entry" [] |_| Some(entry("reschedule"));
    MORE All "irq_vectors" "reschedule_exit" [] |_| Some(exit("reschedule"));
    MORE All "irq_vectors" "call_function_entry" [] |_| Some(entry("call_function"));
    MORE All "irq_vectors" "call_function_exit" [] |_| Some(exit("call_function"));
    MORE All "irq_vectors" "call_function_single_entry" [] |_| Some(entry("call_function_single"));
    MORE All "irq_vectors" "call_function_single_exit" [] |_| Some(exit("call_function_single"));
    MORE All "irq_vectors" "irq_work_entry" [] |_| Some(entry("irq_work"));
    MORE All "irq_vectors" "irq_work_exit" [] |_| Some(exit("irq_work"));
    MORE All "power" "cpu_idle" ["state"] |f| {
        let state = f.unsigned(0)?;
        // The kernel's PWR_EVENT_EXIT is −1.
        Some(EventKind::Idle { state: (state != u32::MAX).then_some(state) })
    };
}

tracked! {
    /// The events that are recorded of another program besides: its system calls, and whether a timer was stopped. While they
    /// are recorded, every thread of the machine enters the kernel by a slower path.
    CALLS:
    CORE WhileRunning "raw_syscalls" "sys_enter" ["id" "args"] |f| {
        let arguments = [f.element(1, 0)?, f.element(1, 1)?, f.element(1, 2)?, f.element(1, 3)?, f.element(1, 4)?, f.element(1, 5)?];
        Some(EventKind::CallEntry { call: super::call_name(f.number(0)?).unwrap_or(OTHER_CALL).into(), arguments })
    };
    CORE WhileRunning "raw_syscalls" "sys_exit" ["ret"] |f| Some(EventKind::CallExit { result: f.number(0)? });
    CORE WhileRunning "timer" "hrtimer_cancel" ["hrtimer"] |f| Some(EventKind::TimerCancel { timer: f.number(0)? });
}

tracked! {
    /// The timers that count ticks, of another program: those of `SO_RCVTIMEO` and `SO_SNDTIMEO`.
    WHEEL:
    CORE WhileRunning "timer" "timer_start" ["timer" "expires" "bucket_expiry" "now"] |f| {
        let now = f.number(3)?;
        // A tick boundary lies before `at`: the timer fires up to a tick before the latest time, never before the earliest.
        let after = |at: usize| Some(f.at + f.tick? * f.number(at)?.wrapping_sub(now));
        Some(EventKind::TimerStart { timer: f.number(0)?, soft: after(1)?, hard: after(2)? })
    };
    CORE WhileRunning "timer" "timer_cancel" ["timer"] |f| Some(EventKind::TimerCancel { timer: f.number(0)? });
    CORE All "timer" "timer_expire_entry" ["timer"] |f| Some(EventKind::TimerExpire { timer: f.number(0)?, now: f.at });
}

/// Name of the calls that do not wait.
const OTHER_CALL: &str = "other";

fn entry(name: &'static str) -> EventKind {
    EventKind::InterruptEntry { what: Interrupt::Vector(name.into()) }
}

fn exit(name: &'static str) -> EventKind {
    EventKind::InterruptExit { what: Interrupt::Vector(name.into()) }
}

/// Returns the kind of a device interrupt. arm64 has no vector for the processor's timer: it is a device, `arch_timer`.
fn device_entry(irq: i32, name: String) -> EventKind {
    if name == "arch_timer" {
        return EventKind::TimerInterrupt;
    }
    EventKind::InterruptEntry { what: Interrupt::Device { irq, name } }
}

fn switch(f: &Fields<'_>) -> Option<EventKind> {
    let task = |at: usize, prio: usize| {
        let (tid, comm) = (f.tid(at)?, f.text(at + 1)?);
        let own = if is_own_thread(tid) { THIS_PROGRAM } else { "" };
        Some(Task { tid, comm: comm + own, prio: f.tid(prio)? })
    };
    Some(EventKind::Switch { prev: task(0, 2)?, state: f.number(3)?, next: task(4, 6)? })
}

/// Threads that are remembered at most: a machine that compiles starts millions, and its numbers come again.
const MOST_REMEMBERED: usize = 4_096;

/// Returns whether a thread is of this process. Each is looked up once, soon after its first event.
fn is_own_thread(tid: i32) -> bool {
    static KNOWN: Mutex<BTreeMap<i32, bool>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST_REMEMBERED {
        known.clear();
    }
    *known.entry(tid).or_insert_with(|| Path::new("/proc/self/task").join(tid.to_string()).exists())
}

/// A record and its fields, in the order of the row.
struct Fields<'a> {
    record: &'a [u8],
    places: &'a [Field],
    at: Nanos,
    tick: Option<Nanos>,
}

impl Fields<'_> {
    fn number(&self, at: usize) -> Option<i64> {
        self.places.get(at)?.number(self.record)
    }

    /// Returns an element of an array of six words.
    fn element(&self, at: usize, index: usize) -> Option<i64> {
        let array = self.places.get(at)?;
        let size = array.size / 6;
        Field { name: String::new(), offset: array.offset + index * size, size, ..*array }.number(self.record)
    }

    fn tid(&self, at: usize) -> Option<i32> {
        i32::try_from(self.number(at)?).ok()
    }

    fn unsigned(&self, at: usize) -> Option<u32> {
        u32::try_from(self.number(at)? & 0xffff_ffff).ok()
    }

    fn text(&self, at: usize) -> Option<String> {
        self.places.get(at)?.text(self.record)
    }
}

/// Decodes records into events, with the formats of the running kernel.
#[derive(Debug, Default)]
pub struct Decoder {
    rows: HashMap<u16, TrackedLayout>,
    /// Length of the kernel's tick; without it, no record of [`WHEEL`] that has ticks is decoded.
    pub tick: Option<Nanos>,
}

/// The fields of a tracked event's record, and the function that decodes them.
#[derive(Debug)]
struct TrackedLayout {
    thread: Field,
    places: Vec<Field>,
    decode: fn(&Fields<'_>) -> Option<EventKind>,
}

impl Decoder {
    /// Adds the format of an event. The error names a field that this kernel's format lacks.
    pub fn add(&mut self, tracked: &Tracked, format: &EventLayout) -> Result<(), String> {
        let thread = format.field("common_pid")?.clone();
        let places = tracked.fields.iter().map(|name| format.field(name).cloned()).collect::<Result<_, _>>()?;
        self.rows.insert(format.id, TrackedLayout { thread, places, decode: tracked.decode });
        Ok(())
    }

    /// Decodes a record; returns `None` for events that were not added and for records shorter than their format.
    pub fn decode(&self, at: u64, cpu: u16, record: &[u8]) -> Option<Event> {
        let id = u16::from_ne_bytes(record.get(..2)?.try_into().ok()?);
        let row = self.rows.get(&id)?;
        let thread = i32::try_from(row.thread.number(record)?).ok()?;
        let at = Nanos::new(i64::try_from(at).ok()?);
        let kind = (row.decode)(&Fields { record, places: &row.places, at, tick: self.tick })?;
        Some(Event { at, cpu, thread, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::PageLayout;
    use super::super::page::Page;
    use super::*;

    const FORMATS: &[&str] = &[
        include_str!("../../tests/data/trace/format/hrtimer_start"),
        include_str!("../../tests/data/trace/format/hrtimer_expire_entry"),
        include_str!("../../tests/data/trace/format/sched_waking"),
        include_str!("../../tests/data/trace/format/sched_wakeup"),
        include_str!("../../tests/data/trace/format/sched_switch"),
        include_str!("../../tests/data/trace/format/local_timer_entry"),
        include_str!("../../tests/data/trace/format/local_timer_exit"),
        include_str!("../../tests/data/trace/format/irq_handler_entry"),
        include_str!("../../tests/data/trace/format/softirq_entry"),
        include_str!("../../tests/data/trace/format/softirq_exit"),
        include_str!("../../tests/data/trace/format/cpu_idle"),
    ];

    fn decoder() -> Decoder {
        let mut decoder = Decoder::default();
        for text in FORMATS {
            let format = EventLayout::parse(text).unwrap();
            let tracked = TRACKED.iter().find(|tracked| tracked.name == format.name).unwrap();
            decoder.add(tracked, &format).unwrap();
        }
        decoder
    }

    #[test]
    fn captured_sleeps_arm_expire_wake_and_run_in_this_order() {
        let layout = PageLayout::parse(include_str!("../../tests/data/trace/header_page")).unwrap();
        let pages = include_bytes!("../../tests/data/trace/sleeps-cpu0.raw").chunks(layout.page());
        let decoder = decoder();
        let events: Vec<Event> = pages
            .flat_map(|bytes| Page::parse(bytes, &layout).unwrap().records())
            .filter_map(|record| record.ok().and_then(|record| decoder.decode(record.at, 0, record.bytes)))
            .collect();
        let log = include_str!("../../tests/data/trace/sleeps.txt");
        let tid: i32 = log.lines().next().unwrap().strip_prefix("tid ").unwrap().parse().unwrap();
        for line in log.lines().skip(1) {
            let (start, end) = line.split_once(' ').unwrap();
            let (start, end) = (Nanos::new(start.parse().unwrap()), Nanos::new(end.parse().unwrap()));
            let within: Vec<_> = events.iter().filter(|event| (start..end).contains(&event.at)).collect();
            let first =
                |wanted: &dyn Fn(&EventKind) -> bool| within.iter().position(|event| wanted(&event.kind)).unwrap();
            let order = [
                first(
                    &|kind| matches!(kind, EventKind::TimerStart { soft, hard, .. } if *hard - *soft == Nanos::from_micros(50)),
                ),
                first(&|kind| matches!(kind, EventKind::TimerExpire { .. })),
                first(&|kind| matches!(kind, EventKind::Waking { tid: woken } if *woken == tid)),
                first(&|kind| matches!(kind, EventKind::Wakeup { tid: woken, queue: Some(_) } if *woken == tid)),
                first(&|kind| matches!(kind, EventKind::Switch { next, .. } if next.tid == tid)),
            ];
            assert!(order.is_sorted(), "{order:?}");
        }
    }

    #[test]
    fn a_filter_names_each_thread_or_none() {
        assert_eq!(Filter::All.text(&[7]), None);
        assert_eq!(Filter::About.text(&[7]).unwrap(), "pid == 7");
        assert_eq!(Filter::WhileRunning.text(&[7, 9]).unwrap(), "common_pid == 7 || common_pid == 9");
        assert_eq!(Filter::About.text(&[]), None);
        assert_eq!(Filter::About.text(&[1; FILTERED + 1]), None, "too many to compare each record with");
    }

    #[test]
    fn a_format_without_a_needed_field_is_refused_by_name() {
        let text = FORMATS[4].replace("next_pid", "successor");
        let row = TRACKED.iter().find(|tracked| tracked.name == "sched_switch").unwrap();
        let refused = Decoder::default().add(row, &EventLayout::parse(&text).unwrap());
        assert_eq!(refused.unwrap_err(), "sched_switch has no next_pid");
    }

    #[test]
    fn formats_with_more_or_fewer_fields_than_here_are_read() {
        // Kernels before 6.x have no was_armed, those before 4.16 no mode; sched_wakeup once had success.
        let old: String = FORMATS[0]
            .lines()
            .filter(|line| !line.contains("was_armed") && !line.contains(" mode;"))
            .map(|line| line.to_owned() + "\n")
            .collect();
        let row = TRACKED.iter().find(|tracked| tracked.name == "hrtimer_start").unwrap();
        assert!(Decoder::default().add(row, &EventLayout::parse(&old).unwrap()).is_ok());
        let with = FORMATS[3].replace(
            "\tfield:int target_cpu;\toffset:32;",
            "\tfield:int success;\toffset:32;\tsize:4;\tsigned:1;\n\tfield:int target_cpu;\toffset:36;",
        );
        let row = TRACKED.iter().find(|tracked| tracked.name == "sched_wakeup").unwrap();
        assert!(Decoder::default().add(row, &EventLayout::parse(&with).unwrap()).is_ok());
    }

    #[test]
    fn the_ticks_of_a_timer_become_times_if_the_tick_is_known() {
        let format = EventLayout::parse(include_str!("../../tests/data/trace/format/timer_start")).unwrap();
        let mut decoder = Decoder { tick: Some(Nanos::from_millis(4)), ..Decoder::default() };
        decoder.add(WHEEL.iter().find(|tracked| tracked.name == "timer_start").unwrap(), &format).unwrap();
        let mut record = vec![0; 52];
        record[..2].copy_from_slice(&format.id.to_ne_bytes());
        for (name, value) in [("timer", 7), ("expires", 1_005), ("bucket_expiry", 1_006), ("now", 1_000_i64)] {
            let at = format.field(name).unwrap().offset;
            record[at..at + 8].copy_from_slice(&value.to_ne_bytes());
        }
        let kind = |decoder: &Decoder| decoder.decode(500, 0, &record).map(|event| event.kind);
        let (soft, hard) = (Nanos::new(20_000_500), Nanos::new(24_000_500));
        assert_eq!(kind(&decoder), Some(EventKind::TimerStart { timer: 7, soft, hard }));
        decoder.tick = None;
        assert_eq!(kind(&decoder), None);
    }

    #[test]
    fn short_and_unknown_records_are_no_events() {
        let decoder = decoder();
        assert_eq!(decoder.decode(0, 0, &[]), None);
        assert_eq!(decoder.decode(0, 0, &372_u16.to_ne_bytes()), None, "a sched_switch without its fields");
        assert_eq!(decoder.decode(0, 0, &[0xff; 64]), None);
    }
}
