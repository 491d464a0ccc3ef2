//! Properties of every kernel, tested with generated cases.

use crate::common::{cell, fixed, herman, plan_of, preset, record, record_as, slope, with};
use oversleep_recording::Sample;
use oversleep_recording::plan::{ClockName, Load, LoadKind, Pattern, Phase, Plan};
use oversleep_sim::{
    Api, Arithmetic, Cut, FrequencyChange, Kernel, KernelClock, Mechanism, Parameters, Rounding, Scheduler, Simulation,
    TickSource, TimeCounter, ZeroTicks, meta,
};
use oversleep_sys::units::Nanos;
use proptest::prelude::*;
use proptest::sample::select;

fn sources() -> impl Strategy<Value = TickSource> {
    select(vec![TickSource::I8254, TickSource::Frac, TickSource::Pll, TickSource::Lapic, TickSource::Exact])
}

fn roundings() -> impl Strategy<Value = Rounding> {
    select(vec![
        Rounding::CeilPlus1,
        Rounding::Ceil,
        Rounding::LowPlus1,
        Rounding::Low,
        Rounding::Rint,
        Rounding::Hzto44,
    ])
}

fn mechanisms() -> impl Strategy<Value = Mechanism> {
    select(vec![
        Mechanism::Tick,
        Mechanism::Systimer,
        Mechanism::Hrtimer,
        Mechanism::Freebsd10,
        Mechanism::Jiffies,
        Mechanism::Nt,
        Mechanism::Macos,
    ])
}

prop_compose! {
    fn hardware()(
        source in sources(),
        hz in prop_oneof![Just(19_u32), Just(100), Just(1_024), 1_u32..=100_000],
        crystal_ppm in -200.0..200.0_f64,
        cal_err in -0.4..0.9_f64,
        tc in select(vec![TimeCounter::I8254, TimeCounter::Tsc, TimeCounter::Acpi, TimeCounter::Ticks]),
        tc_ppm in -1e5..1e5_f64,
        ntp_ppm in -1e5..1e5_f64,
        tc_tick in 0_u32..200,
        tick_phase in -1.0..1.0_f64,
    ) -> Parameters {
        Parameters {
            source, hz, cal_err, tc, ntp_ppm, tc_tick, tick_phase,
            f_i8254_true_hz: 1_193_182.0 * (1.0 + crystal_ppm / 1e6),
            tc_true_hz: 1e9 * (1.0 + tc_ppm / 1e6),
            ..Parameters::default()
        }
    }
}

