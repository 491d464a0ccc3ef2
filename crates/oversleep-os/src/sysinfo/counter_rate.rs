//! The rate of the counter behind the clock, as stated and as the kernel assumes it. Only for the processor's own
//! counter: no other one has a stated rate.

#[cfg(not(windows))]
use super::files::Files;
#[cfg(not(windows))]
use oversleep_recording::machine::CounterRate;

/// Returns the rates of the counter of this name; `None` if it is not the processor's, or if neither rate can be read.
#[cfg(not(windows))]
pub(super) fn read(files: Files, counter: &str) -> Option<CounterRate> {
    // `tsc`; on FreeBSD also `TSC-low`, which counts the same in larger units.
    if !counter.to_ascii_lowercase().starts_with("tsc") {
        return None;
    }
    let (stated_hz, kernel_hz) = (stated(), kernel(files));
    let some = stated_hz.is_some() || kernel_hz.is_some();
    some.then(|| CounterRate { counter: counter.to_owned(), stated_hz, kernel_hz, counts_per_tick: None })
}

#[cfg(not(windows))]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, and far below 2^63
fn stated() -> Option<u64> {
    oversleep_sys::clock::counter::nominal().map(|rate| rate.as_f64().round() as u64)
}

/// Returns the rate that Linux' scheduler clock converts by, which is the clock source's too (`tsc_khz`): some kernels
/// have it in a file, all others publish it to users of perf.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn kernel(files: Files) -> Option<u64> {
    let file = super::files::number::<u64>(files, "/sys/devices/system/cpu/cpu0/tsc_freq_khz");
    file.or_else(crate::trace::counter_khz)?.checked_mul(1_000)
}

/// Returns the rate that FreeBSD measured or was told (`tsc(4)`).
#[cfg(target_os = "freebsd")]
fn kernel(_files: Files) -> Option<u64> {
    super::sysctl::number("machdep.tsc_freq")
}

#[cfg(not(any(windows, target_os = "freebsd", all(target_os = "linux", target_arch = "x86_64"))))]
fn kernel(_files: Files) -> Option<u64> {
    None
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn only_the_processors_counter_has_a_stated_rate() {
        assert_eq!(read(&|_| None, "kvm-clock"), None);
        assert_eq!(read(&|_| None, "ACPI-fast"), None);
        let Some(rate) = read(&|_| None, "tsc") else { return println!("skipped: neither rate can be read here") };
        println!("{rate:?}");
        // Both are of one counter: a calibration that is off by a tenth would stop any clock.
        if let (Some(stated), Some(kernel)) = (rate.stated_hz, rate.kernel_hz) {
            assert!((stated as f64 / kernel as f64 - 1.0).abs() < 0.1, "{rate:?}");
        }
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_file_with_the_rate_goes_before_perf() {
        let files = super::super::files::sample(&[("/sys/devices/system/cpu/cpu0/tsc_freq_khz", "2399961\n")]);
        assert_eq!(read(&files, "tsc").and_then(|rate| rate.kernel_hz), Some(2_399_961_000));
    }
}
