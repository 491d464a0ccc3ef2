import asyncio
from time import monotonic_ns

loop = asyncio.new_event_loop()


async def sleeps(seconds, count):
    rows = []
    for _ in range(count):
        called = loop.create_future()
        before, start = collections, monotonic_ns()
        loop.call_at(loop.time() + seconds, lambda: called.set_result(monotonic_ns()))
        rows.append((start, await called, collections - before))
    return rows


def block(seconds, count):
    return loop.run_until_complete(sleeps(seconds, count))
