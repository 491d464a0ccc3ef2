// Scales of axes: conversion between values and places on the axis, and the axis's marks.

import { brief } from "./format";

/** The scale of an axis. Pictures are drawn in places; `to` converts a value to a place, `from` a place to a value. */
export interface Scale {
  to(value: number): number;
  from(place: number): number;
  /** Returns the marks between two places. */
  marks(from: number, to: number): number[];
  /** Returns a mark's label; empty for a minor mark. */
  label(place: number, from: number, to: number): string;
}

/** A scale for positive and negative times is nearly linear up to about this many ns. */
const STRAIGHT = 1000;

/** Returns a logarithmic scale for times in ns; with `negative`, it is nearly linear around zero. */
export function logarithmic(negative: boolean): Scale {
  const to = negative
    ? (ns: number) => Math.sign(ns) * Math.log10(1 + Math.abs(ns) / STRAIGHT)
    : (ns: number) => Math.log10(Math.max(ns, 1));
  const from = negative
    ? (place: number) => Math.sign(place) * STRAIGHT * (10 ** Math.abs(place) - 1)
    : (place: number) => 10 ** place;
  const least = negative ? 4 : 0;
  const values: number[] = negative ? [0] : [];
  for (let power = least; power <= 12; power++) {
    for (let digit = 1; digit < 10; digit++) {
      values.push(digit * 10 ** power);
      if (negative) values.push(-digit * 10 ** power);
    }
  }
  const places = values.map(to).sort((a, b) => a - b);
  return {
    to, from,
    marks: (low, high) => places.filter((place) => place >= low - 1e-9 && place <= high + 1e-9),
    label: (place, low, high) => {
      const ns = Math.round(from(place));
      if (ns === 0) return "0";
      const lead = Number(Math.abs(ns).toPrecision(1)) / 10 ** Math.floor(Math.log10(Math.abs(ns)) + 1e-9);
      const wanted = high - low < 1.3 ? [1, 2, 3, 5, 7] : high - low < 2.6 ? [1, 3] : [1];
      return wanted.includes(Math.round(lead)) ? brief(ns) : "";
    },
  };
}

/** Returns the ends of an axis for oversleeps from `low` to `high`, with some room. If all are early, it ends at zero. */
export function lateness(low: number, high: number): [number, number] {
  return [low > 0 ? low * 0.8 : Math.min(low * 1.2, 0), Math.max(high * 1.3, low < 0 ? 0 : 1)];
}

/** Returns the scale and the ends of an axis of lateness over time, from `low` to `high`: linear where each series' values are spread
 * evenly, so that a straight rise is straight, and logarithmic where a few lie far from the others. Pictures of the program do the
 * same. */
export function latenessOverTime(series: Float64Array[], low: number, high: number): { scale: Scale; range: [number, number] } {
  if (!series.filter((values) => values.length > 0).every((values) => isEven(values, low, high))) {
    return { scale: logarithmic(low < 0), range: lateness(low, high) };
  }
  const room = (high - low) * 0.08;
  const from = low >= 0 && low < high / 2 ? 0 : low - room;
  const to = high <= 0 && high > low / 2 ? 0 : high + room;
  const label = (ns: number, least: number, most: number) =>
    brief(ns, Math.max(3, 2 + Math.ceil(Math.log10(Math.max(Math.abs(least), Math.abs(most)) / (most - least)))));
  return { scale: { ...linear(String), label }, range: [from, to] };
}

/** Returns whether values are spread evenly between the ends of all: their middle half takes at least a tenth of that, and not even a
 * quarter of them is two decades below the largest. */
function isEven(values: Float64Array, low: number, high: number): boolean {
  // So many tell quartiles well enough, and sorting a million would delay the page.
  const every = Math.ceil(values.length / 10_000);
  const sorted = values.filter((_, at) => at % every === 0).sort();
  const quarter = sorted[Math.floor(sorted.length / 4)]!, threeQuarters = sorted[Math.floor(sorted.length * 3 / 4)]!;
  return high > low && threeQuarters - quarter >= (high - low) / 10 && (low < 0 || quarter * 100 >= high);
}

/** First digits of the steps between marks. */
const STEPS = [1, 2, 5];

/** Returns a linear scale for seconds. */
export function seconds(): Scale {
  return {
    to: (value) => value, from: (place) => place,
    marks: (low, high) => {
      const unit = high - low > 7200 ? 3600 : 1;
      return even(low / unit, high / unit, 8).map((mark) => mark * unit);
    },
    label: (place, low, high) => {
      const span = high - low;
      if (Math.abs(place) < span * 1e-9) return "0 s";
      if (span < 1e-3) return `${Number((place * 1e6).toPrecision(9))} µs`;
      if (span < 1) return `${Number((place * 1e3).toPrecision(9))} ms`;
      return span > 7200 ? `${Number((place / 3600).toPrecision(6))} h` : `${Number(place.toPrecision(9))} s`;
    },
  };
}

/** Returns a linear scale for other values. */
export function linear(label: (value: number) => string): Scale {
  return { to: (value) => value, from: (place) => place, marks: (low, high) => even(low, high, 6), label };
}

function even(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (STEPS.find((digit) => digit * power >= raw) ?? 10);
  const out: number[] = [];
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index++) out.push(index * step);
  return out;
}
