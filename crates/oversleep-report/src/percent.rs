//! Shares as percentages.

/// Returns a share, 0 to 1, as a percentage with this number of decimals; a dash for `None`.
pub(super) fn percent(share: Option<f64>, decimals: usize) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.decimals$} %", 100.0 * share))
}

/// Formats a share with more digits the nearer it is to 1: 99.97 %, 99.5 %, 96 %; zero or less as `none`.
pub(super) fn percent_to_all(share: f64) -> String {
    match 100.0 * share {
        p if p <= 0.0 => "none".to_owned(),
        p if p >= 99.995 => "100 %".to_owned(),
        p if p >= 99.0 => format!("{p:.2} %"),
        p if p >= 90.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

/// Formats a share with one decimal, but not as 0 % or 100 % only because of rounding: `<0.1 %`, `>99.9 %`.
pub(super) fn percent_unrounded_at_ends(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        p if p < 0.1 => "<0.1 %".to_owned(),
        p if p < 99.9 => format!("{p:.1} %"),
        p if p < 100.0 => ">99.9 %".to_owned(),
        _ => "100 %".to_owned(),
    }
}

/// Returns a share (0 to 1) in percent with two digits that count, or as many as tell it from 100: `1.2%`, `0.0034%`,
/// `99.97%`.
pub(super) fn percent_two_digits(share: f64) -> String {
    let percent = 100.0 * share;
    let nearest = percent.min(100.0 - percent);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 12
    let decimals = if nearest > 0.0 { (1.0 - nearest.log10().floor()).clamp(0.0, 12.0) as usize } else { 0 };
    let shown = format!("{percent:.decimals$}");
    let shown = if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.') } else { &shown };
    format!("{shown}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_keep_the_digits_that_matter() {
        assert_eq!([percent(Some(0.123_4), 2), percent(Some(1.0), 0), percent(None, 1)], ["12.34 %", "100 %", "–"]);
        let shown = [0.0, 0.5, 0.96, 0.999_7, 0.999_96].map(percent_to_all);
        assert_eq!(shown, ["none", "50 %", "96.0 %", "99.97 %", "100 %"]);
        let shown = [0.0, 0.000_4, 0.5, 0.999_6, 1.0].map(percent_unrounded_at_ends);
        assert_eq!(shown, ["0 %", "<0.1 %", "50.0 %", ">99.9 %", "100 %"]);
    }

    #[test]
    fn shares_have_two_digits_that_count() {
        let shown = [0.0, 1.0, 0.000_278_6, 0.012_6, 0.3, 0.999_72, 0.005_571].map(percent_two_digits);
        assert_eq!(shown, ["0%", "100%", "0.028%", "1.3%", "30%", "99.972%", "0.56%"]);
    }
}
