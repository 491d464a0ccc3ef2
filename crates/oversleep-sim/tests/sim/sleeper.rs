//! The precise sleeper, unchanged, on kernels for which it was not developed.

use oversleep::machine::Simulated;
use oversleep::{Nanos, Sleeper};
use oversleep_recording::catalog::MethodId;
use oversleep_sim::{Kernel, Steps};

/// Returns a machine whose kernel is one of the presets.
fn machine(preset: &str, method: MethodId) -> Simulated {
    let mut steps = Steps::new(&Kernel::preset(preset).unwrap(), method, 7);
    Simulated::new(move |now, deadline| steps.sleep(now, deadline).expect("the kernel wakes everyone"))
}

/// Sleeps until it has learned, then `n` times: returns the share on time, that of fine waiting, and the sorted
/// latenesses.
fn sleeps(machine: &Simulated, mut sleeper: Sleeper<Simulated>, duration: Nanos, n: usize) -> (f64, f64, Vec<i64>) {
    for _ in 0..200 {
        machine.advance(Nanos::new(73_421));
        let _ = sleeper.sleep_for(duration);
    }
    sleeper.take_stats();
    let mut late: Vec<i64> = (0..n)
        .map(|_| {
            machine.advance(Nanos::new(73_421));
            sleeper.sleep_for(duration).nanos().get()
        })
        .collect();
    late.sort_unstable();
    let stats = sleeper.stats();
    (stats.on_time().unwrap(), stats.spun_share().unwrap(), late)
}

/// Each kernel with the method that its programs use, and durations longer than its oversleep.
const KERNELS: [(&str, MethodId, &[i64]); 4] = [
    ("freebsd-4.9", MethodId::Nanosleep, &[100, 250, 1_000]),
    ("windows-nt-15.6ms", MethodId::Sleep, &[100, 250, 1_000]),
    ("linux-2.6-hrtimer", MethodId::ClockNanosleepAbs, &[1, 4, 16, 100, 1_000]),
    ("macos", MethodId::MachWaitUntil, &[4, 16, 100, 1_000]),
];

#[test]
fn the_promised_share_is_on_time_on_every_kernel() {
    for (preset, method, durations) in KERNELS {
        for ms in durations {
            let machine = machine(preset, method);
            let sleeper = Sleeper::builder().on_time(0.99).build_on(machine.clone());
            let (on_time, spun, late) = sleeps(&machine, sleeper, Nanos::from_millis(*ms), 2_000);
            // 0.97 of 2000 minus three standard deviations of such a count.
            assert!(on_time >= 0.958, "{preset}, {ms} ms: {on_time}");
            assert!(spun <= 0.5, "{preset}, {ms} ms: {spun}");
            assert!(late[0] >= 0, "{preset}, {ms} ms: early by {}", -late[0]);
            assert!(late[1_900] <= Simulated::PAUSE.get(), "{preset}, {ms} ms: {}", late[1_900]);
        }
    }
}

#[test]
fn where_the_margin_costs_too_much_the_ceiling_goes_before_the_share() {
    for (preset, method, _) in KERNELS {
        for us in [50, 1_000, 16_667] {
            let machine = machine(preset, method);
            let sleeper = Sleeper::builder().cpu_ceiling(0.2).build_on(machine.clone());
            let (_, spun, late) = sleeps(&machine, sleeper, Nanos::from_micros(us), 1_000);
            assert!(spun <= 0.25, "{preset}, {us} µs: {spun}");
            assert!(late[0] >= 0, "{preset}, {us} µs: early by {}", -late[0]);
        }
    }
}
