//! The order in which every command answers: the verdict, the evidence, then where, when and under which conditions it was measured.

use super::headline::Headline;
use super::style::Screen;
use super::table::{asked, conditions};
use oversleep_figures::CellSummary;
use oversleep_recording::cpus::list_text;
use oversleep_recording::document::{AskedAndObtained, Measured, PageRecording};
use oversleep_recording::machine::{Machine, TimerResolution, TimerRule};
use oversleep_recording::plan::Kind;
use oversleep_recording::text::visible;
use oversleep_recording::{End, Meta, Note, Origin};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Returns the verdict and what to do about it, and then the evidence and the facts of the run.
pub fn around(verdict: &Headline, evidence: &str, facts: &str, screen: Screen) -> String {
    let mut out = screen.lines(0, &screen.heading(&verdict.text));
    if let Some(advice) = &verdict.advice {
        out += &screen.lines(0, advice);
    }
    format!("{out}\n{}\n\n{facts}", evidence.trim_matches('\n'))
}

/// Returns the machine, the time, the request and conditions if all rows share them, and warnings: a busy machine, a
/// run that ended early.
pub fn facts(meta: &Meta, note: &Note, cells: &[CellSummary], screen: Screen) -> String {
    let mut out = screen.lines(0, &screen.aside(&where_and_when(&meta.origin, &meta.machine, meta.started.as_deref())));
    if let Some(same) = same(meta, cells) {
        out += &screen.lines(0, &screen.aside(&same));
    }
    if meta.origin == Origin::Live {
        for fact in [already_set(meta, cells), timers(&meta.machine), rounded(meta)].into_iter().flatten() {
            out += &screen.lines(0, &screen.aside(&fact));
        }
    }
    for warning in warnings(meta, note, cells) {
        out += &screen.lines(0, &screen.warning(&warning));
    }
    out
}

/// Returns what makes the figures doubtful, one sentence each.
pub fn warnings(meta: &Meta, note: &Note, cells: &[CellSummary]) -> Vec<String> {
    [busy(meta), ended(meta, note, cells)].into_iter().flatten().collect()
}

/// Returns where and when figures were measured.
fn where_and_when(origin: &Origin, host: &Machine, started: Option<&str>) -> String {
    let place = match origin {
        Origin::Simulated { model, .. } => format!("simulated kernel {model}"),
        Origin::Imported { format, file } => format!("imported from {} ({format})", visible(file)),
        Origin::Live => machine(host),
    };
    let started = started.map(|started| started.replace('T', " ").replace('Z', " UTC"));
    std::iter::once(place).chain(started).collect::<Vec<_>>().join("; ")
}

/// Returns where, when and under which conditions a recording's figures were measured, in one line: what a picture says of
/// itself. Conditions in which its rows differ are named with the rows.
pub(super) fn provenance(recording: &PageRecording) -> String {
    let Measured { origin, machine, started, cells, stalls, .. } = &recording.measured;
    let place = where_and_when(origin, machine, started.as_deref());
    if stalls.is_some() || recording.clocks.is_some() {
        return place;
    }
    let slept = || recording.cells.iter().zip(cells).filter(|(_, cell)| cell.raw.n > 0);
    let shared = only(slept().map(|(cell, _)| cell.conditions.clone()).collect());
    let slack = only(slept().map(|(_, cell)| inherited_slack(&cell.conditions)).collect()).flatten();
    let slack = slack.map(|slack| format!("slack {slack}"));
    let conditions =
        shared.filter(|shared| shared != "default").into_iter().chain(slack).collect::<Vec<_>>().join(", ");
    if conditions.is_empty() { place } else { format!("{place}; {conditions}") }
}

/// Returns the timer slack of a cell that did not ask for one; `None` if that is not known, or of a real-time policy, which has
/// none.
fn inherited_slack(conditions: &AskedAndObtained) -> Option<Nanos> {
    let obtained = conditions.obtained.as_ref().filter(|obtained| !obtained.is_real_time())?;
    obtained.timer_slack.filter(|_| conditions.asked.timer_slack.is_none())
}

/// Returns what all are, if they are all the same.
fn only<T: PartialEq>(mut all: Vec<T>) -> Option<T> {
    let first = all.pop()?;
    all.iter().all(|other| *other == first).then_some(first)
}

