"""Sleeps of 5 ms, by `time.sleep` or on asyncio's loop; the log has the request, the start and the end in ns."""

import asyncio
import sys
import time

log, count, way = sys.argv[1], int(sys.argv[2]), sys.argv[3]
rows = []


async def tasks():
    for _ in range(count):
        start = time.monotonic_ns()
        await asyncio.sleep(0.005)
        rows.append((5000000, start, time.monotonic_ns()))


if way == "asyncio":
    asyncio.run(tasks())
else:
    for _ in range(count):
        start = time.monotonic_ns()
        time.sleep(0.005)
        rows.append((5000000, start, time.monotonic_ns()))
with open(log, "w") as file:
    file.writelines("%d,%d,%d\n" % row for row in rows)
