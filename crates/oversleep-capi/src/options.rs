//! The options of sleepers.

use crate::Status;
use crate::border::{Growing, read_sized};
use oversleep::Nanos;

/// The options of a sleeper. A structure of zeros means the defaults. A number outside its range, or NaN, is refused
/// with a status of its own.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SleeperOptions {
    /// Size of this structure, or 0. Later versions may have more fields at the end, which are used only if the size
    /// includes them.
    pub size: usize,
    /// Share of sleeps to be awake before their deadline, in the long run and within the ceilings: 0.5 to 0.9999. Zero
    /// means the default: as many as are worth the processor time.
    pub on_time: f64,
    /// Largest average share of the time slept that may be spent in fine waiting: up to 1. Zero means the default, 0.02, or
    /// 0.5 if `on_time` is set; and -1 none.
    pub cpu_ceiling: f64,
    /// Longest single fine wait, in nanoseconds. Zero means the default, 0.2 ms, or 20 ms if `on_time` is set; and -1 none.
    pub spin_ceiling_ns: i64,
    /// Longest single fine wait under a real-time policy, in nanoseconds. Zero means the default, 1 ms, and -1 none.
    pub real_time_ceiling_ns: i64,
    /// How long before its deadline a sleep may end, in nanoseconds. Zero: never early.
    pub early_window_ns: i64,
    /// Nonzero: wakes as close to the deadline as is possible at almost no cost. Not together with `on_time`.
    // Not a `bool`: C may pass any byte, and a `bool` that is neither 0 nor 1 is undefined behaviour.
    pub eco: u8,
    /// Nonzero: leaves the thread's timer slack unchanged, as `eco` always does.
    pub leave_slack: u8,
}

// SAFETY: numbers after a size.
unsafe impl Growing for SleeperOptions {
    const FIRST: usize = size_of::<Self>();
}

impl SleeperOptions {
    const DEFAULT: Self = Self {
        size: 0,
        on_time: 0.0,
        cpu_ceiling: 0.0,
        spin_ceiling_ns: 0,
        real_time_ceiling_ns: 0,
        early_window_ns: 0,
        eco: 0,
        leave_slack: 0,
    };
}

/// What stands for no fine wait, because zero stands for the default.
const NONE: i64 = -1;

/// Returns a sleeper with these options; null means the defaults.
///
/// # Safety
/// `options` is null or points to options of the size that they state.
pub(crate) unsafe fn sleeper_with(options: *const SleeperOptions) -> Result<oversleep::Sleeper, Status> {
    // SAFETY: as the caller promises.
    sleeper(unsafe { read_sized(options, SleeperOptions::DEFAULT) }?)
}

#[allow(clippy::float_cmp)] // The two numbers that stand for something else are exact.
fn sleeper(options: SleeperOptions) -> Result<oversleep::Sleeper, Status> {
    let mut builder = oversleep::Sleeper::builder().early_window(Nanos::new(options.early_window_ns));
    if options.eco != 0 {
        if options.on_time != 0.0 {
            return Err(Status::EcoAndOnTime);
        }
        builder = builder.eco();
    } else if options.on_time != 0.0 {
        builder = builder.on_time(options.on_time);
    }
    if options.cpu_ceiling != 0.0 {
        builder = builder.cpu_ceiling(if options.cpu_ceiling == NONE as f64 { 0.0 } else { options.cpu_ceiling });
    }
    if let Some(ceiling) = spin_ceiling(options.spin_ceiling_ns) {
        builder = builder.spin_ceiling(ceiling);
    }
    if let Some(ceiling) = spin_ceiling(options.real_time_ceiling_ns) {
        builder = builder.real_time_ceiling(ceiling);
    }
    if options.leave_slack != 0 {
        builder = builder.leave_slack();
    }
    Ok(builder.try_build()?)
}

/// Returns a ceiling of fine waits; `None` for the default.
fn spin_ceiling(ns: i64) -> Option<Nanos> {
    match ns {
        0 => None,
        NONE => Some(Nanos::ZERO),
        _ => Some(Nanos::new(ns)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: SleeperOptions = SleeperOptions::DEFAULT;

    fn shown(options: SleeperOptions) -> String {
        format!("{:?}", sleeper(options).unwrap())
    }

    /// A C program may pass any byte as a switch.
    #[test]
    fn every_byte_but_zero_is_true() {
        let builder = oversleep::Sleeper::builder;
        for byte in [1, 2, 128, 255] {
            assert_eq!(shown(SleeperOptions { eco: byte, ..DEFAULT }), format!("{:?}", builder().eco().build()));
            let leaves = SleeperOptions { leave_slack: byte, ..DEFAULT };
            assert_eq!(shown(leaves), format!("{:?}", builder().leave_slack().build()), "{byte}");
        }
    }

    #[test]
    fn zeros_and_null_are_the_defaults() {
        let default = format!("{:?}", oversleep::Sleeper::new());
        assert_eq!(shown(DEFAULT), default);
        let zeros = DEFAULT;
        // SAFETY: null and a structure of zeros are allowed.
        let made = [std::ptr::null(), &raw const zeros].map(|options| unsafe { sleeper_with(options) }.unwrap());
        assert!(made.iter().all(|made| format!("{made:?}") == default));
    }

    #[test]
    fn every_option_reaches_the_sleeper() {
        let options = SleeperOptions {
            on_time: 0.9,
            cpu_ceiling: 0.25,
            spin_ceiling_ns: 5,
            real_time_ceiling_ns: 6,
            early_window_ns: 7,
            ..DEFAULT
        };
        let builder = oversleep::Sleeper::builder().on_time(0.9).cpu_ceiling(0.25).spin_ceiling(Nanos::new(5));
        let built = builder.real_time_ceiling(Nanos::new(6)).early_window(Nanos::new(7)).build();
        assert_eq!(shown(options), format!("{built:?}"));
        let none = SleeperOptions { cpu_ceiling: -1.0, spin_ceiling_ns: -1, real_time_ceiling_ns: -1, ..DEFAULT };
        let builder = oversleep::Sleeper::builder().cpu_ceiling(0.0).spin_ceiling(Nanos::ZERO);
        assert_eq!(shown(none), format!("{:?}", builder.real_time_ceiling(Nanos::ZERO).build()));
    }
}
