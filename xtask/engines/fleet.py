"""Simulates a fleet of a thousand hosts and has Spark (local mode) and DuckDB look at it: both must name the three sick hosts and
nobody else, find the kernel that is worse, and agree in every figure.

    python fleet.py OVERSLEEP CONTRIB
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

OVERSLEEP, CONTRIB = sys.argv[1:]
sys.path.insert(0, f"{CONTRIB}/parquet")
from simulated_fleet import SICK, make  # noqa: E402  pylint: disable=wrong-import-position
HOSTS = 1_000


def by_spark(dataset: str, scratch: str) -> dict:
    settings = {"spark.master": "local[2]", "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4",
                "spark.driver.memory": "1g", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
                "spark.local.dir": scratch, "spark.sql.warehouse.dir": scratch, "spark.sql.session.timeZone": "UTC"}
    options = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": f"{options} pyspark-shell", "PYSPARK_PYTHON": sys.executable}
    job = [sys.executable, f"{CONTRIB}/spark/fleet.py", dataset, "--json"]
    done = subprocess.run(job, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"Spark: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def by_duckdb(dataset: str) -> dict:
    engine = duckdb.connect()
    engine.execute(f"set variable dataset = '{dataset}'")
    engine.execute((Path(CONTRIB) / "duckdb/fleet.sql").read_text())
    found = {}
    for name in ("compared", "outliers", "causes", "regressions"):
        cursor = engine.execute(f"select * from {name}")
        columns = [column[0] for column in cursor.description]
        found[name] = [dict(zip(columns, row)) for row in cursor.fetchall()]
    return found


with tempfile.TemporaryDirectory() as place:
    dataset = f"{place}/dataset"
    make(OVERSLEEP, dataset, HOSTS)
    size = sum(path.stat().st_size for path in Path(dataset).rglob("*.parquet"))
    print(f"{size / HOSTS / 1e3:.1f} kB a host for 2000 sleeps")
    spark, other = by_spark(dataset, place), by_duckdb(dataset)

for row in spark["outliers"]:
    print(f"  {row['host']}: {row['kind']}, {row['by_ns'] / 1e6:.2f} ms, period {row['period_s']} s, {row['cause']}")
named = {row["host"].rsplit("-", 1)[0]: row["kind"] for row in spark["outliers"]}
if len(spark["outliers"]) != len(SICK) or named != SICK:
    sys.exit(f"Spark names {named} where {SICK} is expected")
period = next(row["period_s"] for row in spark["outliers"] if row["kind"] == "periodic stall")
if not 29.9 < period < 30.1:
    sys.exit(f"the daemon comes each 30 s, and each {period} s was found")
worse = [(row["release"], row["before"]) for row in spark["regressions"]]
if worse != [("6.12.4", "6.6.58")]:
    sys.exit(f"the kernel that is worse is 6.12.4, and {worse} was found")
for name, rows in spark.items():
    if rows != other[name]:
        sys.exit(f"{name}: Spark has {rows}, and DuckDB {other[name]}")
print("Spark and DuckDB name the three sick hosts, nobody else, and agree in every figure")
