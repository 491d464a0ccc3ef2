#!/usr/bin/env bash
# Makes a book of the documents and checks its links without a network.
source "$(dirname "$0")/lib.sh"

# Documents link to each other from anywhere in the repository: the book has its folders, and its summary at the top.
book=$out/book
rm -rf "$book"
mkdir -p "$book/src"
git ls-files -z '*.md' docs contrib crates/oversleep-capi/{include,man} ':!docs/SUMMARY.md' ':!web' | xargs -0 cp --parents -t "$book/src"
sed 's|](|](docs/|; s|](docs/\.\./|](|' docs/SUMMARY.md >"$book/src/SUMMARY.md"
mv "$book/src/docs/book.toml" "$book"
tools mdbook build "$book"
checked=$(tools python xtask/release/links.py "$book/book") || fail "$(tail -1 <<<"$checked")"
note "$checked"
