//! Conditions as people state them: `background`, `timeBeginPeriod=1ms`, `HZ=100`, `slack=1ns`, `quota=400ms/1s`, `load=4`.

use super::Platform;
use oversleep_sys::units::Nanos;
use std::fmt;
use std::str::FromStr;

/// Something that was in force while sleeps were late, as stated.
#[derive(Debug, Clone, PartialEq)]
pub enum StatedCondition {
    /// The application was in the background, hidden, or had its windows covered.
    Background,
    /// The process itself asked Windows for this timer resolution.
    TimerResolution(Nanos),
    /// Another process asked Windows for it, or the system reports it.
    ReportedResolution(Nanos),
    /// The kernel's ticks per second.
    TickRate(u32),
    /// Timer slack in force.
    Slack(Nanos),
    /// A control group's processor time per period.
    Quota(Nanos, Nanos),
    /// Busy threads during the sleeps.
    Load(u32),
    /// A real-time policy of the sleeping thread.
    RealTime,
    /// The machine is a guest of a hypervisor.
    Guest,
    /// The machine was suspended, for this long if known.
    Suspended(Option<Nanos>),
    /// The wall clock was set.
    ClockSet,
    /// Idle states are held off: a latency hold, or C-states disabled.
    IdleStatesOff,
    /// High-resolution timers are off.
    LowResolution,
    /// The thread or event loop had been busy for this long just before.
    Blocked(Option<Nanos>),
    /// Figures are the times between wake-ups of a schedule, not single sleeps.
    Periodic,
    /// The runtime's clock is a simulated one that stands still between timers.
    SimulatedClock,
    /// A signal or another event may have ended the wait.
    Interrupted,
    /// Only the sleeps that stood out are given.
    Selected,
}

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConditionError {
    /// The word is unknown.
    #[error(
        "'{0}' is not a condition known here; they are background, timeBeginPeriod=1ms, resolution=1ms (of another process), HZ=100, \
         slack=1ns, quota=400ms/1s, load=4, realtime, guest, suspended=15m, clock-set, idle-off, no-hrtimers, blocked=1s, periodic, \
         simulated-clock, interrupted, selected"
    )]
    Unknown(String),
    /// The value is missing or malformed.
    #[error("'{0}': {1}")]
    Value(String, String),
}

impl FromStr for StatedCondition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let trimmed = text.trim();
        let (name, value) =
            trimmed.split_once(['=', ':']).map_or((trimmed, None), |(name, value)| (name.trim(), Some(value.trim())));
        let wrong = |what: &str| ConditionError::Value(trimmed.to_owned(), what.to_owned());
        let time = |example: &str| match value {
            None => Err(wrong(&format!("it needs a time, as in {example}"))),
            Some(value) => value
                .parse::<Nanos>()
                .map_err(|error| wrong(&error.to_string()))
                .and_then(|time| if time < Nanos::ZERO { Err(wrong("a time cannot be negative")) } else { Ok(time) }),
        };
        let resolution = |example: &str| match time(example)? {
            time if time >= Nanos::from_micros(100) && time <= Nanos::from_millis(20) => Ok(time),
            _ => Err(wrong("a timer resolution is 0.5 to 15.6 ms; check the unit")),
        };
        let number = |example: &str| {
            let digits = value.map(|value| value.trim_end_matches(|c: char| !c.is_ascii_digit()));
            digits
                .and_then(|digits| digits.parse::<u32>().ok())
                .ok_or_else(|| wrong(&format!("it needs a number, as in {example}")))
        };
        let optional = |example: &str| if value.is_none() { Ok(None) } else { time(example).map(Some) };
        let key = name.to_lowercase().replace(['_', ' '], "-");
        Ok(match key.as_str() {
            "background" | "hidden" | "app-nap" | "appnap" | "minimized" | "minimised" | "occluded" => Self::Background,
            "timebeginperiod" | "timer-resolution" | "ntsettimerresolution" => {
                Self::TimerResolution(resolution("timeBeginPeriod=1ms")?)
            }
            "resolution" | "reported-resolution" => Self::ReportedResolution(resolution("resolution=1ms")?),
            "hz" | "config-hz" | "tick-rate" | "configtick-rate-hz" => match number("HZ=100")? {
                rate @ 1..=1_000_000 => Self::TickRate(rate),
                _ => return Err(wrong("a tick rate is 1 to 1000000 a second")),
            },
            "slack" | "timerslack" | "timer-slack" => Self::Slack(time("slack=1ns")?),
            "quota" | "cpu-quota" | "cpu.max" => {
                let value = value.ok_or_else(|| wrong("it needs a time per period, as in quota=400ms/1s"))?;
                quota(value).map_err(|what| wrong(&what))?
            }
            "load" | "busy" | "stress" if value.is_none() => Self::Load(1),
            "load" | "busy" | "stress" => Self::Load(number("load=4")?),
            "realtime" | "real-time" | "rt" | "fifo" | "sched-fifo" | "rr" | "sched-rr" | "deadline" | "prio"
            | "priority" => Self::RealTime,
            "guest" | "vm" | "virtual-machine" => Self::Guest,
            "suspend" | "suspended" | "laptop-lid-closed" | "hibernated" => Self::Suspended(optional("suspended=15m")?),
            "clock-set" | "clock-step" | "clock-change" | "ntp" => Self::ClockSet,
            "idle-off" | "no-idle-states" | "c-states-off" | "cpu-dma-latency" | "idle=poll" => Self::IdleStatesOff,
            "no-hrtimers" | "low-resolution" | "highres=off" => Self::LowResolution,
            "blocked" => Self::Blocked(optional("blocked=1s")?),
            "periodic" | "schedule" => Self::Periodic,
            "simulated-clock" | "paused-clock" | "start-paused" | "virtual-clock" => Self::SimulatedClock,
            "interrupted" | "signal" | "eintr" | "woken" => Self::Interrupted,
            "selected" | "only-late" | "only-early" | "outliers" => Self::Selected,
            _ => return Err(ConditionError::Unknown(trimmed.to_owned())),
        })
    }
}

