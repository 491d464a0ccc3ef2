// Parts that only some recordings have: schedules, traced sleeps, stalls, clocks, drift, models, interventions.

import { chart } from "./chart";
import { h, s, table, type Child } from "./dom";
import { grouped, percent, time, words } from "./format";
import { length, type Loaded } from "./model";
import { lit, ofCause, ofSeries, UNEXPLAINED } from "./palette";
import { linear, seconds } from "./scale";
import { listen, set, view } from "./state";
import { bar } from "./verdict";

/** Returns the counts of each schedule's periods, with the raw and the corrected figures and the time that they left. */
export function periods(recording: Loaded): Child[] {
  return recording.cells.flatMap((cell) => {
    const account = cell.figures.periods;
    if (!account) return [];
    const { corrected } = cell.figures;
    const row = (name: string, of: { n: number; p50_ns: number | null; p90_ns: number | null; p99_ns: number | null; p999_ns: number | null; max_ns: number | null }): Child[] =>
      [name, grouped(of.n), time(of.p50_ns), time(of.p90_ns), time(of.p99_ns), time(of.p999_ns), time(of.max_ns)];
    const left = cell.page.time_left;
    return [
      h("p", {}, h("strong", {}, cell.page.label), `: ${grouped(account.asked)} periods asked for = ${grouped(account.fresh)} fresh + ${grouped(account.late)} late + ${grouped(account.skipped)} skipped; ${grouped(account.early)} woke early.`),
      counts([["fresh", account.fresh, ofSeries(2)], ["late", account.late, ofSeries(4)], ["skipped", account.skipped, ofSeries(1)]]),
      table("Both series", ["series", ">n", ">p50", ">p90", ">p99", ">p99.9", ">max"],
        [row("raw: each wake-up as it came", cell.figures), ...(corrected ? [row("corrected: what every period experienced", corrected)] : [])], true),
      left ? h("p", {}, `${left}.`) : null,
    ];
  });
}

function counts(parts: [string, number, string][]): HTMLElement {
  const element = h("div.bar", { role: "img", "aria-label": parts.map(([name, count]) => `${name} ${count}`).join(", ") });
  for (const [name, count, tint] of parts.filter(([, count]) => count > 0)) {
    const part = h("span", { title: `${name}: ${grouped(count)}` }, h("b", {}, `${name} ${grouped(count)}`));
    part.style.flexGrow = String(count);
    part.style.backgroundColor = tint;
    element.append(part);
  }
  return element;
}

/** Returns the picture and table of how clocks drift against the monotonic one; `null` if there are none. */
export function drift(all: Loaded[]): HTMLElement | null {
  const lines = all.flatMap((recording) => recording.document.drift.map((line) => ({ name: all.length > 1 ? `${line.clock}, ${recording.document.name}` : line.clock, points: line.points as [number, number][] })))
    .sort((a, b) => reach(b.points) - reach(a.points)).slice(0, 8);
  if (lines.length === 0) return null;
  let low = 0, high = 0, last = 0;
  for (const line of lines) for (const [at, ahead] of line.points) [low, high, last] = [Math.min(low, ahead), Math.max(high, ahead), Math.max(last, at)];
  const room = Math.max(high - low, 100) * 0.08;
  const end = Math.max(length(all), last / 1e9) || 1;
  const rates = lines.map((line) => {
    const final = line.points[line.points.length - 1]!;
    return final[0] > 0 ? final[1] / final[0] * 1e6 : 0;
  });
  const picture = chart({
    alt: `How far clocks ran ahead of the monotonic one: ${lines.map((line, index) => `${line.name} ${ppm(rates[index]!)}`).join("; ")}.`,
    height: 220,
    x: { title: "time since the first reading", scale: seconds(), range: [0, end] },
    y: { title: "ahead", scale: linear((ns) => time(ns)), range: [low - room, high + room] },
    draw: (context, frame) => lines.forEach((line, index) => {
      context.strokeStyle = lit(ofSeries(index));
      context.lineWidth = 1.5 * frame.ratio;
      context.setLineDash(index >= 4 ? [5 * frame.ratio, 3 * frame.ratio] : []);
      context.beginPath();
      for (const [at, ahead] of line.points) context.lineTo(frame.x(at / 1e9), frame.y(ahead));
      context.stroke();
      context.setLineDash([]);
    }),
    zoom: (range) => set("range", range),
  });
  if (view.range) picture.show(view.range);
  listen((now, changed) => { if (changed === "range") picture.show(now.range); else if (changed === "theme") picture.redraw(); });
  return h("figure", {}, picture.element, table("Drift against the monotonic clock", ["clock", ">drift", ">readings"],
    lines.map((line, index) => [dotted(ofSeries(index), line.name), `${ppm(rates[index]!)}`, grouped(line.points.length)]), true));
}

