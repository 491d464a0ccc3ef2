"""Benchmarks by name: `cargo xtask bench NAME [--long] [--markdown] [-- what only this one understands]`. They measure
times, so they never run as part of `check`."""

import argparse
import subprocess
import sys

import adoption
import attach
import common
import peers
import serve
import speed
import stops
import timers

# Those that need the project's crates are a program of Rust.
RUST = {
    "sim": "how fast kernels are simulated",
    "bounds": "how often sleeps are later than a bound says, in ten made-up regimes of a million sleeps, or between recordings after `--`",
    "diagnose": "confusion table of the pattern witness on random simulated kernels, and its speed",
    "plants": "what is said of sleeps that something planted makes late (root, about 5 min)",
    "remedies": "what remedies are predicted to be worth, and what is measured (root, about 2 min)",
}
PYTHON = {
    "probe": (peers.probe, "our periodic schedule against cyclictest (about 4 min)"),
    "startup": (speed.startup, "start-up to the first sample, and `oversleep list`"),
    "builds": (speed.builds, "this build against another one: -- OTHER/oversleep (about 4 min)"),
    "explain": (speed.explain, "time and memory of `explain` on a million sleeps, with --long on a hundred million"),
    "analysis": (
        speed.analysis,
        "figures of ten million sleeps against DuckDB's, with --long of a hundred million: -- [FOLDER to keep them]",
    ),
    "memory": (speed.memory, "memory of an hour at 1 kHz on two threads, with --long of a day"),
    "observer": (speed.observer, "whether progress, collecting and the live view disturb the sleepers (about 2 min)"),
    "library": (peers.library, "the precise-sleep library against its peers: -- PARTS AND OPTIONS"),
    "adoption": (
        adoption.benchmark,
        "three programs before and after their sleep is replaced: spin_sleep, time.sleep, SDL_Delay (1 min, --long 4)",
    ),
    "compare": (
        timers.compare,
        "false alarms on pairs of the same, and 2 µs planted (about 2 min, with --long an hour): -- [same|planted]",
    ),
    "slack": (timers.slack, "timer slack of nanosleep, and the 0.1 % of select (about 1 min)"),
    "trace": (timers.trace, "whole chains, unexplained time and disturbance of traced sleeps"),
    "runtimes": (
        timers.runtimes,
        "timers of the runtimes installed here, and twelve rules planted in one: -- table (1 min), write (5 min), "
        "planted [quiet] [loaded] [RULE…] (20 min)",
    ),
    "serve": (serve.benchmark, "whether the exporter answers under 200 clients and kills (about 2 min)"),
    "attach": (
        attach.benchmark,
        "whether the waits that unchanged programs log are found by `attach` (root, about 1 min, with --long 12): -- [PATH OF oversleep]",
    ),
    "disturbance": (
        attach.disturbance,
        "what `attach` costs a program, by the program's own stamps (root, about 2 min): -- [PATH OF oversleep]",
    ),
    "stops": (
        stops.benchmark,
        "ten SIGSTOPs of three lengths under every tool here, from its own file: -- [TOOL…] (root, about 5 min)",
    ),
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="cargo xtask bench")
    parser.add_argument("name", nargs="?", help="which benchmark; without a name, list them")
    parser.add_argument("--long", action="store_true", help="take longer and know more")
    parser.add_argument("--markdown", action="store_true", help="print Markdown for docs/BENCHMARKS.md")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:at])
    options.own = words[at + 1 :]
    if options.name in RUST:
        cargo = ["cargo", "run", "--quiet", "--release", "--package", "bench-tool", "--", "bench", *words]
        sys.exit(subprocess.run(cargo, cwd=common.ROOT).returncode)
    if options.name is None:
        for name, about in [*((name, about) for name, (_, about) in PYTHON.items()), *RUST.items()]:
            print(f"{name:12} {about}")
    elif options.name not in PYTHON:
        sys.exit(f"no benchmark is called `{options.name}`; `cargo xtask bench` lists them")
    else:
        print(common.place(), flush=True)
        try:
            PYTHON[options.name][0](options)
        except common.Failed as why:
            sys.exit(f"{options.name}: {why}")
