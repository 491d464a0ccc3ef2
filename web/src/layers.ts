// What is drawn over the samples in the picture of oversleep against time: findings where they act, and the model. Each layer
// can be hidden.

import { changes, parts } from "./acts";
import type { Frame } from "./chart";
import { h } from "./dom";
import type { Loaded } from "./model";
import { predictions } from "./predicted";
import { rhythms } from "./rhythm";
import { stalls } from "./stalls";
import { set, view } from "./state";

/** One kind of annotation. */
export interface Layer {
  /** Its name in the page's address, and the class of its sign. */
  key: string;
  /** Its name in the legend. */
  name: string;
  /** Draws it; `to` returns a lateness's place. */
  draw(context: CanvasRenderingContext2D, frame: Frame, to: (ns: number) => number): void;
  /** Returns a sentence on what is drawn, which begins with a space; empty if nothing is. */
  said(): string;
}

const KINDS: ((recording: Loaded) => Layer | null)[] = [predictions, rhythms, stalls, changes, parts];

/** Returns the recording that is annotated: the only one, or that of the cell that is shown alone. */
function annotated(all: Loaded[]): Loaded | null {
  return (view.cell ? all[view.cell[0]] : all.length === 1 ? all[0] : null) ?? null;
}

/** Returns a function that returns the layers of what is shown. */
export function layersOf(all: Loaded[]): () => Layer[] {
  const known = new Map<Loaded, Layer[]>();
  return () => {
    const recording = annotated(all);
    if (!recording) return [];
    let layers = known.get(recording);
    if (!layers) known.set(recording, layers = KINDS.map((kind) => kind(recording)).filter((layer) => layer !== null));
    return layers;
  };
}

/** Returns whether a layer is drawn. */
export function isDrawn(layer: Layer): boolean {
  return !view.hidden.includes(layer.key);
}

/** Returns the sentences on all layers that are drawn. */
export function said(layers: Layer[]): string {
  return layers.filter(isDrawn).map((layer) => layer.said()).join("");
}

/** Returns a legend of layers whose entries hide and show them, and a function that brings it up to date. */
export function toggles(layers: () => Layer[]): { element: HTMLElement; update(): void } {
  const element = h("div.layers", { role: "group", "aria-label": "Drawn over the samples" });
  let shown: Layer[] = [];
  const update = () => {
    const wanted = layers();
    // Buttons are kept as long as they are the same, so that none loses the focus.
    if (wanted !== shown) {
      shown = wanted;
      element.replaceChildren(...shown.map((layer) => h("button.layer", {
        type: "button", title: `Hides or shows: ${layer.name}`,
        click: () => set("hidden", isDrawn(layer) ? [...view.hidden, layer.key] : view.hidden.filter((key) => key !== layer.key)),
      }, h(`i.${layer.key}`, { "aria-hidden": "true" }), layer.name)));
    }
    shown.forEach((layer, at) => element.children[at]?.setAttribute("aria-pressed", String(isDrawn(layer))));
    element.hidden = shown.length === 0;
  };
  update();
  return { element, update };
}
