//! Herman, January 2004: how late sleeps to the next second are, and why.

use super::charts;
use super::own_measurement::OwnMeasurement;
use super::runs::{Experiment, Late};
use oversleep_recording::Recording;
use oversleep_recording::document::{Basis, Claim, FigureUnit, Publication, ReproducedFigure, ReproducedTable};
use oversleep_sim::{FrequencyChange, ParameterError, tvtohz_table};

/// The first lines in his article, in nanoseconds.
const LINES: [f64; 5] = [19_496e3, 19_506e3, 19_516e3, 19_525e3, 19_535e3];

const NS: FigureUnit = FigureUnit::Nanoseconds;
const SLOPE: FigureUnit = FigureUnit::MicrosPerSecond;

pub(super) fn publication(here: Option<&Recording>) -> Result<Publication, ParameterError> {
    let (rows, slip, theory, table) = tvtohz();
    Ok(Publication {
        name: "herman".into(),
        title: "How long does your nanosleep() really sleep?".into(),
        by: "Paul Herman, 8 January 2004: the article on the DragonFly site, and its archived copy with the program and \
             the list of systems"
            .into(),
        claims: vec![
            rows,
            slip,
            theory,
            five_lines(here)?,
            sawtooth()?,
            five_systems()?,
            ntptime()?,
            raising_hz()?,
            not_the_process()?,
            lost_pictures(),
        ],
        tables: vec![table],
        charts: [charts::five_systems()?, charts::hz_sweep()?, charts::ntptime()?].concat(),
    })
}

/// Returns the table of `tvtohz` as three claims, and as a table that shows the origin of the error in one row.
fn tvtohz() -> (Claim, Claim, Claim, ReproducedTable) {
    const PRINTED: [i64; 7] = [91, 100, 101, 101, 101, 102, 102];
    const THEORY: [i64; 7] = [90, 99, 100, 100, 100, 100, 100];
    let rows = tvtohz_table(100);
    let ticks = |name: &str, printed: i64, ours: i64| {
        let name = format!("{name} s");
        ReproducedFigure::exactly(&name, &printed.to_string(), FigureUnit::Ticks, printed as f64, ours as f64)
    };
    let (mut sound, mut theory) = (Vec::new(), Vec::new());
    let mut slip = Vec::new();
    for ((row, printed), rint) in rows.iter().zip(PRINTED).zip(THEORY) {
        theory.push(ticks(row.seconds, rint, row.theoretical));
        if row.exact == row.as_printed {
            sound.push(ticks(row.seconds, printed, row.exact));
        } else {
            slip.push(ticks(row.seconds, printed, row.exact));
            slip.push(ticks(&format!("(int)(({} - 1) * 1e6) µs after 1", row.seconds), printed, row.as_printed));
        }
    }
    let table = ReproducedTable {
        title: "tvtohz() at 100 Hz, 10000 µs a tick: printed, in whole microseconds, and through a C double".into(),
        columns: ["seconds", "rint", "printed", "exact", "through a double"].map(str::to_owned).to_vec(),
        rows: rows
            .iter()
            .zip(PRINTED)
            .map(|(row, printed)| {
                let numbers = [row.theoretical, printed, row.exact, row.as_printed].map(|number| number.to_string());
                [vec![row.seconds.to_owned()], numbers.to_vec()].concat()
            })
            .collect(),
    };
    let claim = |number, figures| Claim::new(Some(number), Basis::Documented, figures);
    (
        claim(1, sound).about("tvtohz() gives one tick too many: six rows of the table"),
        claim(2, slip).about("tvtohz() of 1.000001 s is printed as 101").because(
            "ceil(1000001 µs / 10000 µs) + 1 is 102, as for 1.000002 s. The printed 101 comes out where the microseconds are \
             computed as (int)((1.000001 - 1) * 1e6): in a double that is 0.99999999992, truncated to 0. The other six rows \
             are the same either way.",
        ),
        claim(3, theory).about("the theoretical ticks, rint(seconds * Hz)"),
        table,
    )
}

fn five_lines(here: Option<&Recording>) -> Result<Claim, ParameterError> {
    let run = Experiment::wall_second("dragonfly-1.0", &[], 5);
    let (late, here) = (run.late()?, OwnMeasurement(here).first_cell());
    let line = |(at, printed): (usize, &f64)| {
        let figure = ReproducedFigure::exactly(
            &format!("line {}", at + 1),
            &format!("{:.6} s", printed / 1e9),
            NS,
            *printed,
            late.0.get(at).copied().unwrap_or(f64::NAN),
        );
        figure.here(here.get(at).copied())
    };
    Ok(Claim::new(Some(4), Basis::Fitted, LINES.iter().enumerate().map(line).collect())
        .about("the five printed lines of wakeup_latency")
        .because(
            "The tick is 15.0857 ppm too long (divisor 11932 for 1193182 / 100); the clock's calibration, 5.33 ppm slow, and the \
             moment at which the program starts are fitted to these lines.",
        )
        .by(run.command() + " --as-published"))
}

