"""Adds recordings to a fleet's dataset: Parquet in folders by host and day, for DuckDB, Spark, polars and others.

    python dataset.py --host "$(hostname)" -o DATASET RUN.arrows...

Two tables: `sleeps` has a row per sleep, `findings` a row per finding of `oversleep explain`, and one without a cause per question that
it leaves open, with the candidates. A folder, such as that of
`oversleep serve`, stands for the recordings in it. A file appears when it is whole, and the same recording added again replaces
itself. Needs pyarrow, and `oversleep` on the PATH (or --oversleep PROGRAM).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.parse
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc
import pyarrow.parquet as pq

# Rows in a group: about a third of the 10 MiB that engines read at once.
GROUP = 1 << 17
# Whole numbers that differ from row to row by similar amounts: written as differences.
RUNNING = {"sequence", "deadline_ns", "start_ns", "end_ns", "oversleep_ns"}
UNKNOWN_CPU = 65535
# Hive's folder name for rows whose value is unknown.
UNKNOWN = "__HIVE_DEFAULT_PARTITION__"
FACTS = {"recording": pa.string(), "started": pa.timestamp("us", tz="UTC"), "origin": pa.string(), "system": pa.string(),
         "release": pa.string(), "architecture": pa.string()}
FINDING = {"cell": pa.int64(), "method": pa.string(), "requested_ns": pa.int64(), "condition": pa.string(), "cause": pa.string(),
           "size": pa.float64(), "unit": pa.string(), "low": pa.float64(), "high": pa.float64(), "confidence": pa.float64(),
           "share": pa.float64(), "candidates": pa.string()}


def facts(head: bytes) -> dict:
    """What all rows of a recording share, from the JSON document in its schema."""
    meta = json.loads(head)
    started = datetime.fromisoformat(meta["started"]).astimezone(timezone.utc) if meta.get("started") else None
    # Only what is known beforehand, so that a recording has the same name whenever it is added.
    began = started.strftime("%Y%m%dT%H%M%SZ") if started else "unknown"
    machine = meta["machine"]
    return {"recording": f"{began}-{zlib.crc32(head):08x}", "started": started,
            "origin": meta["origin"]["kind"],
            **{name: machine.get(name) or None for name in ("system", "release", "architecture")}}


def shared(given: dict, rows: int) -> dict:
    """The columns of facts."""
    return {name: pa.repeat(pa.scalar(given[name], kind), rows) for name, kind in FACTS.items()}


def plain(name: str, column: pa.Array) -> pa.Array:
    """A column of a recording in a type that every engine reads alike: text, or 64-bit integers with nulls where unknown."""
    if pa.types.is_dictionary(column.type):
        return column.cast(pa.string())
    column = column.cast(pa.int64())
    return pc.if_else(pc.equal(column, UNKNOWN_CPU), None, column) if name.startswith("cpu_") else column


def batches(stream: pa.ipc.RecordBatchStreamReader) -> Iterator[pa.RecordBatch]:
    """The batches of a recording, without one that was cut off while it was written."""
    while True:
        try:
            batch = stream.read_next_batch()
        except (StopIteration, pa.ArrowInvalid, OSError):
            return
        yield batch


class Draft:
    """A Parquet file that appears under its name when it is whole."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        made, self.name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        os.fchmod(made, 0o644)
        os.close(made)
        self.path = path
        names = [name for name in schema.names if name not in RUNNING]
        encodings = {name: "DELTA_BINARY_PACKED" for name in schema.names if name in RUNNING}
        self.writer = pq.ParquetWriter(self.name, schema, compression="zstd", use_dictionary=names, column_encoding=encodings or None)

    def __enter__(self) -> pq.ParquetWriter:
        return self.writer

    def __exit__(self, failed: type | None, *_: object) -> None:
        self.writer.close()
        if failed:
            os.unlink(self.name)
        else:
            os.replace(self.name, self.path)


def folder(dataset: Path, table: str, host: str, started: datetime | None) -> Path:
    date = started.strftime("%Y-%m-%d") if started else UNKNOWN
    return dataset / table / f"host={urllib.parse.quote(host, safe='')}" / f"date={date}"


def write_sleeps(recording: Path, known: dict, place: Callable[[dict], Path]) -> tuple[dict, dict[int, dict]]:
    """Writes a row per sleep into the file that `place` returns; returns the recording's facts and what its cells are."""
    stream = pa.ipc.open_stream(pa.memory_map(str(recording)))
    given = facts(stream.schema.metadata[b"oversleep"]) | known
    kinds = {field.name: pa.string() if pa.types.is_dictionary(field.type) else pa.int64() for field in stream.schema}
    cells: dict[int, dict] = {}

    def write(rows: list[pa.RecordBatch]) -> None:
        table = pa.Table.from_batches(rows).combine_chunks()
        columns = {name: plain(name, column) for name, column in zip(table.column_names, table.columns)}
        writer.write_table(pa.table(shared(given, table.num_rows) | columns, schema=writer.schema))

    with Draft(place(given), pa.schema(FACTS | kinds)) as writer:
        pending: list[pa.RecordBatch] = []
        for batch in batches(stream):
            for cell in set(pc.unique(batch["cell"]).to_pylist()) - set(cells):
                first = pc.index(batch["cell"], cell).as_py()
                cells[cell] = {name: batch[name][first].as_py() for name in ("method", "requested_ns", "condition")}
            pending.append(batch)
            if sum(one.num_rows for one in pending) >= GROUP:
                write(pending)
                pending = []
        if pending:
            write(pending)
    return given, cells


def add(recording: Path, dataset: Path, host: str, oversleep: str, known: dict | None = None) -> None:
    """Adds a recording and its findings. `known` replaces facts that the recording states."""
    explained = subprocess.run([oversleep, "explain", "--json", str(recording)], capture_output=True, text=True, check=False)
    if explained.returncode != 0:
        raise ValueError(explained.stderr.strip() or f"{oversleep} explain failed")
    document = json.loads(explained.stdout)

    def place(table: str, given: dict) -> Path:
        return folder(dataset, table, host, given["started"]) / f"{given['recording']}.parquet"

    given, cells = write_sleeps(recording, known or {}, lambda given: place("sleeps", given))
    found = [{"cell": number, **cells.get(number, {}), **finding}
             for number, cell in enumerate(document["cells"]) for finding in cell["findings"]] + document["findings"]
    found += [{"candidates": ", ".join(question["candidates"])} for question in document["undecided"] if question["candidates"]]
    # An empty table of findings says that the recording was explained.
    with Draft(place("findings", given), pa.schema(FACTS | FINDING)) as writer:
        columns = {name: pa.array([row.get(name) for row in found], kind) for name, kind in FINDING.items()}
        writer.write_table(pa.table(shared(given, len(found)) | columns, schema=writer.schema))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("recordings", nargs="+", type=Path, metavar="RUN.arrows", help="a recording, or a folder of them")
    arguments.add_argument("--host", required=True, help="name of the machine that made them: recordings do not say it")
    arguments.add_argument("-o", "--out", required=True, type=Path, metavar="DATASET", help="folder of the dataset")
    arguments.add_argument("--oversleep", default="oversleep", metavar="PROGRAM", help="program that explains them")
    asked = arguments.parse_args()
    for given in asked.recordings:
        for recording in sorted(given.glob("*.arrows")) if given.is_dir() else [given]:
            try:
                add(recording, asked.out, asked.host, asked.oversleep)
            except (ValueError, OSError, KeyError, TypeError) as error:
                sys.exit(f"{recording}: {error}")


if __name__ == "__main__":
    main()
