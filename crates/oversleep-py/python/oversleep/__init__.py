"""Sleep on time: a sleeper that learns how early it must wake, tickers without drift, a pacer with an exact rate.

A time is given in seconds (any number, to the nearest nanosecond; whole ones exactly), as a ``datetime.timedelta`` or that
of pandas or numpy (exactly) or, with ``ns=``, as whole nanoseconds. Results are whole nanoseconds in names that end in
``_ns``, and float seconds in the others.

A deadline that has passed returns at once and says by how much; so does a negative duration, which is one: ``sleep(due -
now())`` needs no test.

``ValueError``: a time that is NaN or beyond 292 years, an option that is negative where it cannot be; a number out of its range, however
large; an unknown word; an argument that would have no effect. ``TypeError``: a time given twice or not at all; an argument
of the wrong type. Nothing is moved into range or ignored.

Every wait releases the GIL, and takes it again before its deadline (50 µs before, at most). Lateness is read with the GIL
held, just before the call returns: it contains the time for which another thread kept the GIL.

Ctrl-C (and any signal handler that raises) ends a wait in the main thread within 100 ms. What a call had taken by then
stays taken: a pacer's units, a sleeper's memory. A handler that returns leaves the wait as it was.

Why sleeps are late is answered by ``measure``, ``explain`` and ``simulate``, which are here as soon as the laboratory is
installed: ``pip install 'oversleep[lab]'``. See ``oversleep_lab``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._native import (
    Calibration,
    Control,
    CounterClock,
    Lateness,
    Limit,
    LockedTicker,
    Pacer,
    Sleeper,
    SleepStats,
    Tick,
    Ticker,
    WallTicker,
    __version__,
    control,
    kernel_sleep,
    kernel_sleep_until,
    now,
    now_ns,
    sleep,
    sleep_until,
)

if TYPE_CHECKING:
    from oversleep_lab import (
        ArrowStream as ArrowStream,
        CellDiagnosis as CellDiagnosis,
        Diagnosis as Diagnosis,
        Experiment as Experiment,
        Finding as Finding,
        Picture as Picture,
        Recording as Recording,
        Remedy as Remedy,
        Undecided as Undecided,
        experiments as experiments,
        explain as explain,
        load as load,
        measure as measure,
        methods as methods,
        presets as presets,
        simulate as simulate,
    )

__all__ = [
    "Calibration",
    "Control",
    "CounterClock",
    "Lateness",
    "Limit",
    "LockedTicker",
    "Pacer",
    "Sleeper",
    "SleepStats",
    "Tick",
    "Ticker",
    "WallTicker",
    "control",
    "kernel_sleep",
    "kernel_sleep_until",
    "now",
    "now_ns",
    "sleep",
    "sleep_until",
]

_IN_THE_LABORATORY = frozenset(
    "ArrowStream CellDiagnosis Diagnosis Experiment Finding Picture Recording Remedy Undecided "
    "experiments explain load measure methods presets simulate".split()
)


def __getattr__(name: str) -> object:
    """Return what the laboratory adds. It is imported at the first use, which takes longer than the rest of the package."""
    if name not in _IN_THE_LABORATORY:
        raise AttributeError(f"module 'oversleep' has no attribute '{name}'")
    try:
        import oversleep_lab
    except ModuleNotFoundError as error:
        if error.name != "oversleep_lab":
            raise
        # An ImportError: of an AttributeError, `from oversleep import measure` would not show the text.
        why = f"oversleep.{name} is in the laboratory: pip install 'oversleep[lab]'"
        raise ImportError(why, name="oversleep_lab") from None
    return getattr(oversleep_lab, name)
