//! Kernel events as a table of columns, the form in files.

use super::event::{Event, EventKind, Interrupt, Task};
use super::event::{Gap, KernelEvents};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

/// Events as columns. All columns but `arguments` have one entry per event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Columns {
    /// Threads named by switches: ID, name, priority.
    pub tasks: Vec<(i32, String, i32)>,
    /// Names of interrupts.
    pub names: Vec<String>,
    /// Time of each event in nanoseconds since the event before it; of the first, on the monotonic clock.
    pub after_ns: Vec<i64>,
    /// Processor that recorded each event.
    pub cpu: Vec<u16>,
    /// Thread that was running on that processor.
    pub thread: Vec<i32>,
    /// Kind of each event, as a letter: `s` timer started, `x` timer expires, `t` timer interrupt, `i` interrupt
    /// begins, `o` interrupt ends, `k` thread about to be woken, `w` thread on a run queue, `c` context switch, `p` idle
    /// state, `d` timer dequeued, `e` system call entered, `r` system call returns.
    pub kind: String,
    /// Arguments of all events, one after another: `s` timer, earliest and latest time after the event; `x` timer,
    /// clock reading after the event; `i` and `o` 0 timer, 1 device, 2 softirq or 3 vector, its number, and its name's
    /// index in `names` or -1; `k` and `w` thread; `c` index in `tasks` of the thread before, its state, and index of
    /// the thread after; `p` the state entered, -1 if one was left; `d` timer; `e` the name's index in `names` and six
    /// arguments; `r` the result.
    pub arguments: Vec<i64>,
    /// Processor of the run queue of each event `w`, -1 where it is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<i32>,
    /// Gaps where events were lost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
}

/// Columns that cannot be converted to events: the file is damaged or was made by another program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the columns of kernel events do not fit together at event {event}")]
pub struct ColumnsError {
    /// Index of the first event that cannot be read.
    pub event: usize,
}

/// Distinct values, numbered in the order in which they first appear.
struct Numbered<T> {
    numbers: HashMap<T, usize>,
    values: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new() }
    }

    fn number(&mut self, value: &T) -> i64 {
        let next = self.values.len();
        let number = *self.numbers.entry(value.clone()).or_insert(next);
        if number == next {
            self.values.push(value.clone());
        }
        i64::try_from(number).unwrap_or(i64::MAX)
    }
}

impl From<KernelEvents> for Columns {
    fn from(batch: KernelEvents) -> Self {
        let mut columns = Self { gaps: batch.gaps, ..Self::default() };
        let (mut tasks, mut names, mut timers) = (Numbered::new(), Numbered::new(), Numbered::new());
        let mut last = Nanos::ZERO;
        for event in &batch.events {
            columns.after_ns.push(event.at.saturating_sub(last).get());
            last = event.at;
            columns.cpu.push(event.cpu);
            columns.thread.push(event.thread);
            let mut name = |text: &str| names.number(&text.to_owned());
            let interrupt = |name: &mut dyn FnMut(&str) -> i64, what: &Interrupt| match what {
                Interrupt::Timer => [0, 0, -1],
                Interrupt::Device { irq, name: text } => [1, i64::from(*irq), name(text)],
                Interrupt::Softirq(vector) => [2, i64::from(*vector), -1],
                Interrupt::Vector(text) => [3, 0, name(text)],
            };
            let after = |time: &Nanos| time.saturating_sub(event.at).get();
            let (letter, arguments) = match &event.kind {
                EventKind::TimerStart { timer, soft, hard } => {
                    ('s', vec![timers.number(timer), after(soft), after(hard)])
                }
                EventKind::TimerExpire { timer, now } => ('x', vec![timers.number(timer), after(now)]),
                EventKind::TimerCancel { timer } => ('d', vec![timers.number(timer)]),
                EventKind::CallEntry { call, arguments } => ('e', [name(call)].into_iter().chain(*arguments).collect()),
                EventKind::CallExit { result } => ('r', vec![*result]),
                EventKind::TimerInterrupt => ('t', Vec::new()),
                EventKind::InterruptEntry { what } => ('i', interrupt(&mut name, what).to_vec()),
                EventKind::InterruptExit { what } => ('o', interrupt(&mut name, what).to_vec()),
                EventKind::Waking { tid } => ('k', vec![i64::from(*tid)]),
                EventKind::Wakeup { tid, queue } => {
                    columns.queues.push(queue.map_or(-1, i32::from));
                    ('w', vec![i64::from(*tid)])
                }
                EventKind::Moved { tid, queue } => ('m', vec![i64::from(*tid), i64::from(*queue)]),
                EventKind::Switch { prev, state, next } => ('c', vec![tasks.number(prev), *state, tasks.number(next)]),
                EventKind::Idle { state } => ('p', vec![state.map_or(-1, i64::from)]),
            };
            columns.kind.push(letter);
            columns.arguments.extend(arguments);
        }
        columns.tasks = tasks.values.into_iter().map(|task: Task| (task.tid, task.comm, task.prio)).collect();
        columns.names = names.values;
        columns
    }
}

