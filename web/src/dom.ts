// Makes elements. Whatever a recording contains becomes text, never markup, and without characters that no one sees: they can
// hide or turn around the text next to them.

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

const SVG = "http://www.w3.org/2000/svg";

/** Returns a text with spaces for control and format characters, except line ends; the program does the same. */
function visible(text: string): string {
  return text.replace(/(?!\n)\p{Cc}|[\p{Cf}\u2028\u2029]/gu, " ");
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, visible(String(value)));
  }
  for (const child of children.flat(8) as Exclude<Child, Child[]>[]) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
}

/** Returns an HTML element; `name` may have classes, as in `p.quiet`. */
export function h(name: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const [tag = "div", ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  fill(element, attributes, children);
  return element;
}

/** Returns an SVG element. */
export function s(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, children);
  return element;
}

/** Returns a table. Columns whose heading begins with `>` are aligned to the right. */
export function table(caption: string, head: string[], rows: Child[][], quiet = false): HTMLElement {
  const right = head.map((name) => name.startsWith(">"));
  const cell = (kind: string) => (content: Child, column: number) =>
    h(column === 0 && kind === "td" ? "th" : kind, { class: right[column] ? "right" : null, scope: column === 0 && kind === "td" ? "row" : kind === "th" ? "col" : null }, content);
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h(quiet ? "caption.hidden" : "caption", {}, caption),
      h("thead", {}, h("tr", {}, head.map((name) => name.replace(/^>/, "")).map(cell("th")))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell("td")))))));
}
