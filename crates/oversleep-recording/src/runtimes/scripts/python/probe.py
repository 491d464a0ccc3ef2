# Every Python probe ends with this part, which implements oversleep's protocol; `sleep(seconds)` or `block` precedes.
import gc
import os
import sys
import threading
from time import monotonic_ns

collections = 0
load = int(os.environ.get("OVERSLEEP_LOAD", 0))
busy = threading.Event()


def work():
    for _ in range(10_000):
        pass


def hold_the_lock():
    while True:
        busy.wait()
        while busy.is_set():
            work()


def call_again():
    work()
    loop.call_soon(call_again)


# A loop is kept busy with callbacks; it runs only during blocks. Without a loop, threads hold the interpreter's lock.
for _ in range(load):
    if "loop" in globals():
        loop.call_soon(call_again)
    else:
        threading.Thread(target=hold_the_lock, daemon=True).start()


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
print(f"# oversleep-probe 1 clock=monotonic mode={mode} cost_ns={cost} load={load} runtime=Python {sys.version.split()[0]}", flush=True)
for line in sys.stdin:
    request, count = map(int, line.split())
    busy.set()
    rows = globals().get("block", one_by_one)(request / 1e9, count)
    busy.clear()
    print("requested_ns,start_ns,end_ns,gc")
    for row in rows:
        print(request, *row, sep=",")
    print(flush=True)
