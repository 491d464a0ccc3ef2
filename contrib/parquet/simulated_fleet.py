"""Simulates a fleet to try: three sick hosts among many, and two that only look so.

    python simulated_fleet.py DATASET        # 400 hosts, about a minute; needs pyarrow, and `oversleep` on the PATH
"""

import argparse
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

from dataset import add

# Kernels of the fleet. The last wakes 8 us later than the others.
RELEASES = [("6.1.112", 34), ("6.6.58", 34), ("6.12.4", 42)]
NIGHT = datetime(2026, 11, 23, 2, 10, tzinfo=timezone.utc)
SICK = {"sick-tick": "every sleep", "sick-slack": "every sleep", "sick-daemon": "periodic stall"}
# How hosts are unlike the others. The first three are to be named, and nobody else. A busy host has late sleeps, but its best ones are
# as good as others' and its worst come at no period; where it is night at another time, recordings are of another day. A daemon delays
# the sleeps that end in its tick; here a tick is longer than a sleep, so that it meets one each time.
UNLIKE = [("sick-tick", ["mechanism=jiffies", "hz=100"], NIGHT), ("sick-slack", ["slack_us=1000"], NIGHT),
          ("sick-daemon", ["hz=10", "daemon_ticks=300", "daemon_us=150000"], NIGHT), ("busy", ["lat_exp_us=2000"], NIGHT),
          ("tokyo", [], datetime(2026, 11, 22, 17, 10, tzinfo=timezone.utc))]


def make(oversleep: str, dataset: str, hosts: int) -> None:
    """Simulates the hosts, 2000 sleeps each, and adds them to a dataset."""

    def host(number: int, scratch: Path) -> None:
        # The unlike ones are spread among the others.
        place, within = divmod(number, max(hosts // 8, 1))
        name, settings, started = UNLIKE[place] if within == 3 and place < len(UNLIKE) else ("web", [], NIGHT)
        release, base = RELEASES[number % 3]
        values = ["read_unit_ns=1", "lat_exp_us=4", f"lat_base_us={base}", *settings]
        recording = scratch / f"{number}.arrows"
        words = [word for value in values for word in ("--set", value)]
        subprocess.run([oversleep, "simulate", "linux-2.6-hrtimer", "-q", "-r", "97ms", "-n", "2000", "--seed", str(number + 1),
                        "-o", str(recording), *words], check=True, capture_output=True)
        known = {"recording": f"{number}", "started": started, "system": "Linux", "release": release}
        add(recording, Path(dataset), f"{name}-{number:04}", oversleep, known)
        recording.unlink()

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        for _ in pool.map(lambda number: host(number, Path(scratch)), range(hosts)):
            pass


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dataset", metavar="DATASET", help="folder of the dataset")
    arguments.add_argument("--hosts", type=int, default=400)
    arguments.add_argument("--oversleep", default="oversleep", metavar="PROGRAM", help="program that simulates and explains them")
    asked = arguments.parse_args()
    make(asked.oversleep, asked.dataset, asked.hosts)
    print(f"{asked.hosts} hosts are in {asked.dataset}; those named sick-… are to be found")
