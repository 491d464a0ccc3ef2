"""Sleep on time, and learn why other sleeps are late.

What each name takes, gives and refuses is in ``__init__.pyi`` beside this file; ``help(oversleep.Sleeper)`` and the
package's README tell the rest.
"""

from ._native import (
    Achieved,
    Calibration,
    CounterClock,
    Lateness,
    LockedTicker,
    Pacer,
    Sleeper,
    Tick,
    Ticker,
    WallTicker,
    now,
    now_ns,
    sleep,
    sleep_until,
)

__all__ = [
    "Achieved",
    "Calibration",
    "CounterClock",
    "Lateness",
    "LockedTicker",
    "Pacer",
    "Sleeper",
    "Tick",
    "Ticker",
    "WallTicker",
    "now",
    "now_ns",
    "sleep",
    "sleep_until",
]
