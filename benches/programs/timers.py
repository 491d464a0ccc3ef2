"""What the program says of timers: `compare`, `slack`, `trace`, `runtimes`."""

import subprocess
from pathlib import Path

from common import (
    ROOT,
    Failed,
    Sheet,
    document,
    duration,
    median,
    micros,
    note,
    now,
    place,
    release,
    run,
    scratch,
    share,
)

SAME = ["-m", "nanosleep", "-r", "200us", "-n", "1000"]


def compare(options):
    """How often a difference between equal sides is reported, and whether 2 µs more timer slack are seen. Every run is
    a process and a recording of its own; half of the comparisons of equal sides run beside busy threads."""
    ours = release()

    def compared(how, *sides):
        shifts = document(ours, "compare", "-q", "--json", *how, "--run", *sides[0], "--", *sides[1])["cells"][0][
            "shifts"
        ]
        return {shift["figure"]: shift for shift in shifts}

    if options.own in ([], ["same"]):
        n = 100 if options.long else 4
        sheet = Sheet(
            f"The same on both sides: {2 * n} comparisons of six interleaved pairs of runs",
            "",
            "figure",
            "alarms",
            "of",
            "95 % interval of the share",
        )
        for name, busy in ("quiet", 0), ("beside two busy threads", 2):
            load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(busy)]
            try:
                found = []
                for number in range(n):
                    note(f"compare: {name}, pair {number + 1} of {n}")
                    found.append(compared(["-d", "1s"], SAME, SAME))
            finally:
                for child in load:
                    child.kill()
                    child.wait()
            for figure in "p50", "p99":
                alarms = sum(shifts[figure]["verdict"] in ("later", "earlier") for shifts in found if figure in shifts)
                sheet.row(name, figure, alarms, n, share(alarms, n))
        sheet.remark("An alarm is a verdict of later or earlier; five in a hundred are what the test allows.")
        sheet.print(options)
    if options.own in ([], ["planted"]):
        tries, patience = (40, "60s") if options.long else (2, "15s")
        seen, took, sizes = 0, [], []
        for number in range(tries):
            note(f"compare: planted, try {number + 1} of {tries}")
            begun = now()
            found = compared(
                ["-d", patience, "--resolve", "1us"], [*SAME, "--slack", "50us"], [*SAME, "--slack", "52us"]
            )["p50"]
            took.append((now() - begun) / 1e9)
            sizes.append(found["size_ns"])
            seen += found["verdict"] == "later"
        sheet = Sheet(
            f"Planted: slack 50us against 52us, at most {patience} each",
            "seen at p50",
            "of",
            "95 % interval of the share",
            "size, median",
            "time, median",
        )
        sheet.row(seen, tries, share(seen, tries), micros(median(sizes)[0]), f"{median(took)[0]:.1f} s")
        sheet.print(options)


def slack(options):
    """Timer slack delays `nanosleep`; `select` has a slack of its own, 0.1 % of the request."""
    ours = release()
    measure = [ours, "measure", "-q", "--no-save", "--json"]
    cells = document(
        *measure, "-m", "nanosleep", "-r", "5ms", "--slack=1ns,50us,1ms", "-n", 3000 if options.long else 600
    )["cells"]
    sheet = Sheet("nanosleep of 5 ms by timer slack", "slack obtained", "p50", "beyond that of 1 ns", "max")
    for cell in cells:
        sheet.row(
            micros(cell["conditions"]["obtained"]["timer_slack_ns"]),
            micros(cell["p50_ns"]),
            micros(cell["p50_ns"] - cells[0]["p50_ns"]),
            micros(cell["max_ns"]),
        )
    sheet.remark("The kernel may fire anywhere within the slack: with little else to wake for, at its end.")
    sheet.print(options)
    cells = document(
        *measure, "-m", "nanosleep,select,poll,clock-nanosleep-abs", "-r", "1s", "-n", 30 if options.long else 5
    )["cells"]
    sheet = Sheet("Sleeps of 1 s", "method", "p50", "share of 1 s")
    for cell in cells:
        sheet.row(cell["method"], micros(cell["p50_ns"]), f"{cell['p50_ns'] / 1e7:.4f} %")
    sheet.remark("select and poll allow 0.1 % of the request (fs/select.c, select_estimate_accuracy); nanosleep 50 µs.")
    sheet.print(options)


