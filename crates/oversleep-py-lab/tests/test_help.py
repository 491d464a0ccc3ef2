"""What help() says is what the stub says, and every public name can be had from either package."""

import ast
import importlib.metadata
from pathlib import Path

import oversleep
import oversleep_lab
import pytest

STUB = ast.parse(Path(oversleep_lab.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))


@pytest.mark.parametrize("node", [node for node in STUB.body if isinstance(node, ast.ClassDef)], ids=lambda node: node.name)
def test_a_class_explains_itself(node):
    assert getattr(oversleep_lab, node.name).__doc__.split() == ast.get_docstring(node).split()


@pytest.mark.parametrize("name", oversleep_lab.__all__)
def test_every_name_is_also_in_oversleep(name):
    assert getattr(oversleep, name) is getattr(oversleep_lab, name)


def test_the_package_is_complete():
    assert "site-packages" in oversleep_lab.__file__
    assert Path(oversleep_lab.__file__).with_name("py.typed").exists()
    assert oversleep_lab.__version__ == importlib.metadata.version("oversleep-lab") == oversleep.__version__
    with pytest.raises(AttributeError, match="module 'oversleep' has no attribute 'nap'"):
        oversleep.nap
