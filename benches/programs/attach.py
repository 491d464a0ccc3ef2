"""`attach`: whether it finds the waits that unchanged programs logged themselves, and how late it says they were."""

import csv
import io
import shutil
import statistics
import subprocess
import sys
from bisect import bisect_left
from pathlib import Path

from common import Failed, note, release, run, scratch

ROUNDS = 300
SHARE = 0.99

PYTHON = """
import sys, time
rows = []
for _ in range(int(sys.argv[2])):
    start = time.monotonic_ns(); time.sleep(0.005); rows.append((5000000, start, time.monotonic_ns()))
open(sys.argv[1] + "/python.log", "w").writelines("%d,%d,%d\\n" % row for row in rows)
"""
NODE = """
const rows = []; let left = +process.argv[3], start = process.hrtime.bigint();
function again() {
  rows.push(`5000000,${start},${process.hrtime.bigint()}\\n`);
  if (--left) { start = process.hrtime.bigint(); setTimeout(again, 5); }
  else require("fs").writeFileSync(process.argv[2] + "/node.log", rows.join(""));
}
setTimeout(again, 5);
"""
JAVA = """
public class Waits {
  public static void main(String[] words) throws Exception {
    int count = Integer.parseInt(words[1]);
    long[] starts = new long[count], ends = new long[count];
    for (int at = 0; at < count; at++) { starts[at] = System.nanoTime(); Thread.sleep(5); ends[at] = System.nanoTime(); }
    StringBuilder rows = new StringBuilder();
    for (int at = 0; at < count; at++) rows.append("5000000," + starts[at] + "," + ends[at] + "\\n");
    java.nio.file.Files.writeString(java.nio.file.Path.of(words[0], "java.log"), rows);
  }
}
"""


def commands(folder):
    """Name and command of each program that can run here."""
    yield "python", [sys.executable, "-c", PYTHON, folder, str(ROUNDS)]
    if shutil.which("node"):
        (folder / "waits.cjs").write_text(NODE)
        yield "node", ["node", folder / "waits.cjs", folder, str(ROUNDS)]
    if shutil.which("java"):
        (folder / "Waits.java").write_text(JAVA)
        yield "java", ["java", folder / "Waits.java", folder, str(ROUNDS)]
    if shutil.which("cc"):
        source = Path(__file__).parent / "data/waits.c"
        run("cc", "-O1", "-pthread", "-o", folder / "waits", source)
        yield "c", [folder / "waits", folder, str(ROUNDS)]


def micros(values):
    """Median and 99th percentile of times in ns, in µs."""
    ordered = sorted(values)
    if not ordered:
        return "–", "–"
    return f"{statistics.median(ordered) / 1e3:.1f}", f"{ordered[len(ordered) * 99 // 100] / 1e3:.1f}"


def compared(log, waits):
    """How many waits of a log were found within its own stamps; how far the requests are apart; the time from the kernel's
    return to the program's stamp; and how far the lateness is apart beyond that."""
    starts = [wait[1] for wait in waits]
    found, requests, exits, entries = 0, [], [], []
    for asked, start, end in log:
        at = bisect_left(starts, start)
        # The last wait within the stamps: runtimes may make shorter ones before.
        within = []
        while at < len(waits) and waits[at][1] <= end:
            if waits[at][2] <= end:
                within.append(waits[at])
            at += 1
        if within:
            found += 1
            requested, entered, left, deadline = within[-1]
            requests.append(abs(requested - asked))
            exits.append(end - left)
            entries.append(abs(deadline - start - asked))
    return found, requests, exits, entries


def benchmark(options):
    ours = Path(options.own[0]) if options.own else release()
    failed = []
    print("log, waits logged, found, request apart p50 p99 (µs), return to stamp p50 p99, deadline apart p50 p99")
    with scratch() as folder:
        for name, command in commands(folder):
            recording = folder / f"{name}.arrows"
            words = [ours, "attach", "-q", "--force", "-o", recording, "--", *command]
            done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
            if done.returncode:
                raise Failed(f"{name}: {done.stderr.strip()}")
            note(done.stdout)
            rows = list(csv.DictReader(io.StringIO(run(ours, "export", recording, "--format", "csv"))))
            logs = [folder / f"{name}.log"] if name != "c" else sorted(folder.glob("w-*.log"))
            for path in logs:
                log = [tuple(map(int, line.split(","))) for line in path.read_text().split()]
                chosen = [row for row in rows if name != "c" or row["method"].startswith(path.stem + ":")]
                keys = ("requested_ns", "start_ns", "end_ns", "deadline_ns")
                waits = sorted((tuple(int(row[key]) for key in keys) for row in chosen), key=lambda wait: wait[1])
                found, requests, exits, entries = compared(log, waits)
                figures = [*micros(requests), *micros(exits), *micros(entries)]
                print(f"{path.stem}, {len(log)}, {found}, {', '.join(figures)}")
                if found < SHARE * len(log):
                    failed.append(f"{path.stem}: {found} of {len(log)} waits")
            late = [row["method"] for row in rows if row["method"].startswith("w-event")]
            if late:
                failed.append(f"{len(late)} waits that events ended were taken for late sleeps")
    if failed:
        raise Failed("; ".join(failed))
