//! The progress bar, on standard error.

use std::sync::LazyLock;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use oversleep_lab::capture::sleeps::{Observer, SleepRunProgress};
use oversleep_sys::units::Nanos;

/// The bar that is shown, which makes way for lines. It is drawn at most four times a second, and only on a terminal.
static SHOWN: LazyLock<MultiProgress> =
    LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(4)));

/// Returns a new bar of the given number of columns, next to its message; it is hidden if `quiet`.
pub(crate) fn new_bar(quiet: bool, columns: u16) -> ProgressBar {
    let bar = if quiet { ProgressBar::hidden() } else { SHOWN.add(ProgressBar::new(1)) };
    let style = ProgressStyle::with_template(&format!("{{bar:{columns}.dim}} {{wide_msg}}"));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━ "));
    bar
}

/// Runs `write` with the bar removed, and draws the bar again: it would otherwise stay on its line and later erase what was
/// written.
pub(crate) fn without_bar<T>(write: impl FnOnce() -> T) -> T {
    SHOWN.suspend(write)
}

/// A bar with the estimated time left, drawn at most four times a second, between turns or while the coordinator
/// collects samples; nothing is drawn if standard error is not a terminal or the run is over in a second.
pub(crate) struct Bar {
    bar: ProgressBar,
    drawn: Option<Nanos>,
}

const QUARTER: Nanos = Nanos::from_millis(250);

impl Bar {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { bar: new_bar(quiet, 30), drawn: None }
    }

    /// Shows how many blocks of a comparison are done, which `share` of its time has passed (0 to 1), and how exactly
    /// the medians are known by now.
    pub(crate) fn blocks(&mut self, done: usize, share: f64, known: Option<Nanos>) {
        let known = known.map_or_else(String::new, |known| format!(", medians to ± {known}"));
        self.bar.set_length(1_000);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 1000
        self.bar.set_position((share.clamp(0.0, 1.0) * 1e3) as u64);
        self.bar.set_message(format!("{done} blocks{known}"));
    }

    /// Removes the bar before results are shown.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Bar {
    fn watches(&mut self, elapsed: Nanos) -> bool {
        !self.bar.is_hidden() && self.drawn.is_none_or(|drawn| elapsed - drawn >= QUARTER)
    }

    fn progress(&mut self, progress: &SleepRunProgress) {
        self.drawn = Some(progress.elapsed);
        let (elapsed, remaining) = (progress.elapsed.get(), progress.remaining.get());
        self.bar.set_length(elapsed.saturating_add(remaining).unsigned_abs());
        self.bar.set_position(elapsed.unsigned_abs());
        let latest = progress.latest_by.map_or_else(String::new, |latest| format!("max {latest}, "));
        self.bar.set_message(format!("{} sleeps, {latest}{}", progress.samples, left(progress.remaining)));
    }

    fn shows_latest(&self) -> bool {
        !self.bar.is_hidden()
    }
}

fn left(remaining: Nanos) -> String {
    let seconds = (remaining.get() + 999_999_999) / 1_000_000_000;
    match seconds {
        0..=99 => format!("about {seconds} s left"),
        100..=5_999 => format!("about {} min left", (seconds + 30) / 60),
        _ => format!("about {} h {} min left", seconds / 3_600, seconds % 3_600 / 60),
    }
}
