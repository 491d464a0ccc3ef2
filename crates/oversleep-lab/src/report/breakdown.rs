//! The budget of traced sleeps: where the oversleep went, who took it, how it is known and what knowing it cost.

use super::interventions::signed;
use super::style::{self, Look};
use crate::analysis::attribution::{Culprit, Spread, Summary, spread, summarise};
use crate::analysis::interval::{Apart, median_apart};
use crate::capture::trace::{Options, Run, Tier};
use serde_json::{Value, json};
use std::fmt::Write;

/// What a traced run says, ready to be shown.
#[derive(Debug)]
pub struct Findings<'a> {
    options: &'a Options,
    run: &'a Run,
    summary: Summary,
    untraced: Spread,
}

/// Culprits shown as text; JSON has them all.
const SHOWN: usize = 8;

impl<'a> Findings<'a> {
    /// Sums a run up.
    pub fn new(options: &'a Options, run: &'a Run) -> Self {
        let untraced = spread(run.untraced.iter().map(|late| late.get()).collect());
        Self { options, run, summary: summarise(&run.breakdowns), untraced }
    }

    /// The figures.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How much later the traced blocks were than the untraced ones beside them.
    fn apart(&self) -> Option<Apart> {
        median_apart(&self.run.shifts)
    }

    /// All traced sleeps, whether their chains are whole or not, as the untraced ones are.
    fn oversleeps(&self) -> Vec<i64> {
        self.run.breakdowns.iter().map(|breakdown| breakdown.oversleep().get()).collect()
    }

    fn traced(&self) -> Spread {
        spread(self.oversleeps())
    }

    /// Share of sleeps whose chain is whole, 0 to 1.
    pub fn completeness(&self) -> Option<f64> {
        (self.summary.sleeps > 0).then(|| self.summary.complete as f64 / self.summary.sleeps as f64)
    }

    /// As text.
    pub fn text(&self, look: Look) -> String {
        let mut out = self.heading(look);
        out += &self.budget(look);
        out += &self.culprits(look);
        out += &look.each_line(&self.quality(look));
        out += &look.each_line(&self.means(look));
        out
    }

    fn heading(&self, look: Look) -> String {
        let (method, requested) = (self.options.method.name(), self.options.requested);
        let late = self.summary.oversleep;
        let said = match late.p50 {
            None => "not enough complete sleeps to tell".to_owned(),
            Some(p50) => format!("{p50} late at the median, {} at p99", style::figure(late.p99)),
        };
        look.lines(0, &look.heading(&format!("{method} of {requested}: {said}"))) + "\n"
    }

    fn budget(&self, look: Look) -> String {
        let mut table = style::table(&["Part", "Sleep at p50", "Sleep at p99", "Own p50", "Own p99", "Share"], look);
        for part in &self.summary.parts {
            table.add_row([
                part.kind.name().to_owned(),
                style::figure(part.typical),
                style::figure(part.late),
                style::figure(part.spread.p50),
                style::figure(part.spread.p99),
                percent(part.share),
            ]);
        }
        let late = self.summary.oversleep;
        let whole = style::figure(late.p50);
        table.add_row([
            "= oversleep".to_owned(),
            whole,
            style::figure(late.p99),
            String::new(),
            String::new(),
            String::new(),
        ]);
        let nameless = self.summary.unexplained;
        let share = percent(self.summary.unexplained_share);
        let of = [String::new(), String::new(), style::figure(nameless.p50), style::figure(nameless.p99), share];
        table.add_row(["of it unexplained".to_owned()].into_iter().chain(of));
        style::align(&mut table, &[0]);
        let note = "The parts of one sleep sum to its oversleep to the nanosecond; medians of parts do not sum.";
        format!("{}{}\n", style::text(&table), look.lines(0, &look.aside(note)))
    }

    fn culprits(&self, look: Look) -> String {
        if self.summary.culprits.is_empty() {
            return String::new();
        }
        let mut table = style::table(&["Who had the processor", "During", "Sleeps", "Together"], look);
        for Culprit { name, during, time, sleeps } in self.summary.culprits.iter().take(SHOWN) {
            table.add_row([name.0.clone(), during.name().to_owned(), sleeps.to_string(), time.to_string()]);
        }
        style::align(&mut table, &[0, 1]);
        let rest = self.summary.culprits.len().saturating_sub(SHOWN);
        let rest = if rest > 0 { look.aside(&format!("and {rest} more")) + "\n" } else { String::new() };
        format!("{}{rest}\n", style::text(&table))
    }

