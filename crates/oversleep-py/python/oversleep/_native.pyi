"""The compiled half of the package. ``oversleep`` itself says what holds of all of it."""

from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import timedelta
from fractions import Fraction
from types import TracebackType
from typing import Any, Literal, Self, SupportsFloat, SupportsIndex, TypeAlias, final, overload

__version__: str
__all__ = [
    "Calibration",
    "Cancel",
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

_Time: TypeAlias = SupportsFloat | timedelta
_Rate: TypeAlias = SupportsFloat | str
_Missed: TypeAlias = Literal["burst", "skip", "delay"]

def now() -> float:
    """The monotonic clock, seconds. On Linux and macOS the clock of ``time.monotonic()``."""

def now_ns() -> int:
    """The monotonic clock, nanoseconds."""

@overload
def sleep(duration: _Time, *, ns: None = None) -> Lateness:
    """Sleep precisely for a duration. Never early; returns how late.

    Each thread has a ``Sleeper`` with the usual options for this: it learns how late the thread wakes, wakes earlier by that,
    and waits for the rest on the processor. For other options, or for statistics, make a ``Sleeper``.
    """

@overload
def sleep(duration: None = None, *, ns: SupportsIndex) -> Lateness: ...
@overload
def sleep_until(deadline: _Time, *, ns: None = None) -> Lateness:
    """Sleep precisely until ``now()`` is ``deadline``. One that has passed returns at once and says by how much.

    A deadline more than ten years ahead is a ``ValueError``, here as everywhere: it is a time of another clock, such as
    ``time.time()``.
    """

@overload
def sleep_until(deadline: None = None, *, ns: SupportsIndex) -> Lateness: ...
@overload
def kernel_sleep(duration: _Time, *, ns: None = None) -> Lateness:
    """Sleep for a duration in one absolute wait of the kernel, with the least timer slack it grants.

    Costs no waiting on the processor, and ends when the kernel wakes the thread: some tens of microseconds late, usually.
    """

@overload
def kernel_sleep(duration: None = None, *, ns: SupportsIndex) -> Lateness: ...
@overload
def kernel_sleep_until(
    deadline: _Time, *, ns: None = None, clock: Literal["monotonic", "wall", "boot", "atomic"] = "monotonic"
) -> Lateness:
    """Sleep in the kernel until a clock reads ``deadline``. One that has passed returns at once and says by how much.

    ``monotonic`` is ``now()``; ``wall`` counts from 1970 and may be set meanwhile (then the lateness is what it shows);
    ``boot`` counts suspended time, ``atomic`` no leap seconds (Linux; ``OSError`` elsewhere). A float of seconds since
    1970 is exact to 0.24 µs only: use ``ns=`` there.
    """

@overload
def kernel_sleep_until(
    deadline: None = None, *, ns: SupportsIndex, clock: Literal["monotonic", "wall", "boot", "atomic"] = "monotonic"
) -> Lateness: ...
@overload
def control(period: _Time | None = None, *, ns: None = None) -> Control:
    """Start a control for a test: a thread on each processor that this thread may use, which sleeps 1 ms again and again.

    ``with oversleep.control() as machine:`` around what is timed, then ``assert took <= asked + machine.worst()``: whatever stopped
    a processor meanwhile is in ``worst()``. Not in it: a wait for the GIL or another lock, and a wait in the run queue of a
    thread that computes much itself. ``period``: 0.1 ms to 1 s; a longer one is a larger tolerance at a lower cost.
    """

@overload
def control(period: None = None, *, ns: SupportsIndex) -> Control: ...
@final
class Control:
    """Threads that sleep during a test, one on each processor, and say how long the machine let none of them wake.

    Made by ``control()``. After ``close()``, or the end of the ``with`` block, it still says what it saw until then.
    """

    def worst(self) -> float:
        """The longest time, seconds, so far, from when a wake-up of a control thread was due to its next: a period at least."""

    def worst_ns(self) -> int:
        """The same in nanoseconds."""

    def worst_between(self, start: _Time, end: _Time) -> float:
        """The longest of those of which a part was between two times of ``now()``."""

    def stood_still(self) -> str:
        """Whether the machine stood still, and for how long, in a sentence for a failed assertion."""

    def close(self) -> None:
        """End the threads, within a period."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

@final
class Lateness:
    """How late a wait ended. Positive: late. Negative: early, which only an early window allows.

    Ordered among each other, and with times: ``lateness > 0.001`` (seconds), ``lateness > timedelta(milliseconds=1)``.
    Equal only to another lateness.
    """

    @property
    def ns(self) -> int:
        """The lateness in whole nanoseconds, exactly."""

    @property
    def seconds(self) -> float:
        """The same in seconds: to go on calculating with times of ``now()`` or ``time.monotonic()``."""

    @overload
    def exceeds(self, tolerance: _Time, *, ns: None = None) -> bool:
        """Whether the wait ended more than this after its deadline."""

    @overload
    def exceeds(self, tolerance: None = None, *, ns: SupportsIndex) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Lateness | _Time, /) -> bool: ...
    def __le__(self, other: Lateness | _Time, /) -> bool: ...
    def __gt__(self, other: Lateness | _Time, /) -> bool: ...
    def __ge__(self, other: Lateness | _Time, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Sleeper:
    """Sleeps on time: coarsely to a learned margin before the deadline, finely from there.

    The margin is learned from this thread's sleeps, so make one per thread; using one from two at once is a
    ``RuntimeError``.

    ``on_time``: the share of sleeps to be awake before their deadline, 0.5 to 0.9999; unless given, sleeps are on time
    as often as is worth the processor time. A given share is kept in
    the long run, whatever the machine does, unless a ceiling stands in the way: ``stats().limited_by`` names it.
    Its price is processor time: ``stats().spun_per_sleep_ns``. ``cpu_ceiling``: the most of the time slept to spend
    in fine waiting, 0 to 1 (0.02, or 0.5 with ``on_time``). ``eco``: near the deadline at next to no cost instead. ``spin_ceiling``: the longest single fine wait (0.2 ms, or 20 ms with ``on_time``). ``real_time_ceiling``: the same
    under a real-time policy (1 ms). ``early_window``: sleeps may end so long before their deadline (0).
    ``leave_slack``: leave the thread's timer slack as it is; otherwise it is 1 ns during a wait, and put back
    (``eco`` never touches it).
    """

    def __new__(
        cls,
        *,
        on_time: float | None = None,
        cpu_ceiling: float | None = None,
        eco: bool = False,
        spin_ceiling: _Time | None = None,
        real_time_ceiling: _Time | None = None,
        early_window: _Time | None = None,
        leave_slack: bool = False,
    ) -> Self: ...
    @overload
    def sleep(self, duration: _Time, *, ns: None = None) -> Lateness:
        """Sleep for a duration from now."""

    @overload
    def sleep(self, duration: None = None, *, ns: SupportsIndex) -> Lateness: ...
    @overload
    def sleep_until(self, deadline: _Time, *, ns: None = None) -> Lateness:
        """Sleep until the monotonic clock reads ``deadline``; one that is over returns at once."""

    @overload
    def sleep_until(self, deadline: None = None, *, ns: SupportsIndex) -> Lateness: ...
    def stats(self) -> SleepStats:
        """The statistics of its sleeps so far."""

    def take_stats(self) -> SleepStats:
        """The same, and begin counting anew. What was learned stays."""

    @overload
    def margin_ns(self, duration: _Time, *, ns: None = None) -> int:
        """How long before the deadline it would now wake from a sleep of this length."""

    @overload
    def margin_ns(self, duration: None = None, *, ns: SupportsIndex) -> int: ...
    def forget(self) -> None:
        """Forget everything learned. Worth calling when the thread is given another policy or processor."""

@final
class SleepStats:
    """The statistics of a sleeper."""

    @property
    def sleeps(self) -> int:
        """Sleeps whose deadline lay ahead when they were asked for."""

    @property
    def on_time(self) -> float | None:
        """The share of them that were awake before the deadline, 0 to 1; None of none."""

    @property
    def asked(self) -> float | None:
        """The share that was asked for, 0 to 1; None of an ``eco`` sleeper, which promises none."""

    @property
    def punctual(self) -> float | None:
        """The share that ended at most 1 µs after the deadline, 0 to 1; None of none."""

    @property
    def interrupted(self) -> int:
        """Sleeps awake before their deadline that ended more than 1 µs after it: something else had the processor."""

    @property
    def limits(self) -> list[Limit]:
        """The ceilings that cut the margin of any sleep, the one that made most sleeps late first."""

    @property
    def limited_by(self) -> Limit | None:
        """The ceiling that stood in the way, if the share asked for was not reached; None otherwise."""

    @property
    def spun_per_sleep_ns(self) -> int | None:
        """The mean fine wait of a sleep, by the clock: at most what being on time cost in processor time; None of none."""

    @property
    def processor_time_per_sleep_ns(self) -> int | None:
        """The mean processor time of a sleep: its wake-ups, and its fine wait by the clock; None of none, or not yet measured."""

    @property
    def wake_ups(self) -> int:
        """How many times the kernel was asked to sleep and woke the thread."""

    @property
    def overdue(self) -> int:
        """Requests whose deadline was over already. They count nowhere else."""

    @property
    def spun_share(self) -> float | None:
        """Fine waiting by the clock as a share of the time asked for; beyond 1 where busy threads interrupted it; None of none."""

    @property
    def spun_ns(self) -> int:
        """All the time waited finely."""

    @property
    def worst(self) -> Lateness:
        """The worst lateness, also of ``overdue`` requests: from the deadline that was waited for."""

    def lateness_at_most_ns(self, at: float) -> int | None:
        """A time that this share of sleeps (0 to 1) were not later than, within a factor of two above; None of none."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Limit:
    """A ceiling and the sleeps whose margin it cut."""

    @property
    def ceiling(self) -> Literal[
        "worth", "processor", "short-sleep", "fine-wait", "real-time", "policy-budget", "interruptions"
    ]:
        """Which."""

    @property
    def sleeps(self) -> int:
        """The sleeps whose margin it cut."""

    @property
    def attainable(self) -> float:
        """The share of those sleeps that were on time all the same, 0 to 1: what can be had under this ceiling."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Tick:
    """One tick."""

    @property
    def index(self) -> int:
        """Its place in the schedule, from 0. On the wall clock: periods since 1970 (and the phase)."""

    @property
    def deadline(self) -> float:
        """When it was due, seconds: on the monotonic clock; for a ``WallTicker``, since 1970."""

    @property
    def deadline_ns(self) -> int:
        """The same in nanoseconds."""

    @property
    def lateness(self) -> Lateness:
        """How late it was handed out."""

    @property
    def missed(self) -> int:
        """Ticks before it that were left out."""

    @property
    def suspended_ns(self) -> int:
        """How long the machine was suspended since the tick before, where the system tells."""

    @property
    def stepped_ns(self) -> int:
        """How far the wall clock was set since the tick before. ``WallTicker`` and ``LockedTicker`` only."""

    def _now(self) -> Tick: ...

    def __eq__(self, other: object, /) -> bool: ...

@final
class Cancel:
    """Ends one wait for a tick, within 100 ms."""

    def __new__(cls) -> Self: ...
    def cancel(self) -> None:
        """End the wait that was given this object, or will be."""

@final
class Ticker:
    """Ticks at start + n × period, exactly, the first one now; however late one is, the next is where it belongs.

    ``Ticker(rate=60)``: 60 ticks a second (also ``Fraction(60000, 1001)``, "60000/1001", 59.94).
    ``Ticker(period=0.01)``: one every 10 ms (an int, ``Fraction`` or ``timedelta`` is exact; of a float, the shortest
    decimal that stands for it). Or ``ns=``. Periods from 1 ns to 292 years, rates down to one in 31 years. Every argument
    has a name.

    ``missed`` ticks are handed out late (``burst``), left out and counted (``skip``),
    or begin the schedule anew (``delay``). ``start`` puts tick 0 elsewhere on the monotonic clock. Of ``sleeper`` the
    ticker keeps a copy, with its settings and what it has learned; the copy's account begins anew, and the original's
    counts no ticks.

    Iterate over it, call ``tick()``, or hand ``run()`` a function; ``with`` closes it. In asyncio, ``async for`` and
    ``async with``. One thread or task ticks; any thread may close. Once closed, no more ticks come: iteration and
    ``run()`` end, ``tick()``, ``reset()``, ``set_rate()`` and ``set_period()`` raise ``ValueError``, and what it knows can
    still be asked for. At the end of the clock's range, in 292 years, it closes itself.
    """

    @overload
    def __new__(
        cls,
        *,
        rate: None = None,
        period: _Time,
        ns: None = None,
        missed: _Missed = "skip",
        start: _Time | None = None,
        start_ns: SupportsIndex | None = None,
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        *,
        rate: None = None,
        period: None = None,
        ns: SupportsIndex,
        missed: _Missed = "skip",
        start: _Time | None = None,
        start_ns: SupportsIndex | None = None,
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        *,
        rate: _Rate,
        period: None = None,
        ns: None = None,
        missed: _Missed = "skip",
        start: _Time | None = None,
        start_ns: SupportsIndex | None = None,
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    def tick(self) -> Tick:
        """Wait for the next tick. ``ValueError`` once closed."""

    def run(self, callback: Callable[[Tick], object], count: int | None = None) -> int:
        """Call ``callback(tick)`` for every tick, ``count`` times or until it is closed; answer how often.

        What the callback raises ends it and is raised here, and so is ``KeyboardInterrupt``; what it returns means
        nothing. It may call ``close()`` to end it. A callback longer than a period makes the next tick late or missed.
        """

    def __iter__(self) -> Self: ...
    def __next__(self) -> Tick: ...
    def __aiter__(self) -> AsyncIterator[Tick]: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    def _tick(self, cancel: Cancel) -> Tick | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    def reset(self) -> None:
        """Restart the schedule after a pause: the next tick is due one period from now, and none before it is missed."""

    def set_rate(self, rate: _Rate) -> None:
        """Change the rate. The next tick is due one new period after the latest was; indices go on."""

    @overload
    def set_period(self, period: _Time, *, ns: None = None) -> None:
        """Change the period. See ``set_rate``."""

    @overload
    def set_period(self, period: None = None, *, ns: SupportsIndex) -> None: ...
    @property
    def rate(self) -> Fraction:
        """Ticks per second, exactly."""

    @property
    def period(self) -> Fraction:
        """Seconds between two ticks, exactly."""

    def close(self) -> None:
        """End iteration: a thread or task that waits for a tick gets no more, and goes on within 100 ms."""

    @property
    def closed(self) -> bool:
        """Whether it was closed."""

    @property
    def next_deadline_ns(self) -> int | None:
        """When the next tick is due on the monotonic clock; None when none will come."""

    def stats(self) -> SleepStats:
        """The statistics of its own copy of the sleeper."""

@final
class WallTicker:
    """Ticks when the wall clock reads a multiple of the period (a second unless given) plus ``phase``.

    ``phase``: shorter than the period; negative: so long before each multiple. Leap smear and steering are followed;
    steps and suspensions are told in the tick. See ``Ticker`` for the rest.
    """

    @overload
    def __new__(
        cls,
        *,
        rate: None = None,
        period: _Time | None = None,
        ns: None = None,
        phase: _Time | None = None,
        missed: Literal["burst", "skip"] = "skip",
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        *,
        rate: None = None,
        period: None = None,
        ns: SupportsIndex,
        phase: _Time | None = None,
        missed: Literal["burst", "skip"] = "skip",
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        *,
        rate: _Rate,
        period: None = None,
        ns: None = None,
        phase: _Time | None = None,
        missed: Literal["burst", "skip"] = "skip",
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    def tick(self) -> Tick:
        """Wait for the next tick. ``ValueError`` once closed."""

    def run(self, callback: Callable[[Tick], object], count: int | None = None) -> int:
        """Call ``callback(tick)`` for every tick. See ``Ticker.run``."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Tick: ...
    def __aiter__(self) -> AsyncIterator[Tick]: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    def _tick(self, cancel: Cancel) -> Tick | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    def reset(self) -> None:
        """Restart the schedule after a pause: the next tick is the next multiple, and none before it is missed."""

    def set_rate(self, rate: _Rate) -> None:
        """Change the rate: the next tick is due at the next multiple of the new period. That is longer than ``phase``."""

    @overload
    def set_period(self, period: _Time, *, ns: None = None) -> None:
        """Change the period. See ``set_rate``."""

    @overload
    def set_period(self, period: None = None, *, ns: SupportsIndex) -> None: ...
    @property
    def rate(self) -> Fraction:
        """Ticks per second, exactly."""

    @property
    def period(self) -> Fraction:
        """Seconds between two ticks, exactly."""

    def close(self) -> None:
        """End iteration: a thread or task that waits for a tick gets no more, and goes on within 100 ms."""

    @property
    def closed(self) -> bool:
        """Whether it was closed."""

    def stats(self) -> SleepStats:
        """The statistics of its sleeper, which sleeps the last part of each wait."""

@final
class LockedTicker:
    """Even ticks on the monotonic clock, kept to the wall clock's phase and pace by a phase-locked loop.

    ``time_constant``: of the loop, in ticks, from 2. ``max_slew_ppm``: the most by which an interval may differ
    from the period, 1 to 100 000 parts per million. Who comes late is handed the ticks in between one after the
    other. See ``Ticker`` for the rest.
    """

    @overload
    def __new__(
        cls,
        *,
        rate: None = None,
        period: _Time | None = None,
        ns: None = None,
        time_constant: int = 16,
        max_slew_ppm: float = 500.0,
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        *,
        rate: None = None,
        period: None = None,
        ns: SupportsIndex,
        time_constant: int = 16,
        max_slew_ppm: float = 500.0,
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        *,
        rate: _Rate,
        period: None = None,
        ns: None = None,
        time_constant: int = 16,
        max_slew_ppm: float = 500.0,
        sleeper: Sleeper | None = None,
    ) -> Self: ...
    def tick(self) -> Tick:
        """Wait for the next tick. ``ValueError`` once closed."""

    def run(self, callback: Callable[[Tick], object], count: int | None = None) -> int:
        """Call ``callback(tick)`` for every tick. See ``Ticker.run``."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Tick: ...
    def __aiter__(self) -> AsyncIterator[Tick]: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    def _tick(self, cancel: Cancel) -> Tick | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
    def reset(self) -> None:
        """Restart the schedule after a pause, in phase: the next tick is the next multiple. The learned pace is kept."""

    def set_rate(self, rate: _Rate) -> None:
        """Change the rate, and restart the schedule as ``reset`` does."""

    @overload
    def set_period(self, period: _Time, *, ns: None = None) -> None:
        """Change the period. See ``set_rate``."""

    @overload
    def set_period(self, period: None = None, *, ns: SupportsIndex) -> None: ...
    @property
    def rate(self) -> Fraction:
        """Ticks per second, exactly."""

    @property
    def period(self) -> Fraction:
        """Seconds between two ticks, exactly."""

    def close(self) -> None:
        """End iteration: a thread or task that waits for a tick gets no more, and goes on within 100 ms."""

    @property
    def closed(self) -> bool:
        """Whether it was closed."""

    def stats(self) -> SleepStats:
        """The statistics of its own copy of the sleeper."""

    @property
    def phase_error_ns(self) -> int:
        """Where the wall clock was at the latest tick, less where it should have been."""

    @property
    def is_locked(self) -> bool:
        """Whether the lock time has passed since the start or the last jump."""

@final
class Pacer:
    """Limits messages, bytes, requests or other units to an exact rate. Any number of threads may share one.

    Unit k is due at start + k / rate, exactly. ``rate``: see ``Ticker``. ``burst``: how many units may go at once
    after an idle time (unless given, 10 ms' worth and two, and at least the most that was ever taken at once); what lies
    beyond is forgone and counted. The first unit is due at the start. Waits use the kernel's timer: the rate is exact, a
    single unit some 0.1 ms late.
    """

    def __new__(cls, rate: _Rate, *, burst: int | None = None) -> Self: ...
    def until_ready(self) -> Lateness:
        """Wait for one unit."""

    def take(self, n: int = 1) -> Lateness:
        """Wait for ``n`` units, with the kernel's timer. ``ValueError`` beyond a burst that was given. An interrupted wait has taken its units."""

    def reserve(self, n: int = 1) -> int:
        """Take ``n`` units without waiting; return when they may be used on the monotonic clock, nanoseconds."""

    def take_async(self, n: int = 1) -> Coroutine[Any, Any, Lateness]:
        """Wait for ``n`` units in a task of asyncio. A cancelled wait has taken its units.

        The event loop's own timer waits, so that single units are up to a millisecond late; the rate stays exact.
        """

    @overload
    def take_by(self, n: int, deadline: _Time, *, ns: None = None) -> Lateness | None:
        """Wait for ``n`` units if they are due by ``deadline`` (monotonic); otherwise None, at once, taking none."""

    @overload
    def take_by(self, n: int = 1, *, deadline: _Time, ns: None = None) -> Lateness | None: ...
    @overload
    def take_by(self, n: int = 1, deadline: None = None, *, ns: SupportsIndex) -> Lateness | None: ...
    def try_take(self, n: int = 1) -> bool:
        """Take ``n`` units if they are due now. Never waits. ``ValueError`` beyond a burst that was given."""

    def take_due(self, limit: int) -> int:
        """Take what is due now, at most ``limit`` units, and answer how many. Never waits."""

    def take_batch(self, limit: int, window: _Time | None = None) -> int:
        """Wait until units have been due for ``window``, then take all that are due, 1 to ``limit``."""

    @property
    def rate(self) -> Fraction:
        """Units per second, exactly."""

    @property
    def burst(self) -> int:
        """How many units may go at once."""

    @property
    def taken(self) -> int:
        """Units taken so far, with those that callers still wait for."""

    @property
    def next_due_ns(self) -> int:
        """When the next unit is due on the monotonic clock; in the past if it is there to be taken."""

    @property
    def forgone_ns(self) -> int:
        """The time in which units were due, nobody took them, and a burst was saved up already."""

@final
class CounterClock:
    """Monotonic time from the processor's counter, kept to the system's clock while it runs.

    Falls back to the system's clock by itself where the counter is not to be trusted. In order across threads.
    """

    def __new__(cls) -> Self: ...
    @staticmethod
    def shared() -> CounterClock:
        """The clock that the whole process shares, sleepers included."""

    def now(self) -> float:
        """The time, seconds, comparable with ``now()``."""

    def now_ns(self) -> int:
        """The time, nanoseconds, comparable with ``now_ns()``."""

    @property
    def is_counter(self) -> bool:
        """Whether the counter is in use; False while the system's clock is handed out instead."""

    def calibration(self) -> Calibration:
        """What it knows of itself."""

@final
class Calibration:
    """What a counter clock knows of itself."""

    @property
    def rate_hz(self) -> float | None:
        """The counter's rate; None while the system's clock is handed out."""

    @property
    def comparisons(self) -> int:
        """How often the two clocks were compared."""

    @property
    def worst_difference_ns(self) -> int:
        """The largest difference from the system's clock that a comparison found."""

    @property
    def reading_error_ns(self) -> int:
        """How exactly the last comparison could be made."""

    @property
    def disagreements(self) -> int:
        """How often a difference was larger than steering and reading error explain."""
