// Tables by processor, by thread and by load, where there are several.

import type { Samples, Series } from "./data";
import { h, type Child } from "./dom";
import { exact, type Exact } from "./exact";
import { grouped } from "./format";
import { counted, type Histogram } from "./histogram";
import { isShown, type Loaded } from "./model";
import { listen } from "./state";
import { grouping } from "./strips";

/** The sleeps of one group. */
export interface Group { histogram: Histogram; figures: Exact }

/** Returns the groups of the samples that are shown, by the key of their row. Of a selection, the quantiles are of the samples that were drawn evenly, and the largest of all. */
export function gathered(samples: Samples, series: Series, shown: (cell: number) => boolean, key: (row: number) => number): Map<number, Group> {
  const groups = new Map<number, { values: number[]; max: number }>();
  for (let at = 0; at < series.late.length; at++) {
    const row = series.row[at]!, late = series.late[at]!;
    if (!shown(samples.cell[row]!)) continue;
    const of = key(row);
    let group = groups.get(of);
    if (!group) groups.set(of, group = { values: [], max: -Infinity });
    if (late > group.max) group.max = late;
    if (!samples.extra?.[row]) group.values.push(late);
  }
  return new Map([...groups].map(([of, { values, max }]): [number, Group] => {
    const sorted = Float64Array.from(values).sort();
    return [of, { histogram: counted(sorted), figures: { ...exact(sorted), max } }];
  }));
}

/** Returns the tables of groups; none if all sleeps are one group. */
export function groups(recording: Loaded): Child[] {
  const { samples, series } = recording;
  if (!samples || !series) return [];
  const load = recording.cells.map((cell) => cell.figures.conditions.asked.load?.threads ?? 0);
  const by = (key: (row: number) => number) => gathered(samples, series, (cell) => isShown(recording.index, cell), key);
  const one = recording.document.samples?.one_of ?? 1;
  const place = h("div.groups", {});
  const fill = () => {
    const all: [string, HTMLElement | null][] = [
      ["By processor", grouping("By processor", "processor", by((row) => samples.cpu[row]!), (cpu) => cpu < 0 ? "not known" : String(cpu))],
      ["By thread", grouping("By thread", "thread", by((row) => samples.thread[row]!), String)],
      ["By load", grouping("By load", "busy threads", by((row) => load[samples.cell[row]!] ?? 0), String)],
    ];
    const tables: Child[] = all.flatMap(([title, element]) => element ? [h("h3", {}, title), element] : []);
    const note = tables.length > 0 && one > 1 ? h("p.quiet", {}, `These tables are of one of ${grouped(one)} sleeps; max is the latest sleep of the group that the page holds.`) : null;
    place.replaceChildren(...[...tables, note].filter((child) => child !== null) as HTMLElement[]);
  };
  fill();
  if (place.childElementCount === 0) return [];
  listen((_, changed) => { if (changed === "cell") fill(); });
  return [place];
}
