"""How fast the program is and how much memory it takes: `startup`, `builds`, `explain`, `analysis`, `memory`,
`observer`."""

import json

from common import (
    ROOT,
    Failed,
    Sheet,
    document,
    first_start,
    measured,
    median,
    mib,
    micros,
    millis,
    note,
    now,
    ratio,
    release,
    room,
    run,
    scratch,
)

MILLION = 10**6


def whole(*words):
    """Nanoseconds from a program's start to its end."""
    return measured(*words)[0] * 1e9


def first_sample(*words):
    """Nanoseconds to the first sleep: its `start_ns` and this reading before the start are of the same clock."""
    begun = now()
    return first_start(run(*words)) - begun


def startup(options):
    ours, runs = release(), 100 if options.long else 20
    sheet = Sheet(f"Start-up, {runs} runs", "", "median, 95 % interval", "goal")
    with scratch() as folder:
        one, every = (
            [ours, "measure", "-q", "-m", method, "-r", "1us", "-n", "1", "--csv"] for method in ("nanosleep", "all")
        )
        kept = ["--force", f"--out={folder}/ours.arrows"]
        for name, words, goal in [
            ("to the first sample", one + kept, 20),
            ("to the first sample, every method opened", every + kept, 20),
            ("to the first sample, nothing kept", one + ["--no-save"], 20),
        ]:
            sheet.row(name, millis([first_sample(*words) for _ in range(runs)]), f"< {goal} ms")
        sheet.row("oversleep list", millis([whole(ours, "list") for _ in range(runs)]), "< 10 ms")
        sheet.row("oversleep --version", millis([whole(ours, "--version") for _ in range(runs)]), "")
    sheet.print(options)


def builds(options):
    """Compares this build with the program after `--`, in turns A B B A."""
    if len(options.own) != 1:
        raise Failed("say which program to compare with: cargo xtask bench builds -- OTHER/oversleep")
    ours, other = release(), options.own[0]

    def lateness(*words):
        return lambda program: document(program, "measure", "-q", "--json", "--no-save", *words)["cells"][0]["p50_ns"]

    with scratch() as folder:
        million = f"{folder}/million.arrows"
        run(
            ours,
            "simulate",
            "-q",
            "linux-nohighres-hz250",
            "-r",
            "1ms",
            "--phase",
            "random:4ms",
            "-n",
            MILLION,
            "--out",
            million,
        )
        figures = [
            ("`oversleep list`, ms", 30, 1e6, lambda program: whole(program, "list")),
            (
                "to the first sample, every method, ms",
                30,
                1e6,
                lambda program: first_sample(
                    program, "measure", "-q", "-m", "all", "-r", "1us", "-n", "1", "--csv", "--no-save"
                ),
            ),
            ("`explain`, 1 M sleeps, ms", 8, 1e6, lambda program: whole(program, "explain", million)),
            (
                "`simulate`, 3 M sleeps, ms",
                8,
                1e6,
                lambda program: whole(
                    program, "simulate", "-q", "dragonfly-1.0-i8254", "-r", "10ms", "-n", 3 * MILLION, "--json"
                ),
            ),
            (
                "periodic, FIFO 80, 1 ms: median oversleep, µs",
                10,
                1e3,
                lateness(
                    "-e",
                    "periodic",
                    "--policy",
                    "fifo:80",
                    "--period",
                    "1ms",
                    "--latency-hold",
                    "0us",
                    "--mlock",
                    "-n",
                    "2500",
                ),
            ),
            (
                "`clock-nanosleep-abs`, 200 µs: median oversleep, µs",
                12,
                1e3,
                lateness("-m", "clock-nanosleep-abs", "-r", "200us", "-n", "2000"),
            ),
        ]
        sheet = Sheet(
            "This build against another, ABBA blocks; medians", "", "this build", "the other", "ratio, 95 % interval"
        )
        for name, blocks, unit, figure in figures:
            note(f"builds: {name}")
            found = [[figure(program) for program in (ours, other, other, ours)] for _ in range(blocks)]
            a, b = ([value for block in found for value in (block[i], block[j])] for i, j in ((0, 3), (1, 2)))
            sheet.row(
                name,
                f"{median(a)[0] / unit:.2f}",
                f"{median(b)[0] / unit:.2f}",
                ratio([(block[0] + block[3]) / (block[1] + block[2]) for block in found]),
            )
    sheet.print(options)


