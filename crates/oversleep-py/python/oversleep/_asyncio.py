"""Tickers and pacers in asyncio. Imported at the first use of either there."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

from . import _native
from ._native import Lateness, LockedTicker, Pacer, Tick, Ticker, WallTicker

_T = TypeVar("_T")


class Ticks:
    """The ticks of a ticker, for ``async for``. A thread of its own waits for each, so that the event loop is idle meanwhile.

    Tasks that wait at once are served in order, each with a tick of its own. If a task is cancelled while it waits, the thread
    goes on within 100 ms and no tick is lost: the next wait is for the same one. The thread ends with the ticker, or when this
    object is collected.
    """

    def __init__(self, ticker: Ticker | WallTicker | LockedTicker) -> None:
        self._ticker = ticker
        self._thread: ThreadPoolExecutor | None = None
        self._cancel = _native.Cancel()
        self._waiting: asyncio.Future[Tick | None] | None = None
        self._turn = asyncio.Lock()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Tick:
        async with self._turn:
            return await self._next()

    async def _next(self) -> Tick:
        while not self._ticker.closed:
            waiting = self._waiting or self._begin()
            try:
                # Shielded: the thread cannot be cancelled as a task is, and its tick is for whoever waits next, also one that
                # it has brought while the task was being cancelled.
                tick = await asyncio.shield(waiting)
            except asyncio.CancelledError:
                self._cancel.cancel()
                if waiting.cancelled():
                    self._waiting = None
                raise
            except BaseException:
                self._waiting = None
                raise
            self._waiting = None
            # None: closed, or a wait that was cancelled with the task that began it.
            if tick is not None:
                return tick._now()
        if self._thread:
            self._thread.shutdown(wait=False)
        raise StopAsyncIteration

    def _begin(self) -> asyncio.Future[Tick | None]:
        """Let the thread wait for the next tick."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "oversleep")
        self._cancel = _native.Cancel()
        self._waiting = asyncio.get_running_loop().run_in_executor(self._thread, self._ticker._tick, self._cancel)
        return self._waiting


async def returned(value: _T) -> _T:
    """Return a value from a coroutine: what ``async with`` awaits."""
    return value


async def take(pacer: Pacer, n: int) -> Lateness:
    """Take a place in the pacer's schedule, and sleep until it is due."""
    due = pacer.reserve(n)
    # Once at least, so that a task that always finds its units due does not keep others from running.
    await asyncio.sleep(0)
    while (rest := due - _native.now_ns()) > 0:
        # The event loop's timer may end a little early, and ends up to a millisecond late.
        await asyncio.sleep(rest / 1e9)
    return _native.sleep_until(ns=due)
