//! `explain`: what a recording's samples say of why sleeps were late.
//!
//! The file is read once. Figures are of all samples; patterns are looked for in as many as fit (`recording::thin`).

use crate::args::FileArgs;
use crate::cmd::{report, traced};
use crate::failure::Failure;
use crate::input::Input;
use crate::say::say;
use crate::show::{json, verdict};
use crate::surveys::Surveys;
use oversleep_lab::analysis::corroboration::stand;
use oversleep_lab::analysis::downsample::{Thinned, Thinner, WHOLE};
use oversleep_lab::analysis::models::overlay;
use oversleep_lab::analysis::patterns::diagnose_thinned;
use oversleep_lab::analysis::{Summariser, document};
use oversleep_lab::import::csv;
use oversleep_lab::report::{self as show, findings};
use oversleep_recording::Meta;
use oversleep_recording::file::Reader;
use oversleep_recording::plan::build::TRACED;
use std::fmt::Display;
use std::io::{self, BufRead, Write};

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    args.output.no_csv("`oversleep export FILE` writes the samples")?;
    let (samples, (summary, surveys)) = read(args)?;
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

/// A recording of ours, or a table of another program's. What a damaged one holds before the damage is used if told so.
fn read(args: &FileArgs) -> Result<Kept, Failure> {
    let Input { name, mut bytes } = Input::open(&args.file)?;
    let trouble = |error: &dyn Display| Failure::trouble(format!("{name}: {error}"));
    if bytes.fill_buf().map_err(|error| trouble(&error))?.is_empty() {
        return Err(trouble(&csv::CsvError::Nothing));
    }
    if !is_table(&mut bytes).map_err(|error| trouble(&error))? {
        let mut kept = None;
        report::pour_from(Reader::new(name.clone(), bytes)?, args.partial, |meta| kept.insert(keep(meta)))?;
        return kept.ok_or_else(|| Failure::trouble("the recording has no head"));
    }
    let (kept, broken) = csv::pour_partial(bytes, &name, keep).map_err(|error| trouble(&error))?;
    if let Some(csv::Broken { why, rows }) = broken {
        if !args.partial {
            return Err(trouble(&format!("{why}; sound rows before that: {rows} (--partial reads them)")));
        }
        say!("{name}: {why}; rows before that, which are used: {rows}");
    }
    Ok(kept)
}

/// Recordings of ours begin with four bytes of ones (Arrow's continuation mark); tables begin with text.
fn is_table(file: &mut impl BufRead) -> io::Result<bool> {
    let start = file.fill_buf()?;
    Ok(start.first().is_some_and(|first| *first != 0xff))
}
