// The pictures of distributions: how many sleeps were how late, and each quantile with its interval.

import { chart } from "./chart";
import { h } from "./dom";
import { grouped, percent, time } from "./format";
import { bounds, carries, type Histogram, merged, quantile, total } from "./histogram";
import { drawn, extremes, type Loaded } from "./model";
import { lit, variable } from "./palette";
import { lateness, linear, logarithmic } from "./scale";
import { listen } from "./state";
import { legend } from "./time";

/** A line of cells; `median` is theirs if they are one, as bins show it to 6 % only. */
interface Line { name: string; colour: string; histogram: Histogram; count: number; median: number | null }

/** Returns the lines to draw. */
function lines(all: Loaded[]): Line[] {
  const out = drawn(all).map(({ name, colour, recording, cells }): Line => {
    const histogram = merged(cells.map((cell) => all[recording]!.cells[cell]!.page.histogram));
    const median = cells.length === 1 ? all[recording]!.cells[cells[0]!]!.figures.p50_ns : null;
    return { name, colour, histogram, count: total(histogram), median };
  });
  return out.filter((one) => one.count > 0);
}

/** Quantiles that are marked in the first picture. */
const MARKED: [number, string][] = [[0.5, "p50"], [0.9, "p90"], [0.99, "p99"], [0.999, "p99.9"], [0.9999, "p99.99"], [0.99999, "p99.999"]];

