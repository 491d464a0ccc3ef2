//! `explain`: what a recording's samples say of why sleeps were late.
//!
//! The file is read once. Figures are of all samples; patterns are looked for in as many as fit (`recording::thin`).

use crate::args::FileArgs;
use crate::cmd::report;
use crate::failure::Failure;
use crate::show::verdict;
use oversleep_lab::analysis::Summariser;
use oversleep_lab::analysis::corroboration::stand;
use oversleep_lab::analysis::downsample::{Thinned, Thinner};
use oversleep_lab::analysis::models::overlay;
use oversleep_lab::analysis::patterns::diagnose_thinned;
use oversleep_lab::capture::stalls;
use oversleep_lab::report::{self as show, findings};
use serde_json::json;
use std::io::{self, Write};

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    args.output.no_csv("`oversleep export FILE` writes the samples")?;
    let mut kept = None;
    report::read_into(args, |meta| kept.insert((Summariser::new(meta), Thinner::new(meta))))?;
    let (summary, samples) = kept.ok_or_else(|| Failure::trouble("the recording has no head"))?;
    let thinned = samples.finish();
    if thinned.first.meta.plan.experiment == stalls::EXPERIMENT {
        // Stalls are explained one by one where they are seen; the causes below are those of sleeps.
        return report::run(args);
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
        let mut document = findings::document(&first.meta, &first.note, &cells, &diagnosis);
        show::witnesses::enter(&mut document, &first.meta.plan, &stand);
        document["looked_at"] = json!(thinned.looked());
        document["model"] = json!(model);
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
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
