"""`attach`: whether it finds the waits that unchanged programs logged themselves, and how late it says they were."""

import csv
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from bisect import bisect_left
from pathlib import Path

from common import Failed, Sheet, note, release, run, scratch

# Number of waits of each thread, and the number with --long: more than 100 000 of all threads together.
ROUNDS, LONG = 300, 5_000
SHARE = 0.99
# How far the two clocks may be apart from what was read, in ns: logs of the wall clock are that much wider on both sides.
APART = 3_000
# Later in ns than any machine has run, earlier than any wall clock.
FAR = 10**18
DATA = Path(__file__).parent / "data/attach"


def tokio(folder):
    shutil.copytree(DATA / "tokio", folder / "tokio")
    run("cargo", "build", "-q", "--release", "--manifest-path", folder / "tokio/Cargo.toml", "--target-dir", folder / "tokio/target")
    return folder / "tokio/target/release/tokio-waits"


def compiled(folder, output, compiler, *words):
    run(compiler, *words, "-o", folder / output, DATA / f"waits.{output}")
    return folder / output


def go(folder):
    os.environ.setdefault("GO111MODULE", "off")
    return compiled(folder, "go", "go", "build")


# Program, language, what it needs here, its command, and whether it is one thread whose log is the command's first word.
PROGRAMS = [
    ("waits.c", "C", "cc", lambda folder: [compiled(folder, "c", "cc", "-O1", "-pthread"), "."]),
    ("waits.cpp", "C++", "c++", lambda folder: [compiled(folder, "cpp", "c++", "-O1", "-std=c++20", "-pthread"), "."]),
    ("waits.rs", "Rust", "rustc", lambda folder: [compiled(folder, "rs", "rustc", "-O", "--edition=2024"), "."]),
    ("tokio", "Rust", "cargo", lambda folder: [tokio(folder)]),
    ("waits.go", "Go", "go", lambda folder: [go(folder)]),
    ("Thread.sleep", "Java", "java", lambda folder: ["java", DATA / "Waits.java"]),
    ("executor", "Java", "java", lambda folder: ["java", DATA / "Waits.java"]),
    ("time.sleep", "Python", sys.executable, lambda folder: [sys.executable, DATA / "waits.py"]),
    ("asyncio", "Python", sys.executable, lambda folder: [sys.executable, DATA / "waits.py"]),
    ("setTimeout", "Node", "node", lambda folder: ["node", DATA / "waits.cjs"]),
    ("waits.pl", "Perl", "perl", lambda folder: ["perl", DATA / "waits.pl"]),
    ("waits.sh", "shell", "bash", lambda folder: ["bash", DATA / "waits.sh"]),
]


def recorded(ours, folder, name, command):
    """The waits of a program: method, requested, start, end and deadline."""
    recording = folder / f"{name}.arrows"
    words = [ours, "attach", "-q", "--force", "-o", recording, "--", *command]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        raise Failed(f"{name}: {done.stderr.strip()}")
    note(done.stdout)
    rows = csv.DictReader(io.StringIO(run(ours, "export", recording, "--format", "csv")))
    keys = ("requested_ns", "start_ns", "end_ns", "deadline_ns")
    return sorted(((row["method"], *(int(row[key]) for key in keys)) for row in rows), key=lambda wait: wait[2])


def wall_clock():
    """By how much the wall clock is ahead of the monotonic one, by the quickest of some readings."""
    best = None
    for _ in range(1000):
        before, wall, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        if best is None or after - before < best[0]:
            best = after - before, wall - (before + after) // 2
    return best[1]


def logged(path, ahead):
    """A log's waits on the monotonic clock; `ahead` is by how much the wall clock is, which shells and Rust's library have."""
    rows = [tuple(map(int, line.split(","))) for line in path.read_text().split()]
    offset, apart = (ahead, APART) if rows and rows[0][1] > FAR else (0, 0)
    return [(asked, start - offset - apart, end - offset + apart) for asked, start, end in rows]


def compared(log, waits):
    """Of each wait of a log that was found within its own stamps: how far its request is from the log's (or its deadline,
    if that is nearer); the time from the program's stamp until the kernel's began; from its return to the program's stamp."""
    starts = [wait[2] for wait in waits]
    apart, entries, exits = [], [], []
    for asked, start, end in log:
        at = bisect_left(starts, start)
        within = []
        while at < len(waits) and waits[at][2] <= end:
            within += [waits[at]] if waits[at][3] <= end else []
            at += 1
        if within:
            # The wait that ended last: other threads of a runtime wait too, and its own may be several.
            _, requested, _, left, deadline = max(within, key=lambda wait: wait[3])
            entries.append(deadline - start - asked)
            apart.append(min(abs(requested - asked), abs(entries[-1])))
            exits.append(end - left)
    return apart, entries, exits


def micros(values):
    """Median and 99th percentile of times in ns, in µs."""
    ordered = sorted(values)
    if not ordered:
        return "–"
    return f"{statistics.median(ordered) / 1e3:.1f}, {ordered[len(ordered) * 99 // 100] / 1e3:.1f}"


