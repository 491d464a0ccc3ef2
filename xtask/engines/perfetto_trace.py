"""Opens an exported trace with Perfetto's trace_processor, and compares its sleeps with the recording's.

    python perfetto_trace.py OVERSLEEP
"""

import csv
import io
import subprocess
import sys
import tempfile
from pathlib import Path

from perfetto.trace_processor import TraceProcessor

OVERSLEEP = sys.argv[1]


def run(*words: str) -> str:
    return subprocess.run([OVERSLEEP, *words], capture_output=True, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as place:
    recording, trace = (str(Path(place) / name) for name in ("run.arrows", "run.pftrace"))
    run("simulate", "linux-2.6-hrtimer", "-r", "1ms,3ms", "-n", "100", "-o", recording)
    run("export", recording, "-o", trace)
    rows = csv.DictReader(io.StringIO(run("export", recording)))
    wanted = sorted((int(row["start_ns"]), int(row["end_ns"]) - int(row["start_ns"])) for row in rows)
    try:
        processor = TraceProcessor(trace=trace)
    except Exception as error:  # whatever its download fails with
        print(f"trace_processor cannot be had: {error}", file=sys.stderr)
        sys.exit(77)
    found = sorted((row.ts, row.dur) for row in processor.query("select ts, dur from slice where category = 'sleep'"))
    late = next(iter(processor.query("select count(*) as n from slice where category = 'late'"))).n
    processor.close()
if found != wanted:
    sys.exit(f"{len(found)} sleeps in the trace, {len(wanted)} in the recording, or not the same")
if late != len(wanted):
    sys.exit(f"{late} late parts where {len(wanted)} are expected")
print(f"trace_processor finds the recording's {len(found)} sleeps")
