//! What stands below the options of every `--help` and manual page: examples, exit status, files.

use super::Args;
use super::output::width;
use clap::{Command, CommandFactory};
use textwrap::{Options, WordSplitter, fill};

/// A command and what there is to say of it.
struct Page {
    /// The command; empty for the program itself.
    command: &'static str,
    /// What else there is to know, under a heading of its own.
    more: Option<(&'static str, &'static [(&'static str, &'static str)])>,
    /// Command lines and what each does.
    examples: &'static [(&'static str, &'static str)],
    /// Which of [`STATUS`] it can end with.
    status: &'static [u8],
    /// Files it reads and writes.
    files: &'static [(&'static str, &'static str)],
}

const STATUS: [(u8, &str); 5] = [
    (0, "done"),
    (1, "a check asked for with --fail-if failed"),
    (2, "the command line makes no sense"),
    (3, "it could not be measured, read or written"),
    (130, "ended at once by a second Ctrl-C; the first one ends it in order"),
];

const RECORDINGS: (&str, &str) = (
    "$XDG_STATE_HOME/oversleep/",
    "(~/.local/state/oversleep; Windows: %LOCALAPPDATA%) the newest 20 recordings, at most 1 GiB, as Arrow IPC streams",
);
const LAST: (&str, &str) = (
    "$XDG_STATE_HOME/oversleep/",
    "(~/.local/state/oversleep; Windows: %LOCALAPPDATA%) the last recording, without FILE",
);
const CONSOLE: &[(&str, &str)] = &[("-", "standard input and standard output; no other file is read or written")];
const NO_FILES: &[(&str, &str)] = &[("none", "nothing is read or written but standard output")];

/// What `--experiment` stands for; the authors' names are accepted too.
const EXPERIMENTS: Option<(&str, &[(&str, &str)])> = Some((
    "EXPERIMENTS",
    &[
        ("wall-second", "sleep to the next second of the wall clock, 200 times, an error per line (Herman 2004)"),
        ("sweep", "error against request, 1 µs to 10 s: usleep, nanosleep, select, poll (Rizzo 2009)"),
        ("load", "14 requests from 0 to 1000 ms, 50 times each, beside 0 to 5 busy threads (O'Neill 2003)"),
        ("periodic", "an absolute schedule as cyclictest keeps it: every 1 ms for 10 s, every period counted"),
    ],
));

