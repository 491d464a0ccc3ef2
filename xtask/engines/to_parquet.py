"""Writes a recording as one Parquet file, as contrib's script writes those of a dataset.

    python to_parquet.py RECORDING FILE.parquet
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "contrib/parquet"))
from dataset import write_sleeps  # noqa: E402

write_sleeps(Path(sys.argv[1]), {}, lambda _: Path(sys.argv[2]))