TRACED = {
    "1 ms, idle": [],
    "1 ms, marks only": ["--marks-only"],
    "1 ms, 2 busy threads": ["--load", "2"],
    "1 ms, slack 1 ns": ["--slack", "1ns"],
    "1 ms, fifo 50": ["-p", "fifo:50"],
    "1 ms, absolute": ["-m", "clock-nanosleep-abs"],
    "1 ms, own switches": ["--tier", "switches"],
    "1 ms, counters": ["--tier", "counters"],
}


def trace(options):
    """Whether traced sleeps are complete, with little unexplained time and little disturbance."""
    ours, repeats = release(), 4000 if options.long else 1500
    sheet = Sheet(
        "Traced sleeps, processor 0",
        "sleep",
        "tier",
        "complete",
        "unexplained",
        "oversleep p50",
        "shift at p50 (95 %)",
        "sums exact",
    )
    for name, words in TRACED.items():
        try:
            found = document(ours, "trace", "--json", "--every", "--cpus", "0", "-r", "1ms", "-n", repeats, *words)
        except Failed as why:
            sheet.remark(f"{name}: {why}")
            continue
        percent = lambda part: "–" if part is None else f"{100 * part:.2f} %"
        complete = [sleep for sleep in found["sleeps"] if sleep["complete"] == "complete"]
        # Anything but all is an error in the program.
        exact = sum(
            sum(part["time_ns"] for part in sleep["parts"]) == sleep["end_ns"] - sleep["deadline_ns"]
            for sleep in complete
        )
        shift, low, high = (
            micros(found.get(key)) for key in ("trace_shift_ns", "trace_shift_low_ns", "trace_shift_high_ns")
        )
        sheet.row(
            name,
            found["tier"],
            percent(found.get("complete_share")),
            percent(found["trace"].get("unexplained_share")),
            micros(found["trace"]["oversleep"]["p50_ns"]),
            f"{shift} ({low} to {high})",
            f"{exact} of {len(complete)}",
        )
    sheet.remark("Promised where events can be had: complete ≥ 98.5 %, unexplained ≤ 3 %, shift ≤ 6 µs.")
    sheet.remark(
        "Shift: the median over pairs of blocks of 20 side by side, of the traced block's median less the untraced one's."
    )
    sheet.print(options)


MS = 10**6
# Rules that benches/tool can be a runtime with, and the mechanism that must be named, with its size in ns. A drift has
# no fixed size: it is the kernel's lateness.
RULES = {
    "rounds-up": ("rounded-up", MS),
    "truncates": ("truncated", MS),
    "clamps": ("clamped", MS),
    "clamps-nested": ("clamped-when-nested", 4 * MS),
    "coalesces": ("coalesced", 16 * MS),
    "cached-clock": ("cached-clock", MS),
    "adds": ("adds-constant", MS),
    "timer-thread-slack": ("timer-thread-slack", 50_000),
    "yields-first": ("yields-first", 300_000),
    "collects": ("garbage-collection", 20 * MS),
    "drifts": ("drift-by-rearming", None),
    "nothing": (None, 0),
}
LOADS = {"quiet": [], "loaded": ["--load", "2"]}
BEGIN = "<!-- Written by `cargo xtask bench runtimes -- write`; change the catalogue, not this table. -->\n"
END = "<!-- End of what is written. -->\n"


def runtimes(options):
    """Timers of the installed runtimes, and rules planted in a runtime made for the test."""
    parts = set(options.own)
    if unknown := parts - {"table", "write", "planted", *LOADS, *RULES}:
        raise Failed(
            f"no part is called {', '.join(unknown)}; use table, write, planted, {', '.join([*LOADS, *RULES])}"
        )
    ours = release()
    if not parts or parts & {"table", "write"}:
        table(ours, options, "write" in parts)
    if not parts or parts & {"planted", *LOADS, *RULES}:
        planted(
            ours,
            options,
            [rule for rule in RULES if rule in parts] or RULES,
            [load for load in LOADS if load in parts] or LOADS,
        )