fn sawtooth() -> Result<Claim, ParameterError> {
    let run = Experiment::wall_second("dragonfly-1.0", &[], 5_000);
    let (tsc, i8254) = (run.late()?, Experiment::wall_second("dragonfly-1.0-i8254", &[], 5_000).late()?);
    let period = |late: &Late| {
        let falls = late.falls();
        let between = falls.windows(2).map(|pair| (pair[1] - pair[0]) as f64 * 1e9);
        between.fold((0.0, 0.0_f64), |(sum, n), one| (sum + one, n + 1.0))
    };
    let mean_period = |late: &Late| {
        let (sum, n) = period(late);
        sum / n
    };
    let ratio = tsc.mean() / i8254.mean();
    let figures = vec![
        ReproducedFigure::between("least", "after at least one kernel tick", NS, (9.965e6, 10.015e6), tsc.least()),
        ReproducedFigure::between("greatest", "nearly twice the tick", NS, (19.965e6, 20.015e6), tsc.greatest()),
        ReproducedFigure::between(
            "falls in 900 s",
            "a sawtooth in 15 minutes",
            FigureUnit::Count,
            (0.0, 1.0),
            tsc.part(0..900).falls().len() as f64,
        ),
        ReproducedFigure::between("slope", "rising", SLOPE, (9.7057, 9.8057), tsc.slope_us()),
        ReproducedFigure::between("a tooth", "", NS, (1_023e9, 1_027e9), mean_period(&tsc)),
        ReproducedFigure::between("a tooth, i8254 as clock", "", NS, (662e9, 664e9), mean_period(&i8254)),
        ReproducedFigure::between("mean, TSC over i8254", "no difference", FigureUnit::Ratio, (0.95, 1.05), ratio),
    ];
    Ok(Claim::new(Some(5), Basis::Fitted, figures)
        .about("a rising sawtooth between one tick and two")
        .because("One tick (tvtohz) and a drift of the tick against the clock: 15.0857 less 5.33 µs each second.")
        .by(run.command()))
}

/// Checks the article's statements on the five systems in its first figure.
fn five_systems() -> Result<Claim, ParameterError> {
    let mut figures = Vec::new();
    for (name, preset) in charts::SYSTEMS {
        let late = Experiment::wall_second(preset, &[], 900).late()?;
        // The first sleep begins at a random time within a second.
        let late = late.part(1..900);
        if preset == "darwin-7" {
            figures.push(ReproducedFigure::between(
                &format!("{name}, greatest"),
                "returns when it should",
                NS,
                (0.0, 1e6),
                late.greatest(),
            ));
            continue;
        }
        figures.push(ReproducedFigure::between(
            &format!("{name}, least"),
            "positive, most after a tick",
            NS,
            (9.965e6, 20.015e6),
            late.least(),
        ));
        let saw = preset == "dragonfly-1.0" || preset == "freebsd-4.9";
        let (published, limits) = if saw { ("a sawtooth", (5.0, 15.1)) } else { ("", (-0.02, 0.02)) };
        figures.push(ReproducedFigure::between(&format!("{name}, slope"), published, SLOPE, limits, late.slope_us()));
    }
    Ok(Claim::new(None, Basis::Fitted, figures)
        .about("five systems: all sleep at least as long as asked, only Darwin tries to be on time, two have a sawtooth")
        .because(
            "Where in its tick a system lies depends on when the program starts; FreeBSD's start and calibration, Linux' and \
             Solaris' starts and Darwin's latency are assumed.",
        ))
}

/// Changes the clock's frequency during a run, as `ntptime -f` does.
fn ntptime() -> Result<Claim, ParameterError> {
    let mut figures = Vec::new();
    for (preset, ppm, before, after) in [
        ("dragonfly-1.0-i8254", -15.086, 15.0857, 0.0),
        ("dragonfly-1.0", -9.756, 9.7557, 0.0),
        ("dragonfly-1.0-i8254", -30.0, 15.0857, -14.914),
        ("dragonfly-1.0-i8254", 10.0, 15.0857, 25.086),
    ] {
        let change = [FrequencyChange { at_s: 300.0, ntp_ppm: ppm }];
        let run = Experiment::wall_second(preset, &[("lat_exp_us", "0")], 600);
        let late = run.late_with(&change)?;
        let clock = if preset.ends_with("i8254") { "i8254" } else { "TSC" };
        let slope = |name: &str, published: &str, range: std::ops::Range<usize>, want: f64| {
            let name = format!("{clock}, {ppm} ppm: {name}");
            ReproducedFigure::between(&name, published, SLOPE, (want - 0.06, want + 0.06), late.part(range).slope_us())
        };
        figures.push(slope("before", "", 0..300, before));
        let tamed = if after == 0.0 { "tamed" } else { "any way I pleased" };
        figures.push(slope("after", tamed, 303..600, after));
    }
    Ok(Claim::new(Some(8), Basis::Documented, figures)
        .about("ntptime -f in mid-run tames the delays")
        .because(
            "The slope is 15.0857 ppm less the clock's own error plus what ntptime adds; zero at -15.086 ppm with the i8254 as clock, \
             at -9.756 with the fitted TSC. The frequency changes after 300 s, when the clock's second rolls over.",
        )
        .by("oversleep simulate dragonfly-1.0-i8254 -e wall-second -n 600 --at '300s ntp_ppm=-15.086'"))
}

