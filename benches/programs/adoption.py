"""What a new user gets who replaces the sleep of a program: `adoption`."""

import difflib
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from common import ROOT, Failed, micros, note

SOURCES = ROOT / "benches/programs/data/adoption"
LIBRARY = ROOT / "benches/library"
RUNS = 6

# Each program: its source, how many sleeps a second it makes, and the lines that its user replaces.
PROGRAMS = {
    "spin_sleep in a Rust game": (
        "frames.rs",
        60,
        {
            "        spin_sleep::sleep(deadline.saturating_duration_since(Instant::now()));": "        oversleep::sleep_until(deadline);"
        },
    ),
    "time.sleep in a robot's loop": (
        "robot.py",
        200,
        {
            "import time": "import time\n\nimport oversleep",
            "        time.sleep(max(0.0, deadline - time.monotonic()))": "        oversleep.sleep(max(0.0, deadline - time.monotonic()))",
        },
    ),
    "SDL_Delay in a C game": (
        "game.c",
        60,
        {
            "void SDL_Delay(uint32_t ms); /* the distribution's run-time library comes without headers */": "#include <oversleep.h>",
            "        if (rest > 0) SDL_Delay((uint32_t)((rest + 999999) / 1000000));": "        (void)oversleep_sleep(rest, NULL);",
        },
    ),
}


def run(*words, **options):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, **options)
    if done.returncode:
        raise Failed(f"{words[0]} failed: {done.stderr.strip()}")
    return done.stdout


def replaced(name):
    """The source before and after, and how many lines were added and removed."""
    file, _, lines = PROGRAMS[name]
    before = (SOURCES / file).read_text()
    after = before
    for old, new in lines.items():
        if after.count(old + "\n") != 1:
            raise Failed(f"{file} has no line `{old}`")
        after = after.replace(old + "\n", new + "\n")
    changes = [line[0] for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    return before, after, f"+{changes.count('+')} −{changes.count('-')} of {len(before.splitlines())}"


def rust(folder, source, which):
    """Builds a program with the dependency that its source names; the lock file is the library benchmark's."""
    place = folder / which
    (place / "src").mkdir(parents=True)
    (place / "src/main.rs").write_text(source)
    needs = {"before": 'spin_sleep = "1.3.3"', "after": f'oversleep = {{ path = "{ROOT}/crates/oversleep" }}'}[which]
    manifest = f'[package]\nname = "frames-{which}"\nedition = "2024"\n[workspace]\n[dependencies]\n{needs}\n'
    (place / "Cargo.toml").write_text(manifest)
    run("cargo", "build", "--quiet", "--release", "--target-dir", LIBRARY / "target", cwd=place)
    return [LIBRARY / f"target/release/frames-{which}"]


def c(folder, source, which):
    """Builds a program with SDL 2's run-time library, or with the C library of this repository."""
    path = folder / f"{which}.c"
    path.write_text(source)
    if which == "before":
        links = ["-l:libSDL2-2.0.so.0"]
    else:
        run("cargo", "build", "--quiet", "--release", "--package", "oversleep-capi", cwd=ROOT)
        release = ROOT / "target/release"
        links = [f"-I{ROOT}/crates/oversleep-capi/include", release / "liboversleep_capi.a", "-lpthread", "-ldl", "-lm"]
    run("cc", "-O2", "-o", folder / f"game-{which}", path, *links)
    return [folder / f"game-{which}"]


def python(folder, source, which):
    """Writes a program; the package is the one that is installed, or that PYTHONPATH names."""
    path = folder / f"{which}.py"
    path.write_text(source)
    if which == "after":
        run(sys.executable, "-c", "import oversleep")
    return [sys.executable, path]


def sleeps(command, count):
    """The latenesses of a run, and its processor time, in ns. User and system time of the child are exact on Linux."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    late = [int(line) for line in run(*command, count).split()]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return late, 1e9 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def benchmark(options):
    seconds = 8 if options.long else 2
    builders = {".rs": rust, ".py": python, ".c": c}
    print("| program | lines | lateness before: p50, p99 | after | processor time, %: before | after |")
    print("| --- | --- | --- | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="oversleep-adoption-") as folder:
        ready = {}
        for name, (file, rate, _) in PROGRAMS.items():
            before, after, lines = replaced(name)
            build = builders[Path(file).suffix]
            try:
                sides = [build(Path(folder), before, "before"), build(Path(folder), after, "after")]
            except Failed as why:
                note(f"{name} was left out: {why}")
                continue
            ready[name] = (sides, rate, lines, ([], []), [0.0, 0.0])
        for turn in range(RUNS):
            for sides, rate, _, late, spent in ready.values():
                for side in (0, 1) if turn % 2 == 0 else (1, 0):
                    these, cost = sleeps(sides[side], seconds * rate)
                    late[side].extend(these)
                    spent[side] += cost
        for name, (_, rate, lines, late, spent) in ready.items():
            shown = [f"{micros(quantile(side, 0.5))}, {micros(quantile(side, 0.99))}" for side in late]
            used = [f"{100 * cost / (1e9 * len(side) / rate):.1f}" for cost, side in zip(spent, late)]
            print(f"| {name} | {lines} | {' | '.join(shown)} | {' | '.join(used)} |")
    if not ready:
        raise Failed("nothing could be built")
