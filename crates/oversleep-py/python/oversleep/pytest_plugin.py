"""A fixture of pytest that tells a slow machine from a slow program.

In ``conftest.py``: ``pytest_plugins = ["oversleep.pytest_plugin"]``. A test then takes ``machine``, a ``Control`` that runs beside it,
and asserts ``took <= asked + machine.worst()``; a failure says whether the machine stood still.
"""

from collections.abc import Generator, Iterator

import pytest

from . import Control, control

_CONTROL = pytest.StashKey[Control]()


@pytest.fixture
def machine(request: pytest.FixtureRequest) -> Iterator[Control]:
    """A control beside this test: ``machine.worst()`` is how late the machine itself was, in seconds."""
    with control() as beside:
        request.node.stash[_CONTROL] = beside
        yield beside


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    beside = item.stash.get(_CONTROL, None)
    if beside is not None and report.when == "call" and report.failed:
        report.sections.append(("machine", beside.stood_still()))
    return report
