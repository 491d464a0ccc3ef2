// Builds the whole page from the embedded document and samples.

import { comparison } from "./compare";
import { counts } from "./counts";
import { csv } from "./csv";
import { read } from "./data";
import { distribution } from "./distribution";
import type { Page } from "./document";
import { h, type Child } from "./dom";
import { heading, measuring } from "./facts";
import { groups } from "./groups";
import { clocks, drift, interventions, lateSleeps, model, periods, stalls, traces } from "./kinds";
import { colour, loaded, sampled, type Loaded } from "./model";
import { againstRequest } from "./request";
import { listen, parsed, set, view } from "./state";
import { type Strip, strips } from "./strips";
import { overTime } from "./time";
import { budget, findings } from "./verdict";

function section(title: string, ...content: Child[]): HTMLElement | null {
  const filled = content.flat(8).some((child) => child !== null && child !== undefined && child !== false);
  return filled ? h("section", {}, h("h2", {}, title), content) : null;
}

function ranking(all: Loaded[]): HTMLElement | null {
  const rows = all.flatMap((recording) => recording.cells.filter((cell) => cell.figures.n > 0).map((cell): Strip => {
    const { figures } = cell;
    return {
      name: all.length > 1 ? `${cell.page.label} (${recording.document.name})` : cell.page.label,
      histogram: cell.page.histogram, colour: colour(all, recording.index, cell.index),
      exact: { n: figures.n, p50: figures.p50_ns, low: figures.p50_low_ns, high: figures.p50_high_ns, p99: figures.p99_ns, p999: figures.p999_ns, max: figures.max_ns },
      cost: figures.cost,
      pick: () => set("cell", view.cell?.[0] === recording.index && view.cell[1] === cell.index ? null : [recording.index, cell.index]),
      picked: () => view.cell?.[0] === recording.index && view.cell[1] === cell.index,
    };
  }));
  return rows.length > 0 ? strips("Every cell, the least late first", "cell", rows) : null;
}

