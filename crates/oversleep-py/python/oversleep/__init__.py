"""Sleep on time, and learn why other sleeps are late.

Times go in as seconds (any number, to the nearest nanosecond; whole ones exactly), as a ``datetime.timedelta`` or that of
pandas or numpy (exactly) or, with ``ns=``, as whole nanoseconds. They come out as whole nanoseconds in names ending in
``_ns``, and as float seconds beside them.

``ValueError``: a time that is NaN, negative where it cannot be, or beyond 292 years; a number out of its range, however
large; an unknown word; an argument that nothing would come of. ``TypeError``: a time told twice or not at all; anything
of the wrong type. Nothing is rounded into range, or passed over, in silence.

Every wait releases the GIL. Lateness is what the wait itself ended with: where other Python threads hold the GIL, the
calling code goes on later than that, by up to their ``sys.getswitchinterval()``.

Ctrl-C (and any signal handler that raises) ends a wait in the main thread within 100 ms. What a call had taken by then
stays taken: a pacer's units, a sleeper's memory. A handler that returns leaves the wait as it was.
"""

from ._diagnosis import CellDiagnosis, Diagnosis, Finding, Remedy, Undecided
from ._lab import explain, measure, simulate
from ._native import (
    Calibration,
    CounterClock,
    Lateness,
    Limit,
    LockedTicker,
    Pacer,
    Picture,
    Recording,
    Sleeper,
    SleepStats,
    Tick,
    Ticker,
    WallTicker,
    __version__,
    experiments,
    load,
    methods,
    now,
    now_ns,
    presets,
    sleep,
    sleep_until,
)

__all__ = [
    "Calibration",
    "CellDiagnosis",
    "CounterClock",
    "Diagnosis",
    "Finding",
    "Lateness",
    "Limit",
    "LockedTicker",
    "Pacer",
    "Picture",
    "Recording",
    "Remedy",
    "Sleeper",
    "SleepStats",
    "Tick",
    "Ticker",
    "Undecided",
    "WallTicker",
    "experiments",
    "explain",
    "load",
    "measure",
    "methods",
    "now",
    "now_ns",
    "presets",
    "simulate",
    "sleep",
    "sleep_until",
]
