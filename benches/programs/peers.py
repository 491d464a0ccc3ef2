"""Against similar programs and libraries: `probe`, `library`.

`probe` compares our experiment `periodic` with Debian's cyclictest, the usual tool for this. Both have the same policy,
priority and interval, locked memory, latency held to 0, and one thread; oversleep keeps a recording as usual. Wake-up
latencies are compared in ABBA blocks, so that slow changes of the machine affect both alike."""

import json
import re
import subprocess

from common import ROOT, Failed, Sheet, document, measured, median, micros, note, ratio, release, run, scratch

OURS = [
    "measure",
    "-q",
    "--experiment=periodic",
    "--policy=fifo:80",
    "--mlock",
    "--latency-hold=0us",
    "--json",
    "--force",
]
THEIRS = ["cyclictest", "-m", "-p", "80", "-q"]


def cyclictest(folder, *words):
    """The first thread of its results."""
    results = folder / "theirs.json"
    run(*THEIRS, *words, f"--json={results}")
    return json.loads(results.read_text())["thread"]["0"]


def histogram_median(thread):
    """The median of a histogram with a bucket per nanosecond; values beyond it count as above it."""
    seen = 0
    for value, count in sorted((int(value), count) for value, count in thread["histogram"].items()):
        seen += count
        if 2 * seen >= thread["cycles"]:
            return value
    return None


def latency(ours, peer, options, folder):
    blocks, loops = 60 if options.long else 9, "2500"

    def of_ours():
        found = document(ours, *OURS, "--interval=1ms", "-n", loops, f"--out={folder}/ours.arrows")
        if found.get("unavailable"):
            raise Failed(f"not the same conditions: {found['unavailable'][0]}")
        return found["cells"][0]["mean_ns"], found["cells"][0]["p50_ns"]

    def of_peer():
        thread = cyclictest(folder, "-i", "1000", "-l", loops, "-N", "-h", "400000")
        return thread["avg"], histogram_median(thread)

    found = []
    for block in range(blocks):
        note(f"latency: block {block + 1} of {blocks}")
        found.append([of_ours(), *([of_peer(), of_peer()] if peer else []), of_ours()])
    sheet = Sheet(
        f"Wake-up latency, FIFO 80, 1 ms, {blocks} ABBA blocks of 4 × {loops} periods",
        "",
        "oversleep",
        "cyclictest",
        "ratio, 95 % interval",
    )
    for name, key in ("median", 1), ("mean", 0):
        a = [run[key] for block in found for run in (block[0], block[-1])]
        b = [run[key] for block in found for run in block[1:-1]]
        ratios = [
            (block[0][key] + block[-1][key]) / sum(run[key] for run in block[1:-1])
            for block in found
            if peer and all(run[key] for run in block)
        ]
        sheet.row(name, micros(median(a)[0]), micros(median(b)[0]), ratio(ratios))
    sheet.remark("Figures are medians over runs; ratios are taken block by block. Below 1, ours is earlier.")
    sheet.print(options)


def delivered(ours, peer, options, folder):
    seconds = 10 if options.long else 2
    sheet = Sheet(
        f"Periods delivered, FIFO 80, {seconds} s each",
        "period",
        "oversleep: fresh + late",
        "skipped (we say so)",
        "lost",
        "cyclictest (it does not say)",
    )
    for period in 1000, 100, 50, 20, 10:
        note(f"share: {period} µs")
        count = seconds * 10**6 // period
        found = document(ours, *OURS, f"--interval={period}us", "-n", count, f"--out={folder}/ours.arrows")
        periods = found["cells"][0]["periods"]
        percent = lambda n: f"{100 * n / periods['asked']:.1f} %"
        theirs = f"{100 * cyclictest(folder, '-i', period, '-D', seconds)['cycles'] / count:.1f} %" if peer else "–"
        sheet.row(
            f"{period} µs",
            percent(periods["fresh"] + periods["late"]),
            percent(periods["skipped"]),
            found.get("lost", ""),
            theirs,
        )
    sheet.remark("cyclictest's share is its cycle count divided by duration ÷ interval.")
    sheet.print(options)


def memory(ours, peer, options, folder):
    sheet = Sheet("Peak resident memory, 1 ms, 5 s", "", "KiB")
    out = f"--out={folder}/ours.arrows"
    sheet.row("oversleep, memory locked", measured(ours, *OURS, "-n", "5000", out)[1])
    sheet.row(
        "oversleep, not locked",
        measured(ours, "measure", "-q", "--experiment=periodic", "-n", "5000", "--json", "--force", out)[1],
    )
    if peer:
        sheet.row("cyclictest, memory locked", measured(*THEIRS, "-i", "1000", "-l", "5000")[1])
    sheet.print(options)


def instructions(ours, peer, options, folder):
    """User instructions per period, from the difference of two runs under callgrind. They differ only in the loop, and
    in how long the tick is observed at the end: some hundred thousand instructions either way, so the runs are long.
    glibc copies large blocks in ordinary loops: valgrind counts the repeated instruction that it would use once per
    byte."""
    loops = 10_000, 60_000

    def slope(*words):
        counts = []
        for count in loops:
            note(f"callgrind: {words[0]} … {count}")
            done = subprocess.run(
                [
                    "env",
                    "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000",
                    "valgrind",
                    "--tool=callgrind",
                    f"--callgrind-out-file={folder}/callgrind",
                    *map(str, words),
                    str(count),
                ],
                capture_output=True,
                text=True,
            )
            counts.append(int(re.search(r"Collected : (\d+)", done.stderr)[1]))
        return f"{(counts[1] - counts[0]) / (loops[1] - loops[0]):.0f}"

    sheet = Sheet("User instructions per period (callgrind, slope)", "", "instructions")
    run("valgrind", "--version")
    ours = [ours, "measure", "-q", "--experiment=periodic", "--interval=1ms", "--json"]
    sheet.row("oversleep, recording kept", slope(*ours, "--force", f"--out={folder}/ours.arrows", "-n"))
    sheet.row("oversleep, --no-save", slope(*ours, "--no-save", "-n"))
    if peer:
        sheet.row("cyclictest", slope(*THEIRS, "-i", "1000", "-l"))
    sheet.remark(f"Whole process, {loops[0]} against {loops[1]} periods of 1 ms; a minimal C loop takes 67.")
    sheet.print(options)


def probe(options):
    ours = release()
    try:
        said = subprocess.run(["cyclictest", "--help"], capture_output=True, text=True)
        peer = (said.stdout + said.stderr).splitlines()[0]
    except OSError:
        peer = None
    print(peer or "without cyclictest (Debian's package is rt-tests): only our own figures")
    with scratch() as folder:
        for part in latency, delivered, memory, instructions:
            try:
                part(ours, peer, options, folder)
            except Failed as why:
                print(f"not measured: {why}")


def library(options):
    """The benchmark is a package outside the workspace, so that the other libraries, with a runtime and rate limiters
    among them, are not dependencies of anything else. `oversleep pace` is one of its pacers. The output is always
    Markdown."""
    if "pacers" in " ".join(options.own) or not any(word.startswith("--only") for word in options.own):
        release()
    cargo = [
        "cargo",
        "run",
        "--release",
        "--manifest-path",
        "benches/library/Cargo.toml",
        "--target-dir",
        "target",
        "--",
    ]
    if subprocess.run([*cargo, *([] if options.long else ["--quick"]), *options.own], cwd=ROOT).returncode:
        raise Failed("the benchmark failed")
