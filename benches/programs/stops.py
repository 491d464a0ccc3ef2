"""`stops`: ten SIGSTOPs of 50, 200 and 800 ms under every tool that is installed, and what `oversleep report` says of
the file that the tool wrote itself."""

import os
import shutil
import signal
import subprocess
import time

from common import ROOT, Failed, Sheet, document, duration, note, now, release, scratch

COUNT, STOPS = 10, (50, 200, 800)
# Seconds for a program to start, and between two stops.
HEAD, BETWEEN = 2, 0.25

# What a report's figure is compared with:
# - schedule: the corrected 99th percentile of samples; skipping: of buckets whose program skips what it missed
# - complete: the 99th percentile as it is, of a program that skips no period or has corrected it
# - largest: sleeps or gaps without a schedule, of which each stop makes one value: the largest is the longest stop
# - handover: a stop leaves a mark only if it falls between sending and arrival: the largest value is shown
WORDS = {
    "schedule": "p99 of every period",
    "skipping": "p99 of every period",
    "complete": "p99, nothing to correct",
    "largest": "longest stop",
    "handover": "nothing: handovers",
}

# Name, command for {s} seconds that writes into {out}, and its files: label, path, what is expected. On one processor
# and at 1 kHz where the tool has such options.
TOOLS = [
    (
        "oversleep",
        "{ours} measure -q -i 1ms -d {s}s -p fifo:80 --out {out}/ours.arrows",
        [("oversleep, recording", "ours.arrows", "schedule")],
    ),
    (
        "cyclictest",
        "cyclictest -q -m -p 80 -i 1000 -t 1 -a 0 -D {s} -h 1000000 --json={out}/c.json --histfile={out}/c.hist",
        [("cyclictest --json -h 1000000", "c.json", "skipping"), ("cyclictest --histfile", "c.hist", "skipping")],
    ),
    (
        "cyclictest-short",
        "cyclictest -q -m -p 80 -i 1000 -t 1 -a 0 -D {s} -h 400 --json={out}/c.json",
        [("cyclictest --json -h 400", "c.json", "skipping")],
    ),
    (
        "jitterdebugger",
        "jitterdebugger -i 1000 -a 0x1 -p 80 -D {s}s -s -o {out}",
        [
            ("jitterdebugger samples.raw", "samples.raw", "schedule"),
            ("jitterdebugger results.json", "results.json", "complete"),
        ],
    ),
    (
        "cyclicdeadline",
        "cyclicdeadline -q -i 10000 -t 1 -D {s} --json={out}/d.json",
        [("cyclicdeadline --json", "d.json", "complete")],
    ),
    ("oslat", "oslat -q -c 0 -D {s} -b 64 --json={out}/o.json", [("oslat --json", "o.json", "largest")]),
    (
        "signaltest",
        "signaltest -q -p 80 -t 2 -D {s} --json={out}/s.json",
        [("signaltest --json", "s.json", "handover")],
    ),
    (
        "ptsematest",
        "ptsematest -q -p 80 -i 1000 -D {s} --json={out}/p.json",
        [("ptsematest --json", "p.json", "handover")],
    ),
    (
        "stress-ng",
        "stress-ng --cyclic 1 --cyclic-policy fifo --cyclic-prio 80 --cyclic-sleep 1000000 --cyclic-samples 100000"
        " --cyclic-dist 10000000 -t {s} --log-file {out}/n.txt",
        [("stress-ng --cyclic", "n.txt", "largest")],
    ),
    (
        "java",
        "chrt -f 50 java -XX:TieredStopAtLevel=1 {data}/Hiccup.java {s} {out}/j.hlog",
        [("jHiccup's algorithm, .hlog", "j.hlog", "complete")],
    ),
    ("python", "chrt -f 50 python3 {data}/schedule.py {s} {out}/y.csv", [("Python script, CSV", "y.csv", "schedule")]),
]


def plant(words, stop):
    """Runs a command and stops its process group, thus all of its processes and threads; the length of each stop in
    seconds."""
    child = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        time.sleep(HEAD)
        lengths = []
        for _ in range(COUNT):
            begun = send(child, signal.SIGSTOP)
            time.sleep(stop)
            lengths.append((send(child, signal.SIGCONT) - begun) / 1e9)
            time.sleep(BETWEEN)
            if child.poll() is not None:
                raise Failed(f"`{' '.join(words)}` ended before its stops were over")
        # What a program returns for a late wake-up differs; its file is read in any case.
        child.wait(30)
        return lengths
    except subprocess.TimeoutExpired as late:
        raise Failed(f"`{' '.join(words)}` did not end") from late
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def send(child, which):
    """Sends a signal to the child's group; the middle of the time in which it was sent."""
    before = now()
    os.killpg(child.pid, which)
    return (before + now()) / 2


