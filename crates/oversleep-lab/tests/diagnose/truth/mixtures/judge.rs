//! Which statements about a mixture are false, and why.

use super::super::verdict::{self, GroundTruth, words};
use super::truth::{SecondPart, Truth};
use super::wakes::Tick;
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding};
use oversleep_recording::document::evidence::{
    ClockDrift, PeriodicInterference, ProportionalSlack, Rounding, Sawtooth, TickQuantised, TimerWheel,
};

/// Largest accepted error of a tick's rate, as a share of it.
const RATE_OFF: f64 = 2.2e-3;
/// Share of wake-ups that must lie on another grid than the kernel's tick, so that calling it a tick is accepted.
const ON_OTHER_GRID: f64 = 0.93;
/// Share of sleeps that a stated rule must predict.
const PREDICTED: f64 = 0.8;
/// Largest accepted error of a share of the request, relative to the share.
const SHARE_OFF: f64 = 0.12;

/// What a statement says of a tick.
struct Stated {
    hz: Option<f64>,
    rule: Option<Rounding>,
    tick_ns: Option<f64>,
    error_ns: f64,
    on_grid: f64,
}

impl Stated {
    fn from_finding(finding: &Finding) -> Option<Self> {
        if let Some(tick) = finding.evidence.get::<TickQuantised>() {
            let (error_ns, on_grid) = tick.grid.as_ref().map_or((0.0, 0.0), |grid| (grid.tick_error_ns, grid.on_grid));
            return Some(Self { hz: *tick.hz, rule: *tick.rounding, tick_ns: tick.tick_ns(), error_ns, on_grid });
        }
        let wheel = finding.evidence.get::<TimerWheel>()?;
        Some(Self { hz: *wheel.hz, rule: *wheel.rounding, tick_ns: wheel.tick_ns, error_ns: 0.0, on_grid: 0.0 })
    }
}

impl GroundTruth for Truth {
    fn check<'a>(&self, found: &'a Diagnosis) -> Vec<(&'a Finding, Option<String>)> {
        let machine = found.machine.iter().map(|finding| (finding, None));
        let cells = found.cells.iter().flat_map(|cell| {
            let method = self.methods.get(&cell.cell).map(String::as_str);
            cell.findings.iter().map(move |finding| (finding, method))
        });
        let judged = |(finding, method)| {
            let fault = self.fault(finding, method);
            (finding, fault.map(|fault| format!("{} [{fault}]", words(finding))))
        };
        machine.chain(cells).map(judged).collect()
    }

    fn names(&self, finding: &Finding) -> bool {
        self.main.contains(&finding.cause()) && Stated::from_finding(finding).is_none_or(|tick| tick.hz.is_some())
    }

    fn among(&self, found: &Diagnosis) -> bool {
        let hz = self.tick.map(|tick| tick.hz);
        verdict::Truth { hz, rate_off: RATE_OFF, ..verdict::Truth::cost(0.0) }.mainly(&self.main).among(found)
    }

    fn about(&self) -> String {
        format!(
            "tick {:?}, slack {:.0}, share {:.5}, cost {:.0?}, also {:?}; {}",
            self.tick, self.slack, self.share, self.cost, self.also, self.about
        )
    }
}

impl Truth {
    /// Returns what is false about a statement; `method` is the cell's.
    fn fault(&self, finding: &Finding, method: Option<&str>) -> Option<String> {
        let cause = finding.cause();
        let (low, high) = (finding.low.unwrap_or(finding.size), finding.high.unwrap_or(finding.size));
        let unless = |so: bool, is: String| (!so).then_some(is);
        match cause {
            Cause::TickQuantised | Cause::TimerWheel => self.tick_fault(&Stated::from_finding(finding)?),
            Cause::ClockDrift => self.drift_fault(finding, low, high),
            Cause::TimerSlack => {
                let near = (0.75 * self.slack..=1.3 * self.slack).contains(&finding.size);
                let so = self.slack > 0.0 && (near || (low..=high).contains(&self.slack));
                unless(so, format!("slack is {}", self.slack))
            }
            Cause::ProportionalSlack => {
                let ratio = finding.evidence.get::<ProportionalSlack>().map(|slack| slack.ratio);
                let so = self.share > 0.0 && ratio.is_some_and(|ratio| (ratio / self.share - 1.0).abs() <= SHARE_OFF);
                unless(so, format!("share is {}", self.share))
            }
            Cause::ConstantCost => {
                let own = method.and_then(|method| self.costs.get(method));
                let (least, most) = own.map_or(self.cost, |cost| (*cost, *cost));
                let so = high >= 0.5 * least - 2e3 && low <= 1.5 * most + 3e3;
                unless(so, format!("cost is {least:.0} to {most:.0}"))
            }
            Cause::ChangePoint => unless(self.ramp || self.also(cause), "no change".into()),
            Cause::PeriodicInterference => {
                let stated = finding.evidence.get::<PeriodicInterference>().map(|of| of.period_s * 1e9);
                let near = |one: f64, other: f64| (one / other - 1.0).abs() < 0.01;
                let same = |(is, stated): (f64, f64)| near(stated, is) || near(is, stated);
                let so = self.period.zip(stated).is_some_and(same);
                unless(so, format!("period {:.0} is {:?}", stated.unwrap_or(f64::NAN), self.period))
            }
            Cause::EarlyWake => unless(self.rows.iter().any(|row| row.late() < 0.0), "no early sleep".into()),
            Cause::Sawtooth => {
                let slope = finding.evidence.get::<Sawtooth>().map_or(finding.size, |of| of.slope_us_per_s);
                let drift = self.tick.map_or(0.0, |tick| tick.drift);
                let so = self.ramp || (slope - drift).abs() < 2.0 + 0.05 * slope.abs();
                unless(so, format!("drift is {drift:.3}"))
            }
            _ => unless(self.also(cause), "not so".into()),
        }
    }

