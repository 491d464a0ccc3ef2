"""Writes what a build consists of: components.py TARGET BUILT FOLDER READER

BUILT has cargo's messages of the build (`--message-format json`). FOLDER gets oversleep.cdx.json, a bill of materials
(CycloneDX 1.5), and THIRD-PARTY-LICENSES.txt, the licences of all packages but ours. Fails unless the build and `cargo
tree` agree, Cargo.lock has all of it, and so has the list in the program, which READER (rust-audit-info) prints.
"""

import datetime
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

target, built, folder, reader = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1"))
packages = {package["id"]: package for package in metadata["packages"]}
lock = {(one["name"], one["version"]): one.get("checksum") for one in tomllib.loads(Path("Cargo.lock").read_text())["package"]}

artifacts = [message for message in map(json.loads, built.read_text().splitlines()) if message["reason"] == "compiler-artifact"]
ids = {message["package_id"] for message in artifacts}
compiled = sorted(((packages[one]["name"], packages[one]["version"], packages[one]) for one in ids), key=lambda one: one[:2])
names = {one[:2] for one in compiled}

# A second opinion. Build scripts run on this machine and may need what the target does not.
tree = output(*"cargo tree --locked --package oversleep-cli --edges normal,build --prefix none --format {p}".split(), "--target", target)
asked = {(line.split()[0], line.split()[1].removeprefix("v")) for line in tree.splitlines() if line}
if names != asked:
    sys.exit(f"compiled, and not in cargo tree: {sorted(names - asked)}; the reverse: {sorted(asked - names)}")
if unlocked := names - lock.keys():
    sys.exit(f"not in Cargo.lock: {sorted(unlocked)}")
[executable] = (message["executable"] for message in artifacts if message["executable"])
embedded = {(one["name"], one["version"]) for one in json.loads(output(reader, executable))["packages"]}
# cargo-auditable asks `cargo metadata`, which joins the features that all members of the workspace ask for: the list has
# nothing too little, but packages that only our tools are built from.
if missing := names - embedded:
    sys.exit(f"compiled, and not in the program's list: {sorted(missing)}")
if unlocked := embedded - lock.keys():
    sys.exit(f"in the program's list, and not in Cargo.lock: {sorted(unlocked)}")


def component(name, version, package):
    found = {"type": "library", "bom-ref": f"pkg:cargo/{name}@{version}", "name": name, "version": version}
    found["purl"] = found["bom-ref"]
    if checksum := lock[name, version]:
        found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["license"]:
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return found


components = [component(*one) for one in compiled]
program = next(one for one in components if one["name"] == "oversleep-cli")
components.remove(program)
when = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
bill = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {"timestamp": when.isoformat(), "component": program | {"type": "application"}},
    "components": components,
}
text = json.dumps(bill, indent=1) + "\n"
if fault := JsonStrictValidator(SchemaVersion.V1_5).validate_str(text):
    sys.exit(f"the bill of materials is not CycloneDX: {fault}")
(folder / "oversleep.cdx.json").write_text(text)

# Many packages have the same text: each is printed once, below the names of all that have it.
holders, without = {}, []
for name, version, package in compiled:
    if name.startswith("oversleep"):
        continue
    files = [file for file in Path(package["manifest_path"]).parent.iterdir() if file.is_file() and file.name.upper().startswith(("LICEN", "COPY", "NOTICE", "UNLICENSE"))]
    for file in sorted(files):
        holders.setdefault(file.read_text(errors="replace").strip(), []).append(f"{name} {version}")
    if not files:
        without.append(f"{name} {version}: {package['license']}")
# What the compiler brings says its own file; of the C library that it links statically, that file has nothing.
library = Path(output("rustc", "--print", "sysroot").strip(), "share/doc/rust/COPYRIGHT-library.html")
if library.exists():
    (folder / "RUST-LIBRARY-COPYRIGHT.html").write_bytes(library.read_bytes())
parts = ["Rust's standard library, MIT OR Apache-2.0: RUST-LIBRARY-COPYRIGHT.html, or https://www.rust-lang.org"]
if "musl" in target:
    parts += ["musl, MIT, https://musl.libc.org: Copyright © 2005-2020 Rich Felker, et al."]
else:
    parts += ["mingw-w64's runtime, https://www.mingw-w64.org: ZPL-2.1, and what its COPYING.MinGW-w64-runtime.txt names besides"]
    parts += ["libgcc, https://gcc.gnu.org: GPL-3.0 with the GCC Runtime Library Exception"]
parts += ["Packages that bring no text, and their licences:\n" + "\n".join(without)]
parts += [", ".join(names) + "\n\n" + text for text, names in sorted(holders.items(), key=lambda one: one[1])]
(folder / "THIRD-PARTY-LICENSES.txt").write_text(f"\n\n{'-' * 100}\n\n".join(parts) + "\n")
print(f"{len(components) + 1} packages compiled, all in Cargo.lock and in the program's list, which has {len(embedded - names)} more; {len(without)} bring no licence text")