/// Tick rates of the sweep.
const RATES: [u32; 12] = [100, 200, 500, 1_000, 2_000, 2_500, 4_000, 5_000, 6_000, 10_000, 15_000, 20_000];

fn raising_hz() -> Result<Claim, ParameterError> {
    let at = |hz: &str| -> Result<f64, ParameterError> {
        let set = [("hz", hz), ("tick_phase", "0"), ("wall_start_s", "0.3")];
        Ok(Experiment::wall_second("dragonfly-1.0-i8254", &set, 400).late()?.mean())
    };
    let mut figures = Vec::new();
    let mut means = Vec::new();
    for hz in RATES {
        let mean = at(&hz.to_string())?;
        let before = means.last().copied().unwrap_or(f64::MAX);
        means.push(mean);
        let published = if hz <= 1_000 { "increasing kern.hz does help" } else { "" };
        figures.push(ReproducedFigure::between(&format!("mean late, {hz} Hz"), published, NS, (0.0, before), mean));
    }
    let ratio = means[4] / means[3];
    let published = "beyond 1000 the improvement breaks down";
    let limits = (1.0, f64::MAX);
    figures.push(ReproducedFigure::between("2000 Hz over 1000 Hz", published, FigureUnit::Ratio, limits, ratio));
    let set = [("hz", "5000"), ("tick_phase", "0"), ("wall_start_s", "0.3")];
    Ok(Claim::new(Some(9), Basis::Documented, figures)
        .about("raising HZ helps, but only up to around 1000")
        .because(
            "The tick's share of the error falls as 1.5 / HZ; the divisor is a whole number, whose rounding costs up to HZ / (2 x 1193182) \
             of every second. They meet at 1545 Hz. Beyond, rates at which the divisor comes out well are good (2500, 4000, 10000) and \
             others bad.",
        )
        .by(Experiment::wall_second("dragonfly-1.0-i8254", &set, 400).command()))
}

/// Checks that neither other programs nor the cost of calls make the delay.
fn not_the_process() -> Result<Claim, ParameterError> {
    let run = |set| Experiment::wall_second("dragonfly-1.0", set, 900);
    let alone = run(&[]).late()?;
    let apart = |name: &str, published: &str, limit: f64, other: &Late| {
        let apart = alone.0.iter().zip(&other.0).map(|(one, other)| (one - other).abs());
        ReproducedFigure::between(name, published, NS, (0.0, limit), apart.fold(0.0, f64::max))
    };
    let figures = vec![
        apart("beside 4 busy threads", "no matter how many", 1e3, &run(&[]).with_busy_threads(4).late()?),
        apart("another program", "the same time", 2e3, &run(&[]).seeded(2).late()?),
        ReproducedFigure::unsimulated("reniced", "no difference", NS),
        ReproducedFigure::unsimulated("clock_gettime(), a call", "500-800 ns", NS),
        ReproducedFigure::unsimulated("nanotime(), a call", "60 ns", NS),
        apart("where calls cost nothing", "nope", 10e3, &run(&[("syscall_us", "0"), ("call_us", "0")]).late()?),
    ];
    Ok(Claim::new(None, Basis::Documented, figures)
        .about("the delay is the same for all at that time, whatever runs; a higher priority and the cost of calls are none of it")
        .because(
            "How far the 900 delays are apart at most. Costs of calls are parameters, and priorities are not modelled: the tick decides when a sleep \
             ends, and who has slept runs before busy threads.",
        )
        .by(run(&[]).with_busy_threads(4).command()))
}

fn lost_pictures() -> Claim {
    let lost = |name: &str| ReproducedFigure::unsimulated(name, "lost", NS);
    Claim::new(Some(28), Basis::NotDerivable, vec![lost("the figures' curves")])
        .about("every figure of the article, and O'Neill's two tables and charts")
        .because(
            "The images are lost; what the texts say of them is simulated and drawn below, their shapes cannot be compared.",
        )
}