function ppm(rate: number): string {
  return `${rate > 0 ? "+" : rate < 0 ? "−" : ""}${Math.abs(rate).toFixed(3)} ppm`;
}

/** Returns the greatest distance of a line from zero. */
function reach(points: [number, number][]): number {
  return points.reduce((most, [, ahead]) => Math.max(most, Math.abs(ahead)), 0);
}

function dotted(tint: string, name: string): Child {
  const dot = h("i.swatch", { "aria-hidden": "true" });
  dot.style.background = tint;
  return [dot, name];
}

/** Returns the traced sleeps: each as a bar, and tables of where the time went. */
export function traces(recording: Loaded): Child[] {
  return recording.document.traces.flatMap((traced): Child[] => {
    const { trace, sleeps, parts } = traced;
    const summary = trace.trace;
    const of = (key: "at_p50_ns" | "at_p99_ns") => summary.parts.map((part): [string, number] => [words(part.kind) === "rest" ? "not separated" : named(part.kind), part[key] ?? 0]);
    const sum = (of: [string, number][]) => of.reduce((total, [, ns]) => total + ns, 0);
    const late = of("at_p99_ns"), usual = of("at_p50_ns");
    const widest = Math.max(sum(usual), Math.min(sum(late), 4 * sum(usual)) || sum(late));
    const budget = (label: string, parts: [string, number][], most: number) => sum(parts) === 0 ? null
      : h("div.budget", {}, h("span.label", {}, label), h("span.sum", {}, time(sum(parts))), h("div.track", {}, bar(parts, most, label)));
    return [
      h("h3", {}, `${trace.method}, ${time(trace.requested_ns)}`),
      h("p.quiet", {}, `${grouped(summary.complete)} of ${grouped(summary.sleeps)} traced sleeps have a whole chain of marks; evidence: ${words(trace.tier)}. `,
        trace.trace_shift_ns !== null ? `Tracing made sleeps ${time(trace.trace_shift_ns)} later (${time(trace.trace_shift_low_ns)} to ${time(trace.trace_shift_high_ns)}).` : ""),
      budget("p50", usual, widest), budget("p99", late, Math.max(widest, sum(late))),
      h("ul.legend", {}, summary.parts.filter((part) => (part.share ?? 0) > 0).map((part) => h("li", {}, dotted(ofCause(named(part.kind)), `${named(part.kind)} ${percent(part.share ?? 0)}`)))),
      sleeps.length > 0 ? bars(parts, sleeps) : null,
      table("Parts of the oversleep", ["part", ">p50", ">p99", ">mean", ">share"], summary.parts.map((part) => [named(part.kind), time(part.spread.p50_ns), time(part.spread.p99_ns), time(part.spread.mean_ns), part.share === null ? "–" : percent(part.share)])),
      summary.culprits.length > 0 ? table("Who had the processor meanwhile", ["who", "during", ">time", ">sleeps"], summary.culprits.slice(0, 20).map((one) => [String(one.name), named(one.during), time(one.time_ns), grouped(one.sleeps)])) : null,
    ];
  });
}