/** Returns both pictures; `null` without sleeps. */
export function distribution(all: Loaded[]): HTMLElement | null {
  if (lines(all).length === 0) return null;
  const [low, high] = extremes(all);
  const scale = logarithmic(low < 0);
  const range = lateness(low, high);
  const most = Math.max(...lines(all).flatMap((line) => line.histogram.map(([, count]) => count)));
  const what = all[0]?.document.measured.stalls ? "stalls" : "sleeps";
  const counts = chart({
    alt: `How many ${what} were how long or late: ${lines(all).map((line) => `${line.name}, median ${line.median === null ? `about ${time(quantile(line.histogram, 0.5).middle)}` : time(line.median)}`).join("; ")}.`,
    height: 260,
    x: { title: what === "stalls" ? "length" : "oversleep", scale, range },
    y: { title: what, scale: counting(), range: [0.5, most * 1.6] },
    draw: (context, frame) => {
      for (const line of lines(all)) {
        context.beginPath();
        const floor = frame.y(counting().to(0.5));
        let last = NaN;
        for (const [bin, count] of line.histogram) {
          const [from, to] = bounds(bin).map((ns) => frame.x(scale.to(ns))) as [number, number];
          const top = frame.y(counting().to(count));
          if (!(Math.abs(from - last) < 0.5)) {
            if (!Number.isNaN(last)) context.lineTo(last, floor);
            context.moveTo(from, floor);
          }
          context.lineTo(from, top);
          context.lineTo(to, top);
          last = to;
        }
        if (!Number.isNaN(last)) context.lineTo(last, floor);
        context.fillStyle = lit(line.colour);
        context.globalAlpha = 0.28;
        context.fill();
        context.globalAlpha = 1;
        context.strokeStyle = lit(line.colour);
        context.lineWidth = 1.2 * frame.ratio;
        context.stroke();
      }
      const [first] = lines(all);
      if (!first || lines(all).length > 1) return;
      context.fillStyle = context.strokeStyle = variable("--ink");
      context.font = `${11 * frame.ratio}px system-ui, sans-serif`;
      context.lineWidth = frame.ratio;
      let free = -Infinity;
      for (const [share, name] of MARKED) {
        if (!carries(first.count, share)) continue;
        const x = frame.x(scale.to(quantile(first.histogram, share).middle));
        context.globalAlpha = 0.55;
        context.beginPath();
        context.moveTo(x, frame.top + (x > free ? 16 * frame.ratio : 0));
        context.lineTo(x, frame.top + frame.height);
        context.stroke();
        context.globalAlpha = 1;
        if (x > free) {
          context.fillText(name, Math.max(frame.left + 4 * frame.ratio, x - context.measureText(name).width / 2), frame.top + 11 * frame.ratio);
          free = x + context.measureText(name).width + 6 * frame.ratio;
        }
      }
    },
    hover: (x) => {
      const ns = scale.from(x);
      const [line] = lines(all);
      if (!line) return null;
      const below = line.histogram.filter(([bin]) => bounds(bin)[1] <= ns).reduce((sum, [, count]) => sum + count, 0);
      return [time(ns), `${percent(below / line.count)} of ${grouped(line.count)} ${what} are below`];
    },
  });
  const quantiles = chart({
    alt: "Each quantile with its 95 % interval, to 6 %; the table of figures has the exact ones.",
    height: 260,
    x: { title: "quantile", scale: shares(), range: [0, nines(Math.max(...lines(all).map((line) => 1 - 1 / line.count)))] },
    y: { title: what === "stalls" ? "length" : "oversleep", scale, range },
    draw: (context, frame) => {
      for (const line of lines(all)) {
        const shown = Array.from({ length: 121 }, (_, step) => 1 - 10 ** (-step / 120 * nines(1 - 1 / line.count)));
        const points = shown.map((share) => ({ x: frame.x(nines(share)), ...quantile(line.histogram, share, line.count) }));
        context.beginPath();
        points.forEach((point) => context.lineTo(point.x, frame.y(scale.to(point.low))));
        [...points].reverse().forEach((point) => context.lineTo(point.x, frame.y(scale.to(point.high))));
        context.closePath();
        context.fillStyle = lit(line.colour);
        context.globalAlpha = 0.22;
        context.fill();
        context.globalAlpha = 1;
        context.beginPath();
        points.forEach((point) => context.lineTo(point.x, frame.y(scale.to(point.middle))));
        context.strokeStyle = lit(line.colour);
        context.lineWidth = 1.6 * frame.ratio;
        context.stroke();
      }
    },
    hover: (x) => {
      const share = 1 - 10 ** -x;
      return [`${Number((100 * share).toPrecision(6))} % of sleeps`, ...lines(all).slice(0, 6).map((line) => {
        const { low: from, middle, high: to } = quantile(line.histogram, share, line.count);
        return `${line.name}: about ${time(middle)} (${time(from)} to ${time(to)})`;
      })];
    },
  });
  listen((_, changed) => { if (changed === "cell" || changed === "theme") { counts.redraw(); quantiles.redraw(); } });
  return h("figure", {}, legend(all), h("div.pair", {}, counts.element, quantiles.element),
    h("figcaption", {}, what === "stalls" ? "Left: how many stalls were how long. Right: the length that a share of stalls stays below, with its 95 % interval. Read to 6 %, the width of the bars; the tables are exact." : "Left: how many sleeps were how late. Right: the lateness that a share of sleeps stays below, with its 95 % interval. Both are of all sleeps, read to 6 %, the width of the bars; the tables are exact."));
}

/** Returns a logarithmic axis for counts, from 0.5 on. */
export function counting() {
  const marks = Array.from({ length: 13 }, (_, power) => power);
  return {
    ...linear(() => ""), to: (count: number) => Math.log10(Math.max(count, 0.5)), from: (place: number) => 10 ** place,
    marks: (low: number, high: number) => marks.filter((mark) => mark >= low && mark <= high),
    label: (place: number) => grouped(Math.round(10 ** place)),
  };
}

/** Returns how many nines a share has: 0.99 has two. */
function nines(share: number): number {
  return -Math.log10(Math.max(1 - share, 1e-12));
}

function shares() {
  return {
    ...linear(() => ""),
    marks: (low: number, high: number) => [0, nines(0.5), ...Array.from({ length: 9 }, (_, power) => power + 1)].filter((mark) => mark >= low && mark <= high + 1e-9),
    label: (place: number) => place === 0 ? "0" : place < 0.5 ? "50 %" : `${Number((100 * (1 - 10 ** -place)).toPrecision(Math.max(2, Math.round(place))))} %`,
  };
}
