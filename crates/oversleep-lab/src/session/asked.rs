//! Explanation of figures that somebody states, without a recording.

use super::results::pretty;
use oversleep_recording::asked::{AskedError, Question};
use oversleep_recording::document::AskedAnswer;
use oversleep_report::{self as report, Screen};

/// What would explain the figures of a question.
pub struct AskedExplanation(AskedAnswer);

impl AskedExplanation {
    /// Answers a question.
    ///
    /// # Errors
    /// What the question states cannot all be true.
    pub fn new(question: &Question) -> Result<Self, AskedError> {
        question.check()?;
        oversleep_model::asked::answer(question).map(Self)
    }

    /// Returns the document.
    pub fn document(&self) -> &AskedAnswer {
        &self.0
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> String {
        pretty(&self.0)
    }

    /// Returns the answer as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        report::asked::text(&self.0, screen)
    }
}
