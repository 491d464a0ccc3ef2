"""What a sleep promises, and what it is told."""

import math
import signal
import threading
import time
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import oversleep
import pytest


@pytest.mark.parametrize(
    "told",
    [(0.001,), (Decimal("0.001"),), (Fraction(1, 1000),), (timedelta(milliseconds=1),), {"ns": 1_000_000}],
    ids=repr,
)
def test_a_sleep_is_never_early_however_it_is_told(told):
    sleeper = oversleep.Sleeper()
    for sleep in (oversleep.sleep, oversleep.kernel_sleep, sleeper.sleep):
        before = oversleep.now_ns()
        lateness = sleep(**told) if isinstance(told, dict) else sleep(*told)
        assert oversleep.now_ns() - before >= 1_000_000
        assert lateness.ns >= 0


def test_a_deadline_is_met_or_late_and_told():
    sleeper = oversleep.Sleeper()
    for until in (oversleep.sleep_until, oversleep.kernel_sleep_until, sleeper.sleep_until):
        deadline = oversleep.now_ns() + 300_000
        lateness = until(ns=deadline)
        after = oversleep.now_ns()
        assert 0 <= lateness.ns <= after - deadline


def test_a_past_deadline_returns_at_once_and_says_by_how_much():
    assert oversleep.sleep_until(0).ns > 0 and oversleep.kernel_sleep_until(0).ns > 0
    assert oversleep.sleep_until(-1.5).ns > 1_500_000_000
    sleeper = oversleep.Sleeper()
    assert sleeper.sleep_until(ns=oversleep.now_ns() - 1000).ns >= 1000
    assert sleeper.stats().overdue == 1
    assert sleeper.stats().sleeps == 0


SINCE_1970 = 1.79e9  # time.time() in 2026


@pytest.mark.parametrize(
    "call",
    [
        oversleep.sleep_until,
        oversleep.kernel_sleep_until,
        lambda time: oversleep.kernel_sleep_until(time, clock="boot"),
        lambda time: oversleep.sleep_until(ns=int(time) * 10**9),
        lambda time: oversleep.Sleeper().sleep_until(time),
        lambda time: oversleep.Ticker(rate=60, start=time),
        lambda time: oversleep.Ticker(rate=60, start_ns=int(time) * 10**9),
        lambda time: oversleep.Pacer(1).take_by(1, time),
        lambda time: oversleep.control().worst_between(0, time),
    ],
)
def test_a_time_of_another_clock_is_no_deadline(call):
    says = r"^(deadline|start|end) is \d\d years ahead; give a time of oversleep.now\(\) or time.monotonic\(\), not of time.time\(\)$"
    with pytest.raises(ValueError, match=says):
        call(SINCE_1970)


def test_a_deadline_may_be_years_ahead():
    ten_years = oversleep.now() + 10 * 31_557_600
    assert oversleep.Ticker(rate=60, start=ten_years - 60).next_deadline_ns > 0
    assert oversleep.Pacer(1).take_by(1, ten_years - 60) is not None
    with pytest.raises(ValueError, match="10 years ahead"):
        oversleep.Ticker(rate=60, start=ten_years + 60)


@pytest.mark.parametrize("value", [-1e-3, -1, timedelta(milliseconds=-1), Fraction(-1, 1000)], ids=repr)
def test_a_negative_duration_is_a_deadline_that_has_passed(value):
    sleeper = oversleep.Sleeper()
    for sleep in (oversleep.sleep, oversleep.kernel_sleep, sleeper.sleep):
        assert sleep(value).ns >= 1_000_000
    assert (sleeper.stats().sleeps, sleeper.stats().overdue) == (0, 1)
    assert sleeper.margin_ns(value) == 0


