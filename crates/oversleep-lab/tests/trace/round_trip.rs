//! A traced recording gives the same results when it is read from its file.

use crate::options;
use oversleep_lab::analysis::attribution::{late_sleeps, trace_documents, traced_cells};
use oversleep_lab::analysis::corroboration;
use oversleep_lab::analysis::patterns::diagnose;
use oversleep_lab::capture::late::LateRule;
use oversleep_lab::capture::trace::{TraceRunSettings, run};
use oversleep_lab::report::{Screen, breakdown};
use oversleep_recording::file::{Reader, Tail, Writer};
use oversleep_recording::trace::Tier;
use oversleep_recording::{End, Recording};
use oversleep_sys::units::Nanos;

/// Makes a recording with this tier, in memory and in a file; returns both, with the size of the file in bytes.
fn both(best: Tier, rule: Option<LateRule>) -> (Recording, Recording, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traced.arrows");
    let mut options = options(60);
    options.block = 20;
    let meta = options.meta();
    let mut sinks = (Recording::new(meta.clone()), Writer::create(&path, &meta, false).unwrap());
    let settings = TraceRunSettings { best, rule, ..options.settings() };
    assert_eq!(run(&meta.plan, &settings, &mut sinks), End::Complete);
    let (memory, writer) = sinks;
    writer.finish().unwrap();
    let mut file = Recording::new(meta);
    assert_eq!(Reader::open(&path).unwrap().read_into(&mut file).unwrap(), Tail::Closed);
    (memory, file, path.metadata().unwrap().len())
}

#[test]
fn the_file_gives_the_breakdowns_that_the_run_gave() {
    for best in [Tier::Events, Tier::Switches, Tier::Counters, Tier::Slack] {
        let (memory, file, bytes) = both(best, None);
        println!("{}: {} bytes a traced sleep", memory.note.tracing[0].tier.name(), bytes / 60);
        assert_eq!(memory.note.traced_sleeps, file.note.traced_sleeps);
        let (ran, read) = (trace_documents(&memory, true), trace_documents(&file, true));
        assert_eq!(ran, read);
        let every = read[0].sleeps.as_ref().unwrap();
        assert_eq!(every.len() as u64 + read[0].untraced.n + read[0].interrupted, 120);
        crate::exact(every);
        assert_eq!(breakdown::text(&ran, None, Screen::PLAIN), breakdown::text(&read, None, Screen::PLAIN));
    }
}

#[test]
fn traced_sleeps_are_no_part_of_what_is_said_of_the_machine() {
    let (recording, _, _) = both(Tier::Events, None);
    let traced = traced_cells(&recording)[0].cell.id;
    let mut diagnosis = diagnose(&recording);
    assert_eq!(diagnosis.cells.iter().map(|cell| cell.cell).collect::<Vec<_>>(), [0]);
    assert_ne!(traced, 0);
    let alone = Recording { samples: recording.of_cell(0).copied().collect(), ..(*recording.untraced()).clone() };
    assert_eq!(diagnose(&alone), diagnosis);
    // The trace is a witness beside the pattern, for the cell that differs only in tracing.
    let corroboration = corroboration::corroborate(&recording, &mut diagnosis);
    let said = corroboration.cells[0].trace.as_ref().unwrap();
    assert_eq!((said.cell, said.sleeps), (0, recording.of_cell(traced).count() as u64));
}

#[test]
fn late_sleeps_are_named_from_the_file_as_from_the_run() {
    let rule = LateRule { threshold: Nanos::new(1), stop: false, most: 50, best: Some(Tier::Events) };
    let (memory, file, _) = both(Tier::Events, Some(rule));
    let (ran, read) =
        (late_sleeps(&memory.meta.plan, &memory.note).unwrap(), late_sleeps(&file.meta.plan, &file.note).unwrap());
    assert_eq!(ran, read);
    // Each was one of the fifty latest until then.
    assert_eq!(read.account.found, read.sleeps.len() as u64);
    assert!(read.account.found >= 50, "{}", read.account.found);
    // Each late sleep is a traced one, with the same breakdown as in the recording's blocks, unless that is incomplete.
    let every = trace_documents(&file, true).remove(0).sleeps.unwrap();
    let of_trace = read.sleeps.iter().filter(|sleep| sleep.cell == 1 && sleep.witness == Some(Tier::Events));
    let mut compared = 0;
    for sleep in of_trace {
        let whole = every.iter().find(|breakdown| breakdown.sequence == sleep.sequence).unwrap();
        if whole.is_complete() {
            assert_eq!(sleep.breakdown.as_ref(), Some(whole));
            compared += 1;
        }
    }
    println!("{compared} late sleeps split alike");
}
