"""Reads exported `.hlog` with the HistogramLogProcessor of HdrHistogram's Java original, which must find every cell's sleeps
and quantiles; and compares what both read in a log of jHiccup's.

    python hlog.py OVERSLEEP JAR JHICCUP_LOG
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

OVERSLEEP, JAR, JHICCUP = sys.argv[1:]
# The export keeps three digits, and Java prints the highest value of a bucket.
DIGITS = 1.001


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def by_java(log: str, *options: str) -> str:
    return run("java", "-cp", JAR, "org.HdrHistogram.HistogramLogProcessor", "-i", log, "-outputValueUnitRatio", "1", *options)


def percentiles(text: str) -> tuple[int, list[tuple[float, int]]]:
    """Returns the number of values, and values with the number of those that are not above."""
    rows = [line.split() for line in text.splitlines() if line.strip() and line.strip()[0].isdigit()]
    total = next(line for line in text.splitlines() if line.startswith("#[Max"))
    return int(total.rsplit("=", 1)[1].strip(" ]")), [(float(row[0]), int(row[2])) for row in rows]


def agree(what: str, figures: dict, text: str) -> None:
    count, rows = percentiles(text)
    if count != figures["n"]:
        sys.exit(f"{what}: Java counts {count} values, and {figures['n']} are in the recording")
    for name, share in ("p50_ns", 0.5), ("p90_ns", 0.9), ("p99_ns", 0.99), ("max_ns", 1.0):
        wanted = figures[name]
        # Nearest rank, as the recording's own.
        found = next(value for value, below in rows if below >= math.ceil(share * count))
        if not wanted <= found <= wanted * DIGITS + 1:
            sys.exit(f"{what}: {name} is {found} to Java, and {wanted} in the recording")


def main(folder: Path) -> None:
    recording, log = str(folder / "run.arrows"), str(folder / "run.hlog")
    words = ["-m", "nanosleep,select", "-r", "1ms,5ms", "--slack", "50us,1ms", "-n", "2000", "-q", "-o", recording]
    run(OVERSLEEP, "simulate", "linux-2.6-hrtimer", *words)
    run(OVERSLEEP, "export", recording, "-o", log)
    tags = [line for line in by_java(log, "-listtags").splitlines() if not line.startswith("Tags found")]
    cells = json.loads(run(OVERSLEEP, "export", "--json", recording))["cells"]
    if len(cells) != 8 or len(tags) != len(cells):
        sys.exit(f"{len(cells)} cells have {len(tags)} tags: {tags}")
    for cell, tag in zip(cells, sorted(tags, key=lambda tag: int(tag.split(":")[0])), strict=True):
        agree(tag, cell, by_java(log, "-tag", tag))
    # The other way: a log that our own program has not written.
    count, _ = percentiles(by_java(JHICCUP))
    read = json.loads(run(OVERSLEEP, "report", "--json", JHICCUP))["distributions"]
    if [one["n"] for one in read] != [count]:
        sys.exit(f"jHiccup's log has {count} values to Java, and {[one['n'] for one in read]} to us")


with tempfile.TemporaryDirectory() as scratch:
    main(Path(scratch))
print("HdrHistogram's Java original finds every cell's sleeps and quantiles in the exported log")
