"""Runs the notebook on a simulated fleet of two hundred hosts, as Jupyter would: its tables must name the three sick hosts and nobody
else, and the kernel that is worse; it must draw, and it must be committed without output.

    python notebook.py OVERSLEEP CONTRIB
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

OVERSLEEP, CONTRIB = sys.argv[1:]
sys.path.insert(0, f"{CONTRIB}/parquet")
from simulated_fleet import SICK, make  # noqa: E402  pylint: disable=wrong-import-position

HOSTS = 200
PLOTS = 3
# Not part of the notebook: it prints the notebook's own tables, which it shows in a form for people.
TABLES = """import json
print(json.dumps({"outliers": outliers[["host", "kind"]].values.tolist(),
                  "regressions": regressions[["release", "before"]].values.tolist(), "causes": len(causes)}))"""

path = Path(CONTRIB) / "notebook/fleet.ipynb"
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
kept = [cell.id for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")]
if kept:
    sys.exit(f"{path}: output is committed with {', '.join(kept)}; `jupyter nbconvert --clear-output --inplace {path}` removes it")
notebook.cells.append(nbformat.v4.new_code_cell(TABLES))

with tempfile.TemporaryDirectory() as place:
    dataset = f"{place}/dataset"
    make(OVERSLEEP, dataset, HOSTS)
    # The kernel inherits these; what matplotlib and IPython keep goes away with the folder.
    os.environ.update(OVERSLEEP_DATASET=dataset, MPLCONFIGDIR=f"{place}/matplotlib", IPYTHONDIR=f"{place}/ipython")
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}})
    try:
        client.execute()
    except CellExecutionError as error:
        sys.exit(f"{path}: {error.ename}: {error.evalue}")

outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
plots = sum("image/png" in output.get("data", {}) for output in outputs)
if plots != PLOTS:
    sys.exit(f"{path}: {plots} plots where {PLOTS} are expected")
tables = json.loads("".join(output.text for output in notebook.cells[-1].outputs if output.output_type == "stream"))
named = {host.rsplit("-", 1)[0]: kind for host, kind in tables["outliers"]}
if len(tables["outliers"]) != len(SICK) or named != SICK:
    sys.exit(f"{path}: it names {tables['outliers']} where {SICK} is expected")
if tables["regressions"] != [["6.12.4", "6.6.58"]]:
    sys.exit(f"{path}: the kernel that is worse is 6.12.4, and {tables['regressions']} was found")
if not tables["causes"]:
    sys.exit(f"{path}: no cause was found")
print("the notebook names the three sick hosts, nobody else, and the kernel that is worse")