prop_compose! {
    /// Generates parameters of every kind, accepted or not.
    fn parameters()(
        hardware in hardware(),
        mechanism in mechanisms(),
        round in roundings(),
        kclock in select(vec![KernelClock::Cached, KernelClock::Precise]),
        api in select(vec![Api::Nanosleep, Api::Select]),
        zero_ticks in select(vec![ZeroTicks::One, ZeroTicks::Forever]),
        scheduler in select(vec![Scheduler::Preempt, Scheduler::RoundRobin, Scheduler::Oneill]),
        (lat_base_us, lat_exp_us, irq_us) in (0.0..500.0_f64, 0.0..100.0_f64, 0.0..500.0_f64),
        (daemon_ticks, daemon_us) in (0_u32..5, 0.0..1e4_f64),
        (alloweddeviation, slack_shift, event_rate_hz) in (0_u32..=100, -16_i32..=62, 0.0..1e5_f64),
        (p_run, read_unit_ns, long_bits) in (0.01..1.0_f64, 1_u32..10_000, select(vec![32_u32, 64])),
    ) -> Parameters {
        Parameters {
            mechanism, round, kclock, api, zero_ticks, scheduler, lat_base_us, lat_exp_us, irq_us, daemon_ticks,
            daemon_us, alloweddeviation, slack_shift, event_rate_hz, p_run, read_unit_ns, long_bits,
            slack_us: 50.0, select_slack_frac: 0.001, select_slack_cap_us: 1e5,
            ..hardware
        }
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let times = prop_oneof![Just(0_i64), 1_i64..2_000_000, 1_i64..3_000_000_000, Just(i64::MAX), Just(-5_i64)];
    let methods = select(vec![
        "nanosleep",
        "clock-nanosleep-abs",
        "select",
        "rcvtimeo",
        "timerfd",
        "sched-yield",
        "sleep",
        "spin",
    ]);
    let clocks = select(vec![ClockName::Realtime, ClockName::Monotonic, ClockName::MonotonicRaw, ClockName::True]);
    (times, methods, 0..4_u8, clocks, 0_u16..7, 1_u16..4).prop_map(|(ns, method, kind, clock, busy, threads)| {
        let requested = Nanos::new(ns);
        let pattern = match kind {
            0 => Pattern::Fixed { requested },
            1 => Pattern::Random { from: Nanos::ZERO, to: requested },
            2 => Pattern::Aligned { to: requested },
            // With a short period and a long stall a billion periods are skipped at once; that is computed, not looped.
            _ => Pattern::Periodic { period: requested },
        };
        let mut cell = cell(0, method, pattern);
        cell.clock = clock;
        cell.conditions.load = (busy > 0).then_some(Load { threads: busy, kind: LoadKind::Spin });
        cell.conditions.threads = Some(threads);
        cell.conditions.phase = (busy % 2 == 1).then_some(Phase::Random { window: Nanos::from_millis(3) });
        plan_of(cell, 20)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_accepted_parameters_panic_or_hang(p in parameters(), plan in plans(), seed in any::<u64>()) {
        if let Ok(kernel) = Kernel::new("generated", p) {
            let (exact, outcome) = record_as(&kernel, &plan, seed, Arithmetic::Exact);
            let complete = exact.note.periods.iter().map(|p| p.asked).sum::<u64>().max(exact.samples.len() as u64);
            prop_assert!(!outcome.cut.is_empty() || complete >= 20, "{:?}", outcome);
            for account in &exact.note.periods {
                prop_assert_eq!(account.asked, account.fresh + account.late + account.skipped);
            }
            // The same seed gives the same bytes, and statistics include the same sleeps.
            prop_assert_eq!(&exact, &record(&kernel, &plan, seed));
            let (tally, _) = Simulation::new(&kernel, &plan, seed).tally();
            prop_assert_eq!(tally[0].n, exact.samples.len() as u64);
            let late: Vec<Nanos> = exact.samples.iter().map(Sample::oversleep).collect();
            let sum: i128 = late.iter().map(|late| i128::from(late.get())).sum();
            let mean = (!late.is_empty()).then(|| Nanos::from_f64(sum as f64 / late.len() as f64));
            prop_assert_eq!(tally[0].mean(), mean);
            prop_assert_eq!(late.iter().min().map_or(Nanos::MAX, |least| *least), tally[0].min);
            prop_assert_eq!(late.iter().max().map_or(Nanos::MIN, |most| *most), tally[0].max);
        }
    }

    #[test]
    fn a_sleep_is_never_early_under_ceil_plus_1_with_a_precise_clock(
        hardware in hardware(), ns in 1_i64..3_000_000_000, seed in any::<u64>(),
    ) {
        let p = Parameters {
            round: Rounding::CeilPlus1, kclock: KernelClock::Precise, read_unit_ns: 1, ..hardware
        };
        if let Ok(kernel) = Kernel::new("generated", p) {
            let mut plan = fixed("nanosleep", Nanos::new(ns), 20);
            plan.cells[0].conditions.phase = Some(Phase::Random { window: Nanos::from_millis(20) });
            for sample in record(&kernel, &plan, seed).samples {
                // The kernel counts whole microseconds: it never sees a fraction of one in the request.
                prop_assert!(sample.oversleep() > -Nanos::MICROSECOND, "{:?}", sample);
            }
        }
    }

    #[test]
    fn the_slope_of_the_sawtooth_does_not_depend_on_rounding(
        round in select(vec![Rounding::CeilPlus1, Rounding::Ceil, Rounding::LowPlus1, Rounding::Low]),
        hz in select(vec![50_u32, 100, 200, 250]),
        assumed in 999_970_000_u64..1_000_030_000,
        seed in any::<u64>(),
    ) {
        let p = |round| Parameters { hz, round, tc_assumed_hz: assumed, lat_exp_us: 0.0, ..Parameters::default() };
        let slope_of = |round, kclock| {
            let kernel = Kernel::new("generated", Parameters { kclock, ..p(round) }).unwrap();
            let late: Vec<f64> =
                record(&kernel, &herman(300), seed).samples.iter().skip(2).map(|s| s.oversleep().as_f64() / 1e3).collect();
            slope(&late, 2_000.0)
        };
        let reference = slope_of(Rounding::CeilPlus1, KernelClock::Cached);
        for kclock in [KernelClock::Cached, KernelClock::Precise] {
            let other = slope_of(round, kclock);
            prop_assert!((other - reference).abs() < 0.05, "{:?} {:?}: {} and {}", round, kclock, other, reference);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_phase_locks_exactly_inside_its_range(wall_ppm in -40.0..100.0_f64, phase in 0.0..1.0_f64) {
        // Section 2.3: the wall clock may run −15.09 to +68.71 ppm against the i8254 at 100 Hz. Near these limits the
        // correction is too weak to finish within the run.
        let (low, high) = (-15.09, 68.71);
        prop_assume!((wall_ppm - low).abs() > 1.5 && (wall_ppm - high).abs() > 1.5);
        let kernel = with("dragonfly-pll", &[
            ("daemon_ticks", "0"), ("tc_assumed_hz", "1000000000"), ("ntp_ppm", &format!("{wall_ppm}")),
            ("tick_phase", &format!("{phase}")),
        ]);
        let recording = record(&kernel, &herman(4_600), 1);
        let tail = &recording.samples[4_000..];
        let locked = tail.iter().all(|sample| sample.oversleep() < Nanos::from_micros(60));
        prop_assert_eq!(locked, low < wall_ppm && wall_ppm < high, "{} ppm", wall_ppm);
    }
}

#[test]
fn the_specification_s_corners_of_the_lock_range() {
    for (ppm, locks) in [("-16", false), ("-15", true), ("60", true), ("70", false)] {
        let changes = [("daemon_ticks", "0"), ("tc_assumed_hz", "1000000000"), ("ntp_ppm", ppm)];
        // At −15 ppm the correction is 0.09 ppm: half a tick takes 15 hours.
        let (tally_from, n) = if ppm == "-15" { (70_000, 71_000) } else { (3_000, 4_000) };
        let late = record(&with("dragonfly-pll", &changes), &herman(n), 1);
        let locked = late.samples[tally_from..].iter().all(|sample| sample.oversleep() < Nanos::from_micros(60));
        assert_eq!(locked, locks, "{ppm} ppm");
    }
}

#[test]
fn a_rate_that_does_not_divide_a_million_never_locks() {
    let late = record(&with("dragonfly-pll", &[("hz", "1024"), ("daemon_ticks", "0")]), &herman(2_000), 1);
    let tail = &late.samples[1_000..];
    assert!(tail.iter().filter(|sample| sample.oversleep() > Nanos::from_micros(300)).count() > 900);
}

#[test]
fn zero_ticks_hang_as_an_outcome() {
    for us in [500, 9_999] {
        let kernel = with("dragonfly-1.0", &[("round", "low"), ("zero_ticks", "forever")]);
        let plan = fixed("nanosleep", Nanos::from_micros(us), 10);
        let (recording, outcome) = record_as(&kernel, &plan, 1, Arithmetic::Exact);
        assert_eq!(outcome.cut.len(), 1);
        assert_eq!((outcome.cut[0].cut, outcome.cut[0].requested), (Cut::Hangs, Nanos::from_micros(us)));
        assert!(recording.samples.is_empty());
        assert_eq!(recording.note.unavailable[0].kind, "hangs");
    }
    // It can also happen in the second sleep, when the remainder is shorter than a tick.
    let kernel = with("dragonfly-1.0", &[("round", "low"), ("zero_ticks", "forever"), ("kclock", "precise")]);
    let (recording, outcome) =
        record_as(&kernel, &fixed("nanosleep", Nanos::from_millis(55), 50), 1, Arithmetic::Exact);
    assert_eq!(outcome.cut[0].cut, Cut::Hangs, "{} samples", recording.samples.len());
    assert!(Kernel::preset("freebsd-8-rizzo-fixed-unsafe").is_ok());
}

#[test]
fn early_wake_ups_happen_where_the_kernels_made_them() {
    let early = |kernel: &Kernel, plan: &Plan| {
        record(kernel, plan, 1).samples.iter().filter(|sample| sample.oversleep() < Nanos::ZERO).count()
    };
    // "sleep(1) exits too soon": cached time without the extra tick.
    let mut scattered = fixed("nanosleep", Nanos::SECOND, 500);
    scattered.cells[0].conditions.phase = Some(Phase::Random { window: Nanos::from_millis(20) });
    assert!(early(&preset("dragonfly-1.0-tvtohz-fix-herman"), &scattered) > 100);
    assert_eq!(early(&preset("dragonfly-1.0"), &scattered), 0);
    assert!(early(&preset("windows-nt-15.6ms"), &scattered) > 100);
}

#[test]
fn above_2147_s_a_32_bit_long_takes_another_branch() {
    let late_s = |seconds: i64| {
        let kernel = with("dragonfly-1.0", &[("hz", "1024"), ("source", "exact"), ("tc_assumed_hz", "1000000000")]);
        let plan = fixed("select", Nanos::from_secs(seconds), 1);
        record(&kernel, &plan, 1).samples[0].oversleep().as_secs_f64()
    };
    assert!((late_s(2_147) - 1.239).abs() < 0.001, "{}", late_s(2_147));
    assert!((late_s(2_148) - 0.001).abs() < 0.001, "{}", late_s(2_148));
}

#[test]
fn fixed_point_follows_exact_arithmetic_on_every_preset() {
    for name in oversleep_sim::preset_names() {
        let kernel = preset(name);
        for plan in
            [herman(500), fixed("nanosleep", Nanos::from_micros(1_234), 500), fixed("select", Nanos::SECOND, 500)]
        {
            let exact = record_as(&kernel, &plan, 7, Arithmetic::Exact).0;
            let fixed = record_as(&kernel, &plan, 7, Arithmetic::Fixed).0;
            assert_eq!(exact.samples.len(), fixed.samples.len(), "{name}");
            for (exact, fixed) in exact.samples.iter().zip(&fixed.samples) {
                let apart = (exact.end - fixed.end).abs().max((exact.start - fixed.start).abs());
                assert!(apart <= Nanos::MICROSECOND, "{name}: {exact:?} {fixed:?}");
            }
        }
    }
}

#[test]
fn the_clock_s_frequency_changes_in_mid_run_at_a_second() {
    let kernel = with("dragonfly-1.0-i8254", &[("lat_exp_us", "0")]);
    let plan = herman(600);
    let mut recording = oversleep_recording::Recording::new(meta(&kernel, &plan));
    let changes = [FrequencyChange { at_s: 300.0, ntp_ppm: -15.086 }];
    Simulation::new(&kernel, &plan, 1).changes(&changes).run(&mut recording);
    let late: Vec<f64> = recording.samples.iter().map(|sample| sample.oversleep().as_f64() / 1e3).collect();
    assert!((slope(&late[..300], 5_000.0) - 15.086).abs() < 0.05);
    assert!(slope(&late[302..], 5_000.0).abs() < 0.05);
    // It also follows from the brackets: true time against the clock, without the sleeps.
    let drift = |from: usize, to: usize| {
        let of_true: Vec<_> = recording.note.brackets.iter().filter(|b| b.clock == ClockName::True).collect();
        let (a, b) = (of_true[from], of_true[to]);
        ((b.monotonic - a.monotonic).as_f64() / (b.reading - a.reading).as_f64() - 1.0) * 1e6
    };
    assert!(drift(1, 290).abs() < 0.02 && (drift(310, 590) + 15.086).abs() < 0.02);
}

#[test]
fn cached_time_is_the_clock_a_moment_after_its_tick() {
    // An absolute sleep to 2 µs after a tick whose wind-up reads the clock 3 µs after it: that tick ends the sleep.
    let p = Parameters {
        source: TickSource::Exact,
        tick_phase: 0.0,
        wall_start_s: 0.5,
        round: Rounding::Low,
        lat_exp_us: 0.0,
        read_unit_ns: 1,
        ..Parameters::default()
    };
    let kernel = Kernel::new("cached", p).unwrap();
    let late = |us: i64| {
        let plan = fixed("clock-nanosleep-abs", Nanos::from_micros(us), 1);
        record(&kernel, &plan, 1).samples[0].oversleep()
    };
    assert_eq!(late(10_002), Nanos::from_micros(4));
    // A deadline after the wind-up's reading waits for the next tick.
    assert_eq!(late(10_004), Nanos::from_micros(10_002));
}