def p99(stops, lasted):
    """The 99th percentile of what the periods of a run felt, in seconds: beyond it, the waits of all stops add up to a
    hundredth of the run. A period that became due when `left` of a stop was to come waited for `left`, so the periods
    of a stop waited for all times up to its length alike; the others waited for next to nothing."""
    low, high = 0.0, max(stops)
    for _ in range(60):
        middle = (low + high) / 2
        if sum(max(stop - middle, 0) for stop in stops) > lasted / 100:
            low = middle
        else:
            high = middle
    return high


def judge(report, expectation, stops, lasted):
    """The comparison as text, and whether the report is right: near what was planted, or with bounds that hold it and a
    word on what the file lacks; None if nothing is expected."""
    expected = p99(stops, lasted) if expectation in ("schedule", "skipping", "complete") else max(stops)
    if expectation == "schedule":
        low = high = report["cells"][0]["corrected"]["p99_ns"] / 1e9
    elif expectation in ("skipping", "complete"):
        one = report["distributions"][0]
        bounds = one["corrected"]["p99"] if expectation == "skipping" else one["p99"]
        low, high = bounds["low_ns"] / 1e9, bounds["high_ns"] / 1e9
    else:
        low = high = report["distributions"][0]["max_ns"] / 1e9
    shown = (
        duration(low * 1e9)
        if duration(low * 1e9) == duration(high * 1e9)
        else f"{duration(low * 1e9)} to {duration(high * 1e9)}"
    )
    if expectation == "handover":
        return f"– → {shown}", None
    near = all(abs(value / expected - 1) <= 0.1 for value in (low, high))
    covers = lost(report) and low <= expected <= high
    shown = shown if near else f"({shown})" if covers else f"{shown} ✗"
    return f"{duration(expected * 1e9)} → {shown}", near or bool(covers)


def lost(report):
    """What a report says that the file lacks."""
    return ", ".join(next(iter(report.get("distributions", [])), {}).get("lost", []))


def benchmark(options):
    ours = release()
    # Above the load, so that a signal is sent when it is due; what is started is not.
    os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(94))
    sheet = Sheet(
        "Ten stops of each length, from each tool's own file",
        "file",
        "expected is",
        *(f"{COUNT} × {stop} ms: expected → reported" for stop in STOPS),
        "not in the file",
        "right",
    )
    absent, right, judged = [], 0, 0
    for name, command, files in TOOLS:
        program = next(word for word in command.split() if word not in ("chrt", "-f", "50"))
        if options.own and name not in options.own:
            continue
        if program != "{ours}" and not shutil.which(program):
            absent.append(program)
            continue
        rows = [[[], [], ""] for _ in files]
        for stop in STOPS:
            note(f"stops: {name} with stops of {stop} ms")
            seconds = int(HEAD + (stop / 1e3 + BETWEEN) * COUNT + BETWEEN) + 1
            with scratch() as out:
                words = [
                    word.format(ours=ours, out=out, s=seconds, data=ROOT / "benches/programs/data")
                    for word in command.split()
                ]
                try:
                    stops = plant(words, stop / 1e3)
                except Failed as why:
                    stops = why
                for row, (_, path, expectation) in zip(rows, files):
                    try:
                        if isinstance(stops, Failed):
                            raise stops
                        report = document(ours, "report", "--json", out / path)
                        row[2] = lost(report) or row[2]
                        text, good = judge(report, expectation, stops, seconds)
                    except (Failed, KeyError, IndexError) as why:
                        text, good = repr(why), False
                    row[0].append(text)
                    row[1].append(good)
        for (label, _, expectation), (texts, goods, missing) in zip(files, rows):
            goods = [good for good in goods if good is not None]
            right, judged = right + sum(goods), judged + len(goods)
            sheet.row(
                label, WORDS[expectation], *texts, missing or "–", f"{sum(goods)} of {len(goods)}" if goods else "–"
            )
    sheet.remark(
        f"{right} of {judged} right: within 10 % of what was planted, or (in brackets) bounds that hold it and a report that "
        "says what the file lacks."
    )
    if absent:
        sheet.remark(f"Not installed here, so not tested: {', '.join(absent)}.")
    sheet.print(options)
