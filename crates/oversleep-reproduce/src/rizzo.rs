//! Rizzo, September 2009: sleeps that are half a per cent too long above HZ = 2500.

use super::own_measurement::OwnMeasurement;
use super::runs::{Changes, Experiment, Late};
use super::{Fix, charts, fixes, wemm};
use oversleep_recording::Recording;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::{Basis, Claim, FigureUnit, Publication, ReproducedFigure};
use oversleep_sim::ParameterError;
use oversleep_sys::units::Nanos;

const NS: FigureUnit = FigureUnit::Nanoseconds;
const TEN: Nanos = Nanos::from_secs(10);
/// Removes the drift of the calibration: his fix 1.
const NO_DRIFT: (&str, &str) = ("cal_stalls_per_s", "0");

pub(super) fn publication(picked: &[Fix], here: Option<&Recording>) -> Result<Publication, ParameterError> {
    let (hangs, hanging) = wemm::hangs()?;
    Ok(Publication {
        name: "rizzo".into(),
        title: "incorrect usleep/select delays with HZ > 2500".into(),
        by: "Luigi Rizzo, 6 September 2009, and Peter Wemm's answer of the 7th, on freebsd-stable".into(),
        claims: vec![
            no_drift()?,
            at_5000()?,
            higher()?,
            cached()?,
            extra_tick()?,
            all_three()?,
            linux_usleep(here)?,
            linux_select(here)?,
            hangs,
            calibrations()?,
        ],
        tables: vec![fixes::table(picked)?, hanging],
        charts: [charts::rizzo(picked)?, charts::select()?].concat(),
    })
}

fn late(preset: &str, set: Changes<'_>, method: MethodId, asked: Nanos, n: u64) -> Result<Late, ParameterError> {
    Experiment::sleeps(preset, set, method, asked, n).scattered().late()
}

fn no_drift() -> Result<Claim, ParameterError> {
    let mut figures = Vec::new();
    for (hz, preset) in [(1_000, "freebsd-8-hz1000"), (2_000, "freebsd-8-hz2000"), (2_500, "freebsd-8-hz2500")] {
        let tick = 1e9 / f64::from(hz);
        // The latency comes on top of the ticks.
        let limits = (-5e3, tick * 2.0 + 60e3);
        for method in [MethodId::Usleep, MethodId::Select] {
            for asked in [Nanos::SECOND, TEN] {
                let late = late(preset, &[], method, asked, 60)?;
                let name = format!("{} of {asked} at {hz} Hz, greatest", method.name());
                figures.push(ReproducedFigure::between(&name, "0 to 1 (or 2) ticks", NS, limits, late.greatest()));
            }
        }
    }
    Ok(Claim::new(Some(13), Basis::Fitted, figures)
        .about("at HZ = 1000, 2000 and 2500 the error is 0 to 1 (or 2) ticks, whatever the duration")
        .because(
            "Above 1000 Hz usleep adds up to the millisecond between two readings of the cached time, as his second cause says: up to 2.9 ticks \
             at 2500 Hz, more than his sentence allows. Stalls of 360 µs, \
             shorter than a wrap of the i8254 up to 2500 Hz, are fitted.",
        )
        .by(Experiment::sleeps("freebsd-8-hz2500", &[], MethodId::Usleep, TEN, 60).scattered().command()))
}

fn at_5000() -> Result<Claim, ParameterError> {
    let run = |asked, n| Experiment::sleeps("freebsd-8-hz5000", &[], MethodId::Usleep, asked, n);
    let lasts = |asked: Nanos, n| -> Result<f64, ParameterError> { Ok(asked.as_f64() + run(asked, n).late()?.mean()) };
    let (one, ten) = (lasts(Nanos::SECOND, 100)?, lasts(TEN, 20)?);
    let figures = vec![
        ReproducedFigure::between("1 s lasts", "1.0064 s", NS, (1.006_35e9, 1.006_45e9), one),
        ReproducedFigure::between("10 s lasts", "10.062 s", NS, (10.0615e9, 10.0625e9), ten),
    ];
    Ok(Claim::new(Some(14), Basis::Fitted, figures)
        .about("at HZ = 5000 a delay of 1 s lasts 1.0064 s, one of 10 s lasts 10.062 s")
        .because(
            "The timer is calibrated against DELAY(), which repairs one lost wrap of the i8254 per poll: stalls of 360 µs at 31 a second (both \
             fitted) lose whole wraps, 0.62 % at this rate.",
        )
        .by(run(Nanos::SECOND, 100).command()))
}