def benchmark(options):
    ours = Path(options.own[0]).resolve() if options.own else release()
    rounds = LONG if options.long else ROUNDS
    sheet = Sheet(
        "Waits that programs logged, and what `attach` saw of them",
        "program", "language", "waits", "found", "request apart: p50, p99, µs",
        "due after stamp + request", "stamp after return",
    )  # fmt: skip
    failed, logs, found = [], 0, 0
    with scratch() as folder:
        for name, language, needs, program in PROGRAMS:
            if not shutil.which(needs):
                sheet.remark(f"{name}: there is no {needs} here.")
                continue
            command = program(folder)
            threads = command[-1] == "."
            way = {"executor": "executor", "asyncio": "asyncio"}.get(name, "sleep")
            words = command + [str(rounds)] if threads else [*command, f"{name}.log", str(rounds), way]
            ahead = wall_clock()
            before = set(folder.glob("*.log"))
            waits = recorded(ours, folder, name, words)
            for path in sorted(set(folder.glob("*.log")) - before):
                mine = [wait for wait in waits if not threads or wait[0].startswith(path.stem + ":")]
                log = logged(path, ahead)
                if not log:
                    sheet.remark(f"{path.stem}: nothing was logged.")
                    continue
                figures = compared(log, mine)
                count = len(figures[0])
                logs, found = logs + len(log), found + count
                title = f"{name}: {path.stem}" if threads else name
                sheet.row(title, language, len(log), count, *map(micros, figures))
                if count < SHARE * len(log):
                    failed.append(f"{title}: {count} of {len(log)} waits")
            late = [wait for wait in waits if wait[0].startswith("w-event")]
            if late:
                failed.append(f"{len(late)} waits that events ended were taken for late sleeps")
    sheet.remark(f"{found} of {logs} waits were found.")
    sheet.print(options)
    if failed:
        raise Failed("; ".join(failed))


# Seconds with and without `attach`, in turns, and how long it needs to begin and may need to end.
WINDOW, TURNS, SETTLE = 5, 4, 0.7
LOADS = [
    ("1 thread, sleeps of 1 ms", ["1000000", "50000", "1"]),
    ("4 threads, as many sleeps as they can", ["1", "1", "4"]),
]


def attached(ours, pid, seconds=WINDOW):
    """Runs `attach` on a program for a window: when it recorded for sure, its processor time in s, and what it found."""
    begun = time.monotonic_ns()
    words = [ours, "attach", "-q", "--no-save", "--json", "-d", f"{seconds}s", str(pid)]
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise Failed(f"attach: {os.waitstatus_to_exitcode(status)}")
    # It ends later than asked where it gets no processor.
    window = (begun + int(SETTLE * 1e9), begun + int(seconds * 1e9))
    return window, usage.ru_utime + usage.ru_stime, json.loads(text)


def disturbance(options):
    ours = Path(options.own[0]).resolve() if options.own else release()
    turns = TURNS * 3 if options.long else TURNS
    sheet = Sheet(
        "What `attach` costs a program, by the program's own stamps",
        "program", "sleeps a second", "late by µs: p50, p99", "attached", "processor of attach: at its start and end, ms; while recording",
        "sleeps while attached", "found", "events lost",
    )  # fmt: skip
    with scratch() as folder:
        run("cc", "-O1", "-pthread", "-o", folder / "steady", DATA / "steady.c")
        for title, words in LOADS:
            log = folder / "steady.log"
            program = subprocess.Popen([folder / "steady", log, *words])
            windows, pauses, used, found, made, lost = [], [], 0.0, 0, 0, 0
            time.sleep(1)
            once = statistics.median(attached(ours, program.pid, SETTLE)[1] for _ in range(3))
            for _ in range(turns):
                pause = time.monotonic_ns()
                time.sleep(WINDOW)
                pauses.append((pause, time.monotonic_ns()))
                window, processor, document = attached(ours, program.pid)
                windows.append(window)
                used += processor
                found += sum(cell["n"] for cell in document["cells"])
                lost += document["attached"]["program"]["lost"]
                made += document["attached"]["program"]["recorded_ns"] / 1e9
            program.terminate()
            program.wait()
            rows = []
            for path in folder.glob("steady.log-*"):
                rows += [tuple(map(int, line.split(","))) for line in path.read_text().split()]
            late = [
                sorted(late for start, late in rows if any(begin <= start < end for begin, end in spans))
                for spans in (pauses, windows)
            ]
            rate = len(late[0]) / sum(end - begin for begin, end in pauses) * 1e9
            with_it = len(late[1]) / sum(end - begin for begin, end in windows) * 1e9
            sheet.row(
                title, f"{rate:.0f}, attached {with_it:.0f}", micros(late[0]), micros(late[1]),
                f"{1e3 * once:.0f}; {100 * (used / turns - once) / (WINDOW - SETTLE):.2f} %", f"{with_it * made:.0f}", found, lost,
            )  # fmt: skip
    sheet.print(options)
