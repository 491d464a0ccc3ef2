import assert from "node:assert/strict";
import { test } from "node:test";
import { ladder, moments } from "../src/acts";
import type { Loaded } from "../src/model";

test("a ladder begins at zero, each part where the one before ends, the unexplained one last", () => {
  assert.deepEqual(ladder({ unexplained: 3000, "constant-cost": 7000, "timer-slack": 50000, sawtooth: 0 }), [
    { cause: "timer-slack", from: 0, to: 50000 }, { cause: "constant-cost", from: 50000, to: 57000 }, { cause: "unexplained", from: 57000, to: 60000 },
  ]);
  assert.deepEqual(ladder({ "timer-slack": 50000, unexplained: -100 }), []);
});

test("a change lies at the start of its sleep among those of its cell", () => {
  const recording = (one_of: number) => ({
    index: 0, document: { samples: { one_of } },
    series: { cell: Uint16Array.of(0, 1, 0, 1, 1), at: Float64Array.of(0.5, 1, 1.5, 2, 2.5) },
    cells: [{ index: 0, findings: [] }, { index: 1, findings: [{ cause: "change-point", evidence: { sleep: 2 } }, { cause: "timer-slack", evidence: { sleep: 1 } }] }],
  }) as unknown as Loaded;
  assert.deepEqual(moments(recording(1)), [{ at: 2.5, name: "change point" }]);
  assert.deepEqual(moments(recording(4)), []);
});
