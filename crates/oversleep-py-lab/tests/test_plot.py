"""Plots: the command line's own, and what is said where nothing can be drawn."""

import os
import subprocess
import xml.etree.ElementTree as ElementTree

import oversleep
import pytest

KINDS = ["time", "request", "distribution", "load", "processors", "ranking", "drift", "breakdown", "cost"]


@pytest.fixture(scope="module")
def recording():
    return oversleep.simulate("linux-2.4", request=["1ms", "20ms", "0ms..5ms"], repeats=200)


def test_each_kind_is_a_picture_with_a_text(recording, tmp_path):
    drawn = 0
    for kind in KINDS:
        try:
            picture = recording.plot(kind)
        except ValueError as error:
            assert str(error).startswith("there is nothing to plot: "), kind
            continue
        drawn += 1
        root = ElementTree.fromstring(picture.svg)
        assert root.tag.endswith("svg") and root[0].tag.endswith("title") and root[0].text
        assert picture._repr_svg_() == picture.svg
        assert len(str(picture).splitlines()) > 4 and "<svg" not in str(picture)
    assert drawn >= 4
    assert recording.plot().svg == recording.plot("time").svg


def test_pictures_are_kept(recording, tmp_path):
    picture = recording.plot("distribution")
    picture.save(tmp_path / "a.svg")
    picture.save(str(tmp_path / "a.png"))
    assert (tmp_path / "a.svg").read_text() == picture.svg
    assert (tmp_path / "a.png").read_bytes() == picture.png()
    assert picture.png().startswith(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(ValueError, match=r"a.gif: the name has to end in .svg or .png"):
        picture.save(tmp_path / "a.gif")
    with pytest.raises(OSError, match="cannot write"):
        picture.save(tmp_path / "nowhere" / "a.svg")


@pytest.mark.skipif("OVERSLEEP_BINARY" not in os.environ, reason="OVERSLEEP_BINARY names no binary of the command line")
def test_it_is_the_command_line_s_picture(recording, tmp_path):
    recording.save(tmp_path / "a.arrows")
    words = [os.environ["OVERSLEEP_BINARY"], "report", "a.arrows", "--plot", "distribution", "-o", "b.svg"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    assert (tmp_path / "b.svg").read_text() == oversleep.load(tmp_path / "a.arrows").plot("distribution").svg


def test_what_cannot_be_drawn_is_said(recording):
    with pytest.raises(ValueError, match="kind is one of 'time', 'request', .*, not 'pie'"):
        recording.plot("pie")