/// Returns a machine as one line.
pub fn machine(machine: &Machine) -> String {
    let Machine { system, release, version, architecture, processor, virtualisation, .. } = machine;
    let count = match processor.online.len() {
        0 => String::new(),
        1 => ", 1 processor".to_owned(),
        count => format!(", {count} processors"),
    };
    let model = processor.model.as_ref().map_or_else(String::new, |model| format!(" ({model})"));
    let guest = virtualisation.hypervisor.as_ref().map_or_else(String::new, |host| format!(", guest of {host}"));
    let inside = virtualisation.container.as_ref().map_or_else(String::new, |kind| format!(", container ({kind})"));
    // Wine says so instead of Windows: the timers are those of another system.
    let wine = if version.starts_with("Wine") { format!(" ({version})") } else { String::new() };
    let preemption = machine.preemption.text().map_or_else(String::new, |model| format!(", {model}"));
    let tick = tick(machine).map_or_else(String::new, |hz| format!(", tick {hz:.0} Hz"));
    format!("{system} {release}{wine} {architecture}{preemption}{tick}{count}{model}{guest}{inside}")
}

/// Returns the rate of the kernel's tick, as it claims it.
fn tick(machine: &Machine) -> Option<f64> {
    let length = machine.timekeeping.tick_claimed.filter(|length| *length > Nanos::ZERO)?;
    Some(Nanos::SECOND.as_f64() / length.as_f64())
}

/// Returns how often Windows checks its timers, and which process's request decides.
fn timers(machine: &Machine) -> Option<String> {
    let timers = machine.timekeeping.timer_resolution.as_ref()?;
    let TimerResolution { coarsest, finest, in_force } = timers;
    let rule = TimerRule::of_release(&machine.release).map_or_else(String::new, |rule| format!("; {}", rule.text()));
    Some(format!("timer resolution when it began: {in_force}, of {finest} to {coarsest}{rule}"))
}

/// Number of requests up to which their rounding is shown one by one; for more, as in a sweep, the units are shown.
const TOLD: usize = 3;

/// Returns which requests were rounded up, because the method counts in larger units.
fn rounded(meta: &Meta) -> Option<String> {
    let mut changed: BTreeMap<(Nanos, Nanos), Vec<&str>> = BTreeMap::new();
    let mut units: BTreeMap<Nanos, Vec<&str>> = BTreeMap::new();
    for cell in &meta.plan.cells {
        let (Some(row), Some(requested)) = (cell.row(), cell.pattern.requested()) else { continue };
        if row.rounded(requested) != requested {
            let one = changed.entry((requested, row.rounded(requested))).or_default();
            let unit = units.entry(row.unit.step().unwrap_or_default()).or_default();
            for methods in [one, unit] {
                if !methods.contains(&row.name) {
                    methods.push(row.name);
                }
            }
        }
    }
    let rounding = |((from, to), methods): (&(Nanos, Nanos), &Vec<&str>)| {
        format!("{from} asked for as {to} by {}, whose unit that is", methods.join(", "))
    };
    let unit = |(step, methods): (&Nanos, &Vec<&str>)| format!("multiples of {step} by {}", methods.join(", "));
    match changed.len() {
        0 => None,
        1..=TOLD => Some(changed.iter().map(rounding).collect::<Vec<_>>().join("; ")),
        _ => Some(format!("requests rounded up to {}", units.iter().map(unit).collect::<Vec<_>>().join(", and "))),
    }
}

