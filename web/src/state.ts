// What is looked at: a stretch of time, and one cell or cause alone. The address carries it, so that a link opens it again.

/** What is looked at. */
export interface View {
  /** Seconds since the beginning; `null` for all. */
  range: [number, number] | null;
  /** The only cell: recording and cell. */
  cell: [number, number] | null;
  /** The only cause. */
  cause: string | null;
  theme: "auto" | "light" | "dark";
}

type Listener = (view: View, changed: keyof View) => void;

const listeners: Listener[] = [];
export const view: View = { range: null, cell: null, cause: null, theme: "auto" };

/** Calls `listener` after every change. */
export function listen(listener: Listener): void {
  listeners.push(listener);
}

/** Changes a part of what is looked at. */
export function set<K extends keyof View>(key: K, value: View[K]): void {
  if (JSON.stringify(view[key]) === JSON.stringify(value)) return;
  view[key] = value;
  const hash = written(view);
  try {
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  } catch {
    // A page without an address of its own has nothing to carry it.
  }
  for (const listener of listeners) listener(view, key);
}

/** Returns a view as it stands in an address. */
export function written(of: View): string {
  const parts: string[] = [];
  if (of.range) parts.push(`t=${of.range.map((second) => Number(second.toPrecision(12))).join("~")}`);
  if (of.cell) parts.push(`cell=${of.cell.join(".")}`);
  if (of.cause) parts.push(`cause=${encodeURIComponent(of.cause)}`);
  if (of.theme !== "auto") parts.push(`theme=${of.theme}`);
  return parts.join("&");
}

/** Returns the view that an address carries; what it does not say, or says wrongly, is as at the beginning. */
export function parsed(hash: string): View {
  const out: View = { range: null, cell: null, cause: null, theme: "auto" };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, text = ""] = part.split("=");
    const numbers = text.split(key === "t" ? "~" : ".").map(Number);
    const [first = NaN, second = NaN] = numbers;
    if (key === "t" && first < second && Number.isFinite(first) && Number.isFinite(second)) out.range = [first, second];
    if (key === "cell" && Number.isInteger(first) && Number.isInteger(second) && first >= 0 && second >= 0) out.cell = [first, second];
    if (key === "cause" && text !== "") try { out.cause = decodeURIComponent(text); } catch { /* not a cause */ }
    if (key === "theme" && (text === "light" || text === "dark")) out.theme = text;
  }
  return out;
}
