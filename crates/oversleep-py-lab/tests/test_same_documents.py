"""The same request gives the same document, byte for byte, from the command line and from Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import oversleep

BINARY = os.environ.get("OVERSLEEP_BINARY")

pytestmark = pytest.mark.skipif(
    BINARY is None, reason="OVERSLEEP_BINARY names no binary of the command line; `cargo xtask check --only python` sets it"
)

SIMULATED: list[tuple[str, dict[str, Any]]] = [
    ("linux-2.6-hrtimer", {}),
    ("linux-2.6-hrtimer", {"method": "select", "request": "1ms", "repeats": 300}),
    ("linux-2.6-hrtimer", {"method": ["nanosleep", "select"], "request": ["100us", "1ms"], "repeats": 100}),
    ("linux-2.6-hrtimer", {"request": "200us..60ms", "repeats": 400}),
    ("linux-2.6-hrtimer", {"request": "1ms", "phase": "random:1ms", "repeats": 400, "seed": 7}),
    ("linux-2.6-hrtimer", {"load": [0, 1, 2], "repeats": 50}),
    ("linux-2.6-hrtimer", {"load": 1, "repeats": 50}),
    ("linux-2.6-hrtimer", {"period": "1ms", "repeats": 300}),
    ("linux-2.6-hrtimer", {"experiment": "wall-second"}),
    ("linux-2.6-hrtimer", {"experiment": "sweep", "repeats": 3}),
    ("linux-2.6-hrtimer", {"experiment": "periodic", "period": "2ms", "repeats": 500}),
    ("linux-2.6-hrtimer", {"experiment": "load", "repeats": 5}),
    ("linux-nohighres-hz250", {"request": "1ms", "repeats": 300}),
    ("linux-nohighres-hz250", {"request": "5ms", "phase": "random:3ms", "repeats": 300}),
    ("linux-nohighres-hz250", {"experiment": "wall-second", "repeats": 60}),
    ("linux-nohighres-hz250", {"experiment": "sweep", "request": ["1ms", "3ms", "10ms"], "repeats": 20}),
    ("linux-nohighres-hz100", {"request": ["7ms", "11ms"], "repeats": 200}),
    ("linux-nohighres-hz100", {"experiment": "periodic", "period": "25ms", "repeats": 300}),
    ("linux-2.4", {"request": "1ms..30ms", "repeats": 300}),
    ("linux-2.4", {"experiment": "load", "load": [0, 2], "repeats": 5}),
    ("dragonfly-1.0", {"experiment": "wall-second", "repeats": 300}),
    ("dragonfly-1.0", {"experiment": "wall-second", "repeats": 100, "seed": 3}),
    ("dragonfly-pll", {"experiment": "wall-second", "repeats": 200}),
    ("dragonfly-frac", {"request": "10ms", "repeats": 100}),
    ("freebsd-4.9", {"experiment": "wall-second", "repeats": 100}),
    ("freebsd-7-hz1000", {"experiment": "sweep", "repeats": 3}),
    ("freebsd-8-hz5000", {"experiment": "sweep", "repeats": 3}),
    ("freebsd-8-hz5000", {"method": "nanosleep", "request": "1s", "repeats": 20}),
    ("freebsd-10", {"request": ["1ms", "10ms", "100ms"], "repeats": 40}),
    ("freebsd-10-deviation-0", {"request": "100ms", "repeats": 40}),
    ("darwin-7", {"experiment": "wall-second", "repeats": 100}),
    ("windows-98", {"method": "sleep", "experiment": "load", "repeats": 4}),
    ("windows-98", {"method": "sleep", "request": "1ms", "repeats": 100, "load": 3}),
    ("linux-2.6-hrtimer", {"threads": 3, "request": "1ms", "repeats": 100}),
    ("linux-2.6-hrtimer", {"threads": 2, "experiment": "periodic", "repeats": 200}),
]

EXPLAINED = [0, 3, 4, 7, 12, 19, 20, 25, 30, 32]

NAMES = {"request": "-r", "method": "-m", "repeats": "-n", "period": "--interval", "load_kind": "--load-kind"}


def options(keywords: dict[str, Any]) -> list[str]:
    """The keywords as the command line writes them."""
    words: list[str] = []
    for name, value in keywords.items():
        values = value if isinstance(value, list) else [value]
        words += [NAMES.get(name, f"--{name}"), ",".join(str(one) for one in values)]
    return words


def command(*words: str) -> str:
    """Standard output of the command line."""
    done = subprocess.run([str(BINARY), *words], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_forty_requests_and_more() -> None:
    assert len(SIMULATED) + len(EXPLAINED) >= 40


@pytest.mark.parametrize("number", range(len(SIMULATED)))
def test_simulating(number: int) -> None:
    kernel, keywords = SIMULATED[number]
    theirs = command("simulate", kernel, *options(keywords), "--json")
    assert oversleep.simulate(kernel, **keywords).json() == theirs.removesuffix("\n")


@pytest.mark.parametrize("number", EXPLAINED)
def test_explaining(number: int, tmp_path: Path) -> None:
    kernel, keywords = SIMULATED[number]
    file = tmp_path / "run.arrows"
    command("simulate", kernel, *options(keywords), "--out", str(file), "--json")
    found = oversleep.explain(file)
    assert found.json() == command("explain", str(file), "--json").removesuffix("\n")
    # A recording in memory is explained in the same way as one in a file.
    assert oversleep.explain(oversleep.simulate(kernel, **keywords)).json() == found.json()


def test_explaining_a_table(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    rows = [f"1000000,{start},{start + 1_057_000 + start % 7}" for start in range(0, 400_000_000, 1_100_003)]
    file.write_text("requested_ns,start_ns,end_ns\n" + "\n".join(rows) + "\n")
    assert oversleep.explain(file).json() == command("explain", str(file), "--json").removesuffix("\n")


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"experiment": "periodic", "phase": "random"}, "--phase is for"),
        ({"experiment": "wall-second", "period": "1ms"}, "--interval is for --experiment periodic"),
        ({"method": "nap"}, "no sleep method is called 'nap'"),
        ({"experiment": "wall-second", "load": [1, 2]}, "takes one --load"),
        ({"experiment": "sweep", "request": "1ms..2ms"}, "a sweep takes single requests"),
    ],
)
def test_what_one_refuses_the_other_refuses(keywords: dict[str, Any], words: str) -> None:
    done = subprocess.run(
        [str(BINARY), "simulate", "linux-2.4", *options(keywords)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert words in done.stderr
    with pytest.raises(ValueError, match=words.replace("--interval", "period").replace("--experiment periodic", "experiment=").replace("--", "")):
        oversleep.simulate("linux-2.4", **keywords)
