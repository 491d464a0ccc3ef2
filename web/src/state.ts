// The view: a range of time, and a picked cell or cause. The page's address holds it, so that a link opens it again.

/** What is shown. */
export interface View {
  /** Range of time in seconds since the beginning; `null` for all. */
  range: [number, number] | null;
  /** Indices of the recording and the cell that is shown alone; `null` for all. */
  cell: [number, number] | null;
  /** The cause that is shown alone; `null` for all. */
  cause: string | null;
  /** Names of what is not drawn over the samples. */
  hidden: string[];
  theme: "auto" | "light" | "dark";
}

type Listener = (view: View, changed: keyof View) => void;

const listeners: Listener[] = [];
export const view: View = { range: null, cell: null, cause: null, hidden: [], theme: "auto" };

/** Registers a function that is called after every change of the view. */
export function listen(listener: Listener): void {
  listeners.push(listener);
}

/** Changes a part of the view. */
export function set<K extends keyof View>(key: K, value: View[K]): void {
  if (JSON.stringify(view[key]) === JSON.stringify(value)) return;
  view[key] = value;
  clearTimeout(unwritten);
  unwritten = setTimeout(write, PAUSE);
  for (const listener of listeners) listener(view, key);
}

/** Time without a change after which the address is written, in ms: in every picture of a move, browsers would refuse to. */
const PAUSE = 100;
let unwritten: ReturnType<typeof setTimeout> | undefined;

function write(): void {
  const hash = written(view);
  try {
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  } catch {
    // A page without an address of its own cannot keep the view in it.
  }
}

/** Returns a view as text for an address. */
export function written(of: View): string {
  const parts: string[] = [];
  if (of.range) parts.push(`t=${of.range.map((second) => Number(second.toPrecision(12))).join("~")}`);
  if (of.cell) parts.push(`cell=${of.cell.join(".")}`);
  if (of.cause) parts.push(`cause=${encodeURIComponent(of.cause)}`);
  if (of.hidden.length > 0) parts.push(`hide=${of.hidden.join(".")}`);
  if (of.theme !== "auto") parts.push(`theme=${of.theme}`);
  return parts.join("&");
}

/** Returns the view in an address; parts that are missing or wrong have their defaults. */
export function parsed(hash: string): View {
  const out: View = { range: null, cell: null, cause: null, hidden: [], theme: "auto" };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, text = ""] = part.split("=");
    const numbers = text.split(key === "t" ? "~" : ".").map(Number);
    const [first = NaN, second = NaN] = numbers;
    if (key === "t" && first < second && Number.isFinite(first) && Number.isFinite(second)) out.range = [first, second];
    if (key === "cell" && Number.isInteger(first) && Number.isInteger(second) && first >= 0 && second >= 0) out.cell = [first, second];
    if (key === "cause" && text !== "") try { out.cause = decodeURIComponent(text); } catch { /* not a cause */ }
    if (key === "hide") out.hidden = text.split(".").filter((name) => /^[a-z]+$/.test(name));
    if (key === "theme" && (text === "light" || text === "dark")) out.theme = text;
  }
  return out;
}
