//! The budget of traced sleeps as text: its parts, who caused them, the evidence, and the cost of tracing.

use super::columns::{self, Column};
use super::interventions::signed;
use super::late;
use super::notes::refusal;
use super::percent::percent;
use super::style::{self, Screen};
use super::table::conditions;
use oversleep_recording::Difference;
use oversleep_recording::document::late::LateSleeps;
use oversleep_recording::document::trace::{Culprit, LackingKind, Trace, TraceConditions};
use oversleep_recording::trace::Tier;
use std::fmt::Write;

/// Number of culprits shown as text; JSON lists all.
const SHOWN: usize = 8;

/// Returns the budgets of traced cells as text, one after another, and the late sleeps if the run watched for them.
pub fn text(traces: &[Trace], late: Option<&LateSleeps>, screen: Screen) -> String {
    // Conditions are shown only if they differ between the budgets.
    let named = traces.iter().any(|trace| trace.conditions.asked != traces[0].conditions.asked);
    let budgets: Vec<String> = traces.iter().map(|trace| View { trace, named }.text(screen)).collect();
    budgets.join("\n") + &late::text(late, late::MOST, screen)
}

struct View<'a> {
    trace: &'a Trace,
    /// Whether the heading names the conditions.
    named: bool,
}

impl View<'_> {
    fn text(&self, screen: Screen) -> String {
        let mut out = self.heading(screen);
        out += &self.budget(screen);
        out += &self.culprits(screen);
        out += &screen.each_line(&self.quality(screen));
        out += &screen.each_line(&self.means(screen));
        out
    }

    fn heading(&self, screen: Screen) -> String {
        let (method, requested) = (&self.trace.method, self.trace.requested);
        let late = self.trace.trace.oversleep;
        let lateness = match late.p50 {
            None => "too few complete sleeps".to_owned(),
            Some(p50) => format!("{p50} late at the median, {} at p99", style::figure(late.p99)),
        };
        let TraceConditions { asked, obtained } = &self.trace.conditions;
        let under = if self.named { format!(", {}", conditions(asked, Some(obtained))) } else { String::new() };
        screen.lines(0, &screen.heading(&format!("{method} of {requested}{under}: {lateness}"))) + "\n"
    }

    fn budget(&self, screen: Screen) -> String {
        let mut rows: Vec<[String; 6]> = Vec::new();
        for part in &self.trace.trace.parts {
            rows.push([
                part.kind.name().to_owned(),
                style::figure(part.typical),
                style::figure(part.late),
                style::figure(part.spread.p50),
                style::figure(part.spread.p99),
                percent(part.share, 1),
            ]);
        }
        let late = self.trace.trace.oversleep;
        let whole = style::figure(late.p50);
        rows.push([
            "= oversleep".to_owned(),
            whole,
            style::figure(late.p99),
            String::new(),
            String::new(),
            String::new(),
        ]);
        let nameless = self.trace.trace.unexplained;
        let share = percent(self.trace.trace.unexplained_share, 1);
        let (p50, p99) = (style::figure(nameless.p50), style::figure(nameless.p99));
        rows.push(["of it unexplained".to_owned(), String::new(), String::new(), p50, p99, share]);
        let column = |index: usize| rows.iter().map(|row| row[index].clone()).collect();
        let columns = [
            Column::words("Part", column(0)),
            Column::figures("Sleep at p50", column(1)),
            Column::figures("Sleep at p99", column(2)).expendable(1),
            Column::figures("p50 of part", column(3)).expendable(2),
            Column::figures("p99 of part", column(4)).expendable(0),
            Column::figures("Share", column(5)),
        ];
        let note = "The parts of one sleep sum to its oversleep to the nanosecond; medians of parts do not sum.";
        format!("{}{}\n", columns::fitted(&columns, screen), screen.lines(0, &screen.aside(note)))
    }

    fn culprits(&self, screen: Screen) -> String {
        if self.trace.trace.culprits.is_empty() {
            return String::new();
        }
        let mut table = style::table(&["Who had the processor", "During", "Sleeps", "Total time"], screen);
        for Culprit { name, during, time, sleeps } in self.trace.trace.culprits.iter().take(SHOWN) {
            table.add_row([name.0.clone(), during.name().to_owned(), sleeps.to_string(), time.to_string()]);
        }
        style::align(&mut table, &[0, 1]);
        let rest = self.trace.trace.culprits.len().saturating_sub(SHOWN);
        let rest = if rest > 0 { screen.aside(&format!("and {rest} more")) + "\n" } else { String::new() };
        format!("{}{rest}\n", style::table_text(&table))
    }

    fn quality(&self, screen: Screen) -> String {
        let summary = &self.trace.trace;
        let mut out = format!(
            "Complete: {} of {} traced sleeps ({}).\n",
            summary.complete,
            summary.sleeps,
            percent(self.trace.complete_share, 1)
        );
        for (why, count) in &summary.partial {
            let _ = writeln!(out, "{}", screen.warning(&format!("  {count} partial: {why}")));
        }
        let _ = match (self.shift(), self.trace.untraced.spread.p50) {
            (Some(apart), Some(untraced)) => {
                let (shifted, pairs) = (shifted(apart), self.trace.pairs);
                writeln!(out, "Tracing {shifted} ({pairs} pairs of blocks side by side; untraced {untraced}).")
            }
            _ => writeln!(out, "Too few blocks to estimate the cost of tracing."),
        };
        if self.trace.hidden_breaks > 0 {
            let _ = writeln!(
                out,
                "{} context switches do not follow from the one before: the trace lacks threads.",
                self.trace.hidden_breaks
            );
        }
        if self.trace.lost_events > 0 {
            let _ = writeln!(out, "At least {} events were lost.", self.trace.lost_events);
        }
        out
    }

    fn means(&self, screen: Screen) -> String {
        let trace = self.trace;
        let also = if trace.tier == Tier::Events && trace.own_switches { ", and its own switch records" } else { "" };
        let mut out = format!("Tier: {}{also}.\n", trace.tier.made_of());
        for refused in &trace.higher_tiers {
            let _ = writeln!(out, "  not {}: {}", refused.tier.name(), refused.why);
        }
        let lacking = |kind| trace.unavailable.iter().filter(move |lacking| lacking.kind == kind);
        let events: Vec<_> = lacking(LackingKind::Event).map(|event| event.what.as_str()).collect();
        if trace.tier == Tier::Events && !events.is_empty() {
            let _ = writeln!(out, "{}", screen.aside(&format!("  not on this kernel: {}", events.join(", "))));
        }
        for condition in lacking(LackingKind::Condition) {
            let TraceConditions { asked, obtained } = &trace.conditions;
            let policy = asked.policy.map(|policy| (policy, obtained.policy)).into_iter();
            let warning = format!("WARNING: {}", refusal(&condition.what, condition.why.reason(), policy));
            let _ = writeln!(out, "{}", screen.warning(&warning));
        }
        if trace.interrupted > 0 {
            let _ =
                writeln!(out, "{} sleeps were ended by a signal or an error and are in no figure.", trace.interrupted);
        }
        if let Some(refusal) = &trace.ended_early {
            let _ = writeln!(out, "{}", screen.warning(&format!("tracing ended early: {refusal}")));
        }
        out
    }

    /// Returns how much later the traced blocks were than the untraced blocks they took turns with.
    fn shift(&self) -> Option<Difference> {
        let Trace { trace_shift, trace_shift_low, trace_shift_high, .. } = *self.trace;
        Some(Difference { size: trace_shift?, low: trace_shift_low?, high: trace_shift_high? })
    }
}