/// Parses `400ms/1s`, or `40%` of the kernel's default period of 100 ms.
fn quota(text: &str) -> Result<StatedCondition, String> {
    if let Some(percent) = text.strip_suffix('%') {
        let share: f64 =
            percent.trim().parse().map_err(|_| "it needs a time per period, as in quota=400ms/1s".to_owned())?;
        return match share {
            0.1..=10_000.0 => {
                let period = Nanos::from_millis(100);
                Ok(StatedCondition::Quota(Nanos::from_f64(period.as_f64() * share / 100.0), period))
            }
            _ => Err("a quota is 0.1 to 10000 %".to_owned()),
        };
    }
    let (time, period) = text.split_once('/').ok_or("it needs a time per period, as in quota=400ms/1s")?;
    let read = |text: &str| text.trim().parse::<Nanos>().map_err(|error| error.to_string());
    match (read(time)?, read(period)?) {
        (time, period) if time > Nanos::ZERO && period > Nanos::ZERO => Ok(StatedCondition::Quota(time, period)),
        _ => Err("both times must be longer than zero".to_owned()),
    }
}

impl StatedCondition {
    /// Returns the systems that have such a condition, if this is none of them.
    pub fn only_on(&self, platform: Platform) -> Option<&'static str> {
        use Platform::{Linux, Windows};
        let (has, only) = match self {
            Self::TimerResolution(_) | Self::ReportedResolution(_) => (platform == Windows, "Windows"),
            Self::Slack(_) | Self::Quota(..) | Self::LowResolution => (platform == Linux, "Linux"),
            Self::TickRate(_) => (
                !matches!(platform, Windows | Platform::MacOs | Platform::Ios),
                "kernels built with a tick rate (Linux, the BSDs, illumos, FreeRTOS)",
            ),
            _ => (true, ""),
        };
        (!has).then_some(only)
    }
}

impl fmt::Display for StatedCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Background => f.write_str("in the background"),
            Self::TimerResolution(time) => write!(f, "a timer resolution of {time:#} asked for by this process"),
            Self::ReportedResolution(time) => write!(f, "a reported timer resolution of {time:#}"),
            Self::TickRate(rate) => write!(f, "HZ={rate}"),
            Self::Slack(time) => write!(f, "a timer slack of {time:#}"),
            Self::Quota(time, period) => write!(f, "a quota of {time:#} per {period:#}"),
            Self::Load(threads) => write!(f, "{threads} busy threads"),
            Self::RealTime => f.write_str("a real-time policy"),
            Self::Guest => f.write_str("a virtual machine"),
            Self::Suspended(None) => f.write_str("suspended meanwhile"),
            Self::Suspended(Some(time)) => write!(f, "suspended for {time:#}"),
            Self::ClockSet => f.write_str("the wall clock set meanwhile"),
            Self::IdleStatesOff => f.write_str("idle states off"),
            Self::LowResolution => f.write_str("no high-resolution timers"),
            Self::Blocked(None) => f.write_str("the loop blocked before"),
            Self::Blocked(Some(time)) => write!(f, "the loop blocked for {time:#} before"),
            Self::Periodic => f.write_str("times between wake-ups"),
            Self::SimulatedClock => f.write_str("a simulated clock"),
            Self::Interrupted => f.write_str("a signal or another event"),
            Self::Selected => f.write_str("only the sleeps that stood out"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_people_write_them() {
        let ms = Nanos::from_millis;
        for (text, condition) in [
            ("background", StatedCondition::Background),
            ("timeBeginPeriod=1ms", StatedCondition::TimerResolution(ms(1))),
            ("HZ=100", StatedCondition::TickRate(100)),
            ("slack=1ns", StatedCondition::Slack(Nanos::new(1))),
            ("quota=400ms/1s", StatedCondition::Quota(ms(400), ms(1000))),
            ("quota=40%", StatedCondition::Quota(ms(40), ms(100))),
            ("load=4", StatedCondition::Load(4)),
            ("suspended", StatedCondition::Suspended(None)),
            ("fifo=80", StatedCondition::RealTime),
        ] {
            assert_eq!(text.parse(), Ok(condition), "{text}");
        }
        for (wrong, expected) in [
            ("moonphase", "'moonphase' is not a condition known here"),
            ("slack", "'slack': it needs a time, as in slack=1ns"),
            ("slack=1", "'slack=1': '1' has no unit"),
            ("quota=400ms", "'quota=400ms': it needs a time per period, as in quota=400ms/1s"),
            ("quota=0ms/1s", "'quota=0ms/1s': both times must be longer than zero"),
            ("timeBeginPeriod=1us", "'timeBeginPeriod=1us': a timer resolution is 0.5 to 15.6 ms; check the unit"),
            ("HZ=0", "'HZ=0': a tick rate is 1 to 1000000 a second"),
        ] {
            let error = wrong.parse::<StatedCondition>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
