"""Plots: what is drawn, and what is said where nothing can be."""

import subprocess
import sys

import oversleep
import pytest


def test_a_row_for_each_cell_that_slept(tmp_path):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    recording = oversleep.simulate("linux-2.4", request=["1ms", "20ms", "0ms..5ms"], repeats=200)
    axes = recording.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] != []
    assert len(axes.get_yticks()) == 3
    assert axes.get_xscale() == "log"
    axes.figure.savefig(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000
    lines = recording.plot("series").get_lines()
    assert sorted(len(line.get_xdata()) for line in lines) == [200, 200, 200]
    mine = matplotlib.pyplot.subplots()[1]
    assert recording.plot(ax=mine) is mine
    matplotlib.pyplot.close("all")
    with pytest.raises(ValueError, match="'distribution' or 'series', not 'pie'"):
        recording.plot("pie")


def test_early_sleeps_and_single_values_can_be_drawn():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    for preset in ("windows-nt-15.6ms", "windows-98", "openbsd"):
        for repeats in (1, 100):
            oversleep.simulate(preset, request=["0s", "1ms"], repeats=repeats).plot().figure.canvas.draw()
    matplotlib.pyplot.close("all")


def test_without_matplotlib_it_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import oversleep\n"
        "try: oversleep.simulate('macos', repeats=5).plot()\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout == "plot() needs matplotlib: pip install 'oversleep[plot]'\n", run.stderr
