"""Makes a dataset of recordings with contrib's script, and reads it and the recording itself with DuckDB, polars and pyarrow; all
must agree with the CSV of the same recording, value by value, and with the figures of `export --json`, exactly.

    python parquet.py OVERSLEEP CONTRIB
"""

import csv
import io
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

OVERSLEEP, CONTRIB = sys.argv[1:]
QUANTILES = {"p50_ns": 0.5, "p99_ns": 0.99}


def run(*words: str) -> str:
    done = subprocess.run([OVERSLEEP, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"oversleep {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def script(*words: str) -> None:
    done = subprocess.run([sys.executable, f"{CONTRIB}/parquet/dataset.py", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"dataset.py {' '.join(words)}: {done.stderr.strip()}")


def same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        sys.exit(f"{what}: {found!r} where {wanted!r} is expected")


def figures(rows: list[tuple[int, int]]) -> dict[int, dict[str, object]]:
    """What can be compared exactly, by cell: a quantile is by nearest rank."""
    cells: dict[int, list[int]] = {}
    for cell, late in rows:
        cells.setdefault(cell, []).append(late)
    found = {}
    for cell, values in cells.items():
        values.sort()
        rank = {key: values[math.ceil(p * len(values)) - 1] for key, p in QUANTILES.items()}
        found[cell] = {"count": len(values), "min_ns": values[0], "max_ns": values[-1], "sum_ns": sum(values), **rank}
    return found


def in_document(recording: str) -> dict[int, dict[str, object]]:
    document = json.loads(run("export", "--json", recording))
    keys = ["min_ns", "max_ns", *QUANTILES]
    cells = enumerate(document["cells"])
    return {number: {"count": cell["n"], **{key: cell[key] for key in keys}} for number, cell in cells}


def rows_are_those_of_csv(recording: str, parquet: str) -> None:
    lines = list(csv.DictReader(io.StringIO(run("export", recording))))
    rows = pyarrow.parquet.read_table(parquet).to_pylist()
    same("rows", len(rows), len(lines))
    names = ["method", "thread", "sequence", "requested_ns", "deadline_ns", "start_ns", "end_ns", "oversleep_ns", "flags", "cell",
             "condition"]
    for number, (row, line) in enumerate(zip(rows, lines)):
        for name in names:
            value = "" if row[name] is None else str(row[name])
            same(f"row {number}, column {name}", value, line[name])


def engines_agree(recording: str, parquet: str) -> None:
    wanted = in_document(recording)
    columns = ["cell", "oversleep_ns"]
    stream = pyarrow.ipc.open_stream(recording).read_all()
    ours = polars.read_ipc_stream(recording)
    read = {
        "pyarrow, Parquet": list(zip(*(pyarrow.parquet.read_table(parquet)[name].to_pylist() for name in columns))),
        "polars, Parquet": polars.read_parquet(parquet).select(columns).rows(),
        "DuckDB, Parquet": duckdb.sql(f"select cell, oversleep_ns from '{parquet}'").fetchall(),
        "pyarrow, recording": list(zip(*(stream[name].to_pylist() for name in columns))),
        "polars, recording": ours.select(columns).rows(),
        "DuckDB, recording": duckdb.sql("select cell, oversleep_ns from stream").fetchall(),
    }
    sums = None
    for name, rows in read.items():
        found = figures(rows)
        same(f"{name}, sums", sums := sums or {cell: found[cell]["sum_ns"] for cell in found},
             {cell: found[cell]["sum_ns"] for cell in found})
        for cell in found:
            found[cell].pop("sum_ns")
        same(name, found, wanted)
    # Aggregates computed by the engine, rather than by this script from its rows.
    sql = f"""select cell, count(*), min(oversleep_ns), max(oversleep_ns), sum(oversleep_ns)::bigint,
              quantile_disc(oversleep_ns, 0.5), quantile_disc(oversleep_ns, 0.99) from '{parquet}' group by cell"""
    for cell, count, least, most, total, p50, p99 in duckdb.sql(sql).fetchall():
        found = {"count": count, "min_ns": least, "max_ns": most, "p50_ns": p50, "p99_ns": p99}
        same(f"DuckDB's aggregates of cell {cell}", found, wanted[cell])
        same(f"DuckDB's sum of cell {cell}", total, sums[cell])
    same("methods", set(stream["method"].to_pylist()), set(ours["method"].cast(polars.String).to_list()))
    same("conditions", len(set(stream["condition"].to_pylist())), 2)


def dataset_is_read_by_its_folders(recordings: list[str], folder: Path) -> None:
    for host, recording in zip(["a", "b/c"], recordings):
        # A second time must not double its rows.
        for _ in range(2):
            script(recording, "--host", host, "-o", str(folder), "--oversleep", OVERSLEEP)
    count = sum(cell["count"] for recording in recordings for cell in in_document(recording).values())
    files = sorted(folder.glob("sleeps/host=*/date=*/*.parquet"))
    same("files", len(files), 2)
    same("hidden files", [path for path in folder.rglob(".*")], [])
    sleeps, findings = (f"read_parquet('{folder}/{name}/*/*/*.parquet', hive_partitioning = true)"
                        for name in ["sleeps", "findings"])
    hosts = duckdb.sql(f"select host, count(*) from {sleeps} group by host order by host").fetchall()
    same("hosts in DuckDB", [host for host, _ in hosts], ["a", "b/c"])
    same("sleeps in DuckDB", sum(number for _, number in hosts), count)
    frame = polars.scan_parquet(f"{folder}/sleeps/**/*.parquet", hive_partitioning=True).collect()
    same("sleeps in polars", frame.height, count)
    # Simulated recordings have no date, so pyarrow cannot guess the type of that column.
    named = pyarrow.schema([("host", pyarrow.string()), ("date", pyarrow.date32())])
    split = pyarrow.dataset.partitioning(named, flavor="hive")
    table = pyarrow.dataset.dataset(folder / "sleeps", partitioning=split).to_table()
    same("sleeps in pyarrow", table.num_rows, count)
    same("hosts in pyarrow", sorted(set(table["host"].to_pylist())), ["a", "b/c"])
    explained = json.loads(run("explain", "--json", recordings[0]))
    wanted = sorted((number, found["cause"]) for number, cell in enumerate(explained["cells"]) for found in cell["findings"])
    sql = f"select cell, cause from {findings} where host = 'a' and cell is not null order by all"
    same("findings in DuckDB", duckdb.sql(sql).fetchall(), wanted)
    if not wanted:
        sys.exit("the simulated recording has no finding, and nothing was compared")


with tempfile.TemporaryDirectory() as place:
    folder = Path(place)
    recordings = [str(folder / f"{seed}.arrows") for seed in (1, 2)]
    for seed, recording in enumerate(recordings, 1):
        run("simulate", "linux-2.6-hrtimer", "-r", "1ms,3ms", "--slack", "50us,1ns", "-n", "400", "--seed", str(seed),
            "-o", recording)
    dataset_is_read_by_its_folders(recordings, folder / "dataset")
    one = str(next((folder / "dataset/sleeps/host=a").rglob("*.parquet")))
    compressions = duckdb.sql(f"select distinct compression from parquet_metadata('{one}')").fetchall()
    same("compression", compressions, [("ZSTD",)])
    rows_are_those_of_csv(recordings[0], one)
    engines_agree(recordings[0], one)
    # What was cut off while it was written is read up to there.
    cut = folder / "cut.arrows"
    whole = Path(recordings[0]).read_bytes()
    # Without the stream's end, and with the beginning of another message.
    cut.write_bytes(whole[:-8] + whole[:100])
    script(str(cut), "--host", "cut", "-o", str(folder / "dataset"), "--oversleep", OVERSLEEP)
    kept = pyarrow.dataset.dataset(folder / "dataset/sleeps/host=cut").count_rows()
    same("sleeps of what was cut off", kept, pyarrow.parquet.read_table(one).num_rows)
print("DuckDB, polars and pyarrow agree with CSV and with the figures")
