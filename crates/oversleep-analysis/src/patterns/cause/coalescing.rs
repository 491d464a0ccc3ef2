//! `coalescing`: the kernel moves wake-ups anywhere within a leeway that grows with the request.

use super::{At, Detection};
use crate::patterns::features::robust::line;
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::Coalescing;
use oversleep_recording::document::{Finding, Unit};

/// Smaller leeways, in ns, cannot be told from ordinary scatter.
const LEAST: i64 = 100_000;
/// Largest leeway that a kernel is known to take, as a share of the request (XNU's, of its second class of four). Programs
/// that draw their delays at random scatter by more.
const MOST: f64 = 0.5;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (at, group) in features.groups.iter().enumerate() {
        if !matches!(features.rules[at], LatenessRule::Steady(_) | LatenessRule::Unclear) {
            continue;
        }
        // View, request, and the 90th and 10th percentile of lateness, in ns.
        let widths: Vec<(usize, f64, i64, i64)> = group
            .views
            .iter()
            .map(|&view| (view, &features.views[view]))
            .filter(|(_, cell)| cell.sorted.len() >= 20 && cell.requested >= 100_000)
            .map(|(view, cell)| (view, cell.requested as f64, cell.quantile(0.9), cell.quantile(0.1)))
            .filter(|(_, _, high, low)| high - low > LEAST)
            .collect();
        let points: Vec<(f64, f64)> =
            widths.iter().map(|(_, asked, high, low)| (asked.ln(), ((high - low) as f64).ln())).collect();
        let Some(fit) = line(&points) else { continue };
        let is_leeway = widths.iter().all(|(_, asked, high, low)| (high - low) as f64 <= MOST * asked);
        let spread_out = widths.iter().all(|(_, _, high, low)| *low < high / 2);
        let reach = points.iter().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max)
            - points.iter().map(|point| point.0).fold(f64::INFINITY, f64::min);
        // The width must grow in proportion to the request, over a factor of 20 in requests at least.
        if !(0.8..1.2).contains(&fit.slope) || fit.residual > 0.5 || reach < 3.0 || !spread_out || !is_leeway {
            continue;
        }
        let ratio = fit.intercept.exp();
        for &(view, asked, high, low) in &widths {
            let leeway = (high - low) as f64;
            let evidence = Coalescing {
                leeway_ratio: leeway / asked,
                ratio_at_1_ns: ratio,
                exponent: fit.slope,
                system_rule: None,
            };
            seen.push((At::View(view), Finding::new(evidence, leeway, Unit::Nanoseconds).sure(0.75)));
        }
    }
    seen
}
