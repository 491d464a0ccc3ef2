//! The tools that are stopped, and the files that each of them writes.

use super::expect::Expectation;
use crate::tree;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program and how it is run for a number of seconds, on one processor and at 1 kHz where it has such options.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// The program that must be installed.
    pub(super) program: &'static str,
    /// Arguments with which it must succeed here, if that it is installed does not suffice.
    needs: &'static [&'static str],
    /// The command: `{out}` is the folder to write to, `{s}` the number of seconds, `{ours}` the binary under test and
    /// `{data}` the folder of this benchmark's scripts.
    command: &'static str,
    pub(super) files: &'static [File],
}

/// A file that a tool writes.
pub(super) struct File {
    pub(super) label: &'static str,
    /// Its path in the tool's folder.
    pub(super) path: &'static str,
    pub(super) expectation: Expectation,
}

impl Tool {
    /// Returns whether the tool can be run here.
    pub(super) fn is_there(&self) -> bool {
        let succeeds = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let installed = self.program == "oversleep" || succeeds("which", &[self.program]);
        installed && (self.needs.is_empty() || succeeds(self.program, self.needs))
    }

    /// Returns the words of its command.
    pub(super) fn command(&self, ours: &Path, out: &str, seconds: u64) -> Vec<String> {
        let data = tree::root().join("benches/tool/testdata");
        let fill = |word: &str| {
            let word = word.replace("{out}", out).replace("{s}", &seconds.to_string());
            word.replace("{ours}", &ours.display().to_string()).replace("{data}", &data.display().to_string())
        };
        self.command.split_whitespace().map(fill).collect()
    }
}

/// All tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "oversleep",
        program: "oversleep",
        needs: &[],
        command: "{ours} measure -q -i 1ms -d {s}s -p fifo:80 --out {out}/ours.arrows",
        files: &[File { label: "oversleep, recording", path: "ours.arrows", expectation: Expectation::Schedule }],
    },
    Tool {
        name: "cyclictest",
        program: "cyclictest",
        needs: &[],
        command: "cyclictest -q -m -p 80 -i 1000 -t 1 -a 0 -D {s} -h 1000000 --json={out}/c.json --histfile={out}/c.hist",
        files: &[
            File { label: "cyclictest --json -h 1000000", path: "c.json", expectation: Expectation::Skipping },
            File { label: "cyclictest --histfile", path: "c.hist", expectation: Expectation::Skipping },
        ],
    },
    Tool {
        name: "cyclictest-short",
        program: "cyclictest",
        needs: &[],
        command: "cyclictest -q -m -p 80 -i 1000 -t 1 -a 0 -D {s} -h 400 --json={out}/c.json",
        files: &[File { label: "cyclictest --json -h 400", path: "c.json", expectation: Expectation::Skipping }],
    },
    Tool {
        name: "jitterdebugger",
        program: "jitterdebugger",
        needs: &[],
        command: "jitterdebugger -i 1000 -a 0x1 -p 80 -D {s}s -s -o {out}",
        files: &[
            File { label: "jitterdebugger samples.raw", path: "samples.raw", expectation: Expectation::Schedule },
            File { label: "jitterdebugger results.json", path: "results.json", expectation: Expectation::Complete },
        ],
    },
    Tool {
        name: "cyclicdeadline",
        program: "cyclicdeadline",
        needs: &[],
        command: "cyclicdeadline -q -i 10000 -t 1 -D {s} --json={out}/d.json",
        files: &[File { label: "cyclicdeadline --json", path: "d.json", expectation: Expectation::Complete }],
    },
    Tool {
        name: "oslat",
        program: "oslat",
        needs: &[],
        command: "oslat -q -c 0 -D {s} -b 64 --json={out}/o.json",
        files: &[File { label: "oslat --json", path: "o.json", expectation: Expectation::Largest }],
    },
    Tool {
        name: "signaltest",
        program: "signaltest",
        needs: &[],
        command: "signaltest -q -p 80 -t 2 -D {s} --json={out}/s.json",
        files: &[File { label: "signaltest --json", path: "s.json", expectation: Expectation::Handover }],
    },
    Tool {
        name: "ptsematest",
        program: "ptsematest",
        needs: &[],
        command: "ptsematest -q -p 80 -i 1000 -D {s} --json={out}/p.json",
        files: &[File { label: "ptsematest --json", path: "p.json", expectation: Expectation::Handover }],
    },
    Tool {
        name: "stress-ng",
        program: "stress-ng",
        needs: &[],
        command: "stress-ng --cyclic 1 --cyclic-policy fifo --cyclic-prio 80 --cyclic-sleep 1000000 --cyclic-samples 100000 \
                  --cyclic-dist 10000000 -t {s} --log-file {out}/n.txt",
        files: &[File { label: "stress-ng --cyclic", path: "n.txt", expectation: Expectation::Largest }],
    },
    Tool {
        name: "java",
        program: "java",
        needs: &["--version"],
        command: "chrt -f 50 java -XX:TieredStopAtLevel=1 {data}/Hiccup.java {s} {out}/j.hlog",
        files: &[File { label: "jHiccup's algorithm, .hlog", path: "j.hlog", expectation: Expectation::Complete }],
    },
    Tool {
        name: "python",
        program: "python3",
        needs: &["--version"],
        command: "chrt -f 50 python3 {data}/schedule.py {s} {out}/y.csv",
        files: &[File { label: "Python script, CSV", path: "y.csv", expectation: Expectation::Schedule }],
    },
];
