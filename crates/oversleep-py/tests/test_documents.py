"""Every program in the package's README runs, and prints what it says."""

import pytest
from documents import programs, run

PROGRAMS = programs("crates/oversleep-py/README.md")


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_of_the_readme_runs(number, tmp_path):
    printed = run(PROGRAMS[number], tmp_path)
    assert ("print" in PROGRAMS[number]) == bool(printed)


def test_the_first_program_prints_a_lateness(tmp_path):
    words = run(PROGRAMS[0], tmp_path).split()
    assert words[-2] == "late" and int(words[-1]) >= 0
