//! Words of other programs, of which the command line has others.

use super::text;
use clap::error::{ContextKind, ErrorKind};
use oversleep_lab::session::method;
use oversleep_sys::units::Nanos;
use std::path::Path;

/// Words that are typed, the commands to which they are given (any, if none is named), and what stands for them here.
type Foreign = (&'static [&'static str], &'static [&'static str], &'static str);

/// Commands that make recordings of sleeps.
const MEASURE: &[&str] = &["measure"];

/// Options of cyclictest and of other programs.
const OPTIONS: &[Foreign] = &[
    (&["-b", "--breaktrace"], MEASURE, "cyclictest's is here --on-late TIME --then stop"),
    (&["-S", "--smp"], MEASURE, "cyclictest's is here --threads N --cpus 0-M --one-cpu-each"),
    (&["-M", "--refresh_on_max"], MEASURE, "not needed here: a terminal shows each new maximum anyway"),
    (&["--loops"], MEASURE, "cyclictest's is here --count N"),
    (&["--prio", "--priority", "--rtprio"], MEASURE, "cyclictest's is here --policy fifo:N"),
    (
        &["--sched", "--scheduler", "--sched-policy", "--rt", "--realtime", "--fifo", "--rr"],
        &["measure", "watch", "trace", "diagnose", "tune"],
        "-p fifo:80 asks for SCHED_FIFO with that priority, -p rr:10 for SCHED_RR",
    ),
    (
        &["--histogram", "--histofall"],
        MEASURE,
        "cyclictest's is here `oversleep report --plot distribution` afterwards",
    ),
    (&["--mlockall"], MEASURE, "cyclictest's is here --mlock"),
    (
        &["--cpu-dma-latency", "--latency"],
        MEASURE,
        "cyclictest's is here --latency-hold TIME, such as --latency-hold 0us",
    ),
    (&["--distance"], MEASURE, "not needed here: all threads keep the same interval"),
    (&["-v", "--verbose"], MEASURE, "cyclictest's is here --csv, which writes every sample"),
    (&["-R", "--resolution"], MEASURE, "cyclictest's is here `oversleep clocks`"),
    (&["--hz", "--fps", "--rate", "--frequency"], MEASURE, "-i 60Hz keeps a schedule of that rate"),
    (
        &["--spin"],
        MEASURE,
        "`oversleep every 60Hz --jitter-report -- true` measures the library's ticker, which sleeps and spins",
    ),
    (&["--save", "--output", "--file"], MEASURE, "-o FILE.arrows keeps the recording in that file"),
    (
        &["--format"],
        MEASURE,
        "--json and --csv print the results and the sleeps; `oversleep export --format` writes a recording in other forms",
    ),
    (&["--label", "--name", "--tag"], MEASURE, "recordings have no label: -o NAME.arrows names the file"),
    (&["--html", "--page"], &["report", "reproduce"], "-o FILE.html writes a page"),
    (&["--svg", "--png"], &["report", "reproduce"], "-o FILE.svg or FILE.png writes a picture"),
    (&["--md"], &["report", "reproduce"], "-o FILE.md writes Markdown"),
    (
        &["--format", "-f"],
        &["report"],
        "the ending of -o says it (.html, .svg, .png, .md), or --json, --markdown; `oversleep export --format` writes the sleeps",
    ),
    (&["-n", "--count", "--sleeps"], &["diagnose"], "-d TIME says how long to measure"),
    (
        &["--plot", "--html", "--page"],
        &["compare"],
        "compare prints text, --markdown or --json; a page of several recordings is made by `report`: oversleep report A B -o page.html",
    ),
    (
        &["--over"],
        &["bounds"],
        "`oversleep report FILE --over 5ms` counts the sleeps of a recording that were later than a limit; bounds says which lateness \
         one sleep in so many exceeds (--risk 1e-4)",
    ),
    (
        &["-o", "--out", "--page", "--html"],
        &["explain"],
        "`oversleep report FILE -o page.html` writes a page, with the explanation",
    ),
    (&["--jitter", "--report", "--stats"], &["every"], "--jitter-report shows how late the runs began"),
];

/// Words for commands.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["history", "ls", "recordings", "runs"], "`oversleep list recordings` lists the recordings"),
    (&["presets", "kernels"], "`oversleep list presets` lists the simulated kernels"),
    (&["methods"], "`oversleep list` lists the sleep methods"),
    (&["show", "view", "print", "summary"], "`oversleep report` shows a recording"),
    (&["plot", "graph", "chart", "histogram"], "`oversleep report --plot distribution` shows a plot"),
    (&["diff", "cmp"], "`oversleep compare` compares recordings"),
    (&["run", "bench", "record", "test"], "`oversleep measure` measures sleeps"),
    (
        &["frame", "frames", "fps", "schedule"],
        "`oversleep measure -i 60Hz` measures such a schedule, and `oversleep every 60Hz -- CMD` keeps one",
    ),
    (&["convert", "csv"], "`oversleep export` writes a recording in other forms"),
];

/// Returns what stands here for a word of other programs that clap does not know.
pub(super) fn instead(error: &clap::Error, usage: &str) -> Option<String> {
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let given = text(error, ContextKind::InvalidArg)?;
            let is_of = |command: &str| usage.contains(&format!("oversleep {command}"));
            let known =
                |(words, commands, _): &&Foreign| words.contains(&given) && commands.iter().any(|name| is_of(name));
            let option = OPTIONS.iter().find(known).map(|(.., instead)| (*instead).to_owned());
            let is_recording = |word: &str| Path::new(word).extension().is_some_and(|ending| ending == "arrows");
            let recording = is_of("trace").then_some(given).filter(|word| is_recording(word));
            let recording = recording.map(|word| format!("to explain a traced recording: oversleep explain {word}"));
            option.or(recording).or_else(|| is_of("measure").then(|| of_what_to_sleep(given)).flatten())
        }
        ErrorKind::InvalidSubcommand => {
            let given = text(error, ContextKind::InvalidSubcommand)?;
            let known = COMMANDS.iter().find(|(words, _)| words.contains(&given));
            known.filter(|_| !Path::new(given).is_file()).map(|(_, instead)| (*instead).to_owned())
        }
        _ => None,
    }
}

/// Returns the option of `measure` for what stands without one: a method, a time, a frequency or a program.
fn of_what_to_sleep(word: &str) -> Option<String> {
    if word.starts_with('-') {
        return None;
    }
    if word.parse::<Nanos>().is_ok() {
        return Some(format!("-r {word} asks for sleeps of that length"));
    }
    if word.to_ascii_lowercase().ends_with("hz") {
        return Some(format!("-i {word} keeps a schedule of that rate"));
    }
    if method(word).is_ok() {
        return Some(format!("-m {word} names the method"));
    }
    Path::new(word).is_file().then(|| {
        if Path::new(word).extension().is_some_and(|ending| ending == "arrows") {
            format!("to show a recording: oversleep report {word}")
        } else {
            format!("--command '{word}' has that program sleep (docs/RUNTIMES.md says what it prints)")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_without_an_option_is_told_its_option() {
        let advice = |word| of_what_to_sleep(word).unwrap_or_default();
        assert!(advice("nanosleep").starts_with("-m nanosleep"));
        assert!(advice("16ms").starts_with("-r 16ms"));
        assert!(advice("60Hz").starts_with("-i 60Hz"));
        for other in ["--spin", "soon", "-x"] {
            assert_eq!(of_what_to_sleep(other), None, "{other}");
        }
    }
}
