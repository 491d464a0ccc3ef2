//! `proportional-slack`: lateness that grows with the request, by the same share for shorter sleeps and longer ones.

use super::{changed, finding, idle, other};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, ProportionalSlack, Witnessed};
use oversleep_recording::document::{Cause, CauseSize, Effect, Interventions, SizeInterval};
use oversleep_recording::plan::Pattern;
use oversleep_recording::plan::intervene::Change;

/// How far shorter sleeps may be from a straight line, as a share of their shift: costs that grow with sleep bend the
/// line a little.
const STRAIGHT: f64 = 0.05;

pub(super) fn detect(found: &Interventions, recording: &Recording) -> Option<CauseSize> {
    let base = recording.meta.plan.cells.iter().find(|cell| cell.id == found.base)?;
    let Pattern::Fixed { requested } = base.pattern else { return None };
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
