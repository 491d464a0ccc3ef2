# Every Python probe ends with this part, which speaks oversleep's protocol; `sleep(seconds)` or `block` stands above.
import gc
import sys
from time import monotonic_ns

collections = 0


def collected(phase, info):
    global collections
    collections += phase == "start"


def one_by_one(seconds, count):
    rows = []
    for _ in range(count):
        before, start = collections, monotonic_ns()
        sleep(seconds)
        rows.append((start, monotonic_ns(), collections - before))
    return rows


gc.callbacks.append(collected)
readings = [monotonic_ns() for _ in range(200)]
cost = min(b - a for a, b in zip(readings, readings[1:]))
mode = "schedule" if globals().get("schedule") else "sleep"
print(f"# oversleep-probe 1 clock=monotonic mode={mode} cost_ns={cost} runtime=Python {sys.version.split()[0]}", flush=True)
for line in sys.stdin:
    request, count = map(int, line.split())
    rows = globals().get("block", one_by_one)(request / 1e9, count)
    print("requested_ns,start_ns,end_ns,gc")
    for row in rows:
        print(request, *row, sep=",")
    print(flush=True)
