"""What ``explain`` finds, as plain objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any


@dataclass(frozen=True)
class Remedy:
    """What to do, on one system (``any``: it is the program that changes)."""

    system: str
    command: str
    note: str
    predicted: Mapping[str, Any] | None = None
    """What lateness would be with it: ``p50`` and ``p99``, each with ``before_ns``, ``after_ns``, ``low_ns`` and ``high_ns``."""


@dataclass(frozen=True)
class Finding:
    """One named cause: how large, how sure, how known, on what numbers, and what to do about it."""

    cause: str
    """A stable identifier in kebab-case, such as ``timer-slack``."""
    size: float
    """How large, in ``unit``: ``ns``, ``ppm``, ``ratio`` (of the request) or ``us/s``."""
    unit: str
    low: float | None
    """Lower end of the 95 % interval; None where the samples give none."""
    high: float | None
    confidence: float
    """How sure it is there at all, 0 to 1."""
    share: float | None
    """Share of the cell's lateness, 0 to 1; None where it is not lateness of one cell."""
    witnesses: tuple[str, ...]
    """How it is known: ``pattern``, ``intervention``, ``trace``."""
    evidence: Mapping[str, Any]
    confounders: tuple[str, ...]
    """What would look the same."""
    remedy: tuple[Remedy, ...]

    def __str__(self) -> str:
        share = "" if self.share is None else f", {100 * self.share:.0f} % of the lateness"
        return f"{self.cause}: {size(self.size, self.unit)}{share}, confidence {self.confidence:.2f}"


@dataclass(frozen=True)
class Undecided:
    """A question the samples leave open, and the experiment that would answer it."""

    question: str
    why: str
    experiment: str
    candidates: tuple[str, ...] = ()
    """What would have given these samples: names of causes, with a rate where several fit."""


@dataclass(frozen=True)
class CellDiagnosis:
    """What is found in one cell."""

    cell: int
    """Its number in the recording."""
    method: str
    requested_ns: int | None
    """None where every sleep asks for something else."""
    findings: tuple[Finding, ...]
    """Largest share first."""
    budget: Mapping[str, Mapping[str, int] | None]
    """``p50_ns`` and ``p99_ns`` split into causes and ``unexplained``; None where the samples do not carry it."""


@dataclass(frozen=True)
class Answer:
    """What explains figures that somebody stated."""

    verdict: str
    """The answer in one sentence."""
    decided: bool
    """Whether one cause is stated; otherwise the figures leave it open."""
    document: Mapping[str, Any] = field(repr=False)
    """Everything, in the shape of ``oversleep explain --asked ... --json``: candidates with their shares, remedy, experiment."""
    text: str = field(repr=False, compare=False)
    """The same as the command line shows it."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Diagnosis:
    """What a recording's samples say of why its sleeps were late."""

    findings: tuple[Finding, ...]
    """What concerns the whole machine."""
    cells: tuple[CellDiagnosis, ...]
    undecided: tuple[Undecided, ...]
    document: Mapping[str, Any] = field(repr=False, compare=False)
    """Everything, with the cells' figures, in the shape of ``oversleep explain --json``."""
    text: str = field(repr=False, compare=False)
    """The same as the command line shows it."""
    source: str = field(repr=False, compare=False)
    """The document as text, to the byte what ``oversleep explain --json`` prints."""

    def causes(self) -> dict[str, Finding]:
        """Every cause once, with the finding that has the largest share."""
        found: dict[str, Finding] = {}
        for one in [*self.findings, *(one for cell in self.cells for one in cell.findings)]:
            known = found.get(one.cause)
            if known is None or (one.share or 0) > (known.share or 0):
                found[one.cause] = one
        return found

    def json(self, indent: int | None = None) -> str:
        """The document as text: unless an indent is given, to the byte what ``oversleep explain --json`` prints."""
        return self.source if indent is None else json.dumps(self.document, indent=indent)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        left = 'style="text-align:left"'
        rows = "".join(
            f"<tr><td {left}><b>{escape(one.cause)}</b></td><td>{escape(size(one.size, one.unit))}</td>"
            f"<td>{'–' if one.share is None else f'{100 * one.share:.0f} %'}</td><td>{one.confidence:.2f}</td>"
            f"<td {left}>{'<br/>'.join(escape(remedied(fix)) for fix in one.remedy) or '–'}</td></tr>"
            for one in self.causes().values()
        )
        head = f"<tr><th {left}>cause</th><th>size</th><th>share</th><th>confidence</th><th {left}>remedy</th></tr>"
        table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else "<p>no cause stands out</p>"
        questions = "".join(f"<p>open: {escape(q.question)}: {escape(q.why)}</p>" for q in self.undecided)
        return f"<div>{table}{questions}</div>"


def remedied(fix: Remedy) -> str:
    note = f" ({fix.note})" if fix.note else ""
    return f"{fix.system}: {fix.command}{note}"


def size(value: float, unit: str) -> str:
    """For people: three digits and the unit that suits them."""
    if unit == "ns":
        for limit, divisor, name in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
            if abs(value) < limit:
                return f"{value / divisor:.3g} {name}"
        return f"{value / 1e9:.3g} s"
    return {
        "ppm": f"{value:+.2f} ppm",
        "share": f"{100 * value:.3g} %",
        "ratio": f"{100 * value:.3g} % of the request",
        "us/s": f"{value:+.2f} µs per second",
    }.get(unit, f"{value:.3g} {unit}")


def finding(found: Mapping[str, Any]) -> Finding:
    """From its place in the document."""
    return Finding(
        cause=found["cause"],
        size=found["size"],
        unit=found["unit"],
        low=found["low"],
        high=found["high"],
        confidence=found["confidence"],
        share=found["share"],
        witnesses=tuple(found["witnesses"]),
        evidence=found["evidence"],
        confounders=tuple(found["confounders"]),
        remedy=tuple(Remedy(**fix) for fix in found["remedy"]),
    )


def diagnosis(source: str, text: str) -> Diagnosis:
    """From the document. Stalls, clocks and traced sleeps have documents of their own, without findings."""
    document = json.loads(source)
    cells = tuple(
        CellDiagnosis(
            cell=number,
            method=cell["method"],
            requested_ns=cell["requested_ns"],
            findings=tuple(map(finding, cell["findings"])),
            budget=cell["budget"] or {"p50_ns": None, "p99_ns": None},
        )
        for number, cell in enumerate(document["cells"] if "findings" in document else ())
    )
    return Diagnosis(
        findings=tuple(map(finding, document.get("findings", ()))),
        cells=cells,
        undecided=tuple(_undecided(question) for question in document.get("undecided", ())),
        document=document,
        source=source,
        text=text,
    )


def _undecided(question: dict[str, Any]) -> Undecided:
    """An open question from its JSON."""
    return Undecided(**{**question, "candidates": tuple(question.get("candidates", ()))})
