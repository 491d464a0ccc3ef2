//! Sweeps and changes during a run, as written on the command line.

use crate::common::{herman, preset};
use oversleep_sim::{Arithmetic, FrequencyChange, ParameterError, Sweep, sweep};
use oversleep_sys::units::Nanos;

fn values(text: &str) -> Vec<String> {
    text.parse::<Sweep>().unwrap().values
}

#[test]
fn a_sweep_is_a_list_or_a_range() {
    assert_eq!(values("hz=100, 1000,5000"), ["100", "1000", "5000"]);
    assert_eq!(values("hz=100..10000/3"), ["100", "1000", "10000"]);
    assert_eq!(values("ntp_ppm=-50..50/3"), ["-50", "0", "50"]);
    assert_eq!(values("round=ceil,low"), ["ceil", "low"]);
    assert_eq!(values("hz=1..3"), ["1", "2", "3"], "whole numbers come once each");
    assert_eq!(values("hz=100..20000").len(), 50);
    for wrong in ["hz", "hz=9..1", "hz=1..x", "hz=1..2/1", "hz=1..2/x", "hertz=1"] {
        assert!(wrong.parse::<Sweep>().is_err(), "{wrong}");
    }
}

#[test]
fn a_sweep_is_the_same_on_any_number_of_processors_and_tells_what_is_no_kernel() {
    let kernel = preset("dragonfly-1.0-i8254");
    let over = "hz=10,100,1000,5000".parse().unwrap();
    let run = || sweep(&kernel, &over, &herman(200), 1, &[], Arithmetic::Fixed);
    let rows = run();
    let alone = rayon_of(1, run);
    assert_eq!(rows, alone);
    assert!(matches!(rows[0].result, Err(ParameterError::Divisor { hz: 10, .. })));
    let mean = |row: usize| rows[row].result.as_ref().unwrap().0[0].mean().unwrap();
    assert!(mean(1) > Nanos::from_millis(9) && mean(2) < Nanos::from_millis(2) && mean(3) > mean(2));
}

fn rayon_of<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

#[test]
fn a_change_in_mid_run_is_read_or_refused() {
    assert_eq!("300s ntp_ppm=-10".parse(), Ok(FrequencyChange { at_s: 300.0, ntp_ppm: -10.0 }));
    for wrong in ["300s", "300 ntp_ppm=1", "300s hz=1", "300s ntp_ppm=x", "-1s ntp_ppm=1", "1s ntp_ppm=1e9"] {
        let line = wrong.parse::<FrequencyChange>().unwrap_err().to_string();
        assert!(!line.contains('\n'), "{line}");
    }
}