def explain(options):
    """Time, rows per second and memory of `explain` on a simulated kernel's sleeps with random requests."""
    ours, missed = release(), []
    sheet = Sheet(
        "explain: a simulated kernel's sleeps", "sleeps", "file", "time", "rows per second", "peak resident", "goal"
    )

    def row(path, sleeps, goal):
        runs = [measured(ours, "explain", path) for _ in range(1 if sleeps > MILLION else 3)]
        best = min(seconds for seconds, _, _ in runs)
        sheet.row(
            sleeps,
            f"{path.stat().st_size // MILLION} MB {path.suffix[1:]}",
            f"{best:.2f} s",
            f"{sleeps / best / 1e6:.1f} M",
            mib(max(peak for _, peak, _ in runs)),
            f"{goal} s" if goal else "",
        )
        if goal and best > goal:
            missed.append(f"{sleeps} sleeps took {best:.2f} s, goal {goal} s")

    with scratch() as folder:
        for sleeps, goal in (MILLION, 1), (100 * MILLION, 60):
            if sleeps > MILLION and not options.long:
                sheet.remark("A hundred million take some minutes and 6.3 GB of disk to make: --long.")
                continue
            room(folder, 64 * sleeps)
            note(f"explain: making {sleeps} sleeps")
            recording = folder / "explained.arrows"
            run(
                ours,
                "simulate",
                "-q",
                "linux-nohighres-hz250",
                "--set",
                "tc_true_hz=1000047000",
                "-m",
                "nanosleep,select",
                "-r",
                "200us..4ms",
                "--phase",
                "random:4ms",
                "-n",
                sleeps // 2,
                "--force",
                "--out",
                recording,
            )
            row(recording, sleeps, goal)
            if sleeps == MILLION:
                table = folder / "explained.csv"
                table.write_text(run(ours, "export", recording))
                row(table, sleeps, None)
    sheet.print(options)
    if missed:
        raise Failed("; ".join(missed))


TO_PARQUET = """
import sys, pyarrow.ipc, pyarrow.parquet
with pyarrow.ipc.open_stream(sys.argv[1]) as rows, \\
        pyarrow.parquet.ParquetWriter(sys.argv[2], rows.schema, compression="zstd") as file:
    for batch in rows:
        file.write_batch(batch)
"""


def analysis(options):
    """The figures of a long recording, against DuckDB's for the same sleeps in Parquet. Ours reads every column and
    verifies every checksum, and computes mean, deviation, early wakes and the median's interval; its time is that of
    the whole process. DuckDB reads two columns of a compressed file, and its quantiles are exact beyond 262 µs too;
    only its query is timed."""
    python, script = ROOT / "target/tools/requirements/bin/python", ROOT / "xtask/engines/quantiles.py"
    if not python.exists():
        raise Failed("DuckDB is not installed; `cargo xtask check --only engines` gets it")
    ours = release()
    sleeps, blocks = (100 * MILLION, 3) if options.long else (10 * MILLION, 5)
    sheet = Sheet(
        f"Figures of {sleeps // MILLION} M sleeps against DuckDB's, {blocks} ABBA blocks",
        "kernel",
        "recording, Parquet",
        "ours",
        "DuckDB",
        "ratio, 95 % interval",
        "peak memory",
        "figures",
    )
    missed = []
    with scratch() as temporary:
        folder = temporary if not options.own else type(temporary)(options.own[0])
        folder.mkdir(exist_ok=True)
        # With timers nearly all sleeps are less than 262 µs late and counted by the nanosecond; with ticks nearly all
        # are later and go into a histogram of three digits.
        for kernel, words in (
            ("timers", ["linux-2.6-hrtimer"]),
            ("ticks", ["linux-nohighres-hz250", "--phase", "random:4ms"]),
        ):
            recording, parquet = (
                folder / f"{kernel}-{sleeps // MILLION}M.{ending}" for ending in ("arrows", "parquet")
            )
            if not parquet.exists():
                room(folder, 90 * sleeps)
                note(f"analysis: making {sleeps} sleeps ({kernel})")
                run(
                    ours,
                    "simulate",
                    *words,
                    "--set",
                    "lat_exp_us=15",
                    "--set",
                    "read_unit_ns=1",
                    "-q",
                    "-r",
                    "200us,1ms,5ms",
                    "-n",
                    sleeps // 3,
                    "--out",
                    recording,
                    "--force",
                )
                run(python, "-c", TO_PARQUET, recording, parquet)
            # Both files are in memory before the first run.
            for path in recording, parquet:
                measured("cat", path)
            sides, ratios, peaks, documents = ([], []), [], [0, 0], [None, None]
            for block in range(blocks):
                note(f"analysis: block {block + 1} of {blocks}")
                sums = [0, 0]
                for side in 0, 1, 1, 0:
                    program = [ours, "report", "--json", recording] if side == 0 else [python, script, parquet]
                    seconds, peak, printed = measured(*program, keep=True)
                    documents[side] = json.loads(printed)
                    seconds = documents[side].get("seconds", seconds)
                    sides[side].append(seconds)
                    sums[side] += seconds
                    peaks[side] = max(peaks[side], peak)
                ratios.append(sums[0] / sums[1])
            sheet.row(
                kernel,
                ", ".join(f"{path.stat().st_size // MILLION} MB" for path in (recording, parquet)),
                *(f"{median(side)[0]:.2f} s" for side in sides),
                ratio(ratios),
                ", ".join(map(mib, peaks)),
                agreement(*(document["cells"] for document in documents)),
            )
            if median(ratios)[0] > 1:
                missed.append(f"{kernel}: {ratio(ratios)} of DuckDB's time, goal 1")
            if peaks[0] > 256 << 10:
                missed.append(f"{kernel}: {mib(peaks[0])}, goal 256 MiB")
    sheet.remark(f"DuckDB {documents[1]['version']}, {documents[1]['threads']} threads.")
    sheet.print(options)
    if missed:
        raise Failed("; ".join(missed))


