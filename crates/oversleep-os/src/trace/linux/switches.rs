//! Tier two: the kernel reports a thread's own context switches to it (`PERF_RECORD_SWITCH`, Linux 4.3).

use super::ring::Ring;
use oversleep_recording::trace::{Direction, OwnSwitch};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::fs::{self, File};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Context switches of the calling thread, on the monotonic clock.
///
/// They are also a second source beside a [`super::Tracer`]: while certain tasks are running, tracefs shows no event at
/// all (seen on Linux 6.18 under Firecracker, for the idle loop of the second processor and for threads of process 1);
/// these records were never missing there.
#[derive(Debug)]
pub struct OwnSwitches {
    // Unmapped before the event is closed.
    ring: Ring,
    event: OwnedFd,
}

/// `struct perf_event_attr` up to version 5 (Linux 4.1), 112 bytes; a kernel reads as much as `size` states.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    config1: u64,
    config2: u64,
    branch: u64,
    registers_user: u64,
    stack_user: u32,
    clock: i32,
    registers_interrupt: u64,
    aux_watermark: u32,
    max_stack: u16,
    reserved: u16,
}

const SOFTWARE: u32 = 1;
const DUMMY: u64 = 9;
const SAMPLE_TIME: u64 = 1 << 2;
const SAMPLE_CPU: u64 = 1 << 7;
/// Flags: disabled, `exclude_kernel`, `exclude_hv`, `sample_id_all`, `use_clockid`, `context_switch`.
const FLAGS: u64 = 1 | 1 << 5 | 1 << 6 | 1 << 18 | 1 << 25 | 1 << 26;
const FLAG_CLOSE_ON_EXEC: libc::c_ulong = 8;
/// The direction bits of `_IO('$', 0)` and `_IO('$', 1)`: some processors have a 1 where others have none.
const DIRECTION: libc::c_ulong = if cfg!(any(
    target_arch = "mips",
    target_arch = "mips64",
    target_arch = "powerpc",
    target_arch = "powerpc64",
    target_arch = "sparc64"
)) {
    1 << 29
} else {
    0
};
const ENABLE: libc::c_ulong = DIRECTION | 0x2400;
const DISABLE: libc::c_ulong = DIRECTION | 0x2401;

impl OwnSwitches {
    /// Sets everything up for the calling thread, without recording yet. See [`OwnSwitches::open_for`].
    pub fn open() -> Result<Self, Refusal> {
        Self::open_for(0)
    }

    /// Sets everything up for a thread of this process, 0 for the calling one, without recording yet.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] in containers whose seccomp profile denies the call and where
    /// `perf_event_paranoid` is above 2 on kernels patched to mind it; [`Refusal::Unavailable`] without perf.
    pub fn open_for(thread: i32) -> Result<Self, Refusal> {
        let size = u32::try_from(size_of::<Attributes>()).unwrap_or(0);
        let flags = if cfg!(target_endian = "little") { FLAGS } else { FLAGS.reverse_bits() };
        let attributes = Attributes {
            kind: SOFTWARE,
            size,
            config: DUMMY,
            sample_type: SAMPLE_TIME | SAMPLE_CPU,
            flags,
            clock: libc::CLOCK_MONOTONIC,
            ..Attributes::default()
        };
        let attributes: *const Attributes = &raw const attributes;
        // SAFETY: the kernel reads `size` bytes of the attributes; −1, −1 is any processor, no group.
        let answer =
            unsafe { libc::syscall(libc::SYS_perf_event_open, attributes, thread, -1, -1, FLAG_CLOSE_ON_EXEC) };
        let event: OwnedFd = match i32::try_from(answer) {
            // SAFETY: the kernel just made this descriptor, and nothing else owns it.
            Ok(fd) if fd >= 0 => unsafe { File::from_raw_fd(fd) }.into(),
            _ => return Err(refusal()),
        };
        Ok(Self { ring: Ring::map(&event)?, event })
    }

    /// Starts recording.
    pub fn start(&mut self) -> Result<(), Refusal> {
        self.control(ENABLE)
    }

    /// Stops recording.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        self.control(DISABLE)
    }

    /// Returns the switches recorded since the previous call, in order, and the number of records lost. The kernel
    /// reports a loss only once there is room again: to be sure, compare with the sleeps made.
    pub fn drain(&mut self) -> (Vec<OwnSwitch>, u64) {
        parse(&self.ring.take())
    }

    #[allow(clippy::cast_possible_truncation)] // the number's type is narrower in musl; the numbers fit both
    fn control(&self, command: libc::c_ulong) -> Result<(), Refusal> {
        // SAFETY: these commands take no memory.
        let answer = unsafe { libc::ioctl(self.event.as_raw_fd(), command as libc::Ioctl, 0) };
        if answer == 0 { Ok(()) } else { Err(Refusal::last_os("perf ioctl")) }
    }
}

/// Returns the processor's counter's rate in kHz, as the kernel assumes it; `None` where perf or its conversion is not
/// available.
///
/// The kernel makes the factor of its rate in whole kHz (`set_cyc2ns_scale`, arch/x86/kernel/tsc.c) with 31 bits or more,
/// far finer than 1 kHz of any processor's rate, so that rounding returns the rate itself.
#[cfg(target_arch = "x86_64")]
pub(crate) fn counter_khz() -> Option<u64> {
    let (factor, shift) = OwnSwitches::open().ok()?.ring.conversion()?;
    khz(factor, shift)
}

