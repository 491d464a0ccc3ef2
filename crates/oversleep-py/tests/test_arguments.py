"""Every public function and constructor, told every kind of nonsense: an answer, TypeError or ValueError, in one line."""

from fractions import Fraction

import oversleep
import pytest
from nonsense import EVERYTHING, keywords, refused_in_one_line

def late():
    return oversleep.sleep_until(0)


def pacer():
    return oversleep.Pacer(1e9, burst=10)


def past(value):
    """No wait: what is a plausible deadline is left out."""
    plausible = isinstance(value, int | float | Fraction) and -1e10 < value < 1e10
    return None if plausible else value


CALLS = {
    "sleep_until": lambda value: oversleep.sleep_until(past(value)),
    "kernel_sleep_until": lambda value: oversleep.kernel_sleep_until(past(value)),
    "kernel_sleep_until(clock=)": lambda value: oversleep.kernel_sleep_until(0, clock=value),
    "Lateness.exceeds": lambda value: late().exceeds(value),
    "Lateness.exceeds(ns=)": lambda value: late().exceeds(ns=value),
    "Lateness ==": lambda value: late() == value,
    "Lateness <": lambda value: late() < value,
    "SleepStats.lateness_at_most_ns": lambda value: oversleep.Sleeper().stats().lateness_at_most_ns(value),
    "Sleeper.margin_ns": lambda value: oversleep.Sleeper().margin_ns(value),
    "Sleeper.margin_ns(ns=)": lambda value: oversleep.Sleeper().margin_ns(ns=value),
    "Ticker": oversleep.Ticker,
    "Ticker(period=)": lambda value: oversleep.Ticker(period=value),
    "Ticker(ns=)": lambda value: oversleep.Ticker(ns=value),
    "Ticker(rate=)": lambda value: oversleep.Ticker(rate=value),
    "Ticker.run(count=)": lambda value: closed_ticker().run(print, value),
    "Ticker.run": lambda value: closed_ticker().run(value),
    "WallTicker(rate=)": lambda value: oversleep.WallTicker(rate=value),
    "LockedTicker(ns=)": lambda value: oversleep.LockedTicker(ns=value),
    "Ticker.set_rate": lambda value: oversleep.Ticker(period=1).set_rate(value),
    "Ticker.set_period": lambda value: oversleep.Ticker(period=1).set_period(value),
    "WallTicker.set_period(ns=)": lambda value: oversleep.WallTicker().set_period(ns=value),
    "LockedTicker.set_rate": lambda value: oversleep.LockedTicker().set_rate(value),
    "Pacer": oversleep.Pacer,
    "Pacer(burst=)": lambda value: oversleep.Pacer(1e9, burst=value),
    "Pacer.take": lambda value: pacer().take(value),
    "Pacer.reserve": lambda value: pacer().reserve(value),
    "Pacer.take_async": lambda value: pacer().take_async(value).close(),
    "Pacer.try_take": lambda value: pacer().try_take(value),
    "Pacer.take_due": lambda value: pacer().take_due(value),
    "Pacer.take_batch": lambda value: pacer().take_batch(value),
    "Pacer.take_by": lambda value: pacer().take_by(value, 0),
    "Pacer.take_by(deadline=)": lambda value: pacer().take_by(11, value),
    "Pacer.take_by(ns=)": lambda value: pacer().take_by(11, ns=value),
    **keywords(
        oversleep.Sleeper, "on_time cpu_ceiling eco spin_ceiling real_time_ceiling early_window leave_slack"
    ),
    **keywords(oversleep.Ticker, "missed start start_ns sleeper", period=1),
    **keywords(oversleep.WallTicker, "period ns phase missed sleeper"),
    **keywords(oversleep.LockedTicker, "period rate time_constant max_slew_ppm sleeper"),
}


def closed_ticker():
    ticker = oversleep.Ticker(period=1)
    ticker.close()
    return ticker


@pytest.mark.parametrize("name", CALLS)
def test_nonsense_is_a_type_error_or_a_value_error(name):
    refused = [refused_in_one_line(CALLS[name], value) for value in EVERYTHING]
    # A comparison with == accepts anything.
    assert any(refused) or name == "Lateness =="


