"""Pictures of recordings, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ._native import Recording

_PER_DECADE = 24
_INK, _FILL, _EARLY, _MARK = "#1a365d", "#90b4d8", "#c0392b", "#d69e2e"


def plot(recording: Recording, kind: Literal["distribution", "series"] = "distribution", *, ax: Any = None) -> Any:
    """Draw a recording; answers with the axes.

    ``distribution``: a row per cell, the least late first, on a logarithmic axis; heights are square roots of counts, so
    that one sleep in a thousand is still seen; lines mark median and 99th percentile. ``series``: oversleep over time.
    """
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install 'oversleep[plot]'") from error
    drawings = {"distribution": _distribution, "series": _series}
    if kind not in drawings:
        raise ValueError(f"kind is 'distribution' or 'series', not {kind!r}")
    cells = [(number, cell) for number, cell in enumerate(recording.figures()) if cell["n"] > 0]
    if not cells:
        raise ValueError("the recording has no samples to draw")
    cells.sort(key=lambda pair: (pair[1]["p50_ns"] is None, pair[1]["p50_ns"] or 0))
    if ax is None:
        height = max(3.0, 1.2 + 0.34 * len(cells)) if kind == "distribution" else 4.5
        _, ax = pyplot.subplots(figsize=(9, height), layout="constrained")
    drawings[kind](recording, cells, ax)
    return ax


def _distribution(recording: Recording, cells: list[tuple[int, dict[str, Any]]], ax: Any) -> None:
    least = max(1_000, min(cell["min_ns"] for _, cell in cells))
    most = max(least + 1, max(cell["max_ns"] for _, cell in cells))
    low, high = len(str(least)) - 1, len(str(most - 1))
    edges = [round(10 ** (low + step / _PER_DECADE)) for step in range((high - low) * _PER_DECADE + 1)]
    # What lies below the axis stands in a column of its own beside it.
    left = edges[0] / 10 ** (2 / _PER_DECADE)
    middle = (left * edges[0]) ** 0.5
    below = False
    for row, (number, cell) in enumerate(reversed(cells)):
        counts = recording.histogram(number, edges)
        tallest = max(counts) ** 0.5
        heights = [0.9 * count**0.5 / tallest for count in counts[:-1]]
        ax.stairs([row + height for height in heights[1:]], edges, baseline=row, fill=True, color=_FILL)
        ax.stairs([row + height for height in heights[1:]], edges, baseline=row, color=_INK, linewidth=0.7)
        if heights[0] > 0:
            colour = _EARLY if cell["early"] else _FILL
            ax.stairs([row + heights[0]], [left, edges[0]], baseline=row, fill=True, color=colour)
            below = True
        for key, style in (("p50_ns", "-"), ("p99_ns", ":")):
            if cell[key] is not None:
                at = cell[key] if cell[key] >= edges[0] else middle
                ax.plot([at] * 2, [row, row + 0.9], style, color=_MARK, linewidth=1.6)
    ax.set_xscale("log")
    ax.set_xlim(left, edges[-1])
    ax.set_ylim(0, len(cells))
    ax.set_yticks([row + 0.4 for row in range(len(cells))], [_name(cell) for _, cell in reversed(cells)])
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_formatter(lambda ns, _: _time(ns))
    ax.xaxis.set_minor_formatter(lambda *_: "")
    beside = f"; column at the left: below {_time(edges[0])}" if below else ""
    ax.set_xlabel(f"oversleep (line: median, dotted: 99th percentile; heights: square roots of counts{beside})")
    ax.set_title(_title(recording), loc="left", fontsize="medium")
    ax.grid(axis="x", alpha=0.3)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _series(recording: Recording, cells: list[tuple[int, dict[str, Any]]], ax: Any) -> None:
    columns = recording.lists("cell", "end_ns", "oversleep_ns")
    begin = min(columns["end_ns"])
    worst = max(map(abs, columns["oversleep_ns"]))
    unit, name = next((unit, name) for unit, name in ((1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s"))
                      if worst < 1e3 * unit or name == "s")
    for number, cell in cells:
        points = [(end, late) for of, end, late in zip(*columns.values()) if of == number]
        x = [(end - begin) / 1e9 for end, _ in points]
        y = [late / unit for _, late in points]
        ax.plot(x, y, ".", markersize=2.5, label=_name(cell))
    ax.set_xlabel("time (s)")
    ax.set_ylabel(f"oversleep ({name})")
    ax.set_title(_title(recording), loc="left", fontsize="medium")
    ax.grid(alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    if len(cells) > 1:
        ax.legend(markerscale=4, fontsize="small", frameon=False)


def _title(recording: Recording) -> str:
    return repr(recording).removeprefix("<Recording ").removesuffix(">")


def _name(cell: dict[str, Any]) -> str:
    asked = cell["requested_ns"]
    busy = (cell["conditions"]["asked"].get("load") or {}).get("threads")
    words = [cell["method"], *([] if asked is None else [_time(asked)]), *([f"{busy} busy"] if busy else [])]
    return " ".join(words)


def _time(ns: float) -> str:
    for limit, divisor, name in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        if ns < limit * 0.9995:
            return f"{ns / divisor:.3g} {name}"
    return f"{ns / 1e9:.3g} s"
