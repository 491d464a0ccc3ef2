"""Every Python program in the laboratory's README and in the project's runs."""

import pytest
from documents import programs, run

PROGRAMS = [
    (document, program)
    for document in ("README.md", "crates/oversleep-py-lab/README.md")
    for program in programs(document)
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=[document for document, _ in PROGRAMS])
def test_a_program_of_a_document_runs(number, tmp_path):
    pytest.importorskip("polars", reason="polars is not installed")
    assert "nanosleep" in run(PROGRAMS[number][1], tmp_path)
