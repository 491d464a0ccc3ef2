"""A robot's loop that waits with time.sleep: 200 times a second it reads where it is and corrects its course."""

import math
import sys
import time

PERIOD = 0.005


def position(seconds: float) -> float:
    return math.sin(seconds) + 0.1 * math.sin(17 * seconds)


def main() -> None:
    late, error, integral = [], 0.0, 0.0
    start = time.monotonic()
    for step in range(1, int(sys.argv[1]) + 1):
        now = time.monotonic() - start
        before, error = error, math.cos(now) - position(now)
        integral += error * PERIOD
        _command = 2.0 * error + 0.1 * integral + 0.05 * (error - before) / PERIOD
        deadline = start + step * PERIOD
        time.sleep(max(0.0, deadline - time.monotonic()))
        late.append(time.monotonic() - deadline)
    for seconds in late:
        print(round(seconds * 1e9))


main()
