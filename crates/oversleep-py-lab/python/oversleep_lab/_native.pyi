"""The compiled half of the package."""

import os
from collections.abc import Callable, Iterable
from typing import Any, Literal, SupportsIndex, final

__version__: str
__all__ = [
    "Picture",
    "Recording",
    "experiments",
    "explain",
    "explain_figures",
    "load",
    "measure",
    "methods",
    "presets",
    "simulate",
]

@final
class Recording:
    """Samples and everything known of how they were made.

    Hands its samples over as an Arrow stream (``pyarrow.table(r)``, ``polars.DataFrame(r)``,
    ``pandas.DataFrame.from_arrow(r)``) in one piece of memory that all takers share: ``cell``, ``thread``, ``sequence``,
    ``requested_ns``, ``deadline_ns`` (null where there is none), ``start_ns``, ``end_ns``, ``cpu_start``, ``cpu_end``,
    ``flags``, ``run_queue_ns``, ``oversleep_ns``, ``method``, ``condition``. In a notebook it shows its figures and distributions.
    """

    def __len__(self, /) -> int: ...
    @property
    def kind(self) -> str:
        """What the recording is of."""

    @property
    def complete(self) -> bool:
        """Whether everything planned was slept."""

    @property
    def remark(self) -> str | None:
        """What is to be known of how the recording's file ended, if anything."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""

    def figures(self) -> list[dict[str, Any]]:
        """Each cell's figures: n, early, min_ns, p50_ns, …; None where the samples carry none."""

    def document(self) -> dict[str, Any]:
        """Everything as one dict, in the shape of ``oversleep report --json``."""

    def json(self) -> str:
        """The same as text, to the byte what ``oversleep report --json`` prints."""

    def table(self, width: int = 120) -> str:
        """The figures as the command line shows them."""

    def histogram(self, cell: SupportsIndex, edges_ns: Iterable[SupportsIndex]) -> list[int]:
        """How many oversleeps of a cell lie below the first edge, between each two, and at or above the last."""

    def lists(self, *columns: str) -> dict[str, list[Any]]:
        """Columns of numbers as lists, for programs without Arrow. Copies."""

    def save(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write it to a file (Arrow IPC stream). ``FileExistsError`` unless ``replace``."""

    def plot(
        self,
        kind: Literal["time", "request", "distribution", "load", "processors", "ranking", "drift", "breakdown", "cost"]
        | None = None,
    ) -> Picture:
        """Draw a plot, the one that says most unless told which: oversleep over ``time`` or against the ``request``, its
        ``distribution``, by ``load`` or ``processors``, a ``ranking`` of cells, the ``drift`` of clocks, the ``breakdown``
        into causes. ``ValueError`` if the recording has nothing to draw."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _repr_html_(self) -> str: ...

@final
class Picture:
    """A plot of a recording. A notebook shows it; ``print`` draws it with characters."""

    @property
    def svg(self) -> str:
        """The plot as a text of SVG."""

    def png(self) -> bytes:
        """The plot as the bytes of a PNG, in the fonts of this system."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file whose name ends in ``.svg`` or ``.png``, in the place of what stands there."""

    def _repr_svg_(self) -> str: ...

def load(path: str | os.PathLike[str], *, partial: bool = False) -> Recording:
    """Read a recording's file, a folder of segments, a CSV table (requested_ns, start_ns, end_ns), or another program's file. ``partial``: of a damaged
    recording, or of a file that breaks off, what comes before that. A ``UserWarning``
    says what was left out of a file."""

def methods(*, every_system: bool = False) -> list[dict[str, Any]]:
    """The ways to sleep: name, whether it is here, the clock it sleeps on."""

def experiments() -> list[str]:
    """The names that ``experiment`` takes in ``measure`` and ``simulate``."""

def presets() -> dict[str, str]:
    """The kernels that ``simulate`` knows: name to title."""

def measure(
    experiment: str | None,
    time_limit: object,
    progress: Callable[[dict[str, int]], object] | None,
    keywords: dict[str, Any],
) -> Recording:
    """Behind ``oversleep.measure``."""

def simulate(
    kernel: str, experiment: str | None, changed: dict[str, object] | None, at: object, keywords: dict[str, Any]
) -> Recording:
    """Behind ``oversleep.simulate``."""

def explain(source: object) -> tuple[str, str]:
    """Behind ``oversleep.explain``."""

def explain_figures(
    figures: list[tuple[str, str]] | tuple[str, str | None],
    system: str | None,
    method: str | None,
    conditions: list[str],
    after: tuple[list[tuple[str, str]] | tuple[str, str | None], list[str]] | None,
) -> tuple[str, str]:
    """Behind ``oversleep.explain_figures``."""
