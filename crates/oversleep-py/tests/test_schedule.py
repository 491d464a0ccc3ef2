"""Tickers and pacers: exact schedules, exact accounts."""

import math
import threading
from datetime import timedelta
from fractions import Fraction

import oversleep
import pytest


def ceil_ns(n, period):
    return math.ceil(n * period * 1_000_000_000)


@pytest.mark.parametrize(
    ("given", "period"),
    [
        ({"period": Fraction(1001, 60_000)}, Fraction(1001, 60_000)),
        ({"period": 0.001}, Fraction(1, 1000)),
        ({"period": 1 / 60}, Fraction("0.016666666666666666")),
        ({"period": 2}, Fraction(2)),
        ({"period": timedelta(microseconds=2500)}, Fraction(1, 400)),
        ({"ns": 333_333}, Fraction(333_333, 1_000_000_000)),
        ({"rate": 60}, Fraction(1, 60)),
        ({"rate": Fraction(60_000, 1001)}, Fraction(1001, 60_000)),
        ({"rate": "60000/1001"}, Fraction(1001, 60_000)),
        ({"rate": 59.94}, Fraction(100, 5994)),
        ({"rate": "1.5k"}, Fraction(1, 1500)),
    ],
    ids=repr,
)
def test_ticks_are_where_they_belong_exactly(given, period):
    # All ticks are due already, so nothing waits and only the schedule is tested.
    start = oversleep.now_ns() - 10 * 1_000_000_000
    keywords = {"start_ns": start, "missed": "burst"}
    ticker = oversleep.Ticker(**given, **keywords)
    for n in range(5):
        assert ticker.next_deadline_ns == start + ceil_ns(n, period)
        tick = ticker.tick()
        assert (tick.index, tick.missed) == (n, 0)
        assert tick.deadline_ns == start + ceil_ns(n, period)
        assert tick.lateness.ns >= 0


def test_missed_ticks_are_handed_out_counted_or_given_up():
    ms = 1_000_000
    start = oversleep.now_ns() - 100 * ms
    skip = oversleep.Ticker(ns=ms, start_ns=start).tick()
    assert skip.index >= 100 and skip.missed == skip.index and skip.lateness.ns < 1 << 62
    assert skip.deadline_ns == start + skip.index * ms
    burst = oversleep.Ticker(ns=ms, start_ns=start, missed="burst")
    assert [burst.tick().index for _ in range(3)] == [0, 1, 2]
    delay = oversleep.Ticker(ns=ms, start_ns=start, missed="delay")
    first, second = delay.tick(), delay.tick()
    assert (first.index, second.index) == (0, 1)
    # The new schedule begins when the first tick was late, not yet when it was returned.
    assert start + 101 * ms <= second.deadline_ns <= first.deadline_ns + first.lateness.ns + ms


def test_it_iterates_and_closes():
    with oversleep.Ticker(period=0.0002) as ticker:
        assert iter(ticker) is ticker
        indices = [tick.index for tick, _ in zip(ticker, range(5))]
    assert indices == sorted(set(indices))
    assert ticker.closed
    assert list(ticker) == []
    with pytest.raises(ValueError, match="the ticker is closed"):
        ticker.tick()
    with pytest.raises(KeyError), oversleep.Ticker(period=1) as other:
        raise KeyError
    assert other.closed


EVERY_KIND = {
    "Ticker": lambda: oversleep.Ticker(period=0.0005),
    "WallTicker": lambda: oversleep.WallTicker(period=0.002),
    "LockedTicker": lambda: oversleep.LockedTicker(period=0.002),
}


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_function_is_called_for_every_tick(kind):
    seen = []
    ticker = EVERY_KIND[kind]()
    # `run` loops in Rust rather than in Python.
    assert ticker.run(seen.append, 4) == 4
    assert ticker.run(seen.append, count=0) == 0
    indices = [tick.index for tick in seen]
    assert len(indices) == 4 and indices == sorted(set(indices))
    # A second `run` continues the schedule, and ends when the ticker is closed.
    assert ticker.run(lambda tick: ticker.close() if tick.index > indices[-1] + 1 else None) >= 1
    assert ticker.closed
    assert ticker.run(seen.append, 4) == 0 and len(seen) == 4


def test_what_a_function_raises_ends_the_ticks():
    ticker = oversleep.Ticker(period=0.0002)
    calls = []

    def third(tick):
        calls.append(tick.index)
        if len(calls) == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        ticker.run(third, 100)
    assert len(calls) == 3 and not ticker.closed
    assert ticker.tick().index > calls[-1]


