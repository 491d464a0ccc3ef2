// Tables with a small picture of the distribution in each row, all on one axis. In the ranking, a click on a row shows
// its cell alone.

import type { CostFigures } from "./document";
import { h, s, type Child } from "./dom";
import { brief, grouped, time } from "./format";
import type { Exact } from "./exact";
import { bounds, type Histogram, total } from "./histogram";
import { ofSeries } from "./palette";

/** A row of such a table. */
export interface Strip {
  name: string;
  histogram: Histogram;
  colour: string;
  /** The figures: those of the bins are right to 6 % only. */
  exact: Exact;
  /** What a sleep took of the processor. */
  cost?: CostFigures | null | undefined;
  /** Shows the row's cell alone, or all again. */
  pick?: () => void;
  picked?: () => boolean;
}

const WIDTH = 240, HEIGHT = 26;

/** Returns the table; if `ranked`, rows with the smallest median come first. */
export function strips(caption: string, first: string, rows: Strip[], ranked = true): HTMLElement {
  const axis = shared(rows);
  const filled = rows.filter((row) => total(row.histogram) > 0);
  if (ranked) filled.sort((a, b) => (a.exact.p50 ?? Infinity) - (b.exact.p50 ?? Infinity));
  const early = filled.some((row) => row.histogram.some(([bin]) => bin < 0));
  const rare = filled.some((row) => row.exact.p999 !== null);
  const spent = filled.some((row) => row.cost);
  // One wake-up a sleep is what everybody expects.
  const woken = filled.some((row) => Math.abs((row.cost?.wake_ups ?? 1) - 1) >= 0.05);
  const body = filled.map((row) => {
    const of = row.exact;
    const name: Child = row.pick
      ? h("button.link", { type: "button", "aria-pressed": String(row.picked?.() ?? false), click: (event) => { event.stopPropagation(); row.pick!(); } }, row.name)
      : row.name;
    const element = h("tr", { class: row.pick ? "pick" : null, click: row.pick ? () => row.pick!() : null },
      h("th", { scope: "row" }, swatch(row.colour, row.pick !== undefined), name),
      h("td.right", {}, grouped(of.n)),
      early ? h("td.right", {}, grouped(row.histogram.filter(([bin]) => bin < 0).reduce((sum, [, count]) => sum + count, 0))) : null,
      h("td.right.strong", {}, time(of.p50)),
      h("td.right.quiet", {}, of.low !== null && of.high !== null ? `${time(of.low)} – ${time(of.high)}` : "–"),
      h("td.right", {}, time(of.p99)),
      rare ? h("td.right", {}, time(of.p999)) : null,
      h("td.right", {}, time(of.max)),
      spent ? h("td.right", {}, row.cost ? time(row.cost.processor_ns) : "–") : null,
      woken ? h("td.right", {}, row.cost?.wake_ups?.toFixed(2) ?? "–") : null,
      h("td.shape", {}, shape(row, axis, of)));
    return { row, element };
  });
  const mark = () => {
    for (const { row, element } of body) {
      const picked = row.picked?.() ?? false;
      element.classList.toggle("picked", picked);
      element.querySelector("button")?.setAttribute("aria-pressed", String(picked));
    }
  };
  mark();
  document.addEventListener("view-changed", mark);
  const right = (name: string) => h("th.right", { scope: "col" }, name);
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption },
    h("table.strips", {},
      h("caption.hidden", {}, caption),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first),
        right("n"), early ? right("early") : null, right("p50"), right("95 %"), right("p99"), rare ? right("p99.9") : null, right("max"),
        spent ? right("CPU") : null, woken ? right("wakes") : null, h("th.shape", { scope: "col" }, labels(axis)))),
      h("tbody", {}, body.map(({ element }) => element))));
}

function swatch(colour: string, shown: boolean): HTMLElement | null {
  if (!shown) return null;
  const element = h("i.swatch", { "aria-hidden": "true" });
  element.style.background = colour;
  return element;
}