@pytest.mark.parametrize("clock", ["monotonic", "wall", "boot", "atomic"])
def test_every_clock_that_is_there_can_be_slept_on(clock):
    ids = {"monotonic": "MONOTONIC", "wall": "REALTIME", "boot": "BOOTTIME", "atomic": "TAI"}
    number = getattr(time, f"CLOCK_{ids[clock]}", None)
    if number is None:
        pytest.skip(f"Python cannot read the {clock} clock here")
    deadline = time.clock_gettime_ns(number) + 200_000
    assert oversleep.kernel_sleep_until(ns=deadline, clock=clock).ns >= 0
    assert time.clock_gettime_ns(number) >= deadline


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (math.nan, "cannot be NaN"),
        (math.inf, "within 292 years"),
        (-math.inf, "within 292 years"),
        (1e300, "within 292 years"),
        (10**40, "within 292 years"),
        (10**400, "within 292 years"),
        (timedelta.max, "within 292 years"),
    ],
    ids=repr,
)
def test_a_duration_that_is_none_is_refused_in_one_line(value, says):
    for call in (oversleep.sleep, oversleep.kernel_sleep, oversleep.Sleeper().sleep, oversleep.Sleeper().margin_ns):
        with pytest.raises(ValueError, match=says) as error:
            call(value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: oversleep.sleep(),
        lambda: oversleep.sleep("1ms"),
        lambda: oversleep.sleep(None),
        lambda: oversleep.sleep(0.1, ns=1),
        lambda: oversleep.sleep(ns=0.5),
        lambda: oversleep.sleep(ns="1"),
        lambda: oversleep.sleep_until(),
    ],
)
def test_a_time_told_wrongly_is_a_type_error(call):
    with pytest.raises(TypeError):
        call()


def test_more_bad_words():
    with pytest.raises(ValueError, match="no clock is called 'sun'"):
        oversleep.kernel_sleep_until(0, clock="sun")
    with pytest.raises(ValueError, match="292 years"):
        oversleep.sleep(ns=2**63)


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"on_time": math.nan}, "on_time is a share from 0.5 to 0.9999, not NaN"),
        ({"on_time": 99.0}, "not 99; 99 % is 0.99"),
        ({"on_time": -1}, "on_time is a share"),
        ({"cpu_ceiling": 1.5}, "cpu_ceiling is a share from 0 to 1"),
        ({"cpu_ceiling": math.nan}, "cpu_ceiling is a share"),
        ({"eco": True, "on_time": 0.9}, "give one of them"),
        ({"spin_ceiling": -1}, "spin_ceiling cannot be negative"),
        ({"real_time_ceiling": math.nan}, "real_time_ceiling cannot be NaN"),
        ({"early_window": -0.1}, "early_window cannot be negative"),
    ],
    ids=repr,
)
def test_a_sleeper_refuses_what_it_cannot_keep(keywords, says):
    with pytest.raises(ValueError, match=says):
        oversleep.Sleeper(**keywords)


def test_a_sleeper_keeps_account():
    sleeper = oversleep.Sleeper(on_time=0.9, cpu_ceiling=1)
    assert sleeper.stats().on_time is None
    assert sleeper.stats().lateness_at_most_ns(0.5) is None
    late = [sleeper.sleep(ns=200_000) for _ in range(20)]
    stats = sleeper.stats()
    assert stats.sleeps == 20
    # What was returned is read after what is counted.
    assert stats.worst <= max(late)
    assert stats.lateness_at_most_ns(1) == stats.worst.ns
    assert 0 <= stats.on_time <= 1
    assert stats.spun_ns >= 0
    assert stats.spun_per_sleep_ns == stats.spun_ns // 20
    assert stats.wake_ups > 0
    cost = stats.processor_time_per_sleep_ns
    assert cost is None or cost >= stats.spun_per_sleep_ns
    assert stats.asked == 0.9
    assert 0 <= stats.punctual <= 1
    assert 0 <= stats.interrupted <= 20
    assert sleeper.margin_ns(ns=200_000) >= 0
    assert sleeper.take_stats() == stats
    assert sleeper.stats().sleeps == 0
    sleeper.forget()
    with pytest.raises(ValueError, match="at must be from 0 to 1, not 2"):
        stats.lateness_at_most_ns(2)


