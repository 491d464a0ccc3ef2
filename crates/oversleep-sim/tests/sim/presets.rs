//! Checks that every preset is a valid kernel and every number has its source.

use crate::common::{herman, record};
use oversleep_sim::{Kernel, ParameterError, parameter_names, preset, preset_names};

#[test]
fn every_preset_is_a_kernel_that_sleeps_and_says_where_its_numbers_come_from() {
    for name in preset_names() {
        let preset = preset(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!preset.title.is_empty() && !preset.systems.is_empty() && !preset.calls.is_empty(), "{name}");
        assert!(preset.extremes().is_ok(), "{name}");
        for (parameter, sourced) in &preset.parameters {
            assert!(!sourced.source.trim().is_empty(), "{name}: {parameter} has no source");
        }
        // Not every kernel completes sleeps to the next second: one may hang by design, and reports it.
        let recording = record(&preset.kernel, &herman(5), 1);
        assert!(recording.samples.len() == 5 || !recording.note.unavailable.is_empty(), "{name}");
    }
}

#[test]
fn a_parameter_is_changed_by_name() {
    let kernel = Kernel::preset("dragonfly-1.0").unwrap();
    assert_eq!(kernel.set("hz", "1000").unwrap().parameters().hz, 1_000);
    assert_eq!(kernel.set("hz", "1e3").unwrap().name(), "dragonfly-1.0 hz=1e3");
    assert!(kernel.set("round", "ceil").is_ok());
    let said = |name: &str, value: &str| kernel.set(name, value).unwrap_err().to_string();
    assert_eq!(said("ntp", "1"), "no parameter is called 'ntp'; did you mean 'ntp_ppm'?");
    assert!(said("colour", "red").starts_with("no parameter is called 'colour'; `oversleep list presets --json`"));
    assert_eq!(said("hz", "fast"), "hz cannot be 'fast': it takes a whole number");
    assert_eq!(said("hz", "-1"), "hz = -1 is outside 1 to 100000 ticks per second");
    assert_eq!(said("hz", "4294967296"), "hz = 4294967296 is outside 1 to 100000 ticks per second");
    assert_eq!(said("tc_tick", "-1"), "tc_tick = -1 is outside 0 (FreeBSD's rule) to 10000 ticks");
    for name in parameter_names() {
        for text in ["-3000000000", "99999999999", "-9000000000000000000", "9000000000000000000"] {
            let said = kernel.set(&name, text).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(!said.contains("invalid value"), "{said}");
        }
    }
    assert!(
        said("round", "up").starts_with("round cannot be 'up': unknown variant `up`, expected one of `ceil_plus1`")
    );
    for name in parameter_names() {
        assert!(!said(&name, "?").contains('\n'), "{name}");
    }
}

#[test]
fn a_file_stands_on_a_preset() {
    let text = "base = \"freebsd-10\"\n[parameters]\nhz = 250\nlat_base_us = 3\n";
    let kernel = Kernel::from_toml("mine.toml", text).unwrap();
    assert_eq!((kernel.parameters().hz, kernel.parameters().alloweddeviation), (250, 5));
    let wrong = |text: &str| Kernel::from_toml("mine.toml", text).unwrap_err();
    assert!(matches!(wrong("base = \"plan9\""), ParameterError::NoPreset(_)));
    assert!(matches!(wrong("[parameters]\nhertz = 1"), ParameterError::Unknown(..)));
    assert!(matches!(wrong("hz = 1"), ParameterError::File(_)));
    assert!(matches!(wrong("[parameters]\nhz = \"x\""), ParameterError::Value { .. }));
    let outside = "[parameters]\nhz = { value = 9, spread = [10.0, 20.0], from = \"doc\", source = \"x\" }";
    assert!(matches!(wrong(outside), ParameterError::File(_)));
    assert!(matches!(wrong("]"), ParameterError::File(_)));
}

#[test]
fn parameters_outside_their_domain_are_refused_in_one_clear_line() {
    let kernel = Kernel::preset("dragonfly-1.0").unwrap();
    let said = |changes: &[(&str, &str)]| {
        let line = kernel.set_all(changes).unwrap_err().to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    };
    assert_eq!(said(&[("hz", "0")]), "hz = 0 is outside 1 to 100000 ticks per second");
    for hz in ["1", "18"] {
        let line = said(&[("hz", hz)]);
        assert!(line.contains("16-bit") && line.ends_with("hz can be 19 to 100000"), "{line}");
        assert!(kernel.set_all(&[("hz", hz), ("source", "exact")]).is_ok(), "no divisor, no limit");
    }
    assert!(kernel.set("hz", "19").is_ok());
    assert!(said(&[("hz", "1001"), ("round", "hzto44")]).contains("divides by zero"));
    assert!(kernel.set_all(&[("hz", "1000"), ("round", "hzto44")]).is_ok());
    assert!(said(&[("tc_true_hz", "-1")]).starts_with("tc_true_hz = -1 is outside"));
    assert_eq!(said(&[("hz", "-5")]), "hz = -5 is outside 1 to 100000 ticks per second");
    assert!(said(&[("hz", "99999999999999999999")]).starts_with("hz cannot be"));
    assert!(said(&[("ntp_ppm", "NaN")]).contains("a number"));
    assert!(said(&[("lat_base_us", "-1")]).contains("outside"));
    assert!(said(&[("source", "lapic"), ("lapic_true_hz", "1000"), ("hz", "5000")]).contains("local APIC"));
}