impl TryFrom<Columns> for KernelEvents {
    type Error = ColumnsError;

    fn try_from(columns: Columns) -> Result<Self, ColumnsError> {
        let count = columns.after_ns.len();
        let letters: Vec<char> = columns.kind.chars().collect();
        if [columns.cpu.len(), columns.thread.len(), letters.len()] != [count; 3] {
            return Err(ColumnsError {
                event: columns.cpu.len().min(columns.thread.len()).min(letters.len()).min(count),
            });
        }
        let (left, queues) = (columns.arguments.iter(), columns.queues.iter());
        let mut arguments = Arguments { columns: &columns, left, queues };
        let (mut events, mut at) = (Vec::with_capacity(count), Nanos::ZERO);
        for (event, letter) in letters.into_iter().enumerate() {
            at = at.saturating_add(Nanos::new(columns.after_ns[event]));
            let kind = arguments.kind(letter, at).ok_or(ColumnsError { event })?;
            events.push(Event { at, cpu: columns.cpu[event], thread: columns.thread[event], kind });
        }
        if arguments.left.next().is_some() {
            return Err(ColumnsError { event: count });
        }
        Ok(Self { events, gaps: columns.gaps })
    }
}

/// Reads the arguments of successive events.
struct Arguments<'a> {
    columns: &'a Columns,
    left: std::slice::Iter<'a, i64>,
    queues: std::slice::Iter<'a, i32>,
}