fn higher() -> Result<Claim, ParameterError> {
    let run = |preset| Experiment::sleeps(preset, &[], MethodId::Usleep, TEN, 20);
    let per_cent = |preset| -> Result<f64, ParameterError> { Ok(run(preset).late()?.mean() / TEN.as_f64() * 100.0) };
    let (four, ten, forty) =
        (per_cent("freebsd-8-hz4000")?, per_cent("freebsd-8-hz10000")?, per_cent("freebsd-8-hz40000")?);
    let unit = FigureUnit::PerCent;
    let figures = vec![
        ReproducedFigure::between("4000 Hz", "0.5 % and above", unit, (0.5, 1.0), four),
        ReproducedFigure::between("10000 Hz", "1 %", unit, (0.85, 1.05), ten),
        ReproducedFigure::between("40000 Hz", "even bigger", unit, (ten, 2.0), forty),
    ];
    Ok(Claim::new(Some(15), Basis::Fitted, figures)
        .about("larger HZ drift by 0.5 % and above; 10k by 1 %, 40k by more")
        .because("The same two fitted numbers; the steps are those of floor(360 µs / wrap).")
        .by(run("freebsd-8-hz10000").command()))
}

fn cached() -> Result<Claim, ParameterError> {
    let of = |method| -> Result<f64, ParameterError> {
        let mut greatest = f64::MIN;
        for ms in [10, 20, 50, 100] {
            let late = late("freebsd-8-hz5000", &[NO_DRIFT], method, Nanos::from_millis(ms), 2_000)?;
            greatest = greatest.max(late.greatest());
        }
        Ok(greatest)
    };
    let (nanosleep, select) = (of(MethodId::Nanosleep)?, of(MethodId::Select)?);
    let figures = vec![
        ReproducedFigure::between("nanosleep, greatest", "max(1 tick, 1 ms)", NS, (0.9e6, 1.05e6), nanosleep),
        ReproducedFigure::between("select, greatest", "less", NS, (0.19e6, 0.26e6), select),
    ];
    Ok(Claim::new(Some(16), Basis::Documented, figures)
        .about("approximate time costs max(1 tick, 1 ms), and nanosleep() more than select()")
        .because(
            "Rizzo: 'for reasons I don't understand'. nanosleep compares two cached times and sleeps on; select turns its timeout into ticks once \
             and looks at no clock again. (5000 Hz, requests of 10 to 100 ms, drift taken out.)",
        )
        .by(Experiment::sleeps("freebsd-8-hz5000", &[NO_DRIFT], MethodId::Nanosleep, Nanos::from_millis(10), 2_000)
                .scattered()
                .command()))
}

fn extra_tick() -> Result<Claim, ParameterError> {
    let odd = Nanos::from_micros(1_234_567);
    let mean = |round| -> Result<f64, ParameterError> {
        let set = [NO_DRIFT, ("kclock", "precise"), ("api", "select"), ("round", round)];
        Ok(late("freebsd-8-hz5000", &set, MethodId::Usleep, odd, 4_000)?.mean())
    };
    let saved = mean("ceil_plus1")? - mean("ceil")?;
    let figures = vec![ReproducedFigure::between("a tick less", "an extra tick", NS, (195e3, 205e3), saved)];
    Ok(Claim::new(Some(17), Basis::Documented, figures)
        .about("an error in tvtohz() causes an extra tick")
        .because(
            "At 5000 Hz, 200 µs; with drift and re-sleeping out of the way, at a duration that is not a multiple of the tick.",
        ))
}

fn all_three() -> Result<Claim, ParameterError> {
    let mut figures = Vec::new();
    for latency in ["25", "45", "60"] {
        let mut greatest = f64::MIN;
        for asked in [Nanos::from_millis(10), Nanos::SECOND, TEN] {
            let set = [("lat_base_us", latency)];
            greatest = greatest.max(late("freebsd-8-rizzo-fixed", &set, MethodId::Usleep, asked, 300)?.greatest());
        }
        let name = format!("greatest, latency {latency} µs");
        figures.push(ReproducedFigure::between(&name, "within 80-90 µs", NS, (0.0, 90e3), greatest));
    }
    Ok(Claim::new(Some(18), Basis::Fitted, figures)
        .about("with all three fixes, 40 kHz: within 80-90 µs even with ten seconds")
        .because("The latency is free between 25 and 60 µs: a tick of 25 µs and the spread come on top of it.")
        .by(Experiment::sleeps("freebsd-8-rizzo-fixed", &[("lat_base_us", "45")], MethodId::Usleep, TEN, 300)
            .scattered()
            .command()))
}