def agreement(ours, theirs):
    """How many figures are equal; a failure if one differs by more than a histogram of three digits explains."""
    equal = total = furthest = 0
    for our, their in zip(ours, theirs, strict=True):
        for key in "n", "min_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns":
            total += 1
            equal += our[key] == their[key]
            off = abs(our[key] / their[key] - 1) if their[key] else abs(our[key])
            furthest = max(furthest, off)
            if off > (1e-3 if key.startswith("p") else 0):
                raise Failed(f"{key} is {our[key]}, and {their[key]} in DuckDB")
    return f"{equal} of {total} equal, at most {100 * furthest:.3f} % apart"


def memory(options):
    """Memory while sleeps are recorded, and while they are read again, which must not take them all into memory."""
    ours, hours = release(), 24 if options.long else 1
    sheet = Sheet("Memory of long recordings: 1 kHz on two threads, simulated", "", "sleeps", "peak resident")
    peaks = []
    with scratch() as folder:
        sleeps, recording = 2 * 3600 * 1000 * hours, folder / "long.arrows"
        room(folder, 64 * sleeps)
        for name, words in [
            (
                "simulate",
                [
                    "simulate",
                    "linux-2.6-hrtimer",
                    "-m",
                    "nanosleep,select",
                    "-r",
                    "1ms",
                    "-n",
                    sleeps // 2,
                    "-q",
                    "-o",
                    recording,
                ],
            ),
            ("report", ["report", recording]),
            ("export", ["export", recording]),
        ]:
            peaks.append(measured(ours, *words)[1])
            sheet.row(f"oversleep {name}", sleeps, mib(peaks[-1]))
    sheet.remark("Goal: at most 64 MiB.")
    sheet.print(options)
    if max(peaks) > 64 << 10:
        raise Failed(f"{mib(max(peaks))} is above 64 MiB")


def observer(options):
    """Whether progress, collecting a hundred times as often, or the live view disturb the sleepers. `script` gives each
    run a terminal to draw on. The view stays open when its measurement has ended, so a signal ends it."""
    ours, rounds = release(), 40 if options.long else 8
    kinds = {
        "nothing drawn": ("", "measure -q"),
        "progress drawn": ("", "measure"),
        "collected every 10 ms": ("", "measure -q --flush-every=10ms"),
        "live view": ("timeout --foreground --signal=INT --preserve-status 2.6", "watch"),
    }
    found = {name: {"p50_ns": [], "p99_ns": []} for name in kinds}
    with scratch() as folder:
        for number in range(rounds):
            note(f"observer: round {number + 1} of {rounds}")
            for name in list(kinds)[:: 1 if number % 2 == 0 else -1]:
                until, command = kinds[name]
                recording = folder / "ours.arrows"
                line = (
                    f"stty rows 24 cols 80; {until} {ours} {command} -e periodic -i 1ms -d 2s --force --out {recording}"
                )
                run("script", "-qec", line, "/dev/null")
                cell = document(ours, "report", "--json", recording)["cells"][0]
                for figure, values in found[name].items():
                    values.append(cell[figure])
    sheet = Sheet(
        f"Does watching disturb? 1 ms schedule, 2000 periods, {rounds} interleaved rounds",
        "",
        "p50",
        "against nothing drawn",
        "p99",
        "against nothing drawn",
    )
    for name, figures in found.items():
        base = found["nothing drawn"]
        sheet.row(
            name,
            *(
                text
                for figure, values in figures.items()
                for text in (
                    micros(median(values)[0]),
                    ratio([one / other for one, other in zip(values, base[figure])]),
                )
            ),
        )
    sheet.print(options)