def test_a_function_may_use_the_ticker_it_is_called_by():
    ticker = oversleep.Ticker(period=0.0005)
    asked = []
    ticker.run(lambda tick: asked.append((ticker.next_deadline_ns, ticker.stats().sleeps)), 2)
    assert len(asked) == 2 and all(deadline > 0 for deadline, _ in asked)
    # A tick that the callback waits for is the next one of the schedule.
    inner = []
    ticker.run(lambda tick: inner.append(ticker.tick().index - tick.index), 1)
    assert inner[0] >= 1


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((None,), TypeError, "a function of one tick, not NoneType"),
        ((print, -1), ValueError, "count must be from 0"),
        ((print, 1.5), TypeError, "integer"),
        ((print, 2**70), ValueError, "count must be from 0"),
        ((), TypeError, "callback"),
    ],
    ids=repr,
)
def test_run_says_what_it_cannot_call(arguments, error, says):
    with pytest.raises(error, match=says):
        oversleep.Ticker(period=1).run(*arguments)


def test_another_thread_may_close_it():
    ticker = oversleep.Ticker(period=0.0005)
    seen = []

    def loop():
        for tick in ticker:
            seen.append(tick.index)

    thread = threading.Thread(target=loop)
    thread.start()
    while not seen:
        oversleep.sleep(0.001)
    ticker.close()
    thread.join(60)
    assert not thread.is_alive()


def test_wall_ticks_stand_on_the_wall_clocks_grid():
    ticker = oversleep.WallTicker(period=0.005)
    for tick, _ in zip(ticker, range(3)):
        assert tick.deadline_ns == tick.index * 5_000_000
        assert tick.deadline == tick.deadline_ns / 1e9
    moved = oversleep.WallTicker(ns=5_000_000, phase=0.002).tick()
    assert moved.deadline_ns % 5_000_000 == 2_000_000
    assert oversleep.WallTicker(rate=200).tick().deadline_ns % 5_000_000 == 0
    assert ticker.stats().sleeps >= 0


def test_a_locked_ticker_keeps_even_intervals():
    ticker = oversleep.LockedTicker(rate=500, time_constant=8, max_slew_ppm=100)
    ticks = [ticker.tick() for _ in range(20)]
    for one, next_one in zip(ticks, ticks[1:]):
        if next_one.index == one.index + 1 and not next_one.stepped_ns:
            assert abs(next_one.deadline_ns - one.deadline_ns - 2_000_000) <= 201
    assert isinstance(ticker.phase_error_ns, int)
    assert ticker.is_locked in (True, False)


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"period": 0}, "longer than zero"),
        ({"period": -0.5}, "longer than zero"),
        ({"period": Fraction(-1, 3)}, "longer than zero"),
        ({"period": timedelta(0)}, "longer than zero"),
        ({"period": math.nan}, "NaN"),
        ({"period": math.inf}, "292 years"),
        ({"period": -math.inf}, "longer than zero"),
        ({"period": 1e-10}, "below one nanosecond"),
        ({"period": 5e-324}, "below one nanosecond"),
        ({"period": 1e300}, "292 years"),
        ({"period": 9.3e9}, "292 years"),
        ({"period": 10**50}, "292 years"),
        ({"period": Fraction(10**25, 3)}, "292 years"),
        ({"period": Fraction(1, 10**25)}, "below one nanosecond"),
        ({"period": timedelta.max}, "292 years"),
        ({"ns": 2**63 - 1}, "292 years"),
        ({"period": Fraction(10**30, 10**30 + 1)}, "below 2⁶⁴"),
        ({"ns": 0}, "longer than zero"),
        ({"ns": -5}, "longer than zero"),
        ({"rate": 0}, "not a rate above zero"),
        ({"rate": -60}, "not a rate above zero"),
        ({"rate": math.nan}, "not a rate above zero"),
        ({"rate": math.inf}, "not a rate above zero"),
        ({"rate": 1e16}, "not between"),
        ({"rate": 10**300}, "between"),
        ({"rate": 2_000_000_000}, "below one nanosecond"),
        ({"rate": "fast"}, "is not a rate"),
        ({"period": 1, "missed": "later"}, "not 'later'"),
        ({"period": 1, "start": math.nan}, "NaN"),
    ],
    ids=repr,
)
def test_what_cannot_be_kept_is_refused(keywords, says):
    with pytest.raises(ValueError, match=says) as error:
        oversleep.Ticker(**keywords)
    assert "\n" not in str(error.value) and len(str(error.value)) < 120


