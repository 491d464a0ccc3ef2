"""Sixty frames a second, to the nanosecond, and what it cost. Also what `mypy --strict` checks the stubs with."""

import asyncio

import oversleep


def frames(count: int) -> list[oversleep.Tick]:
    """Ticks 1/60 s apart without drift, waited for with a sleeper that aims at 99 %."""
    with oversleep.Ticker(rate=60, sleeper=oversleep.Sleeper(on_time=0.99)) as ticker:
        seen = [tick for tick, _ in zip(ticker, range(count))]
        print(ticker.stats())
    return seen


def worst(ticks: list[oversleep.Tick]) -> oversleep.Lateness:
    return max(tick.lateness for tick in ticks)


def sends(pacer: oversleep.Pacer, packets: list[bytes], deadline_ns: int) -> int:
    """How many packets could be sent by the deadline, at the pacer's rate."""
    sent = 0
    for packet in packets:
        lateness: oversleep.Lateness | None = pacer.take_by(len(packet), ns=deadline_ns)
        if lateness is None:
            break
        sent += 1
    return sent


async def frames_of_a_task(count: int) -> list[oversleep.Tick]:
    """The same in asyncio: other tasks run between the ticks."""
    seen: list[oversleep.Tick] = []
    async with oversleep.Ticker(rate=60) as ticker:
        async for tick in ticker:
            seen.append(tick)
            if len(seen) == count:
                break
    return seen


if __name__ == "__main__":
    print(worst(frames(120)))
    print(worst(asyncio.run(frames_of_a_task(60))))
    in_a_second = oversleep.now_ns() + 1_000_000_000
    print(sends(oversleep.Pacer("1M", burst=15_000), [bytes(1500)] * 1000, in_a_second), "packets in a second")
