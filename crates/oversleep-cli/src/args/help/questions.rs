//! Help pages of the commands that measure, simulate and explain.

use super::page::{EXPERIMENTS, INPUT, LAST, Page, RECORDINGS};

pub(super) const PAGES: &[Page] = &[
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
        more: Some(EXPERIMENTS),
        examples: &[
            ("oversleep measure -m nanosleep,timerfd -r 100us,1ms --slack 1ns,50us", "every combination, interleaved"),
            (
                "oversleep measure -p 80 -i 1ms -d 60s -t 2 -a 0,1 --one-cpu-each --latency-hold 0us",
                "as cyclictest -p 80 -i 1000 -d 0 -D 60 -t 2 does, which keeps each thread on a processor",
            ),
            (
                "oversleep measure -m sleep --timer-resolution 0.5ms,1ms,15.6ms",
                "Windows: which timer resolution is best?",
            ),
            ("oversleep measure --command './my-probe' -r 1ms", "have your own program sleep, in any language"),
            ("oversleep measure -i 60Hz --work 8ms", "a frame loop: how many frames have 8 ms left after the wake-up?"),
            ("oversleep measure -r 1ms --fail-if 'p99>100us'", "exit with status 1 if p99 is above 100 µs"),
            (
                "oversleep measure -i 60Hz --work 8ms --fail-if 'missed>1%'",
                "exit with status 1 if more than 1 % of the frames have less",
            ),
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
        command: "bounds",
        more: Some((
            "WHAT A BOUND RESTS ON",
            &[
                ("the sleeps", "if at least ten events made sleeps later than the bound, or three and no tail fits"),
                (
                    "a model",
                    "a generalised Pareto tail that the latest sleeps fit, for sleeps up to ten times as rare; the output says so",
                ),
                ("nothing", "status 3, with the least risk that the sleeps suffice for, and how long to measure"),
                (
                    "assumed",
                    "that the machine stays as it was; if it changed meanwhile, the bound is of the worst part",
                ),
            ],
        )),
        examples: &[
            ("oversleep bounds 100ms", "which tolerance does a test of 100 ms need, to fail 1 time in 10 000?"),
            ("oversleep bounds 100ms --risk 1e-3 -d 5min -l 0,4", "idle and beside four busy threads"),
            ("oversleep bounds 1ms run.arrows --risk 1%", "of sleeps recorded before"),
            ("oversleep bounds -- cargo test", "run a command: how late was the machine itself meanwhile?"),
            ("oversleep bounds --most 5ms -- ./benchmark", "exit with status 1 if it stood still for longer than that"),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[INPUT, RECORDINGS],
    },
    Page {
        command: "explain",
        more: Some((
            "TABLES",
            &[
                ("columns", "requested_ns, start_ns and end_ns (or start_mono_ns and end_mono_ns), named in a header"),
                (
                    "no starts",
                    "requested_ms and took_ms (or late_us); or a summary per request: n, min_ms, mean_ms, p50_ms, p99_ms, max_ms",
                ),
                ("optional", "method, thread, cpu, load"),
                ("separator", "comma, semicolon or tab"),
            ],
        )),
        examples: &[
            ("oversleep explain", "the last recording: causes with size, evidence and remedy"),
            ("oversleep explain run.arrows", "that recording"),
            ("oversleep explain table.csv", "the same for another program's table of sleeps"),
            ("oversleep explain durations.csv --asked 10ms --system macos-15", "a table of durations alone"),
            ("ssh host cat run.arrows | oversleep explain -", "a recording made elsewhere"),
            ("oversleep explain --asked 1ms --took 15.6ms --system windows -m Sleep", "a figure and no recording"),
            (
                "oversleep explain --asked 200us --took max=+250us --system linux-rt -m cyclictest --condition load=4",
                "a statistic, and what was in force",
            ),
        ],
        status: &[0, 1, 2, 3],
        files: &[INPUT, LAST],
    },
    Page {
        command: "diagnose",
        more: None,
        examples: &[
            ("oversleep diagnose", "what makes nanosleep of 1 ms late here?"),
            ("oversleep diagnose -m select -r 10ms -d 60s", "another method and request, and smaller effects"),
            ("oversleep diagnose --trace", "compared with the kernel's own events (root)"),
        ],
        status: &[0, 1, 2, 3, 130],
        files: &[RECORDINGS],
    },
    Page {
        command: "runtimes",
        more: None,
        examples: &[
            ("oversleep runtimes", "every installed runtime: what causes each microsecond, and by which rule?"),
            ("oversleep runtimes --only python,go-ticker", "these alone"),
            ("oversleep runtimes --only node -r 1.5ms -n 1000", "another request, and more sleeps"),
            ("oversleep runtimes --slack 1ns", "with hardly any timer slack, which the runtimes inherit"),
            ("oversleep runtimes --only go -r 1.1ms --trace", "which times the kernel got in place of 1.1 ms (root)"),
            (
                "oversleep runtimes --only python --load 2 --load-kind runtime",
                "two threads hold its lock, or its loop is busy",
            ),
            ("oversleep runtimes --command './my-probe'", "your own program, compared with an absolute sleep"),
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
        command: "attach",
        more: Some((
            "WHAT IS SEEN",
            &[
                (
                    "a timed wait",
                    "a system call that ended because its time was over: a sample, with deadline and lateness",
                ),
                ("by event, by signal", "timed waits that ended earlier: counted, never late"),
                (
                    "a loop",
                    "a thread whose waits come again and again: rate asked, rate reached, and where each round goes",
                ),
                (
                    "the program",
                    "is not changed, stopped or traced by ptrace; every program makes system calls a little slower meanwhile",
                ),
            ],
        )),
        examples: &[
            ("oversleep attach 1234 -d 10s", "process 1234, its threads and children, for ten seconds"),
            ("oversleep attach mpv", "the only program of that name, until Ctrl-C or its end"),
            ("oversleep attach -- ./player file.ogg", "a program from its first instruction to its end"),
            ("oversleep report", "the recording just made, again"),
        ],
        status: &[0, 2, 3, 130],
        files: &[RECORDINGS],
    },
    Page {
        command: "simulate",
        more: Some(EXPERIMENTS),
        examples: &[
            ("oversleep simulate dragonfly-1.0 -e wall-second -d 15min", "Herman's experiment on his kernel"),
            ("oversleep simulate freebsd-4.9 --set hz=1000 -r 1ms..20ms", "one parameter changed"),
            ("oversleep simulate linux-2.4 --vs linux-2.6-hrtimer -r 1ms", "two kernels compared"),
            ("oversleep simulate freebsd-4.9 --vary hz=100..20000/20", "one parameter over a range"),
        ],
        status: &[0, 1, 2, 3],
        files: &[("FILE", "a kernel of your own in TOML; a recording is kept only with --out")],
    },
];
