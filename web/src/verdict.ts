// The findings: budgets as bars, then each cause with its evidence and remedy.

import type { Finding, Page, Undecided } from "./document";
import { h, type Child } from "./dom";
import { confidence, percent, size, time, words } from "./format";
import { type Cell, type Loaded, slept } from "./model";
import { ofCause, UNEXPLAINED } from "./palette";
import { listen, set, view } from "./state";

/** Returns a stacked bar of named parts in ns; `widest` is the sum of parts that fills the width. */
export function bar(parts: [string, number][], widest: number, caption: string): HTMLElement {
  const shown = parts.filter(([, ns]) => ns !== 0);
  const sum = shown.reduce((total, [, ns]) => total + Math.abs(ns), 0);
  const element = h("div.bar", { role: "img", "aria-label": `${caption}: ${shown.map(([name, ns]) => `${words(name)} ${time(ns)}`).join(", ")}` });
  element.style.width = `${Math.max(2, 100 * sum / Math.max(widest, 1))}%`;
  for (const [name, ns] of shown) {
    const part = h("span", { title: `${words(name)}: ${time(ns)}`, class: UNEXPLAINED.has(name) ? "unexplained" : ns < 0 ? "negative" : null, "data-cause": name },
      h("b", {}, `${words(name)} ${time(ns)}`));
    part.style.flexGrow = String(Math.abs(ns));
    if (!UNEXPLAINED.has(name)) part.style.backgroundColor = ofCause(name);
    element.append(part);
  }
  return element;
}

/** Returns the parts of a budget, the largest first and the unexplained rest last. */
export function parts(split: Record<string, number>): [string, number][] {
  const rest = split["unexplained"] ?? 0;
  const named = Object.entries(split).filter(([name]) => name !== "unexplained").sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  return [...named, ["unexplained", rest]];
}

function row(label: string, split: Record<string, number> | null | undefined, widest: number): HTMLElement | null {
  if (!split) return null;
  const of = parts(split);
  const sum = of.reduce((total, [, ns]) => total + ns, 0);
  return h("div.budget", {}, h("span.label", {}, label), h("span.sum", {}, time(sum)), h("div.track", {}, bar(of, widest, label)));
}

/** Returns the cell in the middle of the ranking, which the headline is about; `null` if none has a median. */
export function typical(recording: Loaded): Cell | null {
  const ranked = slept(recording).filter((cell) => cell.figures.p50_ns !== null).sort((a, b) => a.figures.p50_ns! - b.figures.p50_ns!);
  return ranked[Math.floor((ranked.length - 1) / 2)] ?? null;
}

/** Returns the budgets of the headline's cell, or of the one that is shown alone. */
export function budget(recording: Loaded): HTMLElement | null {
  if (!recording.document.explained) return null;
  const place = h("div.budgets", {});
  const fill = () => {
    const alone = view.cell?.[0] === recording.index ? recording.cells[view.cell[1]] : undefined;
    const cell = alone ?? typical(recording);
    const split = cell?.budget;
    if (!cell || (!split?.p50_ns && !split?.p99_ns)) { place.replaceChildren(); return; }
    const sum = (of: Record<string, number> | null | undefined) => Object.values(of ?? {}).reduce((total, ns) => total + Math.abs(ns), 0);
    // Without this limit, a tail many times the median would make the median's bar too short to see.
    const widest = Math.max(sum(split?.p50_ns), Math.min(sum(split?.p99_ns), 4 * sum(split?.p50_ns)) || sum(split?.p99_ns));
    const names = new Set([...Object.keys(split?.p50_ns ?? {}), ...Object.keys(split?.p99_ns ?? {})].filter((name) => (split?.p50_ns?.[name] ?? 0) !== 0 || (split?.p99_ns?.[name] ?? 0) !== 0));
    names.delete("unexplained");
    const entry = (name: string) => {
      const tint = h("i", { "aria-hidden": "true", class: UNEXPLAINED.has(name) ? "unexplained" : null });
      if (!UNEXPLAINED.has(name)) tint.style.background = ofCause(name);
      const at = [["p50", split?.p50_ns], ["p99", split?.p99_ns]] as const;
      const sizes = at.flatMap(([quantile, of]) => of ? [`${quantile} ${time(of[name] ?? 0)}`] : []);
      return h("li", {}, tint, words(name), " ", h("span.quiet", {}, sizes.join(", ")));
    };
    place.replaceChildren(
      h("p.quiet", {}, `What the oversleep of ${cell.page.label} is made of${slept(recording).length > 1 ? alone ? "" : " (the row in the middle of the ranking; pick another below)" : ""}:`),
      ...[row("p50", split?.p50_ns, widest), row("p99", split?.p99_ns, Math.max(widest, sum(split?.p99_ns)))].filter((one) => one !== null),
      h("ul.legend", {}, [...names, "unexplained"].map(entry)));
  };
  fill();
  listen((_, changed) => { if (changed === "cell") fill(); });
  return place;
}

/** Returns the numbers and texts of evidence with their names; lists, and times on a clock, are left out. */
export function facts(evidence: unknown, prefix = ""): [string, string][] {
  if (typeof evidence !== "object" || evidence === null) return [];
  return Object.entries(evidence).filter(([key]) => key !== "at_ns").flatMap(([key, value]): [string, string][] => {
    const name = prefix ? `${prefix} ${key}` : key;
    if (typeof value === "number") return [[words(name.replace(/_ns$/, "")), key.endsWith("_ns") ? time(value) : String(Number(value.toPrecision(5)))]];
    if (typeof value === "string") return [[words(name), words(value)]];
    if (typeof value === "boolean") return [[words(name), value ? "yes" : "no"]];
    if (Array.isArray(value)) return [];
    return facts(value, name === "pattern" ? "" : name);
  });
}