def table(ours, options, write):
    # 300 are enough for a p99 of every request; it takes some five minutes.
    count = ["-n", "1000"] if options.long else ["-n", "300"] if write else []
    found = document(ours, "runtimes", "-q", "--no-save", "--json", *count)
    sheet = Sheet(
        "Timers of the runtimes installed here",
        "API",
        "version",
        "100 µs",
        "1 ms",
        "1.5 ms",
        "16.67 ms",
        "early at 1.5 ms",
        "share at 1.5 ms",
        "found",
    )
    for api in found["apis"]:
        cells = {cell["requested_ns"]: cell for cell in api["cells"]}
        late = [
            f"{duration(cells.get(request, {}).get('p50_ns'))} / {duration(cells.get(request, {}).get('p99_ns'))}"
            for request in (100_000, MS, 1_500_000, 16_670_000)
        ]
        between = cells.get(1_500_000, {})
        part = between.get("share")
        named = [f"{one['mechanism']} {duration(one.get('size_ns'))}" for one in api.get("mechanisms", [])]
        sheet.row(
            f"`{api['call']}`",
            api.get("runtime", ""),
            *late,
            f"{between['early']} of {between['n']}" if between else "–",
            f"{duration(part['size_ns'])} ({duration(part['low_ns'])} to {duration(part['high_ns'])})" if part else "–",
            ", ".join([*named, *(["open"] if api.get("undecided") else [])]) or "–",
        )
    sheet.remark(
        "Lateness: median / 99th percentile, where there are sleeps enough for it; share with its interval of 95 %."
    )
    sheet.remark("What their sources do to a request: `oversleep list runtimes`.")
    for missing in found.get("unavailable", []):
        sheet.remark(f"Not measured: {missing['what']}: {missing['why']}.")
    if not write:
        return sheet.print(options)
    page = ROOT / "docs/RUNTIMES.md"
    head, rest = page.read_text().split(BEGIN)
    page.write_text(f"{head}{BEGIN}\n{place()}.\n{sheet.markdown()}\n{END}{rest.split(END)[1]}")


def planted(ours, options, rules, loads):
    """Which mechanism is named, with which size, and what else is said; on the machine as it is, and beside two busy
    threads."""
    run("cargo", "build", "--quiet", "--release", "-p", "bench-tool", "--manifest-path", ROOT / "Cargo.toml")
    us, seeds = Path(ours).with_name("bench-tool"), 5
    sheet = Sheet(
        "Rules planted in a runtime that waits", "rule", "to be named", "", "right", "sizes", "otherwise said"
    )
    right = total = 0
    for rule in rules:
        for load in loads:
            note(f"runtimes: {rule} {load}")
            judged = [judge(ours, us, rule, seed, LOADS[load]) for seed in range(1, seeds + 1)]
            good = sum(ok for ok, _, _ in judged)
            right, total = right + good, total + seeds
            sheet.row(
                rule,
                RULES[rule][0] or "nothing",
                load,
                f"{good} of {seeds}",
                ", ".join(size for _, size, _ in judged if size),
                "; ".join(other for _, _, other in judged if other),
            )
    sheet.remark(f"{right} of {total}; right: named, sized within 5 % or 10 µs, and nothing else said.")
    sheet.print(options)
    if right != total:
        raise Failed(f"{total - right} of {total} were judged wrong")


def judge(ours, us, rule, seed, load):
    mechanism, size = RULES[rule]
    with scratch() as folder:
        # There is one collection per second, so many sleeps are needed for several; they are short against its length.
        more = ["-r", "100us,1ms,1.5ms,5ms", "-n", "2000"] if rule == "collects" else []
        api = document(
            ours,
            "runtimes",
            "-q",
            "--no-save",
            "--json",
            "--slack",
            "1ns",
            "--command",
            f"'{us}' planted {rule} {seed} --slips '{folder}/slips'",
            *more,
            *load,
        )["apis"][0]
        if rule == "drifts":
            size = drift((folder / "slips").read_text())
    found = api.get("mechanisms", [])
    named = [one for one in found if one["mechanism"] == mechanism]
    others = [f"{one['mechanism']} {duration(one['size_ns'])}" for one in found if one not in named]
    others += [api["undecided"]] if api.get("undecided") else []
    sized = all(abs(one["size_ns"] - size) <= max(10e3, 0.05 * size) for one in named)
    good = len(named) == (mechanism is not None) and sized and not others
    shown = duration(named[0]["size_ns"]) if named else ""
    return (
        good,
        shown,
        "" if good else ", ".join(others) or (f"another size than {duration(size)}" if named else "not named"),
    )


def drift(slips):
    """The drift per tick in ns, as the runtime itself has noted its slips: the mean over the requests."""
    requests = {}
    for request, ticks, slip in (map(int, line.split()) for line in slips.splitlines()):
        sums = requests.setdefault(request, [0, 0])
        sums[0] += ticks
        sums[1] += slip
    return sum(slip / ticks for ticks, slip in requests.values()) / len(requests)