const PARTS: Record<string, string> = {
  entry: "entering the kernel", "armed-late": "timer armed late", slack: "timer slack", "irq-late": "interrupt late", "irq-entry": "interrupt entry",
  "other-timers": "other timers first", wake: "wake-up", "run-queue": "run queue", preempted: "preempted", irq: "interrupted", stopped: "stopped",
  return: "return to the program", "not-yet-run": "not yet running", rest: "not separated",
};

function named(kind: string): string {
  return PARTS[kind] ?? words(kind);
}

/** Returns a picture with each sleep as an upright bar of its parts. */
function bars(parts: string[], sleeps: Loaded["document"]["traces"][number]["sleeps"]): HTMLElement {
  const sorted = [...sleeps].map((sleep) => sleep.oversleep_ns).sort((a, b) => a - b);
  const tall = Math.max(1, sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 1);
  const width = Math.max(sleeps.length, 60), height = 160;
  const drawing = s("svg", { class: "sleeps", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `${sleeps.length} traced sleeps, each a bar of its parts; the table below has them in numbers.` });
  sleeps.forEach((sleep, index) => {
    let top = height;
    const group = s("g", {}, s("title", {}, `sleep ${sleep.sequence}: ${time(sleep.oversleep_ns)} late\n${sleep.times_ns.map((ns, part) => ns !== 0 ? `${parts[part]}: ${time(ns)}\n` : "").join("")}${sleep.owner ? `mostly ${sleep.owner}` : ""}${sleep.incomplete ? `\nnot whole: ${sleep.incomplete}` : ""}`));
    sleep.times_ns.forEach((ns, part) => {
      const name = parts[part] ?? "";
      const size = Math.max(0, ns) / tall * height;
      if (size <= 0 || top <= 0) return;
      group.append(s("rect", { x: index, width: 0.92, y: Math.max(0, top - size), height: Math.min(size, top), fill: UNEXPLAINED.has(name) ? "var(--line)" : ofCause(name) }));
      top -= size;
    });
    drawing.append(group);
  });
  return h("figure", {}, drawing, h("figcaption", {}, `${sleeps.length} sleeps in order, each a bar of its parts; the picture is ${time(tall)} tall, and bars that reach its top are later.`));
}

/** Returns the late sleeps that were watched for, and what is known of those that were examined. */
export function lateSleeps(recording: Loaded): Child[] {
  const { late } = recording.document.measured;
  if (!late) return [];
  const { account, sleeps } = late;
  return [
    h("p", {}, `${grouped(account.late)} of ${grouped(account.slept)} sleeps ${account.late === 1 ? "was" : "were"} later than ${time(account.threshold_ns)}`,
      account.stopped ? "; the run was stopped there." : "."),
    sleeps.length > 0 ? table("The late sleeps that were examined", [">sleep", ">processor", "what is known of it", "known by"], sleeps.slice(0, 50).map((one) =>
      [String(one.sequence), one.cpu === null ? "–" : String(one.cpu), one.explanation, one.witness])) : null,
  ];
}

/** Returns the tables of stalls, and of what took the processors. */
export function stalls(recording: Loaded): Child[] {
  const { stalls } = recording.document.measured;
  if (!stalls) return [];
  const cpu = (cell: number) => String(stalls.processors.find((one) => one.cell === cell)?.cpu ?? "?");
  const within = (one: { elapsed_ns: number; paused_ns: number }) => Math.max(1, one.elapsed_ns - one.paused_ns);
  return [
    table("Each processor's time", ["processor", ">watched", ">stalled", ">share", ">stalls", ">longer than"], stalls.processors.map((one) =>
      [String(one.cpu), time(within(one)), time(one.stalled_ns), `${Number((100 * one.stalled_ns / within(one)).toPrecision(3))} %`, grouped(one.stalls), time(one.threshold_ns)])),
    stalls.took.length > 0 ? table("What took it", ["cause", ">processor", ">time", ">stalls"], stalls.took.slice(0, 30).map((one) => [one.cause, cpu(one.cell), time(one.time_ns), grouped(one.stalls)])) : null,
    stalls.worst.length > 0 ? table("The longest stalls", ["length", ">processor", "what is known of it", "known by"], stalls.worst.slice(0, 30).map((one) =>
      [time(one.length_ns), one.cpu === null ? "–" : String(one.cpu), one.explanation, one.witness])) : null,
  ];
}