const WITNESSES: Record<string, string> = {
  pattern: "the pattern of the samples", intervention: "a change that was made", trace: "the kernel's own account",
};

/** Returns the article on a finding; `where` says in which cell. */
function article(page: Page, found: Finding, where: string, system: string): HTMLElement {
  const here = found.remedy.filter((remedy) => remedy.system === system || remedy.system === "any");
  const elsewhere = found.remedy.filter((remedy) => !here.includes(remedy));
  const remedy = (one: (typeof found.remedy)[number]): Child => h("li", {}, h("span.quiet", {}, `${one.system === "any" ? "anywhere" : one.system}: `), h("code", {}, one.command), one.note ? ` – ${one.note}` : "");
  const dot = h("i", { "aria-hidden": "true" });
  dot.style.background = ofCause(found.cause);
  const numbers = facts(found.evidence);
  return h("article.finding", { "data-cause": found.cause },
    h("h3", {}, dot, words(found.cause), h("span.size", {}, size(found.size, found.unit)),
      found.low !== null && found.high !== null ? h("span.quiet", {}, `${size(found.low, found.unit)} to ${size(found.high, found.unit)}`) : null),
    h("p", {}, page.causes[found.cause] ?? "",
      h("span.quiet", {}, ` ${where}${found.share !== null ? `${where ? ", " : ""}${percent(found.share)} of the summed lateness` : ""}`)),
    h("p.quiet", {}, `${confidence(found.confidence)}. Known by ${found.witnesses.map((witness) => WITNESSES[witness] ?? witness).join(" and ")}.`),
    here.length > 0 ? h("ul.remedies", {}, here.map(remedy)) : h("p", {}, "Nothing is known to help on this system."),
    numbers.length + found.confounders.length + elsewhere.length > 0
      ? h("details", {}, h("summary", {}, "Evidence, and what would look the same"),
        numbers.length > 0 ? h("dl", {}, numbers.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])) : null,
        found.confounders.length > 0 ? h("p", {}, `Would look the same: ${found.confounders.join("; ")}.`) : null,
        elsewhere.length > 0 ? h("ul.remedies", {}, elsewhere.map(remedy)) : null)
      : null);
}

function negligible(found: Finding): boolean {
  return found.unit === "ns" && Math.abs(found.size) < 0.5;
}

/** Returns each cause once, where its share is largest, among findings of the machine and of the cells shown. */
function chosen(recording: Loaded): { found: Finding; where: string }[] {
  const alone = view.cell?.[0] === recording.index ? recording.cells[view.cell[1]] : undefined;
  const out: { found: Finding; where: string; places: number }[] = (recording.document.explained?.findings ?? []).map((found) => ({ found, where: "of the whole machine", places: 1 }));
  for (const cell of alone ? [alone] : recording.cells) for (const found of cell.findings) {
    const known = out.find((one) => one.found.cause === found.cause);
    const where = recording.cells.length > 1 ? `as in ${cell.page.label}` : "";
    if (!known) out.push({ found, where, places: 1 });
    else {
      known.places++;
      if (known.where !== "of the whole machine" && (found.share ?? 0) > (known.found.share ?? 0)) Object.assign(known, { found, where });
    }
  }
  return out.filter(({ found }) => !negligible(found) && (view.cause === null || view.cause === found.cause))
    .map(({ found, where, places }) => ({ found, where: places > 1 && where !== "of the whole machine" ? `${where} and ${places - 1} more` : where }));
}

function open(question: Undecided): HTMLElement {
  return h("article.finding.open", {}, h("h3", {}, "Open: ", question.question), h("p", {}, question.why), h("p", {}, "This would tell: ", h("code", {}, question.experiment)));
}

/** Returns the articles on all findings and open questions; `null` if the recording is not explained. */
export function findings(page: Page, recording: Loaded): HTMLElement | null {
  const explained = recording.document.explained;
  if (!explained) return null;
  const place = h("div.findings", {});
  const fill = () => {
    const found = chosen(recording);
    place.replaceChildren(
      ...found.map((one) => article(page, one.found, one.where, recording.document.measured.machine.system === "Darwin" ? "macOS" : recording.document.measured.machine.system)),
      ...(found.length === 0 ? [h("p", {}, view.cause ? "" : none(recording))] : []),
      ...explained.undecided.map(open));
  };
  fill();
  listen((_, changed) => { if (changed === "cell" || changed === "cause") fill(); });
  place.addEventListener("click", (event) => {
    const heading = (event.target as Element).closest("h3");
    const cause = heading?.closest("article")?.getAttribute("data-cause");
    if (cause) set("cause", view.cause === cause ? null : cause);
  });
  return place;
}

/** Returns the text for a recording without findings: how large an effect could have been seen. */
function none(recording: Loaded): string {
  const looked = recording.document.explained?.looked_at;
  const cell = typical(recording)?.figures;
  const width = cell?.p50_low_ns !== null && cell?.p50_high_ns !== null && cell ? cell.p50_high_ns! - cell.p50_low_ns! : null;
  // Buckets of an import are no sleeps: the open question says what they lack.
  if (!looked?.samples) return "";
  return `No cause stands out in ${looked.samples} sleeps.${width !== null ? ` What moves the median by less than ${time(width)} could not have been seen.` : ""}`;
}
