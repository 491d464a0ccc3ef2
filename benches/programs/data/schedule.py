"""A schedule of 1 ms as a script keeps it, which skips what it missed: schedule.py SECONDS FILE.csv."""

import sys
import time

PERIOD = 1_000_000
seconds, file = int(sys.argv[1]), sys.argv[2]
begun = time.monotonic_ns()
end = begun
rows = []
while end - begun < seconds * 1_000_000_000:
    start = time.monotonic_ns()
    sequence = (start - begun) // PERIOD
    deadline = begun + (sequence + 1) * PERIOD
    time.sleep((deadline - start) / 1e9)
    end = time.monotonic_ns()
    rows.append(f"time.sleep,periodic,{sequence},{PERIOD},{deadline},{start},{end}")
with open(file, "w") as out:
    out.write("method,pattern,sequence,requested_ns,deadline_ns,start_ns,end_ns\n")
    out.writelines(row + "\n" for row in rows)