function save(recording: Loaded): void {
  if (!recording.samples) return;
  const address = URL.createObjectURL(new Blob(csv(recording.document, recording.samples), { type: "text/csv" }));
  const link = h("a", { href: address, download: `${recording.document.name.replace(/\.[^.]*$/, "")}.csv` }) as HTMLAnchorElement;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

function controls(): HTMLElement {
  const all = h("button", { type: "button", click: () => { set("range", null); set("cell", null); set("cause", null); set("hidden", []); } }, "Show all");
  const theme = h("button", { type: "button", click: () => set("theme", view.theme === "auto" ? "dark" : view.theme === "dark" ? "light" : "auto") });
  const fill = () => {
    theme.textContent = `Theme: ${view.theme}`;
    all.hidden = !view.range && !view.cell && !view.cause && view.hidden.length === 0;
  };
  fill();
  listen(fill);
  return h("nav.controls", { "aria-label": "View" }, all, theme);
}

function themed(): void {
  if (view.theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = view.theme;
}

/** Returns the sections of one recording, under its name if there are several. */
function own(page: Page, recording: Loaded, several: boolean): Child[] {
  const { document } = recording;
  return [
    several ? h("h2.recording", {}, document.name) : null,
    several ? [heading(document), h("p", {}, document.headline)] : null,
    document.explained ? section("Why", several ? budget(recording) : null, findings(page, recording), interventions(recording)) : null,
    section("Late sleeps", lateSleeps(recording)),
    section("Stalls", stalls(recording)),
    section("Clocks", clocks(recording)),
    section("Schedule", periods(recording)),
    section("Traced sleeps", traces(recording)),
  ];
}

/** Functions that add the parts that need samples, which are unpacked after the page is first shown. */
const waiting: (() => HTMLElement | null)[] = [];

/** Returns a placeholder that `make` replaces when the samples are unpacked; `height` is its least height in pixels. */
function later(make: () => HTMLElement | null, height = 0): HTMLElement {
  const place = h("div", {});
  if (height > 0) place.style.minHeight = `${height}px`;
  waiting.push(() => {
    const made = make();
    place.style.minHeight = "";
    if (made) place.replaceWith(made);
    else place.remove();
    return made;
  });
  return place;
}

/** Returns the warnings of all recordings; those that differ only in their details are one, with the text of the first. */
function warnings(all: Loaded[]): string[] {
  const each = all.flatMap(({ document: { name, warnings } }) => warnings.map((text) => ({ name, text })));
  const alike = new Map<string, typeof each>();
  for (const one of each) {
    const kind = one.text.split(":").slice(0, 2).join(":");
    alike.set(kind, [...alike.get(kind) ?? [], one]);
  }
  return [...alike.values()].map((same) => {
    const { name, text } = same[0]!;
    if (all.length < 2) return text;
    return same.length > 1 ? `${name} and ${same.length - 1} more: ${text}` : `${name}: ${text}`;
  });
}

function build(page: Page, all: Loaded[]): Child[] {
  const [first] = all;
  if (!first) return [h("h1", {}, "No recording.")];
  const several = all.length > 1;
  const alone = !several && first.document.measured.stalls === null;
  return [
    h("header", {}, several ? null : heading(first.document), h("h1", {}, page.headline.replace(/(\d) (?=(ns|µs|ms|s|%)\b|%)/g, "$1\u00a0")),
      several || !first.document.advice ? null : h("p.advice", {}, first.document.advice),
      warnings(all).map((warning) => h("p.warning", { role: "note" }, warning)),
      controls(), several ? comparison(all, page.compared) : budget(first)),
    later(() => section(first.document.measured.stalls ? "Stalls over time" : "Over time", overTime(all)), all.some((recording) => recording.document.samples) ? 440 : 0),
    section("Distribution", distribution(all)),
    all.map((recording) => section(several ? `Counts of ${recording.document.name}` : "Counts in buckets", counts(recording))),
    section("Ranking", ranking(all)),
    all.map((recording) => own(page, recording, several)),
    later(() => section("Against the request", againstRequest(all))),
    all.map((recording) => later(() => section(several ? `Groups of ${recording.document.name}` : "Groups", groups(recording)))),
    section("Clocks against each other", drift(all)),
    alone || several ? section("Model", all.map(model)) : null,
    all.map((recording) => section(several ? `How ${recording.document.name} was measured` : "How it was measured", measuring(recording, () => save(recording)))),
    h("footer.quiet", {}, `Page made by ${page.tool}. It holds everything it shows and asks no network for anything.`),
  ];
}

async function start(): Promise<void> {
  const text = (id: string) => document.getElementById(id)?.textContent;
  const page = JSON.parse(text("document") ?? "{}") as Page;
  Object.assign(view, parsed(location.hash));
  themed();
  const place = document.getElementById("report");
  const all = page.recordings.map((_, index) => loaded(page, index));
  if (view.cell && !all[view.cell[0]]?.cells[view.cell[1]]) view.cell = null;
  place?.replaceChildren(h("main", {}, build(page, all)));
  performance.mark("verdict-shown");
  listen((_, changed) => {
    if (changed === "theme") themed();
    document.dispatchEvent(new Event("view-changed"));
  });
  window.addEventListener("hashchange", () => {
    const wanted = parsed(location.hash);
    for (const key of ["range", "cell", "cause", "hidden", "theme"] as const) set(key, wanted[key] as never);
  });
  window.addEventListener("keydown", (event) => { if (event.key === "Escape") { set("cell", null); set("cause", null); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => window.dispatchEvent(new Event("resize")));
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  await Promise.all(all.map(async (recording, index) => sampled(recording, await read(recording.document, text(`samples-${index}`)))));
  for (const fill of waiting) {
    fill();
    if (waiting[0] === fill) performance.mark("samples-shown");
    await new Promise((done) => setTimeout(done));
  }
  performance.mark("report-shown");
  document.documentElement.dataset["ready"] = "";
}

start().catch((error: unknown) => {
  document.getElementById("report")?.replaceChildren(h("p.warning", {}, `This page cannot be shown here: ${String(error)}. It needs a browser of 2023 or later.`));
});
