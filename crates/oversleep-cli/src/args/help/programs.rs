//! Help pages of `trace`, of the commands that run or feed other programs, and of those that list and install.

use super::page::{CONSOLE, NO_FILES, Page, RECORDINGS};

pub(super) const PAGES: &[Page] = &[
    Page {
        command: "trace",
        more: None,
        examples: &[
            ("oversleep trace -r 100us -n 500", "where did the lateness of nanosleep go? (best as root)"),
            ("oversleep trace --tier slack", "the same without any privilege: less detail"),
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
                ("what is set", "shown on standard error, one line each, before the command begins"),
                ("what is refused", "shown too, and the command runs without it"),
                (
                    "how long",
                    "as long as the command and its children run, the latency hold while one of them keeps the file open",
                ),
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
            ("oversleep list runtimes", "the timers of language runtimes, and what their sources do to a request"),
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
