//! Lists of sleeps of any length: a first part is read with the head, the rest as it is passed on.

use super::line_reader::Stop;
use super::whole_file::{Builder, refused};
use super::{Ending, ImportError, Records};
use oversleep_recording::{End, Meta, Note, Sink};

/// Number of samples that are read with the head, and at a time after it.
pub(super) const PART: usize = 1 << 16;

/// Where samples come from.
pub(super) trait Samples {
    /// Adds the next sample or samples, if there are any, and their cells; `false` at the end.
    fn next(&mut self, builder: &mut Builder) -> Result<bool, Stop>;
    /// Returns a remark on what was left out so far.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// A file whose first samples have been read.
struct Streamed<S> {
    samples: S,
    builder: Builder,
    name: String,
    format: &'static str,
    /// Whether nothing is left to be read, and the error that ended the reading.
    ended: bool,
    broken: Option<ImportError>,
}

/// Reads the first samples of a file. If there are none, returns the file's error, or else one with the reason `nothing`.
pub(super) fn streamed<'a>(
    (name, format): (&str, &'static str),
    builder: Builder,
    samples: impl Samples + 'a,
    nothing: &str,
) -> Result<Box<dyn Records + 'a>, ImportError> {
    let mut this = Streamed { samples, builder, name: name.to_owned(), format, ended: false, broken: None };
    this.read();
    if this.builder.waiting() == 0 {
        return Err(this.broken.unwrap_or_else(|| refused(name, format, nothing.to_owned())));
    }
    Ok(Box::new(this))
}

impl<S: Samples> Streamed<S> {
    /// Reads a part.
    fn read(&mut self) {
        let had_ended = self.ended;
        while !self.ended && self.builder.waiting() < PART {
            match self.samples.next(&mut self.builder) {
                Ok(more) => self.ended = !more,
                Err(stop) => {
                    self.ended = true;
                    self.broken = Some(match stop {
                        Stop::Read(source) => ImportError::Read { name: self.name.clone(), source },
                        Stop::Wrong(why) => refused(&self.name, self.format, why),
                    });
                }
            }
        }
        if let (false, true, Some(remark)) = (had_ended, self.ended, self.samples.remark()) {
            self.builder.remark(remark);
        }
    }
}

impl<S: Samples> Records for Streamed<S> {
    fn meta(&self) -> &Meta {
        self.builder.so_far().0
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        sink.note(self.builder.so_far().1);
        let (mut count, mut known) = (0, self.meta().plan.cells.len());
        while self.builder.waiting() > 0 {
            let samples = self.builder.pass_on();
            self.meta().plan.cells[known..].iter().for_each(|cell| sink.cell(cell));
            known = self.meta().plan.cells.len();
            samples.chunks(1 << 12).for_each(|batch| sink.samples(batch));
            count += samples.len() as u64;
            self.read();
        }
        if let Some(broken) = self.broken.take() {
            return Ending::Broken(broken.with_sound(count));
        }
        sink.note(&Note { end: Some(End::Complete), ..Note::default() });
        Ending::Complete
    }

    fn remarks(&self) -> &[String] {
        self.builder.so_far().2
    }
}
