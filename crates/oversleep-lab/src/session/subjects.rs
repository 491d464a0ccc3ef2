//! Analyses of recordings of stalls, runtimes and other programs, whose samples are not plain sleeps of this program.

use oversleep_analysis::{attach, runtimes, stalls};
use oversleep_recording::plan::Kind;
use oversleep_recording::{Meta, Note, Origin, Sample, Sink};

/// Data for the documents of such recordings, kept as samples pass.
#[derive(Debug)]
pub(super) struct Subjects {
    pub(super) stalls: Option<stalls::Stalls>,
    pub(super) runtimes: Option<runtimes::Gather>,
    pub(super) attach: Option<attach::Gather>,
    pub(super) loops: Option<attach::LoopsOfTable>,
}

impl Subjects {
    /// Begins to analyse a recording with this head.
    pub(super) fn new(meta: &Meta) -> Self {
        let stalls = (meta.plan.kind == Kind::Stalls).then(|| stalls::Stalls::new(meta));
        let runtimes = (meta.plan.kind == Kind::Runtimes).then(|| runtimes::Gather::new(meta));
        let attach = (meta.plan.kind == Kind::Attach).then(attach::Gather::default);
        let loops = matches!(meta.origin, Origin::Imported { .. }).then(attach::LoopsOfTable::default);
        Self { stalls, runtimes, attach, loops }
    }
}

impl Sink for Subjects {
    fn samples(&mut self, batch: &[Sample]) {
        if let Some(stalls) = &mut self.stalls {
            stalls.samples(batch);
        }
        if let Some(runtimes) = &mut self.runtimes {
            runtimes.samples(batch);
        }
        if let Some(attach) = &mut self.attach {
            attach.samples(batch);
        }
        if let Some(loops) = &mut self.loops {
            loops.samples(batch);
        }
    }

    fn note(&mut self, note: &Note) {
        if let Some(stalls) = &mut self.stalls {
            stalls.note(note);
        }
        if let Some(runtimes) = &mut self.runtimes {
            runtimes.note(note);
        }
        if let Some(attach) = &mut self.attach {
            attach.note(note);
        }
    }
}
