//! The content of a help page, and the parts that several pages share.

use oversleep_recording::plan::Kind;

/// The help sections of one command.
pub(super) struct Page {
    /// The command; empty for the program itself.
    pub(super) command: &'static str,
    /// A further section: its heading and its entries.
    pub(super) more: Option<(&'static str, &'static [(&'static str, &'static str)])>,
    /// Command lines and what each does.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Exit statuses of [`STATUS`] with which the command can end.
    pub(super) status: &'static [u8],
    /// Files that the command reads and writes.
    pub(super) files: &'static [(&'static str, &'static str)],
}

/// What status 1 of `bounds` means, whose check is another one.
pub(super) const MACHINE_STOOD_STILL: &str =
    "the machine stood still for longer than --most allows; a command that fails ends with its own status";

pub(super) const STATUS: [(u8, &str); 5] = [
    (0, "done"),
    (1, "a check asked for with --fail-if failed; 3 if too few samples decide it"),
    (2, "the command line is wrong, or asks for something that this build lacks"),
    (3, "it could not be measured, read or written"),
    (130, "ended at once by a second Ctrl-C; the first one ends it in order"),
];

pub(super) const RECORDINGS: (&str, &str) = (
    "$XDG_STATE_HOME/oversleep/",
    "(~/.local/state/oversleep; Windows: %LOCALAPPDATA%) the newest 20 recordings, at most 1 GiB, as Arrow IPC streams",
);
pub(super) const INPUT: (&str, &str) =
    ("FILE", "a recording (.arrows), a CSV table or another program's file (docs/FORMATS.md); - for standard input");
pub(super) const LAST: (&str, &str) = (
    "$XDG_STATE_HOME/oversleep/",
    "(~/.local/state/oversleep; Windows: %LOCALAPPDATA%) the last recording, without FILE",
);
pub(super) const CONSOLE: &[(&str, &str)] =
    &[("-", "standard input and standard output; no other file is read or written")];
pub(super) const NO_FILES: &[(&str, &str)] = &[("none", "nothing is read or written but standard output")];

/// The section on the values of `--experiment`.
pub(in crate::args) const EXPERIMENTS: (&str, &[(&str, &str)]) = (
    "EXPERIMENTS",
    &[
        (
            Kind::WallSecond.name(),
            "sleep to the next second of the wall clock, 200 times, an error per line (Herman 2004)",
        ),
        (Kind::Sweep.name(), "error against request, 1 µs to 10 s: usleep, nanosleep, select, poll (Rizzo 2009)"),
        (Kind::Load.name(), "14 requests from 0 to 1000 ms, 50 times each, with 0 to 5 busy threads (O'Neill 2003)"),
        (
            Kind::Periodic.name(),
            "an absolute schedule as cyclictest keeps it: every 1 ms for 10 s, every period counted",
        ),
    ],
);
