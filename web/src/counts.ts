// Counts of another program: a picture of its own buckets, and a table of the figures that they bound.

import { between, type Bucket, largest, together } from "./buckets";
import { chart } from "./chart";
import { counting } from "./distribution";
import type { DistributionFigures } from "./document";
import { h, table, type Child } from "./dom";
import { grouped, time } from "./format";
import type { Loaded } from "./model";
import { lit, ofSeries } from "./palette";
import { logarithmic } from "./scale";
import { listen } from "./state";

interface Line { name: string; colour: string; buckets: Bucket[] }

/** Most lines that have colours of their own; if there are more, they are drawn as one. */
const COLOURS = 6;

function lines(recording: Loaded): Line[] {
  const counts = (recording.document.counts ?? []).map((one) => ({ name: one.label, buckets: (one.buckets_ns as Bucket[]).map(([low, high, count]): Bucket => [low, high + 1, count]) }))
    .filter((one) => one.buckets.length > 0);
  if (counts.length > COLOURS) return [{ name: `${counts.length} rows together`, colour: ofSeries(0), buckets: together(counts.map((one) => one.buckets)) }];
  return counts.map((one, index) => ({ ...one, colour: ofSeries(index) }));
}

function picture(all: Line[], title: string): HTMLElement | null {
  const buckets = all.flatMap((line) => line.buckets);
  if (buckets.length === 0) return null;
  const first = Math.min(...buckets.map(([from]) => from)), high = Math.max(...buckets.map(([, to]) => to));
  // A logarithmic axis has no zero: a bucket from zero begins at a tenth of where the shortest one ends.
  const low = first > 0 ? first : Math.min(...buckets.map(([, to]) => to)) / 10;
  const scale = logarithmic(false), most = Math.max(...buckets.map(([, , count]) => count));
  const drawn = chart({
    alt: `How many values each bucket has: ${all.map((line) => line.name).join("; ")}. The table has the figures.`,
    height: 260,
    x: { title, scale, range: [low * 0.85, high * 1.3] },
    y: { title: "values", scale: counting(), range: [0.5, most * 1.6] },
    draw: (context, frame) => {
      const floor = frame.y(counting().to(0.5));
      for (const line of all) {
        context.beginPath();
        for (const [from, to, count] of line.buckets) {
          const [left, right] = [Math.max(from, low), to].map((ns) => frame.x(scale.to(ns))) as [number, number];
          const top = frame.y(counting().to(count));
          context.rect(left, top, right - left, floor - top);
        }
        context.fillStyle = lit(line.colour);
        context.globalAlpha = 0.35;
        context.fill();
        context.globalAlpha = 1;
        context.strokeStyle = lit(line.colour);
        context.lineWidth = frame.ratio;
        context.stroke();
      }
    },
    hover: (x) => {
      const ns = scale.from(x);
      const found = all.flatMap((line) => line.buckets.filter(([from, to]) => Math.max(from, low) <= ns && ns < to).map(([from, to, count]): [string, string] => [`${time(from)} to ${time(to)}`, `${line.name}: ${grouped(count)}`]));
      return found.length > 0 ? [found[0]![0], ...found.map(([, text]) => text)] : null;
    },
  });
  listen((_, changed) => { if (changed === "theme") drawn.redraw(); });
  const swatch = (line: Line) => {
    const element = h("i", { "aria-hidden": "true" });
    element.style.background = line.colour;
    return h("li", {}, element, line.name);
  };
  return h("figure", {}, h("ul.legend", {}, all.map(swatch)), drawn.element,
    h("figcaption", {}, "How many values are in each of the file's own buckets; those beyond its last one stand between where it ends and the largest value."));
}

/** Returns the picture, the table and the conventions of a file with counts; nothing for other recordings. */
export function counts(recording: Loaded): Child[] {
  const { distributions, conventions } = recording.document.measured;
  const rows: DistributionFigures[] = distributions ?? [];
  if (rows.length === 0) return [];
  const label = (index: number) => recording.document.counts?.[index]?.label ?? rows[index]!.method;
  const kinds = new Set(rows.map((row) => row.quantity.replace(/-/g, " ")));
  return [
    picture(lines(recording), kinds.size === 1 ? [...kinds][0]! : "time"),
    table("Figures, each between the bounds of its bucket", ["row", ">values", ">min", ">p50", ">p90", ">p99", ">p99.9", ">max"],
      rows.map((row, index) => [label(index), grouped(row.n), time(row.min_ns), between(row.p50), between(row.p90), between(row.p99), between(row.p999), largest(row.max_ns)])),
    (conventions ?? []).map((text) => h("p.quiet", {}, text)),
  ];
}
