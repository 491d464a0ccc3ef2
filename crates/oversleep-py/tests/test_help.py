"""What help() says is what the stub says: one text for the reader of either."""

import ast
from pathlib import Path

import oversleep
import pytest

STUB = ast.parse(Path(oversleep.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_explains_itself(name):
    told, written = getattr(oversleep._native, name).__doc__, ast.get_docstring(CLASSES[name])
    assert told.split() == written.split()


@pytest.mark.parametrize("name", CLASSES)
def test_every_argument_of_a_class_is_explained(name):
    # Only classes with a constructor have arguments.
    for made in (node for node in CLASSES[name].body if getattr(node, "name", "") == "__new__"):
        arguments = [argument.arg for argument in made.args.args[1:] + made.args.kwonlyargs]
        for argument in set(arguments) - {"ns", "start_ns"}:
            about = getattr(oversleep._native, name).__doc__ + oversleep.Ticker.__doc__
            assert argument in about, argument
