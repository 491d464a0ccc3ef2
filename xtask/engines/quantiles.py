"""Computes the figures of an exported Parquet file with DuckDB, by cell, and prints them as JSON with the time that the query
took: without the start of Python and of DuckDB, and with its default settings.

    python quantiles.py FILE.parquet
"""

import json
import sys
import time

import duckdb

KEYS = ["cell", "n", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"]
# One list of quantiles, so that DuckDB collects the values of a cell once.
SQL = """select cell, count(*), min(oversleep_ns), quantile_disc(oversleep_ns, [0.5, 0.9, 0.99, 0.999]), max(oversleep_ns)
         from read_parquet(?) group by cell order by cell"""

connection = duckdb.connect()
threads = connection.sql("select current_setting('threads')").fetchall()[0][0]
begun = time.perf_counter()
rows = connection.execute(SQL, [sys.argv[1]]).fetchall()
seconds = time.perf_counter() - begun
cells = [dict(zip(KEYS, [cell, n, least, *quantiles, most])) for cell, n, least, quantiles, most in rows]
print(json.dumps({"version": duckdb.__version__, "threads": threads, "seconds": seconds, "cells": cells}))
