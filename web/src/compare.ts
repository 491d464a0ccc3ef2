// Comparison of several recordings: differences between the machines, then between the figures.

import type { Machine, PageTable, QuantileShift } from "./document";
import { h, table, type Child } from "./dom";
import { time } from "./format";
import { flat } from "./facts";
import type { Cell, Loaded } from "./model";
import { ofSeries } from "./palette";

/** Facts that always differ, and are not shown. */
const ALWAYS = /^(load|steal|memory)/;

/** Returns the facts that differ between the machines, with their values. */
export function machines(all: { name: string; machine: Machine }[]): { fact: string; values: string[] }[] {
  const facts = all.map((one) => new Map(flat(one.machine)));
  const names = new Set(facts.flatMap((of) => [...of.keys()]));
  return [...names].filter((name) => !ALWAYS.test(name)).map((fact) => ({ fact, values: facts.map((of) => of.get(fact) ?? "–") }))
    .filter(({ values }) => new Set(values.filter((value) => value !== "–" && value !== "")).size > 1);
}

/** Returns a shift with its interval, emphasised only where it is decided that there is one. */
function shift(of: QuantileShift): Child {
  const text = `${signed(of.size_ns)} (${signed(of.low_ns)} to ${signed(of.high_ns)})`;
  return of.verdict === "open" ? h("span.quiet", {}, text, ", undecided") : of.verdict === "not-seen" ? h("span.quiet", {}, text) : h("strong", {}, text);
}

function signed(ns: number): string {
  return ns > 0 ? `+${time(ns)}` : time(ns);
}

/** Returns the rows of the table: the cells of the recordings that belong together, as they were compared or by their label, and a label. */
export function pairs(all: Loaded[]): { label: string; cells: (Cell | null)[] }[] {
  const [first, ...others] = all;
  if (!first) return [];
  const rows: { cells: (Cell | null)[] }[] = first.cells.map((cell) => ({ cells: [cell] }));
  others.forEach((recording, at) => {
    const left = new Set(recording.cells);
    const take = (isOf: (row: (Cell | null)[], cell: Cell) => boolean) => {
      for (const cell of left) {
        const row = rows.find(({ cells }) => !cells[at + 1] && isOf(cells, cell));
        if (row && left.delete(cell)) row.cells[at + 1] = cell;
      }
    };
    take((cells, cell) => cells[0] !== null && cells[0]?.index === recording.document.shifts?.[cell.index]?.first);
    take((cells, cell) => cells.some((other) => other?.page.label === cell.page.label));
    for (const cell of left) rows.push({ cells: [null, ...Array<null>(at).fill(null), cell] });
  });
  return rows.map(({ cells }) => {
    const labels = [...new Set(cells.flatMap((cell) => cell?.page.label ?? []))];
    return { label: labels.join(" → "), cells: all.map((_, at) => cells[at] ?? null) };
  });
}

/** Returns the tables of a comparison of two sides, each with its remarks. */
function ofSides(tables: PageTable[]): Child[] {
  return tables.flatMap(({ title, headings, rows, remarks }) => [
    table(title, headings.map((name, at) => at === 0 ? name : `>${name}`), rows),
    ...remarks.map((remark) => h("p.quiet", {}, remark)),
  ]);
}

/** Returns a legend, the differences of the machines, and those of the figures; nothing for a single recording. */
export function comparison(all: Loaded[], compared: PageTable[]): Child[] {
  if (all.length < 2) return [];
  const names = all.map((recording) => recording.document.name);
  const differing = machines(all.map((recording) => ({ name: recording.document.name, machine: recording.document.measured.machine })));
  const rows = pairs(all).map(({ label, cells }) => {
    return [label, ...cells.flatMap((cell, index): Child[] => {
      const median = time(cell?.figures.p50_ns);
      if (index === 0) return [median];
      const found = cell ? all[index]!.document.shifts?.[cell.index] : null;
      return [median, found && found.first === cells[0]?.index ? shift(found.shift) : "–"];
    })];
  });
  const dot = (index: number) => {
    const element = h("i.swatch", { "aria-hidden": "true" });
    element.style.background = ofSeries(index);
    return element;
  };
  return [
    h("ul.legend", {}, names.map((name, index) => h("li", {}, dot(index), name))),
    differing.length > 0
      ? table("What differs between the machines", ["fact", ...names], differing.map(({ fact, values }) => [fact, ...values]))
      : h("p", {}, "The machines do not differ in what is known of them."),
    ...compared.length > 0 ? ofSides(compared) : [
      table("Medians, and shifts against the first recording", ["row", `>${names[0]}`, ...names.slice(1).flatMap((name) => [`>${name}`, ">shift"])], rows),
      h("p.quiet", {}, "Intervals are of what varies within a run. How much two runs of the same differ is not known from one run each, so no shift is decided: oversleep compare takes several recordings a side, or measures both in turns (--run)."),
    ],
  ];
}
