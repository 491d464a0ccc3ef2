//! Help pages of the commands that show, compare, export and follow results.

use super::page::{INPUT, LAST, Page, RECORDINGS};

pub(super) const PAGES: &[Page] = &[
    Page {
        command: "report",
        more: None,
        examples: &[
            ("oversleep report", "the table of the last recording"),
            ("oversleep report -o report.html --open", "a page to look at and to send"),
            ("oversleep report --plot ranking", "every method's distribution, in the terminal"),
            ("oversleep report --markdown", "Markdown, to paste into an issue tracker"),
            (
                "oversleep report run.arrows --work 8ms",
                "of a schedule: which share of the periods left 8 ms for their work",
            ),
            ("oversleep report run.arrows --over 10ms", "how many sleeps were later, and how large their share may be"),
            ("oversleep report run.arrows --fail-if 'max>1ms'", "exit with status 1 if any sleep was later"),
        ],
        status: &[0, 1, 2, 3],
        files: &[INPUT, LAST],
    },
    Page {
        command: "reproduce",
        more: Some((
            "PUBLICATIONS",
            &[
                ("herman", "sleeps to the next second: five systems, the sawtooth, tvtohz, HZ (Herman 2004)"),
                ("dragonfly", "what DragonFly changed then: rounding, divider, phase lock (the same article)"),
                ("rizzo", "sleeps that grow above 2500 Hz, three fixes, Wemm's zero ticks (Rizzo and Wemm 2009)"),
                ("oneill", "Sleep() of Windows 98 with busy threads (O'Neill 2003)"),
                ("clocks", "what reading the clocks of OS X costs (dshil 2017)"),
                ("field", "what twenty projects published about today's systems, compared with the presets for them"),
            ],
        )),
        examples: &[
            ("oversleep reproduce herman", "each published number, the simulated one, and whether they agree"),
            ("oversleep reproduce -o reproduced.html", "all of them as a page with the pictures"),
            ("oversleep reproduce rizzo --fix clock", "the effect of only one fix"),
            ("oversleep reproduce clocks --here", "with this machine's numbers next to them"),
        ],
        status: &[0, 2, 3, 130],
        files: &[("FILE", "what --out names; nothing else is read or written")],
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
        files: &[INPUT, LAST],
    },
    Page {
        command: "serve",
        more: None,
        examples: &[
            ("oversleep serve", "one method, 10 ms, about 0.5 % of a processor; figures on loopback, port 9477"),
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
            "PAIRS AND VERDICTS",
            &[
                (
                    "pairs",
                    "rows with the same method, request and conditions; of the rest, those alike in all conditions that both sides \
                     state; threads of the same processor, else of the same number; then those that are their side's only one with that method or request, or the last one left",
                ),
                (
                    "later, earlier",
                    "by more than chance explains (four recordings or more a side, five for two to six rows, or --run)",
                ),
                ("no difference seen", "with the size that would have been seen"),
                ("undecided", "one recording a side: how much two equal runs differ is not known"),
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
            (
                "oversleep compare --work 8ms --fail-if 'missed>+1%' a1 a2 a3 a4 -- b1 b2 b3 b4",
                "frame loops: exit with status 1 if B misses 1 % of all frames more than A (a percentage point)",
            ),
            (
                "oversleep compare -d 5min --work 8ms --run -i 60Hz -- -i 60Hz -p 80",
                "measure two frame loops in turns: do more frames have 8 ms left with a real-time policy?",
            ),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[
            ("A, B", "recordings (.arrows), CSV tables or other programs' files; those made with --run are not kept"),
            (
                "$XDG_STATE_HOME/oversleep/",
                "(~/.local/state/oversleep; Windows: %LOCALAPPDATA%) the last two recordings, without A and B",
            ),
        ],
    },
    Page {
        command: "watch",
        more: Some((
            "KEYS",
            &[
                ("q", "quit, and print the figures"),
                ("space", "pause and go on; what is measured meanwhile is shown then"),
                ("right, n", "pause, and go on by one step: the next samples, or a quarter of a second of a recording"),
                ("r", "forget the sleeps seen so far; the recording keeps them"),
                ("s", "save what is shown as text in the state folder"),
                ("+, -", "less or more time in a column of the picture"),
                ("up, down", "scroll the rows"),
            ],
        )),
        examples: &[
            ("oversleep watch", "nanosleep of 1 ms on this machine, for an hour or until q"),
            ("oversleep watch -m nanosleep,timerfd -r 1ms --slack 1ns,50us", "methods and conditions side by side"),
            (
                "oversleep watch -e periodic -i 1ms -t 2 --on-late 1ms",
                "a schedule, with the cause of each late wake-up",
            ),
            ("oversleep watch run.arrows", "a recording, as it was made"),
        ],
        status: &[0, 2, 3, 130],
        files: &[RECORDINGS, ("$XDG_STATE_HOME/oversleep/watch-TIME.txt", "what was shown when s was pressed")],
    },
];
