// The pictures against the request: how long and how late sleeps were, with a line for sleeps that are not late.

import { chart } from "./chart";
import { draw } from "./density";
import { h } from "./dom";
import { time } from "./format";
import { drawn, extremes, isShown, type Loaded } from "./model";
import { variable } from "./palette";
import { lateness, logarithmic } from "./scale";
import { listen } from "./state";
import { legend, told } from "./time";

/** Returns both pictures; `null` if all sleeps have the same request. */
export function againstRequest(all: Loaded[]): HTMLElement | null {
  let low = Infinity, high = 0;
  for (const { samples } of all) if (samples) for (const requested of samples.requested) {
    if (requested > 0) { low = Math.min(low, requested); high = Math.max(high, requested); }
  }
  if (!(high > low * 1.01)) return null;
  const asked = logarithmic(false);
  const [least, most] = extremes(all);
  const late = logarithmic(least < 0);
  const rows = all.map((recording) => {
    const { series, samples } = recording;
    if (!series || !samples) return null;
    const of = (value: (row: number) => number) => {
      const places = new Float32Array(series.row.length);
      for (let at = 0; at < places.length; at++) places[at] = value(series.row[at]!);
      return places;
    };
    return {
      recording, series,
      x: of((row) => asked.to(samples.requested[row]!)),
      slept: of((row) => asked.to(samples.requested[row]! + samples.late[row]!)),
      late: of((row) => late.to(samples.late[row]!)),
    };
  }).filter((one) => one !== null);
  const range: [number, number] = [low * 0.8, high * 1.25];
  const picture = (title: string, y: "slept" | "late", span: [number, number], diagonal: boolean) => chart({
    alt: `${title} against what was asked, from ${time(low)} to ${time(high)}.`,
    height: 300,
    x: { title: "asked", scale: asked, range },
    y: { title, scale: y === "late" ? late : asked, range: span },
    draw: (context, frame) => {
      if (diagonal) {
        context.strokeStyle = variable("--ink");
        context.lineWidth = frame.ratio;
        context.setLineDash([4 * frame.ratio, 3 * frame.ratio]);
        context.beginPath();
        for (const ns of range) context.lineTo(frame.x(asked.to(ns)), frame.y(asked.to(ns)));
        context.stroke();
        context.setLineDash([]);
      }
      for (const { recording, colour, only } of drawn(all)) {
        const row = rows.find((one) => one.recording.index === recording);
        if (!row) continue;
        const cloud = { x: row.x, y: row[y], from: 0, until: row.x.length, colour };
        draw(context, frame, only ? { ...cloud, only: (place) => only[row.series.cell[place]!] === 1 } : cloud);
      }
    },
    hover: (x, at, near) => {
      let best: string[] | null = null, least = 10 ** 2;
      for (const row of rows) for (let place = 0; place < row.x.length; place++) {
        const across = (row.x[place]! - x) / near.x;
        if (across > 10 || across < -10 || !isShown(row.recording.index, row.series.cell[place]!)) continue;
        const apart = across ** 2 + ((row[y][place]! - at) / near.y) ** 2;
        if (apart < least) { least = apart; best = told(row.recording, row.series.row[place]!); }
      }
      return best;
    },
  });
  const slow = picture("slept", "slept", [low * 0.8, Math.max(high, most) * 1.5], true);
  const error = picture("oversleep", "late", lateness(least, most), false);
  listen((_, changed) => { if (changed === "cell" || changed === "theme") { slow.redraw(); error.redraw(); } });
  return h("figure", {}, legend(all), h("div.pair", {}, slow.element, error.element),
    h("figcaption", {}, "Left: how long each sleep was; on the dashed line it would have been exactly what was asked. Right: how late it was."));
}