    fn also(&self, cause: Cause) -> bool {
        self.also.contains(&cause)
    }

    fn tick_fault(&self, stated: &Stated) -> Option<String> {
        let Some(tick) = self.tick else {
            let other = self.other_grid && stated.on_grid >= ON_OTHER_GRID;
            return (!other).then(|| format!("no tick, {:.2} on the grid", stated.on_grid));
        };
        if let Some(parts) = self.parts {
            let open = parts == SecondPart::ThenTick && stated.hz.is_none();
            return (!open).then(|| format!("{} Hz in the first part, {parts:?}", tick.hz));
        }
        if stated.hz.is_some_and(|hz| (hz / tick.hz - 1.0).abs() > RATE_OFF) {
            return Some(format!("rate is {}", tick.hz));
        }
        // While a clock is corrected, ticks have no length that could be compared.
        let rule = stated.rule.filter(|_| self.slew.is_none())?;
        if stated.tick_ns.is_some_and(|ns| (ns - tick.length).abs() > (1e-4 * tick.length).max(4.0 * stated.error_ns)) {
            return Some(format!("tick {:?} is {}", stated.tick_ns, tick.length));
        }
        let share = self.predicted(&tick, rule);
        (share < PREDICTED).then(|| format!("rule {} predicts {share:.2}, rule is {}", rule.name(), tick.rule.name()))
    }

    /// Returns the share of sleeps that end soon after the tick that a rule predicts.
    fn predicted(&self, tick: &Tick, rule: Rounding) -> f64 {
        let (early, late) = (0.02 * tick.length + self.step, 0.3 * tick.length + 2.0 * self.cost.1 + self.step);
        let soon = |after: f64| (-early..late).contains(&after);
        let ends = |row: &&super::log::LoggedSleep| tick.predicted(rule, row).iter().any(|end| soon(row.end - end));
        self.rows.iter().filter(ends).count() as f64 / self.rows.len().max(1) as f64
    }

    fn drift_fault(&self, finding: &Finding, low: f64, high: f64) -> Option<String> {
        let Some(tick) = self.tick else { return Some("no tick".into()) };
        if let Some(parts) = self.parts {
            return (parts == SecondPart::ThenTimer).then(|| "no tick in the second part".into());
        }
        let slew = self.slew.unwrap_or(0.0);
        // The rate may be taken for a usual one beside it: 333.3 Hz for a third of 1000 Hz.
        let tenths = (tick.hz * 10.0).round() / 10.0;
        let nominal = [tick.hz, tick.hz.round(), tenths, 1000.0, 8000.0, 250.0, 100.0, 1000.0 / 3.0];
        let drifts = nominal.map(|hz| (tick.length * hz / 1e9 - 1.0) * 1e6);
        let stated = |drift: f64| low - 1.0 <= drift && drift <= high + 1.0;
        let between = self.slew.is_some() && low - 1.0 <= tick.drift + slew && high + 1.0 >= tick.drift;
        let so = between || drifts.iter().chain([&tick.drift]).any(|drift| stated(*drift) || stated(drift + slew));
        let aliases = finding.evidence.get::<ClockDrift>().is_some_and(|drift| drift.alias_ppm.is_some());
        (!so && !aliases).then(|| format!("drift is {:.3}, later {slew} more", tick.drift))
    }
}