const PAGES: &[Page] = &[
    Page {
        command: "",
        more: Some((
            "WITHOUT A COMMAND",
            &[(
                "the check-up",
                "about 15 s, any user: every sleep method of this system sleeps 1 ms 300 times, in turns",
            )],
        )),
        examples: &[
            ("oversleep", "the check-up: how late is each way of sleeping here, and why?"),
            ("oversleep measure -m nanosleep,select -r 100us,1ms", "measure two methods with two requests"),
            ("oversleep explain", "say why the sleeps just measured were late"),
            ("oversleep simulate freebsd-4.9 -r 1ms", "do the same on a kernel of 2003"),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[RECORDINGS],
    },
    Page {
        command: "measure",
        more: EXPERIMENTS,
        examples: &[
            ("oversleep measure -m nanosleep,timerfd -r 100us,1ms --slack 1ns,50us", "every combination, interleaved"),
            ("oversleep measure -e periodic -p 80 -i 1ms -d 60s -t 2", "as cyclictest -p 80 -i 1000 -D 60 -t 2 does"),
            (
                "oversleep measure -m sleep --timer-resolution 0.5ms,1ms,15.6ms",
                "Windows: which timer resolution is best?",
            ),
            ("oversleep measure --command './my-probe' -r 1ms", "have your own program sleep, in any language"),
            ("oversleep measure -r 1ms --fail-if 'p99>100us'", "exit with status 1 if p99 is above 100 µs"),
            ("oversleep measure --trace -m nanosleep -n 500", "where did each microsecond go?"),
            ("oversleep measure -e periodic -d 1h --on-late 500us --then stop", "stop at the first very late wake-up"),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[
            RECORDINGS,
            ("NAME-late-N.txt", "beside the recording: the trace around each late sleep (--on-late)"),
            ("/dev/cpu_dma_latency", "held open while --latency-hold is in force (Linux)"),
        ],
    },
    Page {
        command: "explain",
        more: Some((
            "TABLES",
            &[
                ("columns", "requested_ns, start_ns and end_ns (or start_mono_ns and end_mono_ns), named in a header"),
                ("optional", "method, thread, cpu, load"),
                ("separator", "comma, semicolon or tab"),
            ],
        )),
        examples: &[
            ("oversleep explain", "the last recording: causes with size, evidence and remedy"),
            ("oversleep explain run.arrows", "that recording"),
            ("oversleep explain table.csv", "the same for another program's table of sleeps"),
            ("ssh host cat run.arrows | oversleep explain -", "a recording made elsewhere"),
        ],
        status: &[0, 1, 2, 3],
        files: &[("FILE", "a recording (.arrows) or a CSV table; - for standard input"), LAST],
    },
    Page {
        command: "diagnose",
        more: None,
        examples: &[
            ("oversleep diagnose", "what makes nanosleep of 1 ms late here?"),
            ("oversleep diagnose -m select -r 10ms -d 60s", "another method and request, and smaller effects"),
            ("oversleep diagnose --trace", "with the kernel's own account beside it (root)"),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[RECORDINGS],
    },
    Page {
        command: "runtimes",
        more: None,
        examples: &[
            ("oversleep runtimes", "every runtime that is installed: whose is each microsecond, and by which rule?"),
            ("oversleep runtimes --only python,go-ticker", "these alone"),
            ("oversleep runtimes --only node -r 1.5ms -n 1000", "another request, and more sleeps"),
            ("oversleep runtimes --slack 1ns", "with hardly any timer slack, which the runtimes inherit"),
        ],
        status: &[0, 2, 3, 130],
        files: &[RECORDINGS, ("$TMPDIR/oversleep-*/", "the runtimes' scripts while they run")],
    },
    Page {
        command: "stalls",
        more: None,
        examples: &[
            ("oversleep stalls -a 1 -d 60s", "when was processor 1 taken away, and by what?"),
            ("oversleep stalls -p 1 --share 90%", "watched in real time (root)"),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[RECORDINGS],
    },
    Page {
        command: "clocks",
        more: None,
        examples: &[
            ("oversleep clocks", "every clock of this system"),
            ("oversleep clocks -c monotonic,realtime -d 60s", "two clocks, with their drift over a minute"),
        ],
        status: &[0, 2, 3, 130],
        files: &[RECORDINGS],
    },
    Page {
        command: "simulate",
        more: EXPERIMENTS,
        examples: &[
            ("oversleep simulate dragonfly-1.0 -e wall-second -d 15min", "Herman's experiment on his kernel"),
            ("oversleep simulate freebsd-4.9 --set hz=1000 -r 1ms..20ms", "one parameter changed"),
            ("oversleep simulate linux-2.4 --vs linux-2.6-hrtimer -r 1ms", "two kernels compared"),
            ("oversleep simulate freebsd-4.9 --vary hz=100..20000/20", "one parameter over a range"),
        ],
        status: &[0, 1, 2, 3],
        files: &[("FILE", "a kernel of your own in TOML; a recording is kept only with --out")],
    },
    Page {
        command: "report",
        more: None,
        examples: &[
            ("oversleep report", "the table of the last recording"),
            ("oversleep report -o report.html --open", "a page to look at and to send"),
            ("oversleep report --plot ranking", "every method's distribution, in the terminal"),
            ("oversleep report --markdown", "what one pastes into an issue tracker"),
            ("oversleep report run.arrows --fail-if 'max>1ms'", "exit with status 1 if any sleep was later"),
        ],
        status: &[0, 1, 2, 3],
        files: &[("FILE", "a recording (.arrows) or a CSV table; - for standard input"), LAST],
    },
    Page {
        command: "export",
        more: None,
        examples: &[
            ("oversleep export run.arrows > run.csv", "every sample as CSV"),
            ("oversleep export run.arrows -o run.jsonl", "an object per sleep, every condition by its name"),
            ("oversleep export run.arrows -o run.pftrace", "a timeline for ui.perfetto.dev"),
            ("oversleep export run.arrows --format cyclictest", "the JSON that cyclictest writes"),
            ("oversleep export cyclictest.json -o run.arrows", "another program's file as one of ours"),
            ("oversleep export --json run.arrows", "the figures as JSON"),
        ],
        status: &[0, 2, 3],
        files: &[("FILE", "a recording (.arrows) or a CSV table; - for standard input"), LAST],
    },
    Page {
        command: "serve",
        more: None,
        examples: &[
            ("oversleep serve", "one method, 10 ms, about 0.3 % of a processor; figures on loopback, port 9477"),
            (
                "oversleep serve -m nanosleep,timerfd -p other,80",
                "two methods under two policies, a quarter of the time each",
            ),
            ("curl -s http://127.0.0.1:9477/metrics", "the figures, as Prometheus reads them"),
            ("oversleep explain ~/.local/state/oversleep/serve/FILE", "afterwards, of a recording that was kept"),
        ],
        status: &[0, 2, 3, 130],
        files: &[("$XDG_STATE_HOME/oversleep/serve/", "recordings of the last 40 minutes, of two minutes each")],
    },
    Page {
        command: "compare",
        more: Some((
            "VERDICTS",
            &[
                ("later, earlier", "beyond what recordings of one side differ by (four or more a side, or --run)"),
                ("no difference seen", "with the size that would have been seen"),
                ("undecided", "one recording a side: how much two runs of the same differ is unknown"),
            ],
        )),
        examples: &[
            ("oversleep compare", "the last two recordings kept"),
            ("oversleep compare before.arrows after.arrows", "what differs between two recordings, and their machines"),
            ("oversleep compare old1 old2 old3 old4 -- new1 new2 new3 new4", "and whether it is beyond chance"),
            (
                "oversleep compare -d 30s --run --slack 1ns -- --slack 50us",
                "measure both sides in turns for half a minute",
            ),
            (
                "oversleep compare --fail-if 'p99>+10%' a1 a2 a3 a4 -- b1 b2 b3 b4",
                "exit with status 1 if p99 is 10 % later",
            ),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[("A, B", "recordings (.arrows) or CSV tables; those made with --run are not kept")],
    },
    Page {
        command: "trace",
        more: None,
        examples: &[
            ("oversleep trace -r 100us -n 500", "where did the lateness of nanosleep go? (best as root)"),
            ("oversleep trace --tier slack", "what can be said without any privilege"),
        ],
        status: &[0, 2, 3, 130],
        files: &[(
            "$XDG_STATE_HOME/oversleep/",
            "(~/.local/state/oversleep) oversleep-TIME-late-N.txt: the trace around each late sleep (--on-late)",
        )],
    },
    Page {
        command: "tune",
        more: Some((
            "SETTINGS",
            &[
                ("what is set", "said on standard error, one line each, before the command begins"),
                ("what is refused", "said too, and the command runs without it"),
                ("how long", "as long as the command and its children run; nothing else changes"),
            ],
        )),
        examples: &[
            ("oversleep tune -- ./player", "no timer slack, no deep idle where that is permitted"),
            ("oversleep tune -a 1 -- ./player", "on processor 1 alone"),
            ("oversleep tune -p 1 -- ./player", "in real time, where that is permitted"),
        ],
        status: &[2, 3],
        files: &[("/dev/cpu_dma_latency", "held open while the command runs, where that is permitted (Linux)")],
    },
    Page {
        command: "every",
        more: Some((
            "FAILURES",
            &[
                ("a run fails", "it is counted, and the schedule goes on; if every run failed, the exit status is 3"),
                ("it cannot start", "the schedule ends, as it does when nobody reads its output any more (| head)"),
            ],
        )),
        examples: &[
            ("oversleep every 1s -n 10 -- date", "ten times, one second apart, without drift"),
            ("oversleep every 1min --align --offset 5s -- ./poll", "five seconds after each full minute"),
            ("oversleep every 250ms --jitter-report -- true", "how late did the runs start?"),
        ],
        status: &[0, 2, 3, 130],
        files: CONSOLE,
    },
    Page {
        command: "pace",
        more: None,
        examples: &[
            ("oversleep pace 10MB/s < image > /dev/sdb", "ten million bytes per second"),
            ("oversleep pace 10Mbit/s --burst 1500 < capture > fifo", "at most one packet's worth at once"),
            ("oversleep pace 200lines/s < events.jsonl | ./consumer", "messages, one per line"),
            ("tar c . | oversleep pace 1.5MiB/s --stats | ssh host tar x", "and how exact the rate was"),
        ],
        status: &[0, 2, 3, 130],
        files: CONSOLE,
    },
    Page {
        command: "list",
        more: None,
        examples: &[
            ("oversleep list", "the sleep methods of this system"),
            ("oversleep list --all", "those of every system"),
            ("oversleep list presets", "the simulated kernels"),
            ("oversleep list recordings", "the recordings in the state folder"),
        ],
        status: &[0, 2, 3],
        files: &[RECORDINGS],
    },
    Page {
        command: "completions",
        more: None,
        examples: &[(
            "oversleep completions bash > ~/.local/share/bash-completion/completions/oversleep",
            "completions for bash",
        )],
        status: &[0, 2, 3],
        files: NO_FILES,
    },
    Page {
        command: "man",
        more: None,
        examples: &[("oversleep man ~/.local/share/man/man1", "manual pages into that folder")],
        status: &[0, 2, 3],
        files: &[("FOLDER/oversleep*.1", "the pages, one per command")],
    },
];

/// Returns the command line's description, every command with its examples, exit status and files.
pub(crate) fn command() -> Command {
    let names: Vec<String> = Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let width = width().min(WIDEST);
    let whole = Args::command().bin_name("oversleep").term_width(width.into()).after_help(below("", width));
    names.iter().fold(whole, |whole, name| {
        whole.mut_subcommand(name, |command| command.term_width(width.into()).after_help(below(name, width)))
    })
}

/// Returns the sections of a command: a heading and entries with what each is.
pub(crate) fn sections(command: &str) -> Vec<(&'static str, Vec<(String, &'static str)>)> {
    let Some(page) = PAGES.iter().find(|page| page.command == command) else { return Vec::new() };
    let text = |entries: &[(&'static str, &'static str)]| -> Vec<(String, &'static str)> {
        entries.iter().map(|(entry, what)| ((*entry).to_owned(), *what)).collect()
    };
    let known = STATUS.iter().filter(|(status, _)| page.status.contains(status));
    let more = page.more.map(|(heading, entries)| (heading, text(entries)));
    let rest = [
        ("EXAMPLES", text(page.examples)),
        ("EXIT STATUS", known.map(|(status, what)| (status.to_string(), *what)).collect()),
        ("FILES", text(page.files)),
    ];
    more.into_iter().chain(rest).collect()
}

/// Lines of prose that are longer are hard to read.
const WIDEST: u16 = 100;

/// Returns the sections as text in lines of at most `columns`: an example above what it does, everything else side by
/// side.
fn below(command: &str, columns: u16) -> String {
    let lines = |first: &str, others: usize, text: &str| {
        let others = " ".repeat(others);
        let options = Options::new(columns.into()).initial_indent(first).subsequent_indent(&others).break_words(false);
        fill(text, options.word_splitter(WordSplitter::NoHyphenation)) + "\n"
    };
    let mut out = String::new();
    for (heading, entries) in sections(command) {
        out += &format!("{}{heading}\n", if out.is_empty() { "" } else { "\n" });
        let width = entries.iter().map(|(entry, _)| entry.chars().count()).max().unwrap_or(0);
        for (entry, what) in entries {
            match heading {
                // Not broken: it is there to be copied.
                "EXAMPLES" => out += &format!("  {entry}\n{}", lines("      ", 6, what)),
                _ => out += &lines(&format!("  {entry:width$}  "), width + 4, what),
            }
        }
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_its_page_and_every_example_is_accepted() {
        for command in Args::command().get_subcommands() {
            assert_eq!(sections(command.get_name()).len().min(3), 3, "{}", command.get_name());
        }
        for (line, _) in PAGES.iter().flat_map(|page| page.examples) {
            // A check stands in quotes, and holds what a shell would take for a redirection.
            let bare = |(at, part): (usize, &'static str)| if at % 2 == 0 { part } else { "CHECK" };
            let bare: String = line.split('\'').enumerate().map(bare).collect();
            let parts =
                bare.split(['|', '<', '>']).filter_map(|part| part.find("oversleep").map(|at| part[at..].trim()));
            for part in parts.filter(|part| part.starts_with("oversleep ") || *part == "oversleep") {
                let words = part.split_whitespace().map(|word| if word == "CHECK" { "p99>1us" } else { word });
                let read = command().try_get_matches_from(words);
                assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
            }
        }
    }
}