HUGE = [2**64, 2**200, -(2**200), 10**5000, -1]


@pytest.mark.parametrize("number", HUGE, ids=["2**64", "2**200", "-2**200", "10**5000", "-1"])
@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda n: closed_ticker().run(print, n), "count must be from 0 to 18446744073709551615"),
        (lambda n: oversleep.Pacer(1, burst=n), "burst must be from 1 to"),
        (lambda n: pacer().take(n), "n must be from 0 to"),
        (lambda n: pacer().take_async(n), "n must be from 0 to"),
        (lambda n: pacer().reserve(n), "n must be from 0 to"),
        (lambda n: pacer().take_due(n), "limit must be from 0 to"),
        (lambda n: oversleep.LockedTicker(time_constant=n), "time_constant must be from 2 to 4294967295"),
        (lambda n: oversleep.LockedTicker(max_slew_ppm=n), "max_slew is from 1 to 100000"),
        (lambda n: oversleep.Sleeper(on_time=n), "on_time is a share from 0.5 to 0.9999"),
        (lambda n: oversleep.Sleeper(cpu_ceiling=n), "cpu_ceiling is a share from 0 to 1"),
        # -1 alone is a duration, of one that has passed.
        (lambda n: oversleep.sleep(n if n != -1 else n * 2**64), "duration must be within 292 years"),
        (lambda n: oversleep.Sleeper().sleep(ns=n if n != -1 else n * 2**64), "duration must be within 292 years"),
        (lambda n: oversleep.Ticker(period=n), "longer than zero|292 years"),
        (lambda n: oversleep.Ticker(rate=n), "above zero|between"),
    ],
)
def test_a_number_out_of_range_is_a_value_error_that_names_the_range(call, says, number):
    with pytest.raises(ValueError, match=says) as error:
        call(number)
    assert len(str(error.value)) < 120


@pytest.mark.parametrize("word", ["early_window", "real_time_ceiling"])
def test_messages_begin_with_the_arguments_name(word):
    with pytest.raises(ValueError, match=f"^{word} cannot be negative$"):
        oversleep.Sleeper(**{word: -1})
    with pytest.raises(TypeError, match=f"^{word} is a number of seconds or a timedelta, not list$"):
        oversleep.Sleeper(**{word: []})


def test_a_timedelta64_is_a_duration():
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    delta = numpy.timedelta64
    for told, ns in [
        (delta(5, "ns"), 5), (delta(-5, "us"), -5_000), (delta(3, "ms"), 3_000_000), (delta(2, "m"), 120 * 10**9),
        (delta(1, "W"), 7 * 86_400 * 10**9), (delta(1_499, "ps"), 1), (delta(1_500, "ps"), 2), (delta(-1_500, "ps"), -2),
        (numpy.array(3, "timedelta64[25s]"), 75 * 10**9),
    ]:
        assert oversleep.Ticker(period=1, start=told).next_deadline_ns == ns, told
    ticker = oversleep.Ticker(period=delta(333, "us"), start=0, missed="burst")
    ticker.tick()
    assert ticker.next_deadline_ns == 333_000
    before = oversleep.now_ns()
    oversleep.sleep(delta(1, "ms"))
    assert oversleep.now_ns() - before >= 1_000_000
    for told, says in [
        (delta("NaT"), "cannot be NaT"), (delta("NaT", "s"), "cannot be NaT"), (delta(5), "without a unit"),
        (delta(5, "M"), "months or years"), (delta(5, "Y"), "months or years"), 
        (delta(2**62, "W"), "within 292 years"),
    ]:
        with pytest.raises(ValueError, match=f"^duration .*{says}"):
            oversleep.sleep(told)
    with pytest.raises(TypeError, match="a rate is a number per second"):
        oversleep.Ticker(rate=delta(5, "s"))
    with pytest.raises(TypeError, match="whole number of nanoseconds"):
        oversleep.sleep(ns=delta(5, "ns"))


def test_a_pandas_timedelta_keeps_its_nanoseconds():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert oversleep.Ticker(period=1, start=pandas.Timedelta(1_234_567, "ns")).next_deadline_ns == 1_234_567