def test_wrong_types_and_more():
    for wrong in (lambda: oversleep.Ticker(period="1s"), lambda: oversleep.Ticker(rate=[60]),
                  lambda: oversleep.Ticker(period=[1]), lambda: oversleep.Pacer(None)):
        with pytest.raises(TypeError):
            wrong()
    # 100 ticks a second or one in 100 s? The line says what to write.
    for ticker in (oversleep.Ticker, oversleep.WallTicker, oversleep.LockedTicker):
        for wrong in (lambda t: t(100), lambda t: t("60Hz"), lambda t: t(hz=60), lambda t: t(frequency=60, missed="skip"),
                      lambda t: t(period=1, ns=5)):
            with pytest.raises(TypeError, match=r"^[A-Za-z '_,]+; write rate=60 for 60 ticks a second, or period=0.01 .*10 ms$"):
                wrong(ticker)
    with pytest.raises(TypeError, match="a ticker needs a rate or a period; write rate=60"):
        oversleep.Ticker()
    with pytest.raises(TypeError, match="^WallTicker has no argument 'start', only rate, period or ns, and phase, missed"):
        oversleep.WallTicker(start=0)
    with pytest.raises(ValueError, match="'delay' would leave the clock"):
        oversleep.WallTicker(missed="delay")
    with pytest.raises(ValueError, match="from 2 to 4294967295, not 1"):
        oversleep.LockedTicker(time_constant=1)
    for ppm in (math.nan, 0, 1e6):
        with pytest.raises(ValueError, match="max_slew is from 1 to 100000"):
            oversleep.LockedTicker(max_slew_ppm=ppm)


def test_a_tickers_sleeper_is_a_copy_with_an_account_of_its_own():
    sleeper = oversleep.Sleeper(cpu_ceiling=0)
    for _ in range(3):
        sleeper.sleep(ns=1_000_000)
    ticker = oversleep.Ticker(period=0.2, start=oversleep.now() + 0.2, sleeper=sleeper)
    assert ticker.stats().sleeps == 0
    # On a very busy machine the 0.2 s may already be over; then this tick is overdue.
    ticker.tick()
    assert ticker.stats().sleeps + ticker.stats().overdue == 1
    assert sleeper.stats().sleeps + sleeper.stats().overdue == 3


YEARS = 31_557_600
LONG_PERIODS = [{"period": 200 * YEARS}, {"period": 2e9}, {"period": timedelta(days=60_000)}, {"ns": 2**63 - 2}]


@pytest.mark.parametrize("given", LONG_PERIODS, ids=repr)
def test_every_period_of_the_clocks_range_is_kept_however_it_is_told(given):
    seconds = given.get("period", Fraction(given.get("ns", 0), 10**9))
    period = Fraction(seconds.total_seconds() if isinstance(seconds, timedelta) else seconds)
    for kind in (oversleep.Ticker, oversleep.WallTicker, oversleep.LockedTicker):
        assert kind(**given).period == period
    ticker = oversleep.Ticker(period=1)
    ticker.set_period(**given)
    assert ticker.period == period


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_ticker_says_its_rate_and_takes_another(kind):
    ticker = EVERY_KIND[kind]()
    ticker.set_rate("60000/1001")
    assert (ticker.rate, ticker.period) == (Fraction(60_000, 1001), Fraction(1001, 60_000))
    assert repr(ticker) == f"<{kind}: 60000/1001 Hz>"
    ticker.set_period(timedelta(milliseconds=2))
    assert (ticker.rate, ticker.period) == (500, Fraction(1, 500))
    ticker.set_period(ns=3_000_000)
    assert repr(ticker) == f"<{kind}: 3 ms>"
    one, other = ticker.tick(), ticker.tick()
    assert other.index > one.index
    for wrong, error in (((), TypeError), ((0,), ValueError), (("1s",), TypeError)):
        with pytest.raises(error):
            ticker.set_period(*wrong)
    with pytest.raises(TypeError, match="a rate is a number per second, not a time"):
        ticker.set_rate(timedelta(seconds=1))
    assert ticker.period == Fraction(3, 1000)


