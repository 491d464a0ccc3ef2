//! The reference vectors of the specification (section 3.4): numbers of an independent implementation, to the digit.

use crate::common::{herman, kernel, late_us, record_as};
use oversleep_sim::{Arithmetic, Kernel, KernelClock, Parameters, Rounding, Simulation, TickSource, TimeCounter};

/// Returns the parameters that all vectors share: nothing is random.
fn zero_jitter() -> Parameters {
    Parameters {
        tick_phase: 0.0,
        wall_start_s: 0.3,
        lat_base_us: 6.0,
        lat_exp_us: 0.0,
        irq_us: 3.0,
        syscall_us: 0.8,
        call_us: 0.1,
        loop_us: 20.0,
        tc: TimeCounter::I8254,
        tc_tick: 1,
        ..Parameters::default()
    }
}

fn tsc_slow_by_5_33_ppm() -> Parameters {
    Parameters { tc: TimeCounter::Tsc, tc_true_hz: 1e9, tc_assumed_hz: 1_000_005_330, ..zero_jitter() }
}

struct Vector {
    kernel: Kernel,
    first: [i64; 6],
    n: u64,
    min: i64,
    max: i64,
    sum: i64,
    drops: &'static [usize],
    resleeps: u64,
}

fn vectors() -> Vec<Vector> {
    let v = |parameters, n, first, (min, max, sum), drops, resleeps| Vector {
        kernel: kernel(parameters),
        first,
        n,
        min,
        max,
        sum,
        drops,
        resleeps,
    };
    let i8254 = zero_jitter;
    let tsc = tsc_slow_by_5_33_ppm;
    let fixed = Parameters { round: Rounding::LowPlus1, kclock: KernelClock::Precise, ..tsc() };
    let at = |hz| Parameters { hz, ..i8254() };
    let frac = Parameters { source: TickSource::Frac, ..i8254() };
    vec![
        v(i8254(), 2000, [10016, 10031, 10046, 10061, 10076, 10092], (10003, 19991, 29_938_187), &[662, 1325, 1988], 0),
        v(tsc(), 2200, [10012, 10022, 10032, 10042, 10051, 10061], (9992, 19983, 32_335_173), &[1023, 2048], 0),
        v(fixed, 2200, [10012, 22, 32, 42, 51, 61], (1, 10012, 10_364_960), &[1, 1024, 2049], 2),
        v(at(1000), 2000, [898, 1746, 1593, 1441, 1288, 1136], (827, 1826, 2_653_141), &[], 0),
        v(at(5000), 500, [1272, 1794, 1716, 1837, 1758, 1880], (1272, 1901, 900_145), &[], 0),
        v(at(10_000), 500, [34, 159, 85, 111, 137, 163], (34, 171, 60_631), &[], 500),
        v(frac, 500, [10005; 6], (10005, 10005, 5_002_500), &[], 0),
    ]
}

/// Returns the sleeps after which the oversleep is lower by more than 5 ms: teeth of a 10 ms sawtooth.
fn drops(late: &[i64]) -> Vec<usize> {
    (1..late.len()).filter(|&i| late[i - 1] - late[i] > 5_000).collect()
}

#[test]
fn exact_arithmetic_gives_the_reference_to_the_digit() {
    for v in vectors() {
        let plan = herman(v.n);
        let p = v.kernel.parameters();
        let (recording, _) = record_as(&v.kernel, &plan, 1, Arithmetic::Exact);
        let late = late_us(&recording);
        let (tally, _) = Simulation::new(&v.kernel, &plan, 1).tally();
        let got = (
            late[..6].to_vec(),
            late.iter().min().copied().unwrap_or(0),
            late.iter().max().copied().unwrap_or(0),
            late.iter().sum::<i64>(),
            drops(&late),
            tally[0].resleeps,
        );
        let want = (v.first.to_vec(), v.min, v.max, v.sum, v.drops.to_vec(), v.resleeps);
        assert_eq!(got, want, "hz {} {:?} {:?} {:?}", p.hz, p.source, p.tc, p.round);
    }
}

#[test]
fn fixed_point_agrees_with_exact_arithmetic_sample_by_sample() {
    for v in vectors() {
        let plan = herman(v.n);
        let exact = record_as(&v.kernel, &plan, 1, Arithmetic::Exact).0;
        let fixed = record_as(&v.kernel, &plan, 1, Arithmetic::Fixed).0;
        assert_eq!(exact, fixed);
    }
}