interface Axis { to(ns: number): number; marks: number[] }

/** Returns an axis for all rows. Values below its first mark (at least 100 ns) are at it, early ones to its left. */
function shared(rows: Strip[]): Axis {
  let low = Infinity, high = 1e4;
  for (const row of rows) for (const [bin] of row.histogram) {
    const [from, to] = bounds(bin);
    if (bin > 0) low = Math.min(low, from);
    high = Math.max(high, to, -from);
  }
  const first = Math.floor(Math.log10(Math.max(100, Math.min(low, 1e9)))), last = Math.ceil(Math.log10(high));
  const early = rows.some((row) => row.histogram.some(([bin]) => bin < 0));
  const left = early ? 30 : 4;
  const to = (ns: number) => ns < 0 ? Math.max(0, left - 6 - 4 * Math.max(0, Math.log10(-ns) - first)) : left + (Math.max(Math.log10(Math.max(ns, 1)), first) - first) / Math.max(last - first, 1) * (WIDTH - left - 6);
  return { to, marks: Array.from({ length: last - first + 1 }, (_, power) => 10 ** (first + power)) };
}

function labels(axis: Axis): SVGElement {
  const every = axis.marks.length > 6 ? 2 : 1;
  return s("svg", { viewBox: `0 0 ${WIDTH} 14`, width: WIDTH, height: 14, role: "img", "aria-label": "distribution" },
    axis.marks.map((mark, index) => index % every === 0 ? s("text", { x: Math.min(axis.to(mark), WIDTH - 14), y: 11, class: "axis", "text-anchor": "middle" }, brief(mark)) : null));
}

function shape(row: Strip, axis: Axis, of: { p50: number | null; p99: number | null; max: number | null }): SVGElement {
  const columns = new Float64Array(WIDTH / 3);
  for (const [bin, count] of row.histogram) {
    const [from, to] = bounds(bin).map(axis.to) as [number, number];
    const first = Math.max(0, Math.floor(from / 3)), last = Math.min(columns.length - 1, Math.floor(to / 3));
    for (let column = first; column <= last; column++) columns[column]! += count / (last - first + 1);
  }
  const most = columns.reduce((a, b) => Math.max(a, b), 1e-9);
  // Heights are square roots of counts, so that a tail of one sleep in a thousand can still be seen.
  let path = `M0 ${HEIGHT}`;
  columns.forEach((count, column) => {
    const top = HEIGHT - (count > 0 ? Math.max(1, Math.sqrt(count / most) * (HEIGHT - 3)) : 0);
    path += `L${column * 3} ${top.toFixed(1)}H${column * 3 + 3}`;
  });
  path += `L${WIDTH} ${HEIGHT}Z`;
  const line = (ns: number | null, kind: string) => ns === null ? null : s("line", { x1: axis.to(ns), x2: axis.to(ns), y1: 2, y2: HEIGHT, class: kind });
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", "aria-label": `median ${time(of.p50)}, p99 ${time(of.p99)}, latest ${time(of.max)}` },
    axis.marks.map((mark) => s("line", { x1: axis.to(mark), x2: axis.to(mark), y1: 0, y2: HEIGHT, class: "grid" })),
    s("path", { d: path, fill: row.colour, "fill-opacity": 0.75 }),
    line(of.p50, "median"),
    of.max === null ? null : s("circle", { cx: axis.to(of.max), cy: HEIGHT - 4, r: 2.2, class: "latest" }));
}

/** Returns a table with a row for each group, such as a processor; `null` if there is only one group. */
export function grouping(caption: string, first: string, groups: Map<number, { histogram: Histogram; figures: Exact }>, name: (key: number) => string): HTMLElement | null {
  if (groups.size < 2) return null;
  const rows = [...groups].sort((a, b) => a[0] - b[0]).map(([key, { histogram, figures }]): Strip => ({ name: name(key), histogram, exact: figures, colour: ofSeries(0) }));
  return strips(caption, first, rows, false);
}