impl Arguments<'_> {
    fn kind(&mut self, letter: char, at: Nanos) -> Option<EventKind> {
        Some(match letter {
            's' => EventKind::TimerStart { timer: self.number()?, soft: self.time(at)?, hard: self.time(at)? },
            'x' => EventKind::TimerExpire { timer: self.number()?, now: self.time(at)? },
            'd' => EventKind::TimerCancel { timer: self.number()? },
            'e' => EventKind::CallEntry { call: self.name()?, arguments: self.call_arguments()? },
            'r' => EventKind::CallExit { result: self.number()? },
            't' => EventKind::TimerInterrupt,
            'i' => EventKind::InterruptEntry { what: self.interrupt()? },
            'o' => EventKind::InterruptExit { what: self.interrupt()? },
            'k' => EventKind::Waking { tid: self.thread()? },
            'w' => EventKind::Wakeup { tid: self.thread()?, queue: self.queue() },
            'm' => EventKind::Moved { tid: self.thread()?, queue: u16::try_from(self.number()?).ok()? },
            'c' => EventKind::Switch { prev: self.task()?, state: self.number()?, next: self.task()? },
            'p' => self.idle()?,
            _ => return None,
        })
    }

    fn number(&mut self) -> Option<i64> {
        self.left.next().copied()
    }

    fn name(&mut self) -> Option<Cow<'static, str>> {
        let name = self.columns.names.get(usize::try_from(self.number()?).ok()?)?;
        Some(Cow::Owned(name.clone()))
    }

    fn call_arguments(&mut self) -> Option<[i64; 6]> {
        let mut arguments = [0; 6];
        for argument in &mut arguments {
            *argument = self.number()?;
        }
        Some(arguments)
    }

    fn time(&mut self, at: Nanos) -> Option<Nanos> {
        Some(at.saturating_add(Nanos::new(self.number()?)))
    }

    fn thread(&mut self) -> Option<i32> {
        i32::try_from(self.number()?).ok()
    }

    fn queue(&mut self) -> Option<u16> {
        u16::try_from(*self.queues.next()?).ok()
    }

    fn task(&mut self) -> Option<Task> {
        let (tid, comm, prio) = self.columns.tasks.get(usize::try_from(self.number()?).ok()?)?;
        Some(Task { tid: *tid, comm: comm.clone(), prio: *prio })
    }

    fn idle(&mut self) -> Option<EventKind> {
        match self.number()? {
            -1 => Some(EventKind::Idle { state: None }),
            state => Some(EventKind::Idle { state: Some(u32::try_from(state).ok()?) }),
        }
    }

    fn interrupt(&mut self) -> Option<Interrupt> {
        let (kind, number, name) = (self.number()?, self.number()?, self.number()?);
        let name = || self.columns.names.get(usize::try_from(name).ok()?);
        Some(match kind {
            0 => Interrupt::Timer,
            1 => Interrupt::Device { irq: i32::try_from(number).ok()?, name: name()?.clone() },
            2 => Interrupt::Softirq(u32::try_from(number).ok()?),
            3 => Interrupt::Vector(Cow::Owned(name()?.clone())),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn task() -> impl Strategy<Value = Task> {
        (0..5_i32, "[a-z/:\" ]{0,6}", -1..140_i32).prop_map(|(tid, comm, prio)| Task { tid, comm, prio })
    }

    fn interrupt() -> impl Strategy<Value = Interrupt> {
        prop_oneof![
            Just(Interrupt::Timer),
            (0..9_i32, "[a-z]{0,3}").prop_map(|(irq, name)| Interrupt::Device { irq, name }),
            (0..12_u32).prop_map(Interrupt::Softirq),
            "[a-z]{1,3}".prop_map(|name| Interrupt::Vector(name.into())),
        ]
    }

    fn kind() -> impl Strategy<Value = EventKind> {
        let time = || (0..1_000_000_000_i64).prop_map(Nanos::new);
        prop_oneof![
            (time(), time()).prop_map(|(soft, hard)| EventKind::TimerStart { timer: 0, soft, hard }),
            time().prop_map(|now| EventKind::TimerExpire { timer: 0, now }),
            Just(EventKind::TimerCancel { timer: 0 }),
            ("[a-z]{1,3}", any::<[i64; 6]>())
                .prop_map(|(call, arguments)| EventKind::CallEntry { call: call.into(), arguments }),
            any::<i64>().prop_map(|result| EventKind::CallExit { result }),
            Just(EventKind::TimerInterrupt),
            interrupt().prop_map(|what| EventKind::InterruptEntry { what }),
            interrupt().prop_map(|what| EventKind::InterruptExit { what }),
            any::<i32>().prop_map(|tid| EventKind::Waking { tid }),
            (any::<i32>(), any::<Option<u16>>()).prop_map(|(tid, queue)| EventKind::Wakeup { tid, queue }),
            (any::<i32>(), any::<u16>()).prop_map(|(tid, queue)| EventKind::Moved { tid, queue }),
            (task(), any::<i64>(), task()).prop_map(|(prev, state, next)| EventKind::Switch { prev, state, next }),
            prop::option::of(0..9_u32).prop_map(|state| EventKind::Idle { state }),
        ]
    }

    fn event() -> impl Strategy<Value = Event> {
        (0..1_000_000_000_i64, any::<u16>(), any::<i32>(), kind()).prop_map(|(at, cpu, thread, kind)| Event {
            at: Nanos::new(at),
            cpu,
            thread,
            kind,
        })
    }

    proptest! {
        #[test]
        fn events_come_back_from_json_as_they_were(events in prop::collection::vec(event(), 0..20)) {
            let gap = Gap { cpu: 1, from: Nanos::new(3), until: Nanos::new(9), records: 0 };
            let batch = KernelEvents { events, gaps: vec![gap] };
            let json = serde_json::to_string(&batch).unwrap();
            prop_assert_eq!(serde_json::from_str::<KernelEvents>(&json).unwrap(), batch);
        }
    }

    #[test]
    fn timers_keep_apart_without_their_addresses() {
        let start = |timer| Event {
            at: Nanos::SECOND,
            cpu: 0,
            thread: 1,
            kind: EventKind::TimerStart { timer, soft: Nanos::SECOND, hard: Nanos::SECOND },
        };
        let batch = KernelEvents { events: [-77_000_111, 5, -77_000_111].map(start).into(), gaps: Vec::new() };
        let columns = Columns::from(batch);
        assert!(!format!("{columns:?}").contains("77000111"), "{columns:?}");
        let timer = |event: &Event| matches!(event.kind, EventKind::TimerStart { timer, .. } if timer == 0);
        let back = KernelEvents::try_from(columns).unwrap();
        assert_eq!(back.events.iter().map(timer).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn columns_that_do_not_fit_together_are_refused() {
        let event = Event { at: Nanos::SECOND, cpu: 0, thread: 1, kind: EventKind::Waking { tid: 3 } };
        let sound = Columns::from(KernelEvents { events: vec![event], gaps: Vec::new() });
        let wrong: [fn(&mut Columns); 5] = [
            |columns| columns.cpu.clear(),
            |columns| columns.kind = "?".to_owned(),
            |columns| columns.arguments.clear(),
            |columns| columns.arguments.push(1),
            |columns| (columns.kind, columns.arguments) = ("c".to_owned(), vec![0, 0, 0]),
        ];
        for spoil in wrong {
            let mut columns = sound.clone();
            spoil(&mut columns);
            assert!(KernelEvents::try_from(columns.clone()).is_err(), "{columns:?}");
        }
    }
}
