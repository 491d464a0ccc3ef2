//! Requests in short form, with all digits where the short forms of two would be alike.

use oversleep_recording::plan::Pattern;
use std::collections::HashMap;

/// The short forms that several requests of a report share.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    shared: Vec<String>,
}

impl Requests {
    /// Looks at all requests of a report.
    pub(crate) fn of(all: impl IntoIterator<Item = Pattern>) -> Self {
        let mut known: HashMap<String, Pattern> = HashMap::new();
        let mut shared = Vec::new();
        for request in all {
            let text = words(request, false);
            match known.get(&text) {
                Some(first) if *first != request && !shared.contains(&text) => shared.push(text),
                Some(_) => {}
                None => _ = known.insert(text, request),
            }
        }
        Self { shared }
    }

    /// Returns a request: `16.7 ms`, or `16.67 ms` where another is 16.7 ms.
    pub(crate) fn text(&self, request: Pattern) -> String {
        let short = words(request, false);
        if self.shared.contains(&short) { words(request, true) } else { short }
    }
}

/// Returns a request in words, with three digits or with all.
fn words(request: Pattern, all_digits: bool) -> String {
    let time = |time: oversleep_sys::units::Nanos| if all_digits { format!("{time:#}") } else { time.to_string() };
    match request {
        Pattern::Fixed { requested } => time(requested),
        Pattern::Periodic { period } => format!("every {}", time(period)),
        Pattern::Random { from, to } => format!("{} to {}", time(from), time(to)),
        Pattern::Aligned { to } => format!("next {}", time(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    #[test]
    fn requests_that_round_alike_have_all_their_digits() {
        let us = |us| Pattern::fixed(Nanos::from_micros(us));
        let all = [us(16_670), us(16_700), us(1_000), us(1_000), us(25)];
        let requests = Requests::of(all);
        assert_eq!(all.map(|one| requests.text(one)), ["16.67 ms", "16.7 ms", "1.00 ms", "1.00 ms", "25.0 µs"]);
    }
}
