// Tables by processor, by thread and by load, where there are several.

import { h, type Child } from "./dom";
import { binOf, type Histogram } from "./histogram";
import { isShown, type Loaded } from "./model";
import { listen } from "./state";
import { grouping } from "./strips";

/** Number of bins on each side of zero; values beyond them count in the last. */
const REACH = 600;

/** Returns the tables of groups; none if all sleeps are one group. */
export function groups(recording: Loaded): Child[] {
  const { samples, series } = recording;
  if (!samples || !series) return [];
  const bins = new Int16Array(series.late.length);
  for (let at = 0; at < bins.length; at++) bins[at] = Math.max(-REACH, Math.min(REACH, binOf(series.late[at]!)));
  const load = recording.cells.map((cell) => cell.figures.conditions.asked.load?.threads ?? 0);
  const by = (key: (row: number) => number): Map<number, Histogram> => {
    const counts = new Map<number, Uint32Array>();
    let last = NaN, list: Uint32Array | undefined;
    for (let at = 0; at < bins.length; at++) {
      const row = series.row[at]!;
      if (!isShown(recording.index, samples.cell[row]!)) continue;
      const of = key(row);
      if (of !== last || !list) {
        list = counts.get(of);
        if (!list) counts.set(of, list = new Uint32Array(2 * REACH + 1));
        last = of;
      }
      list[bins[at]! + REACH]!++;
    }
    const histogram = (counts: Uint32Array): Histogram => {
      const out: Histogram = [];
      counts.forEach((count, bin) => { if (count > 0) out.push([bin - REACH, count]); });
      return out;
    };
    return new Map([...counts].map(([key, counts]) => [key, histogram(counts)]));
  };
  const place = h("div.groups", {});
  const fill = () => {
    const all: [string, HTMLElement | null][] = [
      ["By processor", grouping("By processor", "processor", by((row) => samples.cpu[row]!), (cpu) => cpu < 0 ? "not known" : String(cpu))],
      ["By thread", grouping("By thread", "thread", by((row) => samples.thread[row]!), String)],
      ["By load", grouping("By load", "busy threads", by((row) => load[samples.cell[row]!] ?? 0), String)],
    ];
    place.replaceChildren(...all.flatMap(([title, element]) => element ? [h("h3", {}, title), element] : []));
  };
  fill();
  if (place.childElementCount === 0) return [];
  listen((_, changed) => { if (changed === "cell") fill(); });
  return [place];
}