/// Returns the request and the conditions that all rows share and no column shows.
fn same(meta: &Meta, cells: &[CellSummary]) -> Option<String> {
    let slept: Vec<_> = cells.iter().filter(|cell| cell.raw.n > 0).collect();
    // A thread that watches for stalls does not request a sleep.
    let asks = meta.plan.kind != Kind::Stalls;
    // Files of other tools with delays alone have no request.
    let is_known =
        |cell: &&CellSummary| cell.cell.row().is_some() || cell.cell.pattern.requested() != Some(Nanos::ZERO);
    let asks = asks && slept.iter().any(is_known);
    let request = only(asked(slept.iter().copied()).into_iter().filter(|asked| asks && asked != "–").collect());
    let under = only(slept.iter().map(|cell| conditions(&cell.cell.conditions, cell.obtained.as_ref())).collect());
    let parts = [request.map(|asked| format!("asked: {asked}")), under.map(|under| format!("conditions: {under}"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Returns a warning if more threads want to run than there are processors.
fn busy(meta: &Meta) -> Option<String> {
    meta.machine.busy().map(|load| format!("WARNING: the machine was busy when the run began: {load}"))
}

/// Number of planned sleeps from which a plan counts as running *until it is stopped*.
pub(super) const ENDLESS: u64 = 1_000_000_000_000;

/// Returns a warning if the run did not end as planned.
fn ended(meta: &Meta, note: &Note, cells: &[CellSummary]) -> Option<String> {
    let plan = &meta.plan;
    if meta.origin != Origin::Live || !plan.kind.has_sleeps() {
        return None;
    }
    let threads =
        |id| plan.cells.iter().find(|cell| cell.id == id).and_then(|cell| cell.conditions.threads).unwrap_or(1);
    let planned = plan.turns.iter().map(|turn| turn.sleeps.saturating_mul(threads(turn.cell).into()));
    let planned = planned.fold(0, u64::saturating_add);
    // A period that was skipped is over, too.
    let skipped = |cell: &CellSummary| cell.periods.map_or(0, |periods| periods.skipped);
    let made: u64 = cells.iter().map(|cell| cell.raw.n + cell.failed + skipped(cell)).sum();
    // The account of the traced sleeps counts them.
    let counted = plan.kind != Kind::Trace;
    let of_planned = if planned < ENDLESS { format!(" of {planned} planned") } else { String::new() };
    match note.end {
        Some(End::Complete) => None,
        // What is said of late sleeps says so.
        Some(End::Interrupted) if note.late.as_ref().is_some_and(|late| late.stopped) => None,
        Some(End::TimeOver) if made >= planned => None,
        Some(End::Interrupted) if !counted => Some("interrupted".to_owned()),
        Some(End::TimeOver) if !counted => Some("ended when its time ran out".to_owned()),
        Some(End::Interrupted) => Some(format!("interrupted after {made}{of_planned} sleeps")),
        Some(End::TimeOver) => Some(format!("ended when its time ran out, after {made}{of_planned} sleeps")),
        None if !counted => None,
        None => Some(format!("no end after {made}{of_planned} sleeps: the run was killed, or still goes on")),
    }
}

/// The timer slack that threads have unless somebody sets another (`init/init_task.c` of Linux).
const USUAL_SLACK: Nanos = Nanos::from_micros(50);

/// Returns the processors, timer slack and held latency that the run found set, where they are not the usual ones and the
/// run did not ask for its own, which are conditions. `None` if there are none. An inherited policy is with the
/// conditions.
pub(super) fn already_set(meta: &Meta, cells: &[CellSummary]) -> Option<String> {
    if !meta.plan.kind.has_sleeps() {
        return None;
    }
    let online = &meta.machine.processor.online;
    let cells: Vec<_> =
        cells.iter().filter_map(|cell| Some((&cell.cell.conditions, cell.obtained.as_ref()?))).collect();
    let cpus = cells.iter().filter(|(asked, _)| asked.affinity.is_none()).filter_map(|(_, got)| got.affinity.as_ref());
    let mut narrower = cpus.filter(|cpus| !online.iter().all(|cpu| cpus.contains(cpu)));
    // Threads of real-time policies have no slack, whatever they inherited.
    let slack = cells.iter().filter(|(asked, got)| asked.timer_slack.is_none() && !got.is_real_time());
    let mut unusual = slack.filter_map(|(_, got)| got.timer_slack).filter(|slack| *slack != USUAL_SLACK);
    let parts = [
        narrower.next().map(|cpus| format!("processors {} of {}", list_text(cpus), list_text(online))),
        unusual.next().map(|slack| format!("slack {slack}")),
        meta.machine.idle.latency_hold.map(|held| format!("latency hold {held}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("already set when it began: {}", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_figures::Summariser;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::build::{Grid, measure};
    use oversleep_recording::plan::{Conditions, Pattern, Policy};
    use oversleep_recording::{Note, Obtained, Origin, Sink};

    fn rounding(methods: &[MethodId], requests: &[i64]) -> Option<String> {
        let rows: Vec<_> = methods.iter().map(|method| method.row()).collect();
        let requests: Vec<_> = requests.iter().map(|ns| Pattern::Fixed { requested: Nanos::new(*ns) }).collect();
        let grid = Grid { rows: &rows, requests: &requests, conditions: &[Conditions::default()] };
        rounded(&Meta::new("test", Origin::Live, measure(&grid, 1, 0)))
    }

    #[test]
    fn a_machine_says_where_its_kernel_can_be_preempted_and_how_often_it_ticks() {
        let mut host = Machine { system: "Linux".into(), release: "6.1".into(), ..Machine::default() };
        host.architecture = "x86_64".into();
        host.processor.online = vec![0, 1];
        assert_eq!(machine(&host), "Linux 6.1 x86_64, 2 processors");
        host.preemption.model = Some("none".into());
        host.timekeeping.tick_claimed = Some(Nanos::new(3_333_333));
        assert_eq!(machine(&host), "Linux 6.1 x86_64, not preemptible (PREEMPT_NONE), tick 300 Hz, 2 processors");
        host.preemption.model = Some("of another time".into());
        assert_eq!(machine(&host), "Linux 6.1 x86_64, tick 300 Hz, 2 processors");
    }

    #[test]
    fn a_slack_is_inherited_where_none_was_asked_for_and_the_policy_has_one() {
        let slack = Some(Nanos::from_micros(50));
        let slack_of = |asked, policy| {
            let asked = Conditions { timer_slack: asked, ..Conditions::default() };
            let obtained = Some(Conditions { timer_slack: slack, policy: Some(policy), ..Conditions::default() });
            inherited_slack(&AskedAndObtained { asked, obtained })
        };
        assert_eq!([slack_of(None, Policy::Other), slack_of(slack, Policy::Other)], [slack, None]);
        assert_eq!(slack_of(None, Policy::Fifo { priority: 80 }), None);
        assert_eq!([only(vec![slack, slack]), only(vec![slack, None]), only(Vec::new())], [Some(slack), None, None]);
    }

    #[test]
    fn every_rounding_is_told_by_request_or_by_unit() {
        let two = [MethodId::Poll, MethodId::Select];
        assert_eq!(rounding(&two, &[1_000_000]), None);
        let one = "200 µs asked for as 1.00 ms by poll, whose unit that is";
        assert_eq!(rounding(&two, &[200_000]).as_deref(), Some(one));
        let many = "requests rounded up to multiples of 1.00 µs by select, and multiples of 1.00 ms by poll";
        assert_eq!(rounding(&two, &[1, 1_500]).as_deref(), Some(many));
    }

    /// Returns the remark on a run on processors 0 to 3 that asked for `asked` and got `got`.
    fn remark(asked: &Conditions, got: &Conditions, hold: Option<Nanos>) -> Option<String> {
        let requests = [Pattern::fixed(Nanos::MILLISECOND)];
        let grid =
            Grid { rows: &[MethodId::Nanosleep.row()], requests: &requests, conditions: std::slice::from_ref(asked) };
        let mut meta = Meta::new("test", Origin::Live, measure(&grid, 1, 0));
        meta.machine.processor.online = vec![0, 1, 2, 3];
        meta.machine.idle.latency_hold = hold;
        let mut summary = Summariser::new(&meta);
        let obtained = vec![Obtained { cell: 0, thread: 0, conditions: got.clone() }];
        summary.note(&Note { obtained, ..Note::default() });
        already_set(&meta, &summary.finish())
    }

    #[test]
    fn what_was_inherited_is_told_and_what_is_usual_or_asked_for_is_not() {
        let all = Conditions {
            affinity: Some(vec![0, 1, 2, 3]),
            timer_slack: Some(USUAL_SLACK),
            policy: Some(Policy::Other),
            ..Conditions::default()
        };
        let free = Conditions::default();
        assert_eq!(remark(&free, &all, None), None);
        assert_eq!(remark(&free, &free, None), None, "a system that tells nothing");
        let few = Conditions { affinity: Some(vec![1, 2]), timer_slack: Some(Nanos::new(1)), ..all.clone() };
        let expected = "already set when it began: processors 1-2 of 0-3, slack 1 ns, latency hold 20.0 µs";
        assert_eq!(remark(&free, &few, Some(Nanos::from_micros(20))).as_deref(), Some(expected));
        assert_eq!(remark(&few, &few, None), None);
        let fifo = Conditions { policy: Some(Policy::Fifo { priority: 80 }), timer_slack: Some(Nanos::ZERO), ..all };
        assert_eq!(remark(&free, &fifo, None), None);
    }
}
