//! `explain`: what a recording's samples say of why sleeps were late.
//!
//! The file is read once. Figures are of all samples; patterns are looked for in as many as fit (`recording::thin`).

use crate::args::FileArgs;
use crate::cmd::{report, traced};
use crate::failure::Failure;
use crate::show::{json, verdict};
use crate::surveys::Surveys;
use oversleep_lab::analysis::corroboration::stand;
use oversleep_lab::analysis::downsample::{Thinned, Thinner, WHOLE};
use oversleep_lab::analysis::models::overlay;
use oversleep_lab::analysis::patterns::diagnose_thinned;
use oversleep_lab::analysis::{Summariser, document};
use oversleep_lab::report::{self as show, findings};
use oversleep_recording::Meta;
use oversleep_recording::plan::build::TRACED;
use std::io::Write;

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    args.output.no_csv("`oversleep export FILE` writes the samples")?;
    let mut kept = None;
    report::read_into(args, |meta| kept.insert(keep(meta)))?;
    let (samples, (summary, surveys)) = kept.ok_or_else(|| Failure::trouble("the recording has no head"))?;
    let thinned = samples.finish();
    if Surveys::shows(&thinned.first.meta) {
        // The causes below are those of sleeps.
        return surveys.show(&thinned.first.meta, summary, &args.output);
    }
    if is_traced(&thinned.first.meta) {
        traced::show(&thinned.first, args.output.json, false, args.output.look())?;
        return verdict(&summary.finish(), &args.output);
    }
    if thinned.samples == 0 {
        return Err(Failure::trouble("the recording has no samples"));
    }
    let cells = summary.finish();
    let mut diagnosis = diagnose_thinned(&thinned, &cells);
    let Thinned { first, .. } = &thinned;
    let stand = stand(first, &mut diagnosis);
    let model = overlay(first, &diagnosis);
    let look = args.output.look();
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let diagnosed = document::diagnosed(&first.meta, &first.note, &cells, &diagnosis, &stand);
        let document = document::explained(diagnosed, thinned.looked(), &model);
        json(&mut out, &document)?;
    } else {
        let (plan, system) = (&first.meta.plan, &first.meta.machine.system);
        let witnesses = show::witnesses::show(plan, system, &stand, &diagnosis, look);
        let between = if witnesses.is_empty() { "" } else { "\n" };
        write!(out, "{witnesses}{between}{}", findings::show(plan, &diagnosis, look))?;
        write!(out, "{}", show::overlay::show(&model, look))?;
        let looked = findings::looked(thinned.looked(), look);
        let between = if looked.is_empty() { "" } else { "\n" };
        write!(out, "{between}{looked}")?;
    }
    out.flush()?;
    verdict(&cells, &args.output)
}

/// What keeps the samples as they pass.
type Kept = (Thinner, (Summariser, Surveys));

fn keep(meta: &Meta) -> Kept {
    // Of a traced recording, every sleep is needed beside what was recorded around it.
    let planned: u64 = meta.plan.turns.iter().map(|turn| turn.sleeps).fold(0, u64::saturating_add);
    let bound = if is_traced(meta) { usize::try_from(planned).unwrap_or(WHOLE).max(WHOLE) } else { WHOLE };
    (Thinner::with_bound(meta, bound), (Summariser::new(meta), Surveys::new(meta)))
}

/// Whether a recording is one of traced sleeps.
fn is_traced(meta: &Meta) -> bool {
    meta.plan.experiment == TRACED
}
