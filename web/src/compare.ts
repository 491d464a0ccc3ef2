// Comparison of several recordings: differences between the machines, then between the figures.

import type { Machine } from "./document";
import { h, table, type Child } from "./dom";
import { time } from "./format";
import { flat } from "./facts";
import type { Loaded } from "./model";
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

/** Returns a legend, both tables and a note; nothing for a single recording. */
export function comparison(all: Loaded[]): Child[] {
  if (all.length < 2) return [];
  const names = all.map((recording) => recording.document.name);
  const differing = machines(all.map((recording) => ({ name: recording.document.name, machine: recording.document.measured.machine })));
  const labels = [...new Set(all.flatMap((recording) => recording.cells.map((cell) => cell.page.label)))];
  const rows = labels.map((label) => {
    const of = all.map((recording) => recording.cells.find((cell) => cell.page.label === label)?.figures ?? null);
    const [first] = of;
    return [label, ...of.flatMap((figures, index): Child[] => {
      if (!figures || figures.p50_ns === null) return index === 0 ? ["–"] : ["–", "–"];
      const median = time(figures.p50_ns);
      if (index === 0) return [median];
      if (!first || first.p50_low_ns === null || first.p50_high_ns === null || figures.p50_low_ns === null || figures.p50_high_ns === null) return [median, "–"];
      const [low, high] = [figures.p50_low_ns - first.p50_high_ns, figures.p50_high_ns - first.p50_low_ns];
      const text = `${time(figures.p50_ns - first.p50_ns!)} (${time(low)} to ${time(high)})`;
      return [median, low > 0 || high < 0 ? h("strong", {}, text) : h("span.quiet", {}, text)];
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
    table("Medians, and shifts against the first recording", ["cell", `>${names[0]}`, ...names.slice(1).flatMap((name) => [`>${name}`, ">shift"])], rows),
    h("p.quiet", {}, "Intervals are of what varies within a run. How much two runs of the same differ, one run a side cannot tell: `oversleep compare` takes several."),
  ];
}