/** Returns the tables of a survey of clocks. */
export function clocks(recording: Loaded): Child[] {
  const { clocks } = recording.document;
  if (!clocks) return [];
  const cost = (clock: (typeof clocks.clocks)[number]) => clock.costs[clock.costs.length - 1]?.per_call_ns ?? null;
  const ranked = [...clocks.clocks].sort((a, b) => (cost(a) ?? Infinity) - (cost(b) ?? Infinity));
  return [
    table("What a reading costs, and how clocks advance", ["clock", ">a reading", ">claimed step", ">smallest step seen", ">backwards", "processors agree", "steered"], ranked.map((clock) => [
      clock.clock, cost(clock) === null ? "–" : `${cost(clock)!.toFixed(1)} ns`, time(clock.claimed_resolution_ns),
      clock.steps?.smallest_ns === null || clock.steps === null ? "–" : clock.steps.smallest_ns! < 1000 ? `${Number(clock.steps.smallest_ns!.toPrecision(3))} ns` : time(clock.steps.smallest_ns),
      grouped(clock.steps?.backwards ?? 0),
      clock.across_cpus === null ? "–" : "why" in clock.across_cpus ? clock.across_cpus.why : clock.across_cpus.earlier === 0 ? "yes" : `${grouped(clock.across_cpus.earlier)} readings earlier, by up to ${time(clock.across_cpus.worst_ns)}`,
      clock.steered ?? "–",
    ])),
    clocks.drift.length > 0 ? table("Pairs of clocks", ["clock", "against", ">runs faster by", ">95 % interval"], clocks.drift.map((pair) =>
      [pair.clock, pair.against, `${pair.drift_ppm.toFixed(3)} ppm`, `${pair.low_ppm.toFixed(3)} to ${pair.high_ppm.toFixed(3)}`])) : null,
  ];
}

/** Returns the table of the model laid over the sleeps; `null` if there is none. */
export function model(recording: Loaded): HTMLElement | null {
  const laid = recording.document.explained?.model;
  if (!laid || laid.kernels.length === 0) return null;
  return table("A kernel with the parameters found, laid over the sleeps", ["method", ">HZ", ">tick", ">slack", ">per wake-up", ">of the variance", ">residual p50", ">residual p99"], laid.kernels.map((one) => [
    one.method, one.hz === null ? "none" : String(Number(one.hz.toPrecision(6))), time(one.tick_ns), time(one.slack_ns), time(one.cost_ns),
    one.fit.variance_share === null ? "–" : percent(one.fit.variance_share), time(one.fit.residual_p50_ns), time(one.fit.residual_p99_ns)]));
}

/** Returns the table of what each intervention did to the median; `null` if there is none. */
export function interventions(recording: Loaded): HTMLElement | null {
  const made = recording.document.explained?.interventions;
  if (!made) return null;
  const label = (cell: number) => recording.cells[cell]?.page.label ?? `cell ${cell}`;
  return table("What each change did to the median", ["changed to", "instead of", ">median", ">shift", ">95 % interval", "an effect"], made.effects.map((effect) => [
    label(effect.cell), label(effect.reference), time(effect.variant_p50_ns), time(effect.p50.size_ns), `${time(effect.p50.low_ns)} to ${time(effect.p50.high_ns)}`,
    effect.p50.seen ? "yes" : `no; ${time(effect.p50.smallest_detectable_ns)} would have been seen`]));
}
