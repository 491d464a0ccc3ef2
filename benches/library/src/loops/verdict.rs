//! What a cell says about this library's default: who is on time more often for less, and whether it does harm.

use super::contenders::Kind;
use super::figures::Row;
use crate::stats::us;
use oversleep::Nanos;
use std::fmt::Write;

/// Lateness that counts as on time in verdicts.
pub const ON_TIME: Nanos = Nanos::from_micros(5);

/// Returns the lines below a cell's table.
pub fn judge(rows: &[Row]) -> String {
    let find = |kind| rows.iter().find(|row| row.kind == kind);
    let Some(ours) = find(Kind::Oversleep) else { return String::new() };
    let mut text = better(ours, rows);
    for plain in [Kind::Std, Kind::ClockNanosleepAbs].into_iter().filter_map(find) {
        text += &harm(ours, plain);
    }
    text
}

/// Returns who surely has a higher share for less, and who may have: better in one or both, surely worse in neither.
fn better(ours: &Row, rows: &[Row]) -> String {
    let (share, cost) = (ours.within(ON_TIME), ours.cost());
    let (mut surely, mut perhaps) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| !row.kind.is_ours()) {
        let (other, price) = (row.within(ON_TIME), row.cost());
        let (higher, cheaper) = (other.is_above(share), cost.is_above(price));
        let text = format!("{} ({:.3} at {:.1} µs)", row.kind.name(), other.value, price.value / 1e3);
        if higher && cheaper {
            surely.push(text);
        } else {
            let seems = other.value > share.value && price.value < cost.value;
            let worse = share.is_above(other) || price.is_above(cost);
            if (higher || cheaper || seems) && !worse {
                perhaps.push(text);
            }
        }
    }
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let mut text = format!(
        "\noversleep: {:.3} ± {:.3} within {ON_TIME:#} at {:.1} ± {:.1} µs.\n\n* higher share for less: ",
        share.value,
        share.tolerance(),
        cost.value / 1e3,
        cost.tolerance() / 1e3,
    );
    text += &if surely.is_empty() { "none".to_owned() } else { format!("**{}**", list(&surely)) };
    let _ = writeln!(text, "\n* perhaps, within the tolerance: {}", list(&perhaps));
    text
}

/// Returns whether the default is later, misses more, or costs more than a plain call.
fn harm(ours: &Row, plain: &Row) -> String {
    let mut text = format!("* against {}:", plain.kind.name());
    for (name, share) in [("p50", 0.5), ("p90", 0.9)] {
        let (low, _) = ours.late.between(share);
        let (_, high) = plain.late.between(share);
        let (here, there) = (us(ours.late.quantile(share)), us(plain.late.quantile(share)));
        let _ = write!(text, " {name} {here} to {there} µs, {};", pick(low > high, "**worse**", "not worse"));
    }
    let more = ours.missed().is_above(plain.missed());
    let _ = write!(text, " missed {} to {}, {};", ours.missed, plain.missed, pick(more, "**more**", "not more"));
    let _ = writeln!(text, " {:+.1} % of a processor", 100.0 * (ours.processor() - plain.processor()));
    text
}

fn pick(bad: bool, then: &'static str, otherwise: &'static str) -> &'static str {
    if bad { then } else { otherwise }
}