def test_a_new_period_counts_from_the_latest_tick_and_a_reset_misses_nothing():
    start = oversleep.now_ns() - 10**9
    ticker = oversleep.Ticker(ns=1_000_000, start_ns=start, missed="burst")
    ticker.tick()
    ticker.set_period(ns=250_000)
    assert ticker.next_deadline_ns == start + 250_000
    before = oversleep.now_ns()
    ticker.reset()
    assert before + 250_000 <= ticker.next_deadline_ns <= oversleep.now_ns() + 250_000
    assert (ticker.tick().index, ticker.tick().index) == (1, 2)
    wall = oversleep.WallTicker(period=1, phase=0.1)
    with pytest.raises(ValueError, match="phase must be shorter than the period"):
        wall.set_period(0.1)
    assert wall.period == 1


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_closed_ticker_has_no_ticks_and_says_what_it_knows(kind):
    ticker = EVERY_KIND[kind]()
    ticker.tick()
    ticker.close()
    ticker.close()
    assert list(ticker) == [] and ticker.run(print) == ticker.run(print, 4) == 0
    for call in (ticker.tick, ticker.reset, lambda: ticker.set_rate(60), lambda: ticker.set_period(1)):
        with pytest.raises(ValueError, match="^the ticker is closed$"):
            call()
    assert ticker.closed and ticker.rate > 0 and ticker.stats().sleeps >= 0
    assert repr(ticker).endswith(", closed>")
    if kind == "Ticker":
        assert ticker.next_deadline_ns is None


def test_a_ticker_ends_with_the_clocks_range():
    ticker = oversleep.Ticker(ns=2**63 - 2)
    assert [tick.index for tick in ticker] == [0] and ticker.closed
    assert oversleep.Ticker(ns=2**63 - 2).run(lambda _: None) == 1
    with pytest.raises(ValueError, match="the ticker is closed"):
        ticker.tick()


def test_a_phase_is_a_part_of_the_period():
    for phase in (0, 0.002, -0.002, timedelta(milliseconds=4), Fraction(-1, 250)):
        assert oversleep.WallTicker(period=0.005, phase=phase).tick().deadline_ns % 5_000_000 == phase_ns(phase) % 5_000_000
    for phase in (0.005, -0.005, 1, -9e9, 9e9):
        with pytest.raises(ValueError, match="phase must be shorter than the period"):
            oversleep.WallTicker(period=0.005, phase=phase)


def phase_ns(phase):
    return round((phase.total_seconds() if isinstance(phase, timedelta) else phase) * 10**9)


def test_a_pacers_account():
    pacer = oversleep.Pacer("1/1000", burst=1)
    assert pacer.rate == Fraction(1, 1000)
    assert pacer.burst == 1
    assert pacer.try_take()
    due = pacer.next_due_ns
    assert due > oversleep.now_ns()
    assert not pacer.try_take()
    assert pacer.take_by(1, oversleep.now() + 1) is None
    assert pacer.take_by(deadline=timedelta(0)) is None
    assert pacer.take_due(10) == 0
    assert (pacer.taken, pacer.next_due_ns) == (1, due)
    assert pacer.take(0).ns >= 0
    # With a burst of one, the time before the first unit was taken is forgone.
    assert pacer.forgone_ns >= 0
    assert repr(pacer) == "<Pacer: 0.001 per second, burst 1, 1 taken>"


def test_a_pacer_never_goes_faster_than_its_rate():
    pacer = oversleep.Pacer(10_000, burst=1)
    start = oversleep.now_ns()
    late = [pacer.until_ready() for _ in range(50)]
    assert all(one.ns >= 0 for one in late)
    assert oversleep.now_ns() - start >= 49 * 100_000
    taken = pacer.take_batch(1000, 0.001)
    assert 1 <= taken <= pacer.burst
    assert pacer.taken == 50 + taken
    assert pacer.take_batch(0) == 0


def test_a_pacer_refuses_what_it_cannot_keep():
    pacer = oversleep.Pacer(1000, burst=5)
    for call in (pacer.take, pacer.try_take):
        with pytest.raises(ValueError, match="more than the burst of 5 can never go at once; take fewer"):
            call(6)
        with pytest.raises(ValueError, match="n must be from 0"):
            call(-1)
    with pytest.raises(ValueError, match="can never go at once"):
        pacer.take_by(6, 0)
    for rate in (0, -1, math.nan, math.inf, 1e16, 1e-10, "0/5", 10**60):
        with pytest.raises(ValueError):
            oversleep.Pacer(rate)
    for burst in (0, -1, 2**64):
        with pytest.raises(ValueError, match="burst"):
            oversleep.Pacer(1, burst=burst)
    with pytest.raises(ValueError, match="longer than 292 years"):
        oversleep.Pacer(1, burst=2**63)
