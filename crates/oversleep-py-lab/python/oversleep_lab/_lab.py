"""Measure, simulate, explain."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, Protocol, SupportsFloat, TypeAlias, TypeVar

from . import _native
from ._diagnosis import Answer, Diagnosis, diagnosis
from ._native import Recording

_Time: TypeAlias = SupportsFloat | timedelta | str
_T = TypeVar("_T")
_OneOrMore: TypeAlias = _T | list[_T] | tuple[_T, ...]

Experiment: TypeAlias = Literal["check-up", "wall-second", "sweep", "load", "periodic"]
"""The experiments."""


class ArrowStream(Protocol):
    """Whatever hands over an Arrow stream: a pyarrow table, a polars or pandas frame, a DuckDB result, a recording."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def measure(
    method: _OneOrMore[str] | None = None,
    request: _OneOrMore[_Time] | None = None,
    *,
    experiment: Experiment | None = None,
    repeats: int | None = None,
    period: _Time | None = None,
    policy: _OneOrMore[str] | None = None,
    nice: int | None = None,
    affinity: int | Sequence[int] | None = None,
    one_cpu_each: bool = False,
    slack: _OneOrMore[_Time] | None = None,
    mlock: bool = False,
    latency_hold: _Time | None = None,
    timer_resolution: _OneOrMore[_Time] | None = None,
    priority_class: Literal["idle", "below-normal", "normal", "above-normal", "high", "realtime"] | None = None,
    multimedia_task: str | None = None,
    qos: Literal["user-interactive", "user-initiated", "default", "utility", "background"] | None = None,
    no_throttling: bool = False,
    load: int | Sequence[int] | None = None,
    load_kind: Literal["spin", "memory", "syscalls", "timers"] | None = None,
    threads: int = 1,
    phase: str | None = None,
    seed: int = 1,
    time_limit: _Time | None = None,
    progress: Callable[[dict[str, int]], object] | None = None,
) -> Recording:
    """Measure how late this machine's sleeps are: methods × requests × conditions, interleaved, 1000 of each.

    Times are seconds, a timedelta or a text (``"250us"``); a request may be a range (``"200us..60ms"``), from which each
    sleep draws its own. ``method``: names as in ``methods()``, or ``"all"`` (nanosleep unless given). ``policy``:
    ``other``, ``batch``, ``idle``, ``fifo:80``, ``rr:10``, ``deadline:100us/1ms``. Policies, slacks, timer
    resolutions and loads (busy threads) given as lists are crossed. What the system refuses is noted in the recording, which then says what was
    obtained. ``load_kind``: what busy threads do (spin unless given). ``experiment``: a classic one, or ``check-up``
    (every method, 300 times 1 ms); what it has no use for is refused, and of policy, slack and load it takes one.
    ``timer_resolution``, ``priority_class``, ``multimedia_task`` and ``no_throttling`` are for Windows, the last also for
    macOS, ``qos`` for macOS alone.
    ``period`` asks for ``periodic``, named or not.

    ``progress`` is called between turns, ten times a second at most, and once a second within a long one, with
    turns_done, turns_planned, samples, elapsed_ns and remaining_ns. Ctrl-C ends the run within a second; the
    KeyboardInterrupt carries what was measured as its ``recording``. The GIL is released: other Python threads run, and
    disturb the measurement as any load does.

    Raises ValueError for what cannot be planned, OSError if no thread can be started.
    """
    return _native.measure(experiment, time_limit, progress, _told(locals()))


