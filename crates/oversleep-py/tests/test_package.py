"""The package by itself: its metadata, and what it says of the laboratory where that is not installed."""

import importlib.metadata
import importlib.util
import subprocess
import sys
from pathlib import Path

import oversleep
import pytest

WITHOUT_THE_LABORATORY = importlib.util.find_spec("oversleep_lab") is None


def test_it_is_the_installed_package():
    assert "site-packages" in oversleep.__file__
    assert Path(oversleep.__file__).with_name("py.typed").exists()
    assert oversleep.__version__ == importlib.metadata.version("oversleep")


def test_the_extra_asks_for_the_same_version():
    wanted = importlib.metadata.requires("oversleep")
    if wanted is None:
        pytest.skip("a package put together without an installer has no list of what it needs")
    assert wanted == [f"oversleep-lab=={oversleep.__version__} ; extra == 'lab'"]


def test_importing_it_does_not_import_the_laboratory():
    code = "import sys, oversleep; print(sorted(name for name in sys.modules if 'oversleep' in name or 'asyncio' in name))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "['oversleep', 'oversleep._native']\n"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="^module 'oversleep' has no attribute 'nap'$"):
        oversleep.nap


@pytest.mark.skipif(not WITHOUT_THE_LABORATORY, reason="the laboratory is installed")
@pytest.mark.parametrize("name", ["measure", "explain", "Recording"])
def test_what_is_in_the_laboratory_says_how_to_get_it(name):
    says = rf"^oversleep\.{name} is in the laboratory: pip install 'oversleep\[lab\]'$"
    with pytest.raises(ImportError, match=says):
        getattr(oversleep, name)
    with pytest.raises(ImportError, match=says):
        exec(f"from oversleep import {name}")


@pytest.mark.skipif(not WITHOUT_THE_LABORATORY, reason="the laboratory is installed")
def test_everything_it_says_it_has_is_there_without_the_laboratory():
    assert all(hasattr(oversleep, name) for name in oversleep.__all__)
