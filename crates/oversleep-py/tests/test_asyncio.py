"""Tickers and pacers in asyncio: never early, counted, cancelled, with an event loop that is free meanwhile."""

import asyncio
import subprocess
import sys
import threading
from fractions import Fraction

import oversleep
import pytest

LONG = 100_000_000
KINDS = {
    "Ticker": lambda period: oversleep.Ticker(period=period, start=oversleep.now() + period),
    "WallTicker": lambda period: oversleep.WallTicker(period=period),
    "LockedTicker": lambda period: oversleep.LockedTicker(period=period),
}


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 120))


def test_ticks_come_in_order_and_never_early():
    async def frames():
        seen = []
        async with oversleep.Ticker(rate=500, missed="burst") as ticker:
            async for tick in ticker:
                now = oversleep.now_ns()
                assert now >= tick.deadline_ns + tick.lateness.ns and tick.lateness.ns >= 0
                seen.append(tick)
                if len(seen) == 20:
                    break
        return ticker, seen

    ticker, seen = run(frames())
    assert [tick.index for tick in seen] == list(range(20))
    assert [tick.deadline_ns - seen[0].deadline_ns for tick in seen] == [n * 2_000_000 for n in range(20)]
    assert ticker.closed


@pytest.mark.parametrize("kind", KINDS)
def test_the_event_loop_is_free_while_a_tick_is_awaited(kind):
    async def both():
        others = 0
        waiting = asyncio.ensure_future(anext(aiter(KINDS[kind](0.05))))
        while not waiting.done():
            await asyncio.sleep(0)
            others += 1
        return others, await waiting

    others, tick = run(both())
    assert others > 1 and tick.lateness.ns >= 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_that_waits_can_be_cancelled(kind):
    async def cancelled():
        ticker = KINDS[kind](LONG)
        ticks = aiter(ticker)
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(ticks), 0.01)
        assert not ticker.closed
        ticker.close()
        with pytest.raises(StopAsyncIteration):
            await anext(ticks)

    run(cancelled())


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_ends_although_a_tick_is_years_away(kind):
    code = f"""
import asyncio, oversleep
async def main():
    ticker = oversleep.{kind}(period={LONG})
    if isinstance(ticker, oversleep.Ticker):
        await anext(aiter(ticker))
    try:
        async with asyncio.timeout(0.05):
            async for tick in ticker:
                print("early")
    except TimeoutError:
        print("ended")
asyncio.run(main())
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("ended\n", "", 0)


def test_no_tick_is_lost_to_a_cancelled_task():
    async def ticking():
        ticks = aiter(oversleep.Ticker(period=0.003, missed="burst"))
        indices, cancelled = [], 0
        while len(indices) < 10:
            try:
                indices.append((await asyncio.wait_for(anext(ticks), 0.001)).index)
            except TimeoutError:
                cancelled += 1
        return indices, cancelled

    indices, cancelled = run(ticking())
    assert indices == list(range(10)) and cancelled > 0


def test_each_of_several_waits_gets_a_tick_of_its_own():
    async def gathered():
        ticks = aiter(oversleep.Ticker(period=0.002, missed="burst"))
        # The second is cancelled while it waits for its turn.
        tasks = [asyncio.ensure_future(anext(ticks)) for _ in range(5)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    first, cancelled, *others = run(gathered())
    assert isinstance(cancelled, asyncio.CancelledError)
    assert [tick.index for tick in (first, *others)] == [0, 1, 2, 3]


def test_at_the_end_of_the_clocks_range_the_iteration_ends():
    async def ticking():
        return [tick.index async for tick in oversleep.Ticker(ns=2**63 - 2)]

    assert run(ticking()) == [0]


def test_closing_ends_the_iteration_from_anywhere():
    async def closed_by(close):
        ticker = KINDS["Ticker"](LONG)
        asyncio.get_running_loop().call_later(0.01, close, ticker)
        return [tick async for tick in ticker]

    assert run(closed_by(lambda ticker: ticker.close())) == []
    assert run(closed_by(lambda ticker: threading.Thread(target=ticker.close).start())) == []

    async def left():
        async with oversleep.Ticker(period=LONG) as ticker:
            raise KeyError
        return ticker

    with pytest.raises(KeyError):
        run(left())


def test_what_a_wait_raises_is_raised_and_the_next_wait_begins_anew():
    def in_use(ticker):
        try:
            ticker.stats()
        except RuntimeError:
            return True
        return False

    async def two_tasks():
        ticker = KINDS["Ticker"](LONG)
        first, other = asyncio.ensure_future(anext(aiter(ticker))), aiter(ticker)
        while not in_use(ticker):
            await asyncio.sleep(0.001)
        for _ in range(2):
            with pytest.raises(RuntimeError, match="in use by another call"):
                await anext(other)
        first.cancel()
        while in_use(ticker):
            await asyncio.sleep(0.001)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(other), 0.01)

    run(two_tasks())


def test_a_pacer_keeps_its_rate_among_tasks():
    pacer = oversleep.Pacer(10_000, burst=1)
    start = oversleep.now_ns()

    async def work():
        return [await pacer.take_async() for _ in range(25)]

    async def everybody():
        return await asyncio.gather(*(work() for _ in range(4)))

    late = [lateness for each in run(everybody()) for lateness in each]
    assert len(late) == pacer.taken == 100 and all(lateness.ns >= 0 for lateness in late)
    assert oversleep.now_ns() - start >= 99 * 100_000


def test_an_awaited_pacer_takes_nothing_before_it_is_awaited_and_lets_others_run():
    pacer = oversleep.Pacer(1e9, burst=1000)
    pacer.take_async(5).close()
    assert pacer.taken == 0
    with pytest.raises(ValueError, match="can never go at once"):
        run(pacer.take_async(1001))

    async def greedy():
        ran = []

        async def other():
            ran.append(True)

        task = asyncio.ensure_future(other())
        await pacer.take_async(0)
        return ran, await task

    assert run(greedy())[0] == [True]
    empty = oversleep.Pacer("1/3600", burst=1)
    assert empty.reserve() <= oversleep.now_ns()
    due = empty.next_due_ns
    assert empty.reserve() == due and empty.taken == 2

    async def cancelled():
        await asyncio.wait_for(empty.take_async(), 0.01)

    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())
    assert empty.taken == 3


def test_a_tick_that_came_while_its_task_was_cancelled_is_for_the_next():
    async def ticking():
        ticks = aiter(oversleep.Ticker(period=0.001, missed="burst"))
        task = asyncio.ensure_future(anext(ticks))
        await asyncio.sleep(0)
        # When the tick is there, and before the task has gone on.
        ticks._waiting.add_done_callback(lambda _: task.cancel())
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await anext(ticks)).index

    assert run(ticking()) == 0