/// The rates of his TSC as his kernel printed them while it started, in order, in kHz: note 3.
const READINGS: [u32; 9] =
    [2_323_046, 2_323_057, 2_311_254, 2_311_191, 2_300_823, 2_300_831, 2_300_840, 2_300_835, 2_300_868];

/// Checks by how much each calibration is off.
fn calibrations() -> Result<Claim, ParameterError> {
    let unit = FigureUnit::PerCent;
    let off = |preset| Experiment::sleeps(preset, &[], MethodId::Usleep, TEN, 1).calibration_per_cent();
    let (large, small) = (off("freebsd-8-hz10000")?, off("freebsd-8-hz1000")?);
    let figure = |(at, khz): (usize, u32)| {
        let name = format!("reading {}: {khz} kHz", at + 1);
        let published = (f64::from(khz) / f64::from(READINGS[8]) - 1.0) * 100.0;
        let (within, simulated) = if published > 0.5 { (0.05, large) } else { (0.005, small) };
        let (limits, text) = ((published - within, published + within), format!("{published:+.3} %"));
        match published {
            0.1..0.5 => ReproducedFigure::unsimulated(&name, &text, unit),
            _ => ReproducedFigure::between(&name, &text, unit, limits, simulated),
        }
    };
    let mut figures: Vec<_> = READINGS.into_iter().enumerate().map(figure).collect();
    figures.push(ReproducedFigure::unsimulated("note 4: long delays by the 8254", "might be better", unit));
    Ok(Claim::new(None, Basis::Fitted, figures)
        .about("notes 3 and 4: the TSC's first readings are 0.96 % too high, two later ones 0.45 %, the last agree with those at HZ = 1000")
        .because(
            "Off against the last. He does not say at which HZ: the first are simulated at 10000, the last at 1000, where no wrap is lost. The model \
             calibrates once, so the two in between are not simulated. In it the 8254 runs at its nominal rate and DELAY() loses its wraps all the \
             same: note 4 would help against a TSC that changes its rate, which no preset has.",
        ))
}

fn linux_usleep(here: Option<&Recording>) -> Result<Claim, ParameterError> {
    let mut figures = Vec::new();
    for asked in [Nanos::MILLISECOND, Nanos::SECOND, TEN] {
        let late = Experiment::sleeps("linux-2.6-hrtimer", &[], MethodId::Usleep, asked, 50).late()?;
        let here = OwnMeasurement(here).median(MethodId::Usleep, asked, 0);
        let name = format!("usleep of {asked}");
        let figure = ReproducedFigure::between(&name, "80 to 90 µs", NS, (80e3, 90e3), late.mean());
        figures.push(figure.here(here));
    }
    Ok(Claim::new(Some(19), Basis::Fitted, figures)
        .about("Linux 2.6.30: usleep is 80 to 90 µs late irrespective of the delay")
        .because("50 µs of timer slack and 35 µs of latency, the latter fitted.")
        .by(Experiment::sleeps("linux-2.6-hrtimer", &[], MethodId::Usleep, Nanos::SECOND, 50).command()))
}

fn linux_select(here: Option<&Recording>) -> Result<Claim, ParameterError> {
    let mut figures = Vec::new();
    for (seconds, want) in [(1, 1.035e6), (10, 10.035e6), (100, 100.035e6), (300, 100.035e6)] {
        let asked = Nanos::from_secs(seconds);
        let late = Experiment::sleeps("linux-2.6-hrtimer", &[], MethodId::Select, asked, 30).late()?;
        let published = if seconds == 300 { "" } else { "approx 1 ms per second" };
        let name = format!("select of {seconds} s");
        let figure = ReproducedFigure::between(&name, published, NS, (want - 5e3, want + 5e3), late.mean());
        figures.push(figure.here(OwnMeasurement(here).median(MethodId::Select, asked, 0)));
    }
    Ok(Claim::new(Some(20), Basis::Documented, figures)
        .about("Linux 2.6.30: select loses about 1 ms per second")
        .because("A slack of a thousandth of the timeout, at most 100 ms: from 100 s on it loses no more.")
        .by(Experiment::sleeps("linux-2.6-hrtimer", &[], MethodId::Select, Nanos::SECOND, 30).command()))
}