def test_a_thread_learns_with_a_sleeper_of_its_own():
    before = oversleep.now_ns()
    oversleep.sleep(ns=200_000)
    # A handler that sleeps while the thread does has another one.
    heard = []

    def handler(*_):
        heard.append(oversleep.sleep(ns=100_000).ns)

    previous = signal.signal(signal.SIGINT, handler)
    try:
        threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGINT)).start()
        assert oversleep.sleep(0.5).ns >= 0
    finally:
        signal.signal(signal.SIGINT, previous)
    assert len(heard) == 1 and heard[0] >= 0
    assert oversleep.now_ns() - before >= 500_200_000


def test_the_ceiling_in_the_way_is_named():
    # Without fine waits, no sleep is on time: kernels do not wake exactly to the nanosecond, and here never early.
    sleeper = oversleep.Sleeper(spin_ceiling=0)
    for _ in range(20):
        sleeper.sleep(ns=200_000)
    stats = sleeper.stats()
    limit = stats.limited_by
    assert limit is not None
    assert (limit.ceiling, limit.sleeps) == ("fine-wait", 20)
    assert limit.attainable < 0.99
    assert limit == stats.limits[0]
    assert str(limit).startswith("the longest fine wait allowed cut the margin of 20 sleeps")
    assert oversleep.Sleeper(eco=True).stats().asked is None


def test_an_early_window_is_the_only_way_to_be_early():
    sleeper = oversleep.Sleeper(early_window=10)
    # The window is longer than the sleep, so there is no fine wait.
    assert sleeper.sleep(0.001).ns >= -10_000_000_000
    assert sleeper.stats().spun_ns == 0


def test_lateness_is_ordered_and_reads_well():
    one, other = oversleep.sleep_until(0), oversleep.sleep_until(0)
    assert one <= other and one != "late" and hash(one) == hash(one)
    assert one.seconds == pytest.approx(one.ns / 1e9)
    assert str(one).endswith(" late") and repr(one) == f"Lateness(ns={one.ns})"
    assert one.exceeds(ns=one.ns - 1) and not one.exceeds(ns=one.ns)
    assert one.exceeds(timedelta(0))


def test_slack_is_what_it_was():
    slack = Path("/proc/self/timerslack_ns")
    if not slack.exists():
        pytest.skip("this system has no timer slack to read")
    before = slack.read_text()
    oversleep.sleep(0.001)
    oversleep.Sleeper().sleep(0.001)
    assert slack.read_text() == before


def test_the_counter_clock_reads_the_same_time():
    for clock in (oversleep.CounterClock(), oversleep.CounterClock.shared()):
        last = 0
        for _ in range(2000):
            before, here, after = oversleep.now_ns(), clock.now_ns(), oversleep.now_ns()
            # The clock may be off by the tolerance of a comparison, 10 µs, if one was disturbed between its readings.
            assert before - 10_000 <= here <= after + 10_000
            assert here >= last
            last = here
        known = clock.calibration()
        assert (known.rate_hz is not None) == clock.is_counter
        assert known.comparisons >= 0 and known.disagreements >= 0
        assert known.worst_difference_ns >= 0 and known.reading_error_ns >= 0
    assert oversleep.CounterClock.shared() is oversleep.CounterClock.shared()
    assert oversleep.now() == pytest.approx(oversleep.CounterClock.shared().now(), abs=5)


def test_a_lateness_is_compared_with_others_and_with_times():
    late, later = oversleep.sleep_until(oversleep.now() - 1), oversleep.sleep_until(oversleep.now() - 2)
    assert late < later and later >= late and late != later and late == late and len({late, later, late}) == 2
    for less, more in ((0.5, 3600), (Fraction(1, 2), Decimal(3600)), (timedelta(seconds=0.5), timedelta(hours=1)),
                       (-math.inf, math.inf), (-(10**400), 10**400), (timedelta.min, timedelta.max)):
        assert late > less and late >= less and less < late and more > late and late < more and late <= more
        assert not late < less and not late >= more
    exactly = late.ns / 10**9
    assert late <= exactly and late >= exactly and not late < exactly
    assert not late < math.nan and not late >= math.nan
    # Equal only to another lateness, so that equal ones have equal hashes.
    assert late != late.seconds and late != timedelta(seconds=1)
    with pytest.raises(TypeError, match="not supported between"):
        late < "1 ms"