#[cfg(target_arch = "x86_64")]
fn khz(factor: u32, shift: u16) -> Option<u64> {
    let factor = u128::from(factor);
    if factor == 0 || shift > 64 {
        return None;
    }
    // A count lasts factor / 2^shift ns.
    u64::try_from(((1_000_000_u128 << shift) + factor / 2) / factor).ok()
}

fn refusal() -> Refusal {
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    match Refusal::last_os("perf_event_open") {
        Refusal::Forbidden(text) => Refusal::Forbidden(format!(
            "{text} (perf_event_paranoid is {}; a container's seccomp profile may deny it too)",
            paranoid.trim()
        )),
        other => other,
    }
}

const RECORD_LOST: u32 = 2;
const RECORD_SWITCH: u32 = 14;
const MISC_OUT: u16 = 1 << 13;
const MISC_PREEMPT: u16 = 1 << 14;

/// Parses records: each begins `type u32, misc u16, size u16`; a switch continues with `time u64, cpu u32, 0 u32`.
fn parse(mut bytes: &[u8]) -> (Vec<OwnSwitch>, u64) {
    let (mut switches, mut lost) = (Vec::new(), 0);
    while let Some((record, rest)) = next(bytes) {
        bytes = rest;
        let word = |at: usize| record.get(at..at + 8).and_then(|word| Some(u64::from_ne_bytes(word.try_into().ok()?)));
        let kind = u32::from_ne_bytes([record[0], record[1], record[2], record[3]]);
        let misc = u16::from_ne_bytes([record[4], record[5]]);
        match kind {
            RECORD_SWITCH => {
                let cpu = record.get(16..20).and_then(|cpu| Some(u32::from_ne_bytes(cpu.try_into().ok()?)));
                if let (Some(time), Some(cpu)) = (word(8), cpu) {
                    let at = Nanos::new(i64::try_from(time).unwrap_or(i64::MAX));
                    switches.push(OwnSwitch { at, to: direction(misc), cpu: u16::try_from(cpu).unwrap_or(u16::MAX) });
                }
            }
            // `id u64, lost u64`.
            RECORD_LOST => lost += word(16).unwrap_or(1),
            _ => {}
        }
    }
    (switches, lost)
}

fn direction(misc: u16) -> Direction {
    match (misc & MISC_OUT != 0, misc & MISC_PREEMPT != 0) {
        (false, _) => Direction::In,
        (true, false) => Direction::OutWaiting,
        (true, true) => Direction::OutPreempted,
    }
}

/// Returns the first record and the rest; `None` at the end and at an invalid record.
fn next(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let size = usize::from(u16::from_ne_bytes(bytes.get(6..8)?.try_into().ok()?));
    if size < 8 { None } else { bytes.split_at_checked(size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors are what Linux' `clocks_calc_mult_shift` makes of these rates: 10⁶ × 2^shift / kHz, rounded.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_conversion_gives_back_the_rate_in_khz() {
        for rate in [1_000_000, 2_399_961, 2_400_000, 3_792_874_u64] {
            for shift in [31, 32_u16] {
                let factor = ((1_000_000_u64 << shift) + rate / 2) / rate;
                assert_eq!(u32::try_from(factor).ok().and_then(|factor| khz(factor, shift)).unwrap_or(rate), rate);
            }
        }
        assert_eq!((khz(0, 32), khz(1, 65)), (None, None));
        println!("here: {:?} kHz", counter_khz());
    }

    fn record(kind: u32, misc: u16, words: &[u64]) -> Vec<u8> {
        let size = u16::try_from(8 + 8 * words.len()).unwrap();
        let head = kind.to_ne_bytes().into_iter().chain(misc.to_ne_bytes()).chain(size.to_ne_bytes());
        head.chain(words.iter().flat_map(|word| word.to_ne_bytes())).collect()
    }

    #[test]
    fn switches_and_losses_are_read_and_others_skipped() {
        let cpu = if cfg!(target_endian = "little") { 3 } else { 3 << 32 };
        let bytes = [
            record(RECORD_SWITCH, MISC_OUT, &[100, cpu]),
            record(99, 0, &[1]),
            record(RECORD_SWITCH, 0, &[200, cpu]),
            record(RECORD_LOST, 0, &[7, 5, 0, 0]),
            record(RECORD_SWITCH, MISC_OUT | MISC_PREEMPT, &[300, cpu]),
        ]
        .concat();
        let (switches, lost) = parse(&bytes);
        let expected = [(100, Direction::OutWaiting), (200, Direction::In), (300, Direction::OutPreempted)];
        assert_eq!(switches, expected.map(|(at, to)| OwnSwitch { at: Nanos::new(at), to, cpu: 3 }));
        assert_eq!(lost, 5);
    }

    #[test]
    fn nonsense_ends_the_reading() {
        assert_eq!(parse(&record(RECORD_SWITCH, 0, &[])), (Vec::new(), 0));
        assert_eq!(parse(&[0; 100]), (Vec::new(), 0));
        assert_eq!(parse(&[255; 100]), (Vec::new(), 0));
    }

    #[test]
    fn the_attributes_have_the_size_the_kernel_knows() {
        assert_eq!(size_of::<Attributes>(), 112);
    }
}
