"""What the benchmarks of programs share: running them, medians with intervals, and tables."""

import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """Why a benchmark could not be run, or that a goal was missed."""


def note(text):
    print(text, file=sys.stderr)


def run(*words, given=None):
    """The standard output of a program that must succeed."""
    done = subprocess.run(
        [str(word) for word in words],
        input=given,
        capture_output=True,
        text=True,
        stdin=None if given else subprocess.DEVNULL,
    )
    if done.returncode:
        raise Failed(f"{' '.join(map(str, words))}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return done.stdout


def document(*words):
    return json.loads(run(*words))


def release():
    """Builds `oversleep` as users get it; its path."""
    note("building the release binary")
    run("cargo", "build", "--quiet", "--release", "-p", "oversleep-cli", "--manifest-path", ROOT / "Cargo.toml")
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/oversleep"


@contextmanager
def scratch():
    with tempfile.TemporaryDirectory(prefix="oversleep-bench-") as folder:
        yield Path(folder)


def room(folder, size):
    """Fails if the disk has not twice as many bytes."""
    free = shutil.disk_usage(folder).free
    if free < 2 * size:
        raise Failed(f"{folder} has {free // 10**6} MB free; {2 * size // 10**6} are needed")


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def first_start(samples):
    """When the first sleep of a CSV of samples began, by the monotonic clock."""
    header, *rows = (line.split(",") for line in samples.splitlines())
    clock, start = header.index("clock"), header.index("start_ns")
    return min(int(row[start]) for row in rows if row[clock] == "monotonic")


def measured(*words, keep=False):
    """Seconds from the start of a program to its end, its peak resident memory in KiB, and its standard output with
    `keep`."""
    with tempfile.TemporaryFile() as out:
        begun = now()
        child = subprocess.Popen(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdout=out if keep else subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(child.pid, 0)
        seconds = (now() - begun) / 1e9
        if status:
            raise Failed(f"{' '.join(map(str, words))}: {os.waitstatus_to_exitcode(status)}")
        out.seek(0)
        return seconds, usage.ru_maxrss, out.read().decode()


def median(values):
    """The median by nearest rank and its 95 % interval by order statistics; with few values, the whole range."""
    ordered = sorted(value for value in values if value is not None and math.isfinite(value))
    n = len(ordered)
    if n == 0:
        return (math.nan,) * 3
    below, rank = 0.0, 0
    while below + math.comb(n, rank) / 2**n <= 0.025:
        below += math.comb(n, rank) / 2**n
        rank += 1
    low = max(rank - 1, 0)
    return ordered[(n - 1) // 2], ordered[low], ordered[n - 1 - low]


def ratio(values):
    return "–" if not values else "{:.3f} [{:.3f}, {:.3f}]".format(*median(values))


def micros(ns):
    return "–" if ns is None or not math.isfinite(ns) else f"{ns / 1e3:.2f} µs"


def millis(values):
    return "{:.2f} ms [{:.2f}, {:.2f}]".format(*(value / 1e6 for value in median(values)))


def duration(ns):
    """A time as people write it."""
    if ns is None or not math.isfinite(ns):
        return "–"
    for size, unit in (1e9, "s"), (1e6, "ms"), (1e3, "µs"):
        if abs(ns) >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def mib(kib):
    return f"{kib / 1024:.1f} MiB"


def share(count, n):
    """Wilson's 95 % interval of a share, in percent."""
    p, z = count / n, 1.96
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * half) / (1 + z * z / n) for sign in (-1, 1))
    return f"{100 * max(low, 0):.1f} to {100 * min(high, 1):.1f} %"


def place():
    """A line on the machine, the version, the time and the load."""
    cpu = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    commit = run("git", "-C", ROOT, "rev-parse", "--short", "HEAD").strip()
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    load = " ".join(f"{one:.2f}" for one in os.getloadavg())
    return f"{cpu}; {platform.system()} {platform.release()}; oversleep {commit}, {when}; load {load}"


class Sheet:
    """A titled table and the remarks below it."""

    def __init__(self, title, *header):
        self.title, self.lines, self.remarks = title, [header], []

    def row(self, *cells):
        self.lines.append(tuple(map(str, cells)))

    def remark(self, text):
        self.remarks.append(text)

    def markdown(self):
        header, *rows = (f"| {' | '.join(line)} |" for line in self.lines)
        return "\n".join(
            [
                "",
                f"### {self.title}",
                "",
                header,
                "| --- " * len(self.lines[0]) + "|",
                *rows,
                *(f"\n{remark}" for remark in self.remarks),
                "",
            ]
        )

    def text(self):
        widths = [max(map(len, column)) for column in zip(*self.lines)]
        rows = (
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in self.lines
        )
        return "\n".join(["", self.title, *rows, *(f"  {remark}" for remark in self.remarks), ""])

    def print(self, options):
        print(self.markdown() if options.markdown else self.text(), end="", flush=True)
