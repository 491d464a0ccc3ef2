"""Checks that what the pages of a folder link to is there: links.py FOLDER. Links to other hosts are not followed."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

folder = Path(sys.argv[1]).resolve()


class Page(HTMLParser):
    """Anchors of a page, and where it leads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


pages = {path: Page(path) for path in folder.rglob("*.html")}
faults, followed = [], 0
for path, page in pages.items():
    # These are made for other addresses, or print all pages in one.
    if path.name in ("404.html", "print.html", "toc.html"):
        continue
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        followed += 1
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_relative_to(folder) or not target.exists():
            faults.append(f"{path.relative_to(folder)}: {link} is not there")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            faults.append(f"{path.relative_to(folder)}: {link} has no such anchor")
print(f"{len(pages)} pages, {followed} links")
if faults:
    sys.exit("\n".join(sorted(set(faults))))
