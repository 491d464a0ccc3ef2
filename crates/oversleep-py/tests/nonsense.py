"""Nonsense of every kind, for the tests of both packages."""

import math
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

NUMBERS = [
    0, -1, 2**31, 2**63, 2**64, 2**200, -(2**200), 10**5000, math.nan, math.inf, -math.inf, 1e300, -1e300,
    Fraction(1, 3), Fraction(10**400), Fraction(-(10**400), 3), Decimal("NaN"), Decimal("sNaN"), Decimal("1e999"),
]
OTHERS = ["abc", "", b"x", None, True, timedelta.min, timedelta.max, timedelta(microseconds=1), [], [None], {}, object()]


def of_numpy():
    try:
        import numpy
    except ImportError:
        return []
    return [
        numpy.int64(5), numpy.uint64(2**64 - 1), numpy.float64("nan"), numpy.float32(0.5), numpy.bool_(True),
        numpy.timedelta64(5, "us"), numpy.timedelta64("NaT"), numpy.timedelta64(5), numpy.timedelta64(5, "Y"),
        numpy.timedelta64(-(2**62), "W"), numpy.array([1, 2]), numpy.array(1),
    ]


def keywords(make, names, **usual):
    return {f"{make.__name__}({name}=)": lambda value, name=name: make(**{**usual, name: value}) for name in names.split()}


def refused_in_one_line(call, value):
    """Returns whether it was refused at all."""
    try:
        call(value)
    except (TypeError, ValueError, OSError) as error:
        text = str(error)
        assert text and "\n" not in text, f"{value!r:.60}: {text}"
        assert "--" not in text and "argument" not in type(error).__name__.lower()
        return True
    return False


EVERYTHING = [*NUMBERS, *OTHERS, *of_numpy()]