def simulate(
    kernel: str | os.PathLike[str],
    method: _OneOrMore[str] | None = None,
    request: _OneOrMore[_Time] | None = None,
    *,
    set: Mapping[str, object] | None = None,
    at: _OneOrMore[str] | None = None,
    experiment: Experiment | None = None,
    repeats: int | None = None,
    period: _Time | None = None,
    load: int | Sequence[int] | None = None,
    threads: int = 1,
    phase: str | None = None,
    seed: int = 1,
) -> Recording:
    """Measure a simulated kernel: a preset (``presets()``) or a TOML file, with parameters changed by ``set``.

    The same experiments as ``measure``; simulated time takes none. The same seed gives the same recording everywhere.
    ``at`` changes the clock's frequency in mid-run: ``"300s ntp_ppm=-10"``. Ctrl-C ends a long simulation within a
    second, and nothing of it is kept.
    """
    if not isinstance(set, Mapping | None):
        raise TypeError(f"set takes a dict of parameters, as in {{'hz': 1000}}, not {type(set).__name__}")
    changed = dict(set) if set is not None else None
    return _native.simulate(os.fspath(kernel), experiment, changed, at, _told(locals()))


def explain(source: Recording | str | os.PathLike[str] | ArrowStream) -> Diagnosis:
    """Say why sleeps were late: causes with size, interval, evidence and remedy, and what the samples leave open.

    ``source``: a recording; the path of one, or of a CSV table; or anything that hands over an Arrow stream with the
    columns requested_ns, start_ns and end_ns (whole nanoseconds), and perhaps method, thread, cpu and load.

    Some millions of samples take seconds. Ctrl-C ends the wait for them; what was begun ends by itself, in a thread of
    its own.
    """
    return diagnosis(*_native.explain(source))


def explain_figures(
    figures: Mapping[str, _OneOrMore[str]] | str | os.PathLike[str],
    *,
    asked: str | None = None,
    system: str | None = None,
    method: str | None = None,
    conditions: _OneOrMore[str] = (),
    after: Mapping[str, _OneOrMore[str]] | str | os.PathLike[str] | None = None,
    changed: _OneOrMore[str] = (),
) -> Answer:
    """Say what explains figures of sleeps that nobody recorded: ``explain_figures({"1ms": "15.6ms"}, system="windows", method="Sleep")``.

    ``figures``: how long each request took, as ``oversleep explain --took`` reads it (``"15.6ms,15.5ms"``, ``"15ms..31ms"``,
    ``"mean=15.6ms,n=1000"``, ``"64/s"``), several in a list; or the path of a table without starts, with columns such as
    requested_ms and took_ms, or of durations alone, which all asked for ``asked``. ``system``, ``method``, ``conditions``: as
    ``--system``, ``-m`` and ``--condition`` there.

    ``after``: the same figures after a change, which ``changed`` states as conditions (``"slack=1ns"``): what the change
    removed is named. An empty ``changed`` stands for one that is not known.

    Raises ValueError for what cannot be true or read, OSError for a table that cannot be opened.
    """
    then = None if after is None else (_stated(after, asked), _words(changed))
    if after is None and _words(changed):
        raise ValueError("changed is about the figures of after, which are missing")
    source, text = _native.explain_figures(_stated(figures, asked), system, method, _words(conditions), then)
    document = json.loads(source)
    return Answer(document["verdict"], document["decided"], document, text)


def _words(given: _OneOrMore[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _stated(
    figures: Mapping[str, _OneOrMore[str]] | str | os.PathLike[str], asked: str | None
) -> list[tuple[str, str]] | tuple[str, str | None]:
    if isinstance(figures, Mapping):
        if asked is not None:
            raise ValueError("asked is what all rows of a table asked for; a dict of figures says it itself")
        return [(request, took) for request, each in figures.items() for took in _words(each)]
    return os.fspath(figures), asked


_UNPLANNED = {"experiment", "time_limit", "progress", "kernel", "set", "at"}


def _told(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the plan is made of; sequences of any kind become lists."""
    told = {name: value for name, value in given.items() if name not in _UNPLANNED and value is not None}
    for name in ("affinity", "load"):
        if isinstance(told.get(name), Sequence) and not isinstance(told[name], str | bytes):
            told[name] = list(told[name])
    return told
