import asyncio
from time import monotonic_ns

loop = asyncio.new_event_loop()


async def sleeps(seconds, count):
    rows = []
    for _ in range(count):
        before, start = collections, monotonic_ns()
        await asyncio.sleep(seconds)
        rows.append((start, monotonic_ns(), collections - before))
    return rows


def block(seconds, count):
    return loop.run_until_complete(sleeps(seconds, count))