    fn quality(&self, look: Look) -> String {
        let summary = &self.summary;
        let mut out = format!(
            "Complete: {} of {} traced sleeps ({}).\n",
            summary.complete,
            summary.sleeps,
            percent(self.completeness())
        );
        for (why, count) in &summary.partial {
            let _ = writeln!(out, "{}", look.warning(&format!("  {count} partial: {why}")));
        }
        let _ = match (self.apart(), self.untraced.p50) {
            (Some(apart), Some(untraced)) => {
                let (shifted, pairs) = (shifted(apart), self.run.shifts.len());
                writeln!(out, "Tracing {shifted} ({pairs} pairs of blocks side by side; untraced {untraced}).")
            }
            _ => writeln!(out, "Too few blocks to tell what tracing cost."),
        };
        if self.run.breaks > 0 {
            let _ = writeln!(
                out,
                "The trace hid threads {} times: one switch's next was not the next one's previous.",
                self.run.breaks
            );
        }
        if self.run.lost > 0 {
            let _ = writeln!(out, "At least {} events were lost.", self.run.lost);
        }
        out
    }

    fn means(&self, look: Look) -> String {
        let run = self.run;
        let also = if run.tier == Tier::Events && run.own_switches { ", and its own switch records" } else { "" };
        let mut out = format!("Tier: {}{also}.\n", run.tier.made_of());
        for (tier, refusal) in &run.refused {
            let _ = writeln!(out, "  not {}: {refusal}", tier.name());
        }
        if run.tier == Tier::Events && !run.missing.is_empty() {
            let names: Vec<_> = run.missing.iter().map(|(name, _)| name.as_str()).collect();
            let _ = writeln!(out, "{}", look.aside(&format!("  not on this kernel: {}", names.join(", "))));
        }
        for (what, refusal) in &run.conditions_refused {
            let _ = writeln!(out, "{}", look.warning(&format!("{what} is not as asked: {refusal}")));
        }
        if run.interrupted > 0 {
            let _ =
                writeln!(out, "{} sleeps were ended by a signal or an error and are in no figure.", run.interrupted);
        }
        if let Some(refusal) = &run.ended {
            let _ = writeln!(out, "{}", look.warning(&format!("tracing ended early: {refusal}")));
        }
        out
    }

    /// As JSON; with every breakdown if asked for.
    pub fn json(&self, every: bool) -> Value {
        let (options, run, apart) = (self.options, self.run, self.apart());
        let refused: Vec<_> = run.refused.iter().map(|(tier, why)| json!({"tier": tier, "why": why})).collect();
        let mut unavailable: Vec<_> = run.missing.iter().map(|(what, why)| json!({"what": what, "why": why})).collect();
        unavailable.extend(run.conditions_refused.iter().map(|(what, why)| json!({"what": what, "why": why})));
        let mut document = json!({
            "format": 1,
            "method": options.method.name(),
            "requested_ns": options.requested,
            "conditions": {"asked": options.conditions, "obtained": run.obtained},
            "tier": run.tier,
            "own_switches": run.own_switches,
            "higher_tiers": refused,
            "trace": self.summary,
            "complete_share": self.completeness(),
            "traced": self.traced(),
            "untraced": {"n": run.untraced.len(), "spread": self.untraced},
            "trace_shift_ns": apart.map(|apart| apart.size),
            "trace_shift_low_ns": apart.map(|apart| apart.low),
            "trace_shift_high_ns": apart.map(|apart| apart.high),
            "hidden_breaks": run.breaks,
            "lost_events": run.lost,
            "interrupted": run.interrupted,
            "ended_early": run.ended,
            "unavailable": unavailable,
        });
        if every {
            document["sleeps"] = json!(run.breakdowns);
        }
        document
    }
}

/// What tracing did to the median, as it goes on after *tracing*.
pub(super) fn shifted(apart: Apart) -> String {
    let [size, low, high] = [apart.size, apart.low, apart.high].map(|ns| signed(ns.as_f64()));
    format!("shifted the median by {size}, 95 % between {low} and {high}")
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

#[cfg(test)]
mod tests;
