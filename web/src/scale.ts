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
  const values: number[] = negative ? [0] : [];
  for (let power = negative ? 2 : 0; power <= 12; power++) {
    for (let digit = 1; digit < 10; digit++) {
      values.push(digit * 10 ** power);
      if (negative) values.push(-digit * 10 ** power);
    }
  }
  const marked = values.map((ns) => ({ place: to(ns), ns })).sort((a, b) => a.place - b.place);
  const chosen = (low: number, high: number): Mark[] => {
    // Near zero a scale for both signs is nearly linear, and marks are close together.
    const nearest = !negative || high - low < 0.8 ? 0 : high - low < 3 ? 1000 : 10_000;
    const inside = marked.filter(({ place, ns }) => place >= low - 1e-9 && place <= high + 1e-9 && (ns === 0 || Math.abs(ns) >= nearest));
    for (const digits of [[1], [1, 3], [1, 2, 5]]) {
      const marks = inside.map(({ place, ns }) => ({ place, label: ns === 0 || digits.includes(firstDigit(ns)) ? brief(ns) : "" }));
      if (areEnough(marks, low, high)) return marks;
    }
    const [least, most] = [from(low), from(high)];
    const steps = (count: number) => even(least, most, count).map((ns) => ({ place: to(ns), label: brief(ns, digitsFor(least, most)) }));
    const few = steps(7);
    return areEnough(few, low, high) ? few : steps(14);
  };
  return {
    to, from,
    marks: (low, high) => chosen(low, high).map(({ place }) => place),
    label: (place, low, high) => chosen(low, high).find((mark) => Math.abs(mark.place - place) < 1e-9)?.label ?? "",
  };
}

/** A mark of an axis; a minor one has an empty label. */
interface Mark {
  place: number;
  label: string;
}

/** The fewest labels of an axis, and the widest part of it, as a share, that may have none. */
const LEAST = 3, WIDEST = 0.4;

/** Returns whether marks have enough labels for an axis. */
function areEnough(marks: Mark[], low: number, high: number): boolean {
  const labelled = marks.filter(({ label }) => label !== "").map(({ place }) => place);
  const ends = [low, ...labelled, high];
  return labelled.length >= LEAST && ends.slice(1).every((place, at) => place - ends[at]! <= WIDEST * (high - low));
}

function firstDigit(ns: number): number {
  return Number(Math.abs(ns).toExponential()[0]);
}

/** Returns how many digits tell the labels of an axis from `low` to `high` apart. */
function digitsFor(low: number, high: number): number {
  return Math.max(3, 2 + Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low))));
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
  const label = (ns: number, least: number, most: number) => brief(ns, digitsFor(least, most));
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