/// Returns the effect of tracing on the median, as the end of a sentence that begins with *tracing*.
pub(super) fn shifted(shift: Difference) -> String {
    let [size, low, high] = [shift.size, shift.low, shift.high].map(|ns| signed(ns.as_f64()));
    format!("shifted the median by {size}, 95 % between {low} and {high}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_analysis::attribution::{
        Breakdown, BreakdownBuilder, Owner, PartEvidence, PartKind, spread, summarise,
    };
    use oversleep_figures::interval::median_difference;
    use oversleep_recording::RefusedTier;
    use oversleep_recording::document::trace::{Traced, Untraced};
    use oversleep_recording::plan::Conditions;
    use oversleep_sys::Refusal;
    use oversleep_sys::units::Nanos;
    use serde_json::{Value, to_value};

    fn breakdown(sequence: u64, waited: i64) -> Breakdown {
        let mut chain = BreakdownBuilder::new(sequence, Nanos::ZERO, Nanos::new(53_000 + waited));
        chain.part(PartKind::Slack, Nanos::from_micros(50), None, PartEvidence::Known);
        let hog = Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 };
        *chain.part(PartKind::RunQueue, Nanos::new(waited), Some(0), PartEvidence::Tracepoint) =
            vec![(hog, Nanos::new(waited))];
        chain.part(PartKind::Return, Nanos::from_micros(3), Some(0), PartEvidence::Tracepoint);
        chain.finish()
    }

    fn document(breakdowns: Vec<Breakdown>, untraced: &[i64], shifts: &[i64]) -> Trace {
        let shifts: Vec<Nanos> = shifts.iter().map(|ns| Nanos::new(*ns)).collect();
        let shift = median_difference(&shifts);
        let why = Refusal::Forbidden("tracefs is for root".to_owned());
        Trace {
            format: 1,
            untraced_cell: 0,
            findings: Vec::new(),
            method: "nanosleep".to_owned(),
            requested: Nanos::MILLISECOND,
            conditions: TraceConditions { asked: Conditions::default(), obtained: Conditions::default() },
            tier: Tier::Switches,
            own_switches: true,
            higher_tiers: vec![RefusedTier { tier: Tier::Events, why }],
            trace: summarise(&breakdowns),
            complete_share: (!breakdowns.is_empty()).then_some(1.0),
            traced: spread(breakdowns.iter().map(|breakdown| breakdown.oversleep().get()).collect()),
            untraced: Untraced { n: untraced.len() as u64, spread: spread(untraced.to_vec()) },
            trace_shift: shift.map(|apart| apart.size),
            trace_shift_low: shift.map(|apart| apart.low),
            trace_shift_high: shift.map(|apart| apart.high),
            pairs: shifts.len(),
            hidden_breaks: 0,
            lost_events: 0,
            interrupted: 0,
            ended_early: None,
            unavailable: Vec::new(),
            sleeps: Some(breakdowns),
        }
    }

    fn run() -> Trace {
        let us = |from: i64| [0, 1, 2, 3, 4, 5].map(|n| 1_000 * (from + n));
        let breakdowns = (0..6).map(|n| breakdown(n, 1_000 * i64::try_from(n).unwrap())).collect();
        document(breakdowns, &us(50), &us(1))
    }

    #[test]
    fn the_budget_is_told_with_its_means_and_its_price() {
        let text = text(&[run()], None, Screen::PLAIN);
        let expected = "\
nanosleep of 1.00 ms: 55.0 µs late at the median, – at p99

Part                   Sleep at p50  Sleep at p99  p50 of part  p99 of part   Share
timer slack                 50.0 µs             –      50.0 µs            –  90.1 %
run queue                   2.00 µs             –      2.00 µs            –   4.5 %
return to the program       3.00 µs             –      3.00 µs            –   5.4 %
= oversleep                 55.0 µs             –
of it unexplained                                         0 ns            –   0.0 %
The parts of one sleep sum to its oversleep to the nanosecond; medians of parts do not sum.

Who had the processor  During     Sleeps  Total time
hog (real time 80)     run queue       5     15.0 µs

Complete: 6 of 6 traced sleeps (100.0 %).
Tracing shifted the median by +3.00 µs, 95 % between +1.00 µs and +5.00 µs (6 pairs of blocks side by side; untraced 52.0 µs).
Tier: the thread's own switch records, schedstat and the slack by rule.
  not events: forbidden: tracefs is for root
";
        assert_eq!(text, expected);
    }

    #[test]
    fn json_carries_figures_and_null_where_there_are_none() {
        let both = [run(), Trace { sleeps: None, ..run() }];
        let document = to_value(Traced::new(&both[..1], None)).unwrap();
        assert_eq!(document["tier"], "switches");
        assert_eq!(document["higher_tiers"][0]["why"]["forbidden"], "tracefs is for root");
        assert_eq!(document["trace_shift_ns"], 3_000);
        assert_eq!(document["trace"]["oversleep"]["p99_ns"], Value::Null);
        assert_eq!(document["sleeps"].as_array().unwrap().len(), 6);
        assert_eq!(to_value(Traced::new(&both[1..], None)).unwrap().get("sleeps"), None);
        let several = to_value(Traced::new(&both, None)).unwrap();
        assert_eq!((&several["format"], &several["breakdowns"][0]), (&Value::from(1), &document));
    }

    #[test]
    fn nothing_measured_is_said_to_be_nothing() {
        let text = text(&[document(Vec::new(), &[], &[])], None, Screen::PLAIN);
        assert!(text.contains("too few complete sleeps") && text.contains("0 of 0"), "{text}");
    }

    #[test]
    fn several_budgets_name_the_conditions_in_which_they_differ() {
        let slack = Conditions { timer_slack: Some(Nanos::new(1)), ..Conditions::default() };
        let conditions = TraceConditions { asked: slack.clone(), obtained: slack };
        let text = text(&[run(), Trace { conditions, ..run() }], None, Screen::PLAIN);
        assert!(text.contains("nanosleep of 1.00 ms, default: 55.0 µs late"), "{text}");
        assert!(text.contains("nanosleep of 1.00 ms, slack 1 ns: 55.0 µs late"), "{text}");
    }
}
