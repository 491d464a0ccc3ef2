"""The Python programs that documents show, for the tests of both packages."""

import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Code that is indented, where it would not be found.
INDENTED = re.compile(r"^ {4}(import|from|with|async) ", re.MULTILINE)
REPOSITORY = Path(__file__).resolve().parents[3]


def programs(document: str) -> list[str]:
    """Return the programs in a document, whose path is relative to the repository."""
    text = (REPOSITORY / document).read_text(encoding="utf-8")
    found = BLOCK.findall(text)
    assert found and text.count("```python") == len(found), f"{document}: a block does not end"
    assert not INDENTED.search(BLOCK.sub("", text)), f"{document}: a program is not in a block that begins with ```python"
    return found


def run(program: str, folder: Path) -> str:
    """Run a program in an empty folder; return what it prints."""
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    ran = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True, timeout=200)
    assert (ran.stderr, ran.returncode) == ("", 0)
    return ran.stdout
