// The parts of the page about the measurement: machine, conditions, and how to repeat it.

import type { Conditions, Machine, PageRecording } from "./document";
import { h, table, type Child } from "./dom";
import { grouped, time, words } from "./format";
import type { Loaded } from "./model";

const ENDED: Record<string, string> = { complete: "complete", interrupted: "interrupted: somebody stopped it", "time-over": "ended when its time ran out" };

function origin(recording: PageRecording): string {
  const { origin, machine } = recording.measured;
  if (origin.kind === "simulated") return `simulated kernel ${origin.model}`;
  if (origin.kind === "imported") return `${origin.file}, read as ${origin.format}`;
  return [machine.system, machine.release].filter(Boolean).join(" ");
}

/** Returns the line above the headline: machine, time and kind of recording. */
export function heading(recording: PageRecording): HTMLElement {
  const { machine, started, kind, ended } = recording.measured;
  const cpus = machine.processor.online.length;
  const parts = [
    origin(recording), machine.processor.model, cpus > 0 ? `${cpus} processor${cpus > 1 ? "s" : ""}` : null, machine.virtualisation.hypervisor, machine.virtualisation.container,
    started?.replace("T", " ").replace("Z", " UTC"), kind, ENDED[ended ?? ""] ?? "cut off before its end",
  ];
  return h("p.quiet.machine", {}, parts.filter((part) => part).join(" · "));
}

/** Returns a value of a condition or a fact of the machine as text for people. */
export function shown(key: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && key.endsWith("_ns")) return time(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map((one) => shown(key, one)).join(", ");
  if (typeof value === "object") return Object.entries(value).filter(([, part]) => part !== null).map(([name, part]) => name === "name" || name === "kind" ? shown(name, part) : `${words(name.replace(/_ns$/, ""))} ${shown(name, part)}`).join(", ");
  return String(value);
}

/** Returns the facts of a machine as names and values, one level deep. */
export function flat(machine: Machine): [string, string][] {
  return Object.entries(machine).flatMap(([group, value]): [string, string][] => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [[words(group), shown(group, value)]];
    return Object.entries(value).map(([key, one]) => [`${words(group)}: ${words(key.replace(/_ns$/, ""))}`, shown(key, one)]);
  });
}

function conditions(recording: Loaded): HTMLElement | null {
  const rows: Child[][] = [];
  const seen = new Set<string>();
  for (const cell of recording.cells) {
    const { asked, obtained } = cell.figures.conditions;
    for (const key of new Set([...Object.keys(asked), ...Object.keys(obtained ?? {})])) {
      const of = (conditions: Conditions | null) => shown(key, (conditions as Record<string, unknown> | null)?.[key]);
      const [wanted, got] = [of(asked), of(obtained as Conditions | null)];
      const line = `${key}|${wanted}|${got}`;
      if (seen.has(line) || (wanted === "–" && got === "–")) continue;
      seen.add(line);
      rows.push([words(key.replace(/_ns$/, "")), wanted === "–" ? h("span.quiet", {}, "as it is") : wanted, wanted !== "–" && wanted !== got ? h("strong", {}, got) : got]);
    }
  }
  return rows.length > 0 ? table("Conditions, asked for and obtained", ["condition", "asked for", "obtained"], rows) : null;
}

/** Returns the section on how a recording was measured; `download` saves its samples. */
export function measuring(recording: Loaded, download: () => void): HTMLElement {
  const { document } = recording;
  const { measured } = document;
  const missing = measured.unavailable;
  const interrupted = recording.cells.reduce((sum, cell) => sum + cell.figures.interrupted, 0);
  const failed = recording.cells.reduce((sum, cell) => sum + cell.figures.failed, 0);
  const notes = [
    measured.lost > 0 ? `${grouped(measured.lost)} samples were lost: they came faster than they could be kept.` : null,
    interrupted > 0 ? `${grouped(interrupted)} sleeps were ended by a signal; they are in all figures.` : null,
    failed > 0 ? `${grouped(failed)} calls failed; they are in no figure.` : null,
  ].filter((note) => note !== null);
  const facts = flat(measured.machine).filter(([, value]) => value !== "–" && value !== "");
  return h("div.measuring", {},
    notes.map((note) => h("p.warning", {}, note)),
    document.repeat ? h("p", {}, "Measure it again: ", h("code", {}, document.repeat)) : null,
    document.samples
      ? h("p.save", {}, h("button", { type: "button", click: download }, "Save samples as CSV"),
        h("span.quiet", {}, document.samples.one_of > 1 ? " those of this page; " : " all of them; ", h("code", {}, "oversleep export"), document.samples.one_of > 1 ? " writes all, with every condition" : " adds every condition"))
      : h("p.quiet", {}, measured.cells.some((cell) => cell.n > 0) ? "Samples are not embedded: their times reach too far apart for a browser. oversleep export writes them." : "There are no samples."),
    conditions(recording),
    missing.length > 0 ? table("Asked for and not obtained", ["what", "", "why"], missing.map((one) => [one.what, one.kind, one.why])) : null,
    h("details", {}, h("summary", {}, "The machine"), table("Facts of the machine", ["fact", "value"], facts, true)),
    h("p.quiet", {}, `Recorded by ${measured.tool}. Oversleep is actual minus requested, signed: below zero a sleep woke early. Quantiles are by nearest rank; – where the samples carry none.`));
}
