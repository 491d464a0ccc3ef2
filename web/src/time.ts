// The picture of oversleep against time: all samples as a density, with the extremes and the five latest on top.

import { chart, type Chart } from "./chart";
import { lowerBound } from "./data";
import { draw, ring } from "./density";
import { h } from "./dom";
import { grouped, time } from "./format";
import { isDrawn, layersOf, said, toggles } from "./layers";
import { drawn, extremes, isShown, legendEntries, length, type Loaded } from "./model";
import { variable } from "./palette";
import { predictor } from "./predicted";
import { latenessOverTime, seconds } from "./scale";
import { listen, set, view } from "./state";

/** Returns lines that describe one sample. */
export function told(recording: Loaded, row: number): string[] {
  const samples = recording.samples!;
  const cell = recording.cells[samples.cell[row]!];
  const cpu = samples.cpu[row]!;
  const late = samples.late[row]!;
  const stall = recording.document.measured.stalls?.worst.find((one) => one.cell === samples.cell[row] && one.sequence === samples.sequence[row]);
  const what = recording.document.measured.stalls ? `${time(late)} taken` : late < 0 ? `${time(-late)} early` : `${time(late)} late`;
  return [
    what,
    `${cell?.page.label ?? "?"}${samples.requested[row]! > 0 ? `, asked ${time(samples.requested[row]!)}` : ""}`,
    `at ${(samples.start[row]! / 1e9).toFixed(6)} s, sleep ${grouped(samples.sequence[row]!)}, thread ${samples.thread[row]}${cpu < 0 ? "" : `, processor ${cpu}`}`,
    ...(stall ? [stall.explanation] : []),
    ...(samples.flags[row]! & 1 ? ["the first call of its thread"] : []),
    ...(samples.flags[row]! & 2 ? ["ended by a signal"] : []),
  ];
}

/** Returns the legend of colours; `null` if there is only one. */
export function legend(all: Loaded[]): HTMLElement | null {
  const entries = legendEntries(all);
  if (entries.length === 0) return null;
  return h("ul.legend", {}, entries.map(({ name, colour }) => {
    const swatch = h("i", { "aria-hidden": "true" });
    swatch.style.background = colour;
    return h("li", {}, swatch, name);
  }));
}

/** Returns the picture; `null` without samples. */
export function overTime(all: Loaded[]): HTMLElement | null {
  if (!all.some((recording) => recording.series && recording.series.at.length > 0)) return null;
  const stalls = all.some((recording) => recording.document.measured.stalls);
  const [low, high] = extremes(all);
  const { scale, range } = latenessOverTime(all.flatMap(latenesses), low, high);
  const places = all.map((recording) => placed(recording.series?.late ?? new Float64Array(0), scale.to));
  const end = length(all) || 1;
  const clouds = () => drawn(all).flatMap(({ recording, colour, only }) => {
    const { series } = all[recording]!;
    if (!series) return [];
    const [first, last] = view.range ?? [0, end];
    const from = lowerBound(series.at, first), until = lowerBound(series.at, last + 1e-12);
    const cloud = { x: series.at, y: places[recording]!, from, until, ordered: true, colour };
    return [only ? { ...cloud, only: (index: number) => only[series.cell[index]!] === 1 } : cloud];
  });
  const worst = all.map(latest), layers = layersOf(all), predictions = all.map(predictor);
  const frame: Chart = chart({
    alt: `${stalls ? "Stalls" : "Oversleep"} against time, from ${time(low)} to ${time(high)}, over ${time(end * 1e9)}.`,
    height: 320,
    x: { title: "time since the beginning", scale: seconds(), range: [0, end] },
    y: { title: stalls ? "length of stall" : "oversleep", scale, range },
    draw: (context, into) => {
      for (const cloud of clouds()) draw(context, into, cloud);
      for (const recording of all) {
        const { series } = recording;
        if (!series) continue;
        for (const place of worst[recording.index]!) {
          if (!isShown(recording.index, series.cell[place]!)) continue;
          ring(context, into.x(series.at[place]!), into.y(places[recording.index]![place]!), into.ratio, variable("--ink"));
        }
      }
      for (const layer of layers().filter(isDrawn)) {
        context.save();
        layer.draw(context, into, scale.to);
        context.restore();
      }
    },
    hover: (x, y, near) => {
      let best: [Loaded, number] | null = null, least = 12 ** 2;
      for (const recording of all) {
        const { series } = recording;
        if (!series) continue;
        for (let place = lowerBound(series.at, x - 12 * near.x); place < series.at.length && series.at[place]! <= x + 12 * near.x; place++) {
          if (!isShown(recording.index, series.cell[place]!)) continue;
          const apart = ((series.at[place]! - x) / near.x) ** 2 + ((places[recording.index]![place]! - y) / near.y) ** 2;
          if (apart < least) [least, best] = [apart, [recording, series.row[place]!]];
        }
      }
      if (!best) return null;
      const [recording, row] = best, late = predictions[recording.index]!(row);
      return [...told(recording, row), ...(late === null ? [] : [`the model predicts ${time(late)}`])];
    },
    zoom: (range) => set("range", range),
  });
  if (view.range) frame.show(view.range);
  const signs = toggles(layers), sentences = h("span", {}, said(layers()));
  listen((now, changed) => {
    if (changed === "range") frame.show(now.range);
    else frame.redraw();
    if (changed === "range") return;
    signs.update();
    sentences.textContent = said(layers());
  });
  const kept = all.filter((recording) => (recording.document.samples?.one_of ?? 1) > 1).map((recording) => {
    const { count, of, one_of } = recording.document.samples!;
    return h("p.quiet", {}, `Of ${grouped(of)} samples of ${recording.document.name} the page holds ${grouped(count)}: the latest and the earliest, and one of ${one_of} others.`);
  });
  frame.element.setAttribute("aria-describedby", "over-time");
  return h("figure", {}, legend(all), signs.element, frame.element,
    h("figcaption", { id: "over-time" }, stalls ? "Each point is a stall." : "Each point is a sleep; the stronger the colour, the more.",
      ` The five latest${all.length > 1 ? " of each recording" : ""} have a ring. Drag to zoom, double click for all; all pictures over time go together.`, sentences), kept);
}

/** Returns the lateness of each of a recording's series. */
function latenesses({ document, series }: Loaded): Float64Array[] {
  if (!series) return [];
  return document.series.map(({ cells }) => {
    const own = new Set(cells);
    return series.late.filter((_, place) => own.has(series.cell[place]!));
  });
}

/** Returns values as places on an axis. */
export function placed(values: Float64Array, to: (value: number) => number): Float32Array {
  const places = new Float32Array(values.length);
  for (let at = 0; at < places.length; at++) places[at] = to(values[at]!);
  return places;
}

/** Returns the indices of the five latest samples. */
function latest(recording: Loaded): number[] {
  const { series } = recording;
  if (!series) return [];
  const best: number[] = [];
  for (let place = 0; place < series.late.length; place++) {
    if (best.length === 5 && series.late[place]! <= series.late[best[4]!]!) continue;
    best.push(place);
    best.sort((a, b) => series.late[b]! - series.late[a]!);
    best.length = Math.min(best.length, 5);
  }
  return best;
}
