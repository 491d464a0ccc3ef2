//! Converts effects to causes: what an intervention removes is the size of its cause.
//!
//! There is a reading wherever the intervention was made, even if it had no effect: "no slack, give or take a
//! microsecond" may contradict another witness. There is a finding only for what survived the correction.

mod idle;
mod slack;

use oversleep_model::may_add;
use oversleep_recording::Recording;
use oversleep_recording::catalog::{MethodId, SlackRule};
use oversleep_recording::document::evidence::{
    Changed, ConstantCost, OtherChange, ProportionalSlack, RunQueue, Witnessed,
};
use oversleep_recording::document::{
    Cause, CauseSize, Effect, Evidence, Finding, Interventions, Remedy, SizeInterval, Undecided, Unit, Witness,
};
use oversleep_recording::plan::Pattern;
use oversleep_recording::plan::intervene::Change;

const DETECTORS: [fn(&Interventions, &Recording) -> Option<CauseSize>; 5] =
    [slack::detect, idle::detect, run_queue, length, entry];

/// Returns every reading of the baseline.
pub(super) fn read(found: &Interventions, recording: &Recording) -> Vec<CauseSize> {
    DETECTORS.iter().filter_map(|detect| detect(found, recording)).collect()
}

/// Returns the effects whose cause stays open.
pub(super) fn open(found: &Interventions, recording: &Recording) -> Vec<Undecided> {
    idle::open(found, recording).into_iter().collect()
}

/// Returns a reading without negative sizes, which no cause has; `None` where the change made sleeps later, as that hides whatever it
/// removed.
pub(super) fn possible(reading: CauseSize) -> Option<CauseSize> {
    Some(CauseSize {
        p50: reading.p50.not_negative()?,
        p99: reading.p99.and_then(SizeInterval::not_negative),
        ..reading
    })
}

/// Returns a reading of what an effect removed, with a finding if the median's effect is significant and positive.
fn taken(base: u32, evidence: impl Into<Evidence>, effect: &Effect) -> CauseSize {
    let evidence = evidence.into();
    let p50 = SizeInterval::taken_by(&effect.p50);
    let seen = effect.p50.seen && p50.size > 0.0;
    CauseSize {
        cell: base,
        cause: evidence.cause(),
        p50,
        p99: effect.p99.as_ref().map(SizeInterval::taken_by),
        seen,
        by: effect.in_words(),
        finding: seen.then(|| finding(evidence, p50, effect)),
    }
}

/// Returns an effect as evidence.
fn changed(effect: &Effect) -> Changed {
    Changed {
        changed: effect.in_words(),
        p50_shift_ns: effect.p50.size,
        p_corrected: effect.p50.corrected,
        blocks: effect.blocks,
        sleeps: effect.sleeps,
        p99_shift_ns: effect.p99.map(|p99| p99.size),
        other: None,
        part: None,
        ratio: None,
        measured_beside: None,
    }
}

/// Returns the effect of another change of the same kind, as further evidence.
fn other(effect: &Effect) -> OtherChange {
    OtherChange { changed: effect.in_words(), p50_shift_ns: effect.p50.size }
}

/// Returns the finding of a part that an effect showed.
fn finding(evidence: impl Into<Evidence>, part: SizeInterval, effect: &Effect) -> Finding {
    let mut finding = Finding::new(evidence, part.size, Unit::Nanoseconds)
        .between(part.low, part.high)
        .sure((1.0 - effect.p50.corrected).min(0.99));
    finding.witnesses = vec![Witness::Intervention];
    finding
}

/// `constant-cost`, its part before the sleep: a duration counts from the kernel's clock reading, while a deadline is
/// fixed. What a deadline removes is the time until that reading.
fn entry(found: &Interventions, _: &Recording) -> Option<CauseSize> {
    let absolute = found.first_effect(|change| matches!(change, Change::Absolute { .. }))?;
    let evidence = Changed { part: Some("from the program's clock to the kernel's"), ..changed(absolute) };
    let mut reading = taken(found.base, Witnessed::<ConstantCost>::of_change(evidence), absolute);
    if let Some(finding) = &mut reading.finding {
        finding.remedy = vec![Remedy::new(
            "any",
            "ask for a deadline in place of a duration",
            "what happens before the sleep then costs nothing",
        )];
    }
    Some(reading)
}

/// `run-queue`: what running before all time-sharing threads removes.
///
/// Real-time threads also have no slack, so the comparison is with the least slack.
fn run_queue(found: &Interventions, _: &Recording) -> Option<CauseSize> {
    let real_time =
        |change: &Change| matches!(change, Change::Policy { policy: Some(policy) } if policy.is_real_time());
    let effect = found.beyond(real_time)?;
    let mut reading = taken(found.base, Witnessed::<RunQueue>::of_change(changed(effect)), effect);
    if let Some(finding) = &mut reading.finding {
        finding.confounders.push("the scheduler's own work differs between policies".to_owned());
    }
    Some(reading)
}

/// How far shorter sleeps may be from a straight line, as a share of their shift: costs that grow with sleep bend the
/// line a little.
const STRAIGHT: f64 = 0.05;

/// `proportional-slack`: lateness that grows with the request, by the same share for shorter sleeps and longer ones, of calls whose
/// sleeps the system may stretch.
fn length(found: &Interventions, recording: &Recording) -> Option<CauseSize> {
    let base = recording.meta.plan.cells.iter().find(|cell| cell.id == found.base)?;
    let Pattern::Fixed { requested } = base.pattern else { return None };
    let rule = MethodId::recognise(&base.method).map_or(SlackRule::Share, |method| method.row().slack);
    if !may_add(recording, rule).share {
        return None;
    }
    let requested = requested.as_f64();
    let of = |effect: &Effect| match effect.change {
        Change::Request { requested_ns: Some(other) } => Some(other.as_f64() - requested),
        _ => None,
    };
    let longer = found.effects.iter().find(|effect| of(effect).is_some_and(|more| more > 0.0))?;
    let shorter = found.effects.iter().find(|effect| of(effect).is_some_and(|more| more < 0.0))?;
    let (more, less) = (of(longer)?, of(shorter)?);
    let share = |ns: f64| ns / more * requested;
    let part = SizeInterval { size: share(longer.p50.size), low: share(longer.p50.low), high: share(longer.p50.high) };
    // A share of the request is the same both ways; other growth is not (idle states have steps).
    let expected = longer.p50.size / more * less;
    let give = STRAIGHT * expected.abs();
    let straight = (shorter.p50.low - give..=shorter.p50.high + give).contains(&expected);
    // Leaving idle takes longer after longer sleeps, over a factor of 16 in nearly a straight line (seen: −10, 0 and 31
    // µs at 62, 250 and 1000 µs): if keeping the processor awake removes half as much, the growth may be that.
    let idle = idle::best(found).is_some_and(|best| best.p50.seen && -best.p50.size > part.size / 2.0);
    let seen = straight && longer.p50.seen && shorter.p50.seen && part.low > 0.0 && !idle;
    let (ratio, other) = (Some(longer.p50.size / more), Some(other(shorter)));
    let evidence = Witnessed::<ProportionalSlack>::of_change(Changed { ratio, other, ..changed(longer) });
    let finding = seen.then(|| finding(evidence, part, longer));
    // Growth that is not in proportion has other causes, so there is no reading without a finding.
    finding.map(|finding| CauseSize {
        cell: found.base,
        cause: Cause::ProportionalSlack,
        p50: part,
        p99: None,
        seen,
        by: longer.in_words(),
        finding: Some(finding),
    })
}
