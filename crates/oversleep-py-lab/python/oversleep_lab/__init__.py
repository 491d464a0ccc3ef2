"""Why sleeps are late, here or on a simulated kernel: measure, explain, simulate, and read other programs' recordings.

All of it is also in ``oversleep`` itself, once this package is installed: ``oversleep.measure``.

A time is given in seconds, as a ``timedelta``, or as a text with a unit (``"250us"``). Times in names that end in ``_ns``
are whole nanoseconds.

``ValueError``: a time that is NaN, negative, or beyond 292 years; a number out of its range, however large; an unknown
word; an argument that would have no effect. ``TypeError``: an argument of the wrong type. Nothing is moved into range or
ignored.

``measure`` releases the GIL and ends within a second after Ctrl-C; its KeyboardInterrupt carries what was measured as
``recording``. ``simulate``, ``explain`` and ``load`` end as soon, with no result.
"""

from ._diagnosis import Answer, CellDiagnosis, Diagnosis, Finding, Remedy, Undecided
from ._lab import ArrowStream, Experiment, explain, explain_figures, measure, simulate
from ._native import Picture, Recording, __version__, experiments, load, methods, presets

__all__ = [
    "Answer",
    "ArrowStream",
    "CellDiagnosis",
    "Diagnosis",
    "Experiment",
    "Finding",
    "Picture",
    "Recording",
    "Remedy",
    "Undecided",
    "experiments",
    "explain",
    "explain_figures",
    "load",
    "measure",
    "methods",
    "presets",
    "simulate",
]
