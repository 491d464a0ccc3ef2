//! Requests in short form, with all digits where the short forms of two would be alike.

use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::collections::{HashMap, HashSet};

/// The requests of a report, by their short forms.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    known: HashMap<String, Pattern>,
    /// The short forms that several have.
    shared: HashSet<String>,
}

impl Requests {
    /// Looks at all requests of a report.
    pub(crate) fn new(all: impl IntoIterator<Item = Pattern>) -> Self {
        let mut requests = Self::default();
        all.into_iter().for_each(|request| requests.add(request));
        requests
    }

    /// Looks at another request.
    pub(crate) fn add(&mut self, request: Pattern) {
        let text = words(request, false);
        match self.known.get(&text) {
            Some(first) if *first != request => _ = self.shared.insert(text),
            Some(_) => {}
            None => _ = self.known.insert(text, request),
        }
    }

    /// Returns a request: `16.7 ms`, or `16.67 ms` where another is 16.7 ms.
    pub(crate) fn text(&self, request: Pattern) -> String {
        let short = words(request, false);
        if self.shared.contains(&short) { words(request, true) } else { short }
    }
}

/// Returns the period of a schedule in short form, or with all digits where that would round it: 60 Hz is not 59.94 Hz.
pub(crate) fn period(period: Nanos) -> String {
    let short = period.to_string();
    if short.parse() == Ok(period) { short } else { format!("{period:#}") }
}

/// Returns a request in words, with three digits or with all.
fn words(request: Pattern, all_digits: bool) -> String {
    let time = |time: Nanos| if all_digits { format!("{time:#}") } else { time.to_string() };
    match request {
        Pattern::Fixed { requested } => time(requested),
        Pattern::Periodic { period: length } => format!("every {}", period(length)),
        Pattern::Random { from, to } => format!("{} to {}", time(from), time(to)),
        Pattern::Aligned { to } => format!("next {}", time(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_round_alike_have_all_their_digits() {
        let us = |us| Pattern::fixed(Nanos::from_micros(us));
        let all = [us(16_670), us(16_700), us(1_000), us(1_000), us(25)];
        let requests = Requests::new(all);
        assert_eq!(all.map(|one| requests.text(one)), ["16.67 ms", "16.7 ms", "1.00 ms", "1.00 ms", "25.0 µs"]);
    }

    #[test]
    fn a_period_is_not_rounded() {
        let shown = |ns| Requests::default().text(Pattern::Periodic { period: Nanos::new(ns) });
        let periods = [16_666_667, 16_683_350, 4_000_000, 250_000, 999].map(shown);
        assert_eq!(
            periods,
            ["every 16.666667 ms", "every 16.68335 ms", "every 4.00 ms", "every 250 µs", "every 999 ns"]
        );
    }
}
