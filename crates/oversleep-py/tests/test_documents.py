"""Every program in the package's README and in the guide to sleeping runs, and prints what it says."""

import pytest
from documents import programs, run

PROGRAMS = programs("crates/oversleep-py/README.md")
GUIDE = programs("docs/guide/sleep-on-time.md")


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_of_the_readme_runs(number, tmp_path):
    printed = run(PROGRAMS[number], tmp_path)
    assert ("print" in PROGRAMS[number]) == bool(printed)


@pytest.mark.parametrize("number", range(len(GUIDE)))
def test_a_program_of_the_guide_runs(number, tmp_path):
    run(GUIDE[number], tmp_path)


def test_the_first_program_prints_a_lateness(tmp_path):
    words = run(PROGRAMS[0], tmp_path).split()
    assert words[-2] == "late" and int(words[-1]) >= 0
