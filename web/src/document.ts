// Made from docs/schema/page.json by `npm run types`.

/**
 * Whether two processors agree on a clock.
 */
export type Across = ({
/**
 * `false`.
 */
compared: boolean
/**
 * Why.
 */
why: string
} | {
/**
 * `true`.
 */
compared: boolean
/**
 * Of these, earlier than one already published.
 */
earlier: number
/**
 * Whether each thread was held on a processor of its own.
 */
pinned: boolean
/**
 * Readings taken.
 */
reads: number
/**
 * The same as a time.
 */
worst_ns: number
/**
 * The furthest that one was earlier, in ticks.
 */
worst_ticks: number
})
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
export type Nanos = number
/**
 * What happens between two sleeps.
 */
export type Phase = ({
name: "back-to-back"
} | {
name: "random"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
window_ns: number
} | {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
lead_ns: number
name: "warm"
})
/**
 * A scheduling policy.
 */
export type Policy = ({
name: "other"
} | {
name: "batch"
} | {
name: "idle"
} | {
name: "fifo"
/**
 * 1 to 99 on Linux.
 */
priority: number
} | {
name: "rr"
/**
 * 1 to 99 on Linux.
 */
priority: number
} | {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
deadline_ns: number
name: "deadline"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
period_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
runtime_ns: number
})
/**
 * The priority class of a process (Windows).
 */
export type PriorityClass = ("idle" | "below-normal" | "normal" | "above-normal" | "high" | "realtime")
/**
 * The quality-of-service class of a thread (macOS).
 */
export type Qos = ("user-interactive" | "user-initiated" | "default" | "utility" | "background")
/**
 * One named cause.
 */
export type Finding = ({
/**
 * How sure, 0 to 1: that the cause is there at all, not that the size is exact.
 */
confidence: number
/**
 * What would look the same.
 */
confounders: string[]
/**
 * Upper end of the 95 % interval.
 */
high: (number | null)
/**
 * Lower end of the 95 % interval; `null` where the samples give none.
 */
low: (number | null)
/**
 * What to do, per system.
 */
remedy: Remedy[]
/**
 * Share of the cell's total lateness, 0 to 1; `null` where the finding is not lateness of one cell.
 */
share: (number | null)
/**
 * How large, in `unit`.
 */
size: number
/**
 * The unit of `size`, `low` and `high`.
 */
unit: ("ns" | "ppm" | "ratio" | "share" | "us/s")
/**
 * How it is known.
 */
witnesses: Witness[]
} & Finding1)
/**
 * How a finding is known.
 */
export type Witness = ("pattern" | "intervention" | "trace")
export type Finding1 = ({
cause: "early-wake"
evidence: EarlyWake
} | {
cause: "tick-quantised"
evidence: TickQuantised
} | {
cause: "cached-clock"
evidence: CachedClock
} | {
cause: "clock-drift"
evidence: ClockDrift
} | {
cause: "sawtooth"
evidence: Sawtooth
} | {
cause: "timer-wheel"
evidence: TimerWheel
} | {
cause: "first-call"
evidence: FirstCall
} | {
cause: "periodic-interference"
evidence: PeriodicInterference
} | {
cause: "bimodal"
evidence: Bimodal
} | {
cause: "change-point"
evidence: ChangePoint
} | {
cause: "clock-step"
evidence: ClockStep
} | {
cause: "host-steal"
evidence: HostSteal
} | {
cause: "coalescing"
evidence: Coalescing
} | {
cause: "stopped"
evidence: Stopped
} | {
cause: "hung"
evidence: Hung
} | {
cause: "missed-periods"
evidence: MissedPeriods
} | {
cause: "constant-cost"
evidence: ConstantCostWitnessed
} | {
cause: "timer-slack"
evidence: TimerSlackWitnessed
} | {
cause: "proportional-slack"
evidence: ProportionalSlackWitnessed
} | {
cause: "run-queue"
evidence: RunQueueWitnessed
} | {
cause: "idle-exit"
evidence: IdleExitWitnessed
})
/**
 * How a tick-driven kernel turns a request into ticks.
 */
export type Rounding = ("up" | "up-plus-one" | "early")
/**
 * What the pattern shows of a cause, with what changing it away showed; or what a change alone showed.
 */
export type ConstantCostWitnessed = ({
intervention?: (Changed | null)
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * The usual lateness, where nothing but slack is taken off it.
 */
usual_late_ns?: (number | null)
} | {
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * What was changed, with what it was measured against if not the base.
 */
changed: string
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Of `timer-slack`: what kept the processor awake on both sides.
 */
measured_beside?: (string | null)
/**
 * How far the median moved.
 */
p50_shift_ns: number
/**
 * How far the 99th percentile moved, where the sleeps carry one.
 */
p99_shift_ns?: (number | null)
/**
 * The probability of that much by chance, corrected for all tries.
 */
p_corrected: number
/**
 * Of `constant-cost`: which part of it was changed away.
 */
part?: (string | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Of `proportional-slack`: the share of the request.
 */
ratio?: (number | null)
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
})
/**
 * What the pattern shows of a cause, with what changing it away showed; or what a change alone showed.
 */
export type TimerSlackWitnessed = ({
/**
 * What it was told by.
 */
basis: ("contrast" | "conditions" | "nominal")
intervention?: (Changed | null)
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * The least lateness.
 */
least_late_ns: number
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * What the system calls it.
 */
system_rule?: (string | null)
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * The usual lateness.
 */
usual_late_ns: number
} | {
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * What was changed, with what it was measured against if not the base.
 */
changed: string
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Of `timer-slack`: what kept the processor awake on both sides.
 */
measured_beside?: (string | null)
/**
 * How far the median moved.
 */
p50_shift_ns: number
/**
 * How far the 99th percentile moved, where the sleeps carry one.
 */
p99_shift_ns?: (number | null)
/**
 * The probability of that much by chance, corrected for all tries.
 */
p_corrected: number
/**
 * Of `constant-cost`: which part of it was changed away.
 */
part?: (string | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Of `proportional-slack`: the share of the request.
 */
ratio?: (number | null)
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
})
/**
 * What the pattern shows of a cause, with what changing it away showed; or what a change alone showed.
 */
export type ProportionalSlackWitnessed = ({
/**
 * The most it may be, if that was met.
 */
cap_ns: (number | null)
intervention?: (Changed | null)
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * The share.
 */
ratio: number
/**
 * What it is of this cell's request.
 */
stretch_ns: number
/**
 * What the system calls it.
 */
system_rule?: (string | null)
/**
 * The trace.
 */
trace_says_ns?: (number | null)
} | {
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * What was changed, with what it was measured against if not the base.
 */
changed: string
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Of `timer-slack`: what kept the processor awake on both sides.
 */
measured_beside?: (string | null)
/**
 * How far the median moved.
 */
p50_shift_ns: number
/**
 * How far the 99th percentile moved, where the sleeps carry one.
 */
p99_shift_ns?: (number | null)
/**
 * The probability of that much by chance, corrected for all tries.
 */
p_corrected: number
/**
 * Of `constant-cost`: which part of it was changed away.
 */
part?: (string | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Of `proportional-slack`: the share of the request.
 */
ratio?: (number | null)
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
})
/**
 * What the pattern shows of a cause, with what changing it away showed; or what a change alone showed.
 */
export type RunQueueWitnessed = ({
/**
 * Busy threads that were recorded.
 */
busy_threads?: number
intervention?: (Changed | null)
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * All their quanta.
 */
longest_wait_ns?: number
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Its standard error.
 */
quantum_error_ns?: number
/**
 * One quantum.
 */
quantum_ns?: number
/**
 * Threads ahead.
 */
threads?: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * Where they do not: the usual wait for a turn.
 */
turn_ns?: (number | null)
/**
 * Median lateness without them.
 */
without_ns?: number
} | {
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * What was changed, with what it was measured against if not the base.
 */
changed: string
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Of `timer-slack`: what kept the processor awake on both sides.
 */
measured_beside?: (string | null)
/**
 * How far the median moved.
 */
p50_shift_ns: number
/**
 * How far the 99th percentile moved, where the sleeps carry one.
 */
p99_shift_ns?: (number | null)
/**
 * The probability of that much by chance, corrected for all tries.
 */
p_corrected: number
/**
 * Of `constant-cost`: which part of it was changed away.
 */
part?: (string | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Of `proportional-slack`: the share of the request.
 */
ratio?: (number | null)
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
})
/**
 * What the pattern shows of a cause, with what changing it away showed; or what a change alone showed.
 */
export type IdleExitWitnessed = ({
intervention?: (Changed | null)
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Lateness of the longest.
 */
longest_late_ns: number
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Lateness of the shortest sleeps.
 */
shortest_late_ns: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
} | {
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * What was changed, with what it was measured against if not the base.
 */
changed: string
/**
 * The intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Of `timer-slack`: what kept the processor awake on both sides.
 */
measured_beside?: (string | null)
/**
 * How far the median moved.
 */
p50_shift_ns: number
/**
 * How far the 99th percentile moved, where the sleeps carry one.
 */
p99_shift_ns?: (number | null)
/**
 * The probability of that much by chance, corrected for all tries.
 */
p_corrected: number
/**
 * Of `constant-cost`: which part of it was changed away.
 */
part?: (string | null)
/**
 * The pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Of `proportional-slack`: the share of the request.
 */
ratio?: (number | null)
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * The trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
})
/**
 * Something a format does not keep.
 */
export type Loss = ("times" | "order" | "requests" | "unit" | "overflow" | "skipped-periods" | "early-wakes" | "conditions" | "buckets")
/**
 * How a run ended.
 */
export type End = ("complete" | "interrupted" | "time-over")
/**
 * What one change did to the median and to the 99th percentile.
 */
export type Effect = ({
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * The variant's cell.
 */
cell: number
delay: Part2
/**
 * What both have that the base has not.
 */
given?: (Change | null)
p50: Shift
/**
 * The shift of the 99th percentile, where the sleeps carry one.
 */
p99: (Shift1 | null)
/**
 * What the base's own samples let expect of the variant; `null` where they say nothing of this change.
 */
predicted?: (Predicted | null)
/**
 * The cell it is compared with.
 */
reference: number
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * The variant's median lateness.
 */
variant_p50_ns: number
/**
 * Its 99th percentile, where the sleeps carry one.
 */
variant_p99_ns: (number | null)
} & Effect1)
/**
 * One thing that differs, and what it becomes. `null`: as the system has it.
 */
export type Change = ({
change: "slack"
/**
 * The new one.
 */
slack_ns: (Nanos | null)
} | {
change: "slack-as-long"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
requested_ns: number
/**
 * The new one.
 */
slack_ns: (Nanos | null)
} | {
change: "policy"
/**
 * The new one.
 */
policy: (Policy | null)
} | {
change: "affinity"
/**
 * The new ones.
 */
cpus: (number[] | null)
} | {
change: "neighbour"
/**
 * How many.
 */
threads: number
} | {
change: "hold"
/**
 * The new one.
 */
hold_ns: (Nanos | null)
} | {
change: "warm"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
lead_ns: number
} | {
change: "absolute"
/**
 * The call.
 */
method: string
} | {
change: "relative"
/**
 * The call.
 */
method: string
} | {
change: "method"
/**
 * The call.
 */
method: string
} | {
change: "request"
/**
 * The new one, where it is one.
 */
requested_ns: (Nanos | null)
} | {
change: "other"
})
export type Effect1 = ({
change: "slack"
/**
 * The new one.
 */
slack_ns: (Nanos | null)
} | {
change: "slack-as-long"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
requested_ns: number
/**
 * The new one.
 */
slack_ns: (Nanos | null)
} | {
change: "policy"
/**
 * The new one.
 */
policy: (Policy | null)
} | {
change: "affinity"
/**
 * The new ones.
 */
cpus: (number[] | null)
} | {
change: "neighbour"
/**
 * How many.
 */
threads: number
} | {
change: "hold"
/**
 * The new one.
 */
hold_ns: (Nanos | null)
} | {
change: "warm"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
lead_ns: number
} | {
change: "absolute"
/**
 * The call.
 */
method: string
} | {
change: "relative"
/**
 * The call.
 */
method: string
} | {
change: "method"
/**
 * The call.
 */
method: string
} | {
change: "request"
/**
 * The new one, where it is one.
 */
requested_ns: (Nanos | null)
} | {
change: "other"
})
/**
 * Who had the processor.
 */
export type Owner = ({
idle: (number | null)
} | {
task: {
/**
 * Its name.
 */
comm: string
/**
 * The kernel's priority: below 100 real time.
 */
prio: number
/**
 * Its number.
 */
tid: number
}
} | "sleeper" | "timer" | {
irq: {
/**
 * Its number.
 */
irq: number
/**
 * Its name.
 */
name: string
}
} | {
softirq: number
} | {
vector: string
} | "throttled" | "hidden" | "unknown")
/**
 * Why something of the machine could not be had.
 * 
 * The three are kept apart because the reader can do something different about each: nothing, ask for a
 * privilege, or look at what went wrong.
 */
export type Refusal = ({
unavailable: string
} | {
forbidden: string
} | {
failed: string
})

/**
 * The report page: recordings side by side.
 */
export interface Page {
/**
 * What each cause that was found means.
 */
causes: {
[k: string]: string
}
/**
 * The version of this form.
 */
format: number
/**
 * What all recordings say together, in one sentence.
 */
headline: string
/**
 * The recordings, in the order in which they were named.
 */
recordings: PageRecording[]
/**
 * What made it, with version.
 */
tool: string
}
/**
 * One recording. Which of its documents is there depends on its kind.
 */
export interface PageRecording {
/**
 * What to do about it, where something is known to help.
 */
advice: (string | null)
/**
 * Its cells as a reader names them, in the order of the figures.
 */
cells: PageCell[]
/**
 * The survey, if it is one of clocks.
 */
clocks: (Clocks | null)
/**
 * Clocks read together while it ran.
 */
drift: DriftLine[]
/**
 * Its figures with findings; `null` for stalls, clocks and traced sleeps.
 */
explained: (Explained2 | null)
/**
 * What it says, in one sentence.
 */
headline: string
measured: Measured
/**
 * The file's name.
 */
name: string
/**
 * The command that measures the same again, where there is one.
 */
repeat: (string | null)
/**
 * Its samples; `null` if it has none, or none that fit.
 */
samples: (PackedSamples | null)
/**
 * Its traced cells.
 */
traces: PageTrace[]
/**
 * What makes its figures doubtful, a sentence each: a busy machine, a run that ended early.
 */
warnings: string[]
}
/**
 * What a reader calls a cell, and the distribution of all of its sleeps.
 */
export interface PageCell {
/**
 * What is asked of it.
 */
asked: string
/**
 * Its conditions in words: as obtained, of those that were asked for.
 */
conditions: string
/**
 * Sleeps by lateness: the number of a bin and how many are in it, ascending. [`Bins`] says where bins lie.
 */
histogram: [number, number][]
/**
 * The name that tells it from the others: method, and what differs of request and conditions.
 */
label: string
/**
 * Where its clock stood at the beginning, as a decimal number: `start` and `end` of its samples count from here.
 */
origin_ns: string
}
/**
 * The whole survey. What was not measured is `null`, and `null` as JSON.
 */
export interface Clocks {
/**
 * The clocks that could be read, in the catalogue's order.
 */
clocks: Clock[]
/**
 * What is known of the processor's counter.
 */
counter: (Counter | null)
/**
 * Every pair of clocks that were read together.
 */
drift: ClockDrift2[]
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
drift_window_ns: number
/**
 * The version of this document.
 */
format: number
/**
 * Somebody asked to stop before the end.
 */
stopped: boolean
/**
 * Clocks left out of drift because 100 of their steps do not fit into its time.
 */
too_coarse_for_drift: string[]
tool: Tool
/**
 * Clocks of the system, or asked for, that could not be read.
 */
unavailable: Unobtained[]
}
/**
 * One clock. What the catalogue says of it is `null` for a clock that it lacks.
 */
export interface Clock {
/**
 * Whether processors agree.
 */
across_cpus: (Across | null)
/**
 * When it does.
 */
backwards: (string | null)
/**
 * The call that reads it.
 */
call: (string | null)
/**
 * The resolution the system claims.
 */
claimed_resolution_ns: (Nanos | null)
/**
 * Its name.
 */
clock: string
/**
 * Loops of calls.
 */
costs: Cost[]
/**
 * What it counts.
 */
counts: (string | null)
/**
 * A loop of calls beside other threads that read the same clock, if that was asked for.
 */
loaded?: (LoadedCost | null)
/**
 * Whether its documentation allows a later reading below an earlier one.
 */
may_go_backwards: (boolean | null)
/**
 * Ticks per second.
 */
rate_hz: number
/**
 * Where that is documented.
 */
source: (string | null)
/**
 * Whether time synchronisation changes it.
 */
steered: (string | null)
/**
 * How it advanced on one thread.
 */
steps: (Steps | null)
/**
 * Whether it goes on while the machine is suspended.
 */
suspend: (string | null)
}
/**
 * A loop of calls.
 */
export interface Cost {
/**
 * Calls made.
 */
calls: number
/**
 * Nanoseconds per call.
 */
per_call_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
total_ns: number
}
/**
 * A loop of calls beside other threads that read the same clock as fast as they can.
 */
export interface LoadedCost {
/**
 * Calls made.
 */
calls: number
/**
 * Nanoseconds per call.
 */
per_call_ns: number
/**
 * How many threads those were.
 */
readers: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
total_ns: number
}
/**
 * How a clock advanced on one thread.
 */
export interface Steps {
/**
 * Readings below the one before.
 */
backwards: number
/**
 * Readings taken.
 */
reads: number
/**
 * Share of readings equal to the one before, 0 to 1.
 */
repeated_share: (number | null)
/**
 * The same in nanoseconds, which may be a fraction of one.
 */
smallest_ns: (number | null)
/**
 * The smallest distance forwards, in ticks.
 */
smallest_ticks: (number | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
worst_backwards_ns: number
}
/**
 * What is known of the processor's counter.
 */
export interface Counter {
/**
 * What the kernel keeps time with.
 */
clocksource: (string | null)
/**
 * It runs at one rate.
 */
invariant: boolean
/**
 * The rate that the processor or hypervisor states.
 */
nominal_hz: (number | null)
/**
 * Whether it may stand in for the system's clock.
 */
trusted: boolean
}
/**
 * How much faster one clock runs than another.
 */
export interface ClockDrift2 {
/**
 * The slower.
 */
against: string
/**
 * The faster.
 */
clock: string
/**
 * The interval's confidence.
 */
confidence: number
/**
 * By how much.
 */
drift_ppm: number
/**
 * Upper end of the interval.
 */
high_ppm: number
/**
 * Rounds left out because a reading was interrupted.
 */
left_out: number
/**
 * Lower end of the interval.
 */
low_ppm: number
/**
 * Rounds used.
 */
rounds: number
}
/**
 * What made it.
 */
export interface Tool {
/**
 * Its name.
 */
name: string
/**
 * Its version.
 */
version: string
}
/**
 * Something asked for that could not be had, and why.
 */
export interface Unobtained {
/**
 * `unavailable`, `forbidden` or `failed`.
 */
kind: string
/**
 * What: a method's name, a condition.
 */
what: string
/**
 * What the system said.
 */
why: string
}
/**
 * How far a clock ran ahead of the monotonic one.
 */
export interface DriftLine {
/**
 * The clock.
 */
clock: string
/**
 * Time since the first reading, and how much further than the monotonic clock it went since, in ns.
 */
points: [Nanos, Nanos][]
}
/**
 * What `explain` prints: the same, with what was looked at and a model of what was found.
 */
export interface Explained2 {
/**
 * Its cells, in the plan's order.
 */
cells: ExplainedCell[]
/**
 * What the figures of another program's file mean, as that program defines them.
 */
conventions?: string[]
/**
 * Figures of files that hold buckets and no samples.
 */
distributions?: DistributionFigures[]
/**
 * How it ended; `null` if it was cut off.
 */
ended: (End | null)
/**
 * The experiment's name.
 */
experiment: string
/**
 * What concerns the whole machine.
 */
findings: Finding[]
/**
 * The version of this form.
 */
format: number
/**
 * The effects of every change; `null` where too few blocks were slept.
 */
interventions: (Interventions | null)
/**
 * Late sleeps, where they were watched for.
 */
late?: (LateSleeps | null)
looked_at: Coverage
/**
 * Samples lost because they could not be stored fast enough.
 */
lost: number
machine: Machine
model: ModelOverlay
/**
 * Where the samples come from.
 */
origin: ({
kind: "live"
} | {
kind: "simulated"
/**
 * The preset's name, or the file's.
 */
model: string
/**
 * Its parameters, whole.
 */
parameters: {
[k: string]: unknown
}
} | {
/**
 * The file.
 */
file: string
/**
 * The format.
 */
format: string
kind: "imported"
})
/**
 * Stalls of processors, where those were watched for.
 */
stalls?: (Stalls | null)
/**
 * When it began (RFC 3339, UTC), if known.
 */
started: (string | null)
/**
 * What the kernel was told while a program slept, where that was traced.
 */
told?: ToldTime[]
/**
 * What wrote the recording, with version.
 */
tool: string
/**
 * What was asked for and could not be had.
 */
unavailable: Unobtained[]
/**
 * What the samples do not tell.
 */
undecided: Undecided[]
/**
 * Samples of the file that cannot be as they stand.
 */
unsound?: Unsound[]
}
/**
 * A cell's figures, with what was found in it.
 */
export interface ExplainedCell {
/**
 * Whether deadlines were asked for, and not durations.
 */
absolute: boolean
/**
 * Its lateness split among them; `null` for a cell without usable samples.
 */
budget: (Budget | null)
/**
 * The clock that was read.
 */
clock: ("monotonic" | "monotonic-raw" | "realtime" | "boottime" | "tai" | "counter" | "true")
conditions: AskedAndObtained
/**
 * What a schedule would have felt: the series corrected for periods omitted.
 */
corrected?: (Figures | null)
/**
 * How many woke early: an oversleep below zero.
 */
early: number
/**
 * Calls that failed; in no figure.
 */
failed: number
/**
 * Its findings, largest share first.
 */
findings: Finding[]
/**
 * Oversleeps of each thread's first call.
 */
first_ns: Nanos[]
/**
 * Sleeps that a signal ended; in all figures.
 */
interrupted: number
/**
 * The largest.
 */
max_ns: (Nanos | null)
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The method.
 */
method: string
/**
 * The smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * How many samples.
 */
n: number
/**
 * Upper end of the median's 95 % interval.
 */
p50_high_ns: (Nanos | null)
/**
 * Lower end of the median's 95 % interval.
 */
p50_low_ns: (Nanos | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * Nine of ten are at or below.
 */
p90_ns: (Nanos | null)
/**
 * 999 of 1000 are at or below.
 */
p999_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
/**
 * How requests follow each other.
 */
pattern: ("fixed" | "random" | "aligned" | "periodic")
/**
 * The account of a schedule's periods.
 */
periods?: (PeriodCounts | null)
/**
 * Whether quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * What was asked for; `null` where each sleep asked for something else.
 */
requested_ns: (Nanos | null)
/**
 * The sample standard deviation.
 */
sd_ns: (number | null)
/**
 * Each thread of a schedule by itself, where there are several.
 */
threads?: ThreadFigures[]
/**
 * What each witness says of it, where there is more than the pattern.
 */
witnesses?: (SideBySide | null)
}
/**
 * The budget of one cell. `null` where the cell has too few samples for the quantile.
 */
export interface Budget {
/**
 * The median oversleep, split; needs 5 samples.
 */
p50_ns: ({
[k: string]: number
} | null)
/**
 * The 99th percentile, split; needs 100 samples.
 */
p99_ns: ({
[k: string]: number
} | null)
}
/**
 * What was in force.
 */
export interface AskedAndObtained {
asked: Conditions
/**
 * Read back from the system; `null` if the cell never slept.
 */
obtained: (Conditions1 | null)
}
/**
 * Asked for.
 */
export interface Conditions {
/**
 * The processors the thread may run on.
 */
affinity?: (number[] | null)
/**
 * The longest processor wake-up latency tolerated, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads beside the sleepers.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked in place.
 */
memory_locked?: (boolean | null)
/**
 * The task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * The niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread has one of those processors to itself, in turn, instead of all of them.
 */
one_cpu_each?: (boolean | null)
/**
 * What happens between two sleeps.
 */
phase?: (Phase | null)
/**
 * Scheduling policy and its parameters.
 */
policy?: (Policy | null)
/**
 * The priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * The quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * How many threads sleep at once.
 */
threads?: (number | null)
/**
 * How often the system looks at its timers (Windows). Obtained: what is in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether the kernel's account is recorded beside each sleep. `false` is said of sleeps that are there only to be
 * compared with traced ones beside them. Neither kind says how this machine sleeps by itself: tracing has its price.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * Busy threads.
 */
export interface Load2 {
/**
 * What they do.
 */
kind: ("spin" | "memory" | "syscalls" | "timers" | "neighbour" | "runtime")
/**
 * How many.
 */
threads: number
}
/**
 * Conditions, as asked for or as obtained.
 * 
 * Asked: `null` leaves the thing as it is. Obtained: what was read back from the system; `null` where the
 * system has no such thing or does not tell.
 */
export interface Conditions1 {
/**
 * The processors the thread may run on.
 */
affinity?: (number[] | null)
/**
 * The longest processor wake-up latency tolerated, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads beside the sleepers.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked in place.
 */
memory_locked?: (boolean | null)
/**
 * The task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * The niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread has one of those processors to itself, in turn, instead of all of them.
 */
one_cpu_each?: (boolean | null)
/**
 * What happens between two sleeps.
 */
phase?: (Phase | null)
/**
 * Scheduling policy and its parameters.
 */
policy?: (Policy | null)
/**
 * The priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * The quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * How many threads sleep at once.
 */
threads?: (number | null)
/**
 * How often the system looks at its timers (Windows). Obtained: what is in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether the kernel's account is recorded beside each sleep. `false` is said of sleeps that are there only to be
 * compared with traced ones beside them. Neither kind says how this machine sleeps by itself: tracing has its price.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * One series' figures. What the number of samples cannot carry is `null`.
 */
export interface Figures {
/**
 * How many woke early: an oversleep below zero.
 */
early: number
/**
 * The largest.
 */
max_ns: (Nanos | null)
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * How many samples.
 */
n: number
/**
 * Upper end of the median's 95 % interval.
 */
p50_high_ns: (Nanos | null)
/**
 * Lower end of the median's 95 % interval.
 */
p50_low_ns: (Nanos | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * Nine of ten are at or below.
 */
p90_ns: (Nanos | null)
/**
 * 999 of 1000 are at or below.
 */
p999_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
/**
 * Whether quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * The sample standard deviation.
 */
sd_ns: (number | null)
}
/**
 * What to do, on one system.
 */
export interface Remedy {
/**
 * The command or call.
 */
command: string
/**
 * What it does, and its price.
 */
note: string
/**
 * What lateness would be with it; `null` where the samples and the model do not say.
 */
predicted?: (Predicted | null)
/**
 * The system's name, as the catalogue writes it; `any` where it is the program that changes.
 */
system: string
}
/**
 * A cell's lateness under a remedy, from its samples and the model of what was found alone.
 */
export interface Predicted {
/**
 * The median; `null` where the samples carry none.
 */
p50: (PredictedQuantile | null)
/**
 * The 99th percentile; `null` where the samples carry none.
 */
p99: (PredictedQuantile | null)
}
/**
 * A quantile as it is, and as it would be.
 */
export interface PredictedQuantile {
/**
 * As it would be.
 */
after_ns: number
/**
 * As it is.
 */
before_ns: number
/**
 * Upper end.
 */
high_ns: number
/**
 * Lower end of the 95 % interval of that.
 */
low_ns: number
}
/**
 * Sleeps return before their time is over.
 */
export interface EarlyWake {
/**
 * The least lateness.
 */
earliest_ns: number
/**
 * How many.
 */
early: number
/**
 * Whether the method's documentation allows it; `null` for a method that is not in the catalogue.
 */
method_may: (boolean | null)
/**
 * Out of this number.
 */
sleeps: number
}
/**
 * Sleeps end at a tick.
 */
export interface TickQuantised {
/**
 * What it is concluded from.
 */
basis?: string
/**
 * The drift.
 */
drift_ppm?: number
/**
 * The same of the times they were due at.
 */
dues_rayleigh?: number
/**
 * The tick's nominal rate.
 */
hz: (number | null)
/**
 * Where the rate is open: the rates that fit as well.
 */
hz_candidates?: (number[] | null)
/**
 * Their scatter about it.
 */
jitter_ns?: number
/**
 * Of the machine's tick: methods that keep it.
 */
methods?: (number | null)
/**
 * Share of the wake-ups on the grid.
 */
on_grid?: number
/**
 * How requests become ticks.
 */
rounding: (Rounding | null)
/**
 * Where the rule is open: the rules that would have given these sleeps.
 */
rounding_consistent?: (Rounding[] | null)
/**
 * What the system calls it.
 */
system_rule?: (string | null)
/**
 * Its standard error.
 */
tick_error_ns?: number
/**
 * The tick's length, if the timer wheel shows it.
 */
tick_ns?: (number | null)
/**
 * The resolution of the system's timers that this tick is.
 */
timer_resolution_ns?: (number | null)
votes?: TickVotes
/**
 * How closely wake-ups keep the grid: length of their mean vector, 0 to 1.
 */
wakes_rayleigh?: number
}
/**
 * What single sleeps say of the rounding rule.
 */
export interface TickVotes {
/**
 * Share that counting one tick more from the tick in progress predicts.
 */
counted_share: number
/**
 * Share that ends one tick after the first.
 */
second_tick_share: number
/**
 * Sleeps tested.
 */
sleeps: number
/**
 * Sleeps of which only one of the two rules is true.
 */
telling: number
/**
 * Of these, those for rounding up.
 */
telling_up: number
/**
 * Of these, those for one tick more.
 */
telling_up_plus_one: number
/**
 * Share that rounding up predicts.
 */
up_share: number
}
/**
 * Sleeps are timed with a clock that is refreshed every few ticks.
 */
export interface CachedClock {
/**
 * From one refresh to the next.
 */
granularity_ns: number
/**
 * The tick's rate.
 */
hz: number
/**
 * Their share.
 */
predicted_share?: number
/**
 * The share that the best rule without refreshes predicts.
 */
predicted_share_without?: number
/**
 * How closely they keep it: length of their mean vector, 0 to 1.
 */
rayleigh?: number
/**
 * How closely the rounding rule alone would keep it.
 */
rayleigh_by_rule?: number
/**
 * The same in ticks.
 */
ticks: number
}
/**
 * The timer runs at another rate than the clock.
 */
export interface ClockDrift {
/**
 * Standard error of `alias_ppm`, where the tick's length was measured in these samples.
 */
alias_error_ppm?: (number | null)
/**
 * Whole ticks per second that could be added without any difference; `null` where the rate itself was seen.
 */
alias_ppm: (number | null)
/**
 * What it was seen in.
 */
basis: ("slide" | "tick" | "quantum")
/**
 * What of the drift the steering does not explain.
 */
calibration_ppm?: (number | null)
/**
 * Positive: the tick is longer than nominal.
 */
drift_ppm: number
/**
 * Where the rate changes in mid-run: from when on this drift holds, in seconds from the first sleep.
 */
from_s?: (number | null)
/**
 * By how much the system's clock was steered, where the recording says; the rest is calibration and crystals.
 */
ntp_ppm?: (number | null)
/**
 * How uncertain that moment is; none at the recording's end.
 */
to_error_s?: (number | null)
/**
 * Until when it holds.
 */
to_s?: (number | null)
}
/**
 * The tick slides along the clock's seconds.
 */
export interface Sawtooth {
/**
 * Their size.
 */
jump_ns: (number | null)
/**
 * Jumps seen.
 */
jumps: number
/**
 * From one jump to the next, if the tick's rate is known.
 */
period_s: (number | null)
/**
 * The least and the most lateness.
 * 
 * @minItems 2
 * @maxItems 2
 */
range_ns: [number, number]
/**
 * Microseconds per second.
 */
slope_us_per_s: number
}
/**
 * Timeouts counted on the kernel's timer wheel.
 */
export interface TimerWheel {
/**
 * The tick's nominal rate.
 */
hz: (number | null)
/**
 * How requests become ticks.
 */
rounding: (Rounding | null)
/**
 * The wheel's granularity at this timeout, in ticks.
 */
step_ticks: (number | null)
/**
 * The tick's length.
 */
tick_ns: (number | null)
}
/**
 * The first calls are slower.
 */
export interface FirstCall {
/**
 * How many.
 */
calls: number
/**
 * Their median lateness.
 */
late_ns: number
/**
 * The median of all.
 */
usual_late_ns: number
}
/**
 * Something wakes at a fixed period.
 */
export interface PeriodicInterference {
/**
 * Delayed sleeps.
 */
events: number
/**
 * By how much the rhythm beats chance, as a natural logarithm.
 */
log_likelihood_beyond_chance: number
/**
 * How far it may be off.
 */
period_error_s: number
/**
 * The period.
 */
period_s: number
}
/**
 * Two kinds of wake-up alternate.
 */
export interface Bimodal {
/**
 * The middle of the earlier kind.
 */
lower_ns: number
/**
 * The middle of the later kind.
 */
upper_ns: number
/**
 * Share of the later kind.
 */
upper_share: number
}
/**
 * From one sleep on, lateness was different.
 */
export interface ChangePoint {
/**
 * Median lateness after.
 */
after_ns: number
/**
 * Median lateness before.
 */
before_ns: number
/**
 * After.
 */
resolution_after_ns?: number
/**
 * Before.
 */
resolution_before_ns?: number
/**
 * Number of that sleep.
 */
sleep: number
/**
 * What the system calls it.
 */
system_rule?: (string | null)
}
/**
 * The wall clock was set.
 */
export interface ClockStep {
/**
 * The clock.
 */
clock: ("monotonic" | "monotonic-raw" | "realtime" | "boottime" | "tai" | "counter" | "true")
/**
 * When, on the monotonic clock.
 */
monotonic_ns: number
}
/**
 * Several processors stood still at once.
 */
export interface HostSteal {
/**
 * How often chance would show it.
 */
expected_by_chance: number
/**
 * How often.
 */
stalls: number
}
/**
 * The kernel moves wake-ups anywhere within a leeway.
 */
export interface Coalescing {
/**
 * How the leeway grows with the request; 1: in proportion.
 */
exponent: number
/**
 * The leeway as a share of the request.
 */
leeway_ratio: number
/**
 * The share that the fit over all requests gives for 1 ns.
 */
ratio_at_1_ns: number
/**
 * What the system calls it.
 */
system_rule?: (string | null)
}
/**
 * The thread was stopped or the machine suspended.
 */
export interface Stopped {
/**
 * How often.
 */
times: number
/**
 * Nine of ten sleeps are not later than this.
 */
usual_late_ns: number
}
/**
 * Sleeps that never ended.
 */
export interface Hung {
/**
 * Threads of cells that slept no more.
 */
hung: number
/**
 * The longest.
 */
longest_ns: number
/**
 * The shortest request that never ended.
 */
shortest_ns: number
/**
 * Out of this number.
 */
threads: number
}
/**
 * Whole periods without a wake-up of their own.
 */
export interface MissedPeriods {
/**
 * Periods that began.
 */
asked: number
/**
 * Of these, those without.
 */
skipped: number
}
/**
 * What a change did.
 */
export interface Changed {
/**
 * Blocks in which both slept.
 */
blocks: number
/**
 * What was changed, with what it was measured against if not the base.
 */
changed: string
/**
 * Of `timer-slack`: what kept the processor awake on both sides.
 */
measured_beside?: (string | null)
/**
 * How far the median moved.
 */
p50_shift_ns: number
/**
 * How far the 99th percentile moved, where the sleeps carry one.
 */
p99_shift_ns?: (number | null)
/**
 * The probability of that much by chance, corrected for all tries.
 */
p_corrected: number
/**
 * Of `constant-cost`: which part of it was changed away.
 */
part?: (string | null)
/**
 * Of `proportional-slack`: the share of the request.
 */
ratio?: (number | null)
/**
 * Sleeps of each.
 */
sleeps: number
/**
 * This interface was referenced by `Changed`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
}
/**
 * The account of a schedule. `asked == fresh + late + skipped`.
 */
export interface PeriodCounts {
/**
 * Periods that began while the run lasted.
 */
asked: number
/**
 * Wake-ups before their deadline (also counted as fresh).
 */
early: number
/**
 * Wake-ups before the next period's deadline.
 */
fresh: number
/**
 * Wake-ups at or after the next period's deadline.
 */
late: number
/**
 * Periods without a wake-up of their own.
 */
skipped: number
}
/**
 * One thread of a schedule.
 */
export interface ThreadFigures {
/**
 * How many woke early: an oversleep below zero.
 */
early: number
/**
 * The largest.
 */
max_ns: (Nanos | null)
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * How many samples.
 */
n: number
/**
 * Upper end of the median's 95 % interval.
 */
p50_high_ns: (Nanos | null)
/**
 * Lower end of the median's 95 % interval.
 */
p50_low_ns: (Nanos | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * Nine of ten are at or below.
 */
p90_ns: (Nanos | null)
/**
 * 999 of 1000 are at or below.
 */
p999_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
/**
 * Its account; absent where the run was cut off before it was written.
 */
periods?: (PeriodCounts | null)
/**
 * Whether quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * The sample standard deviation.
 */
sd_ns: (number | null)
/**
 * Its number, from 0.
 */
thread: number
}
/**
 * One cell's lateness, cause by cause.
 */
export interface SideBySide {
/**
 * The cell.
 */
cell: number
/**
 * The median.
 */
p50: Row[]
/**
 * The 99th percentile; empty where nobody can speak of it.
 */
p99: Row[]
/**
 * What tracing was and what it cost, if there was any.
 */
trace?: (Traced | null)
}
/**
 * One cause, or what is left (`unexplained`).
 */
export interface Row {
/**
 * The cause's identifier, or `unexplained`.
 */
cause: string
/**
 * How sure the cause is, all witnesses together; `null` if nobody finds it.
 */
confidence: (number | null)
/**
 * What the intervention says.
 */
intervention: (Said | null)
/**
 * What the pattern says.
 */
pattern: (Said | null)
/**
 * What the trace says.
 */
trace: (Said | null)
/**
 * Whether they agree.
 */
verdict: ("agree" | "differ" | "alone")
}
/**
 * A size in ns with its 95 % interval, where there is one.
 */
export interface Said {
/**
 * Whether it is the most that it can be: anything less agrees with it.
 */
at_most?: boolean
/**
 * Upper end.
 */
high_ns: (number | null)
/**
 * Lower end.
 */
low_ns: (number | null)
/**
 * How large.
 */
size_ns: number
}
/**
 * Sleeps of a cell that were traced, in figures. They are none of the recording's samples: tracing has its price.
 */
export interface Traced {
/**
 * The cell.
 */
cell: number
/**
 * Those whose chain of marks is whole; all figures are of these.
 */
complete: number
/**
 * Cause by cause.
 */
parts: TracedPart[]
/**
 * Sleeps that were traced.
 */
sleeps: number
/**
 * The tier of evidence, as `oversleep trace` names it.
 */
tier: string
/**
 * How much later traced blocks were than the untraced ones beside them, at the median of their medians.
 */
trace_shift?: (Apart | null)
/**
 * The median oversleep while tracing.
 */
traced_p50_ns: (Nanos | null)
/**
 * The median oversleep between, untraced.
 */
untraced_p50_ns: (Nanos | null)
}
/**
 * One cause's part of the traced oversleeps.
 */
export interface TracedPart {
/**
 * Its time in the sleep whose oversleep is the 99th percentile, where the sleeps carry one.
 */
at_p99_ns: (Nanos | null)
/**
 * The cause's identifier, or `unexplained`.
 */
cause: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
high_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
low_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
p50_ns: number
/**
 * Its share of all oversleep time, 0 to 1.
 */
share: number
}
/**
 * How far one thing lies above another.
 */
export interface Apart {
/**
 * Upper end of the 95 % interval.
 */
high_ns: number
/**
 * Lower end of the 95 % interval.
 */
low_ns: number
/**
 * How far.
 */
size_ns: number
}
/**
 * Figures of a distribution in buckets: each quantile lies between two bounds.
 */
export interface DistributionFigures {
/**
 * The cell's number in the recording.
 */
cell: number
conditions: Conditions2
/**
 * What the file does not tell.
 */
lost: Loss[]
/**
 * The largest value is at most this.
 */
max_ns: (Nanos | null)
/**
 * The mean, as the file gives it.
 */
mean_ns: (number | null)
/**
 * Who slept: the program, and its thread where it counts them apart.
 */
method: string
/**
 * The smallest value is at least this.
 */
min_ns: (Nanos | null)
/**
 * How many values there were.
 */
n: number
/**
 * How many of them are in no bucket.
 */
outside: number
/**
 * The median.
 */
p50: (Bounds | null)
/**
 * Nine of ten are at or below.
 */
p90: (Bounds | null)
/**
 * 99 of 100 are at or below.
 */
p99: (Bounds | null)
/**
 * 999 of 1000 are at or below.
 */
p999: (Bounds | null)
/**
 * What was counted.
 */
quantity: ("oversleep" | "hiccup" | "timer-interrupt" | "timer-thread" | "timer-user" | "loop-gap" | "noise" | "run-queue" | "handover" | "run-time")
/**
 * What was asked for, where it is known.
 */
requested_ns: (Nanos | null)
}
/**
 * Conditions, as asked for or as obtained.
 * 
 * Asked: `null` leaves the thing as it is. Obtained: what was read back from the system; `null` where the
 * system has no such thing or does not tell.
 */
export interface Conditions2 {
/**
 * The processors the thread may run on.
 */
affinity?: (number[] | null)
/**
 * The longest processor wake-up latency tolerated, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads beside the sleepers.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked in place.
 */
memory_locked?: (boolean | null)
/**
 * The task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * The niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread has one of those processors to itself, in turn, instead of all of them.
 */
one_cpu_each?: (boolean | null)
/**
 * What happens between two sleeps.
 */
phase?: (Phase | null)
/**
 * Scheduling policy and its parameters.
 */
policy?: (Policy | null)
/**
 * The priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * The quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * How many threads sleep at once.
 */
threads?: (number | null)
/**
 * How often the system looks at its timers (Windows). Obtained: what is in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether the kernel's account is recorded beside each sleep. `false` is said of sleeps that are there only to be
 * compared with traced ones beside them. Neither kind says how this machine sleeps by itself: tracing has its price.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * Where a value lies.
 */
export interface Bounds {
/**
 * At or below this, where that is known.
 */
high_ns: (Nanos | null)
/**
 * At or above this, where that is known.
 */
low_ns: (Nanos | null)
}
/**
 * What a recording's interventions say.
 */
export interface Interventions {
/**
 * The base cell.
 */
base: number
/**
 * The base's median lateness.
 */
base_p50_ns: (number | null)
/**
 * The base's 99th percentile.
 */
base_p99_ns: (number | null)
/**
 * Blocks in which it slept.
 */
blocks: number
/**
 * Every comparison, in the plan's order.
 */
effects: Effect[]
/**
 * What they say of causes.
 */
readings: Reading[]
/**
 * Its sleeps that count.
 */
sleeps: number
/**
 * Shifts tried, which is what probabilities are corrected for.
 */
tries: number
/**
 * Sleeps left out, all cells together: the first of each turn.
 */
warm_ups: number
}
/**
 * The mean shift of the quantiles from 2.5 to 20 %. A pure delay moves all quantiles alike, and these are the least
 * disturbed by what else there is, so they tell its size best.
 */
export interface Part2 {
/**
 * Upper end.
 */
high_ns: number
/**
 * Lower end.
 */
low_ns: number
/**
 * How large.
 */
size_ns: number
}
/**
 * The shift of the median.
 */
export interface Shift {
/**
 * Its standard error.
 */
error_ns: number
/**
 * Upper end of the 95 % interval.
 */
high_ns: number
/**
 * Lower end of the 95 % interval.
 */
low_ns: number
/**
 * The probability of that much by chance.
 */
p: number
/**
 * The same, corrected for all tries (Holm).
 */
p_corrected: number
/**
 * Whether it survives the correction: only then is it called an effect.
 */
seen: boolean
/**
 * How far.
 */
size_ns: number
/**
 * The least shift that would have been called an effect in four cases of five.
 */
smallest_detectable_ns: number
}
/**
 * How far a quantile moved, in ns: variant less reference, so that negative is better.
 */
export interface Shift1 {
/**
 * Its standard error.
 */
error_ns: number
/**
 * Upper end of the 95 % interval.
 */
high_ns: number
/**
 * Lower end of the 95 % interval.
 */
low_ns: number
/**
 * The probability of that much by chance.
 */
p: number
/**
 * The same, corrected for all tries (Holm).
 */
p_corrected: number
/**
 * Whether it survives the correction: only then is it called an effect.
 */
seen: boolean
/**
 * How far.
 */
size_ns: number
/**
 * The least shift that would have been called an effect in four cases of five.
 */
smallest_detectable_ns: number
}
/**
 * What a cause is worth in a cell, by intervention.
 */
export interface Reading {
/**
 * What was changed.
 */
by: string
/**
 * The cause.
 */
cause: ("early-wake" | "constant-cost" | "timer-slack" | "proportional-slack" | "tick-quantised" | "cached-clock" | "clock-drift" | "sawtooth" | "timer-wheel" | "run-queue" | "first-call" | "periodic-interference" | "bimodal" | "change-point" | "clock-step" | "host-steal" | "idle-exit" | "coalescing" | "stopped" | "hung" | "missed-periods" | "late-interrupt" | "throttled")
/**
 * The cell it is worth that in.
 */
cell: number
p50: Part21
/**
 * Its part of the 99th percentile, where the sleeps carry one.
 */
p99: (Part22 | null)
/**
 * Whether it is called an effect.
 */
seen: boolean
}
/**
 * Its part of the median lateness.
 */
export interface Part21 {
/**
 * Upper end.
 */
high_ns: number
/**
 * Lower end.
 */
low_ns: number
/**
 * How large.
 */
size_ns: number
}
/**
 * A size in ns with its 95 % interval.
 */
export interface Part22 {
/**
 * Upper end.
 */
high_ns: number
/**
 * Lower end.
 */
low_ns: number
/**
 * How large.
 */
size_ns: number
}
/**
 * All late sleeps of a run that watched for them.
 */
export interface LateSleeps {
account: LateAccount
/**
 * Those that were examined.
 */
sleeps: Explained[]
}
/**
 * How many there were.
 */
export interface LateAccount {
/**
 * Sleeps made after that one, until the stop was heard.
 */
after_stop: number
/**
 * Planned sleeps never made.
 */
cut: number
/**
 * Late ones that were examined; the rest are counted only.
 */
found: number
/**
 * Of these, late ones.
 */
late: number
/**
 * Sleeps planned.
 */
planned: number
/**
 * Sleeps made.
 */
slept: number
/**
 * Whether a late sleep ended the run.
 */
stopped: boolean
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
threshold_ns: number
}
/**
 * A late sleep with its sentence.
 */
export interface Explained {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
at_ns: number
/**
 * Its lateness part by part; `null` without evidence.
 */
breakdown?: (Breakdown | null)
/**
 * What it is put down to, in a phrase that is the same for all of its kind.
 */
cause: string
/**
 * The sample's cell.
 */
cell: number
/**
 * The processor on which it ended, where known.
 */
cpu: (number | null)
/**
 * Who had the processor meanwhile.
 */
culprits?: Culprit[]
/**
 * What is known of it, in one sentence.
 */
explanation: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
length_ns: number
/**
 * Why nothing better could be had; empty if nothing better is known.
 */
refused?: string[]
/**
 * Its number.
 */
sequence: number
/**
 * Its thread.
 */
thread: number
/**
 * The file that holds the part of the trace around it as text.
 */
trace?: (string | null)
/**
 * The tier of evidence that this rests on; as JSON `none` where there is no evidence.
 */
witness: string
}
/**
 * One oversleep, split.
 */
export interface Breakdown {
/**
 * Whether the chain of marks is whole.
 */
complete: ("complete" | {
partial: string
})
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
deadline_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
end_ns: number
/**
 * From the deadline to the end, in order. Complete: they sum to [`Breakdown::oversleep`].
 */
parts: Part[]
/**
 * Which sleep of the run.
 */
sequence: number
}
/**
 * A stretch of an oversleep.
 */
export interface Part {
/**
 * The processor it was on, where known.
 */
cpu: (number | null)
/**
 * How it is known.
 */
evidence: ("tracepoint" | "switch-record" | "sched-stat" | "known" | "inferred")
/**
 * What happened in it.
 */
kind: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * Who had the processor meanwhile, where it matters; together never more than `time`.
 */
owners: [Owner, Nanos][]
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
time_ns: number
}
/**
 * What one culprit took.
 */
export interface Culprit {
/**
 * In which kind of part.
 */
during: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * Who.
 */
name: string
/**
 * In how many sleeps.
 */
sleeps: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
time_ns: number
}
/**
 * How much of the recording was looked at.
 */
export interface Coverage {
/**
 * Sleeps kept without a gap.
 */
first: number
/**
 * Sleeps in the recording.
 */
samples: number
/**
 * Sleeps kept from all over the run; 0 where the recording was kept whole.
 */
spread: number
}
/**
 * The machine.
 */
export interface Machine {
/**
 * The instruction set: `x86_64`.
 */
architecture: string
/**
 * The options of the kernel's command line that bear on sleep.
 */
command_line: string[]
idle: Idle
limits: Limits
/**
 * How busy it is.
 */
load: (Load | null)
memory: Memory
/**
 * How its clock is steered.
 */
ntp: (Ntp | null)
preemption: Preemption
processor: Processor
/**
 * The processor time this process's groups allow.
 */
quota: (Quota | null)
/**
 * The kernel's release: `6.18.44`.
 */
release: string
/**
 * Time its host took away.
 */
steal: Steal[]
/**
 * The operating system's name: `Linux`.
 */
system: string
timekeeping: Timekeeping
/**
 * Settings of the kernel that bear on sleep, where they have names (`sysctl`).
 */
tunables?: Tunable[]
/**
 * The kernel's version: when and for what it was built.
 */
version: string
virtualisation: Virtualisation
}
/**
 * What its processors do while nothing runs.
 */
export interface Idle {
/**
 * What knows the states: `intel_idle`, `acpi_idle`, `haltpoll`.
 */
driver: (string | null)
/**
 * What chooses among them: `menu`, `teo`, `haltpoll`.
 */
governor: (string | null)
/**
 * How long a guest polls before it halts (`haltpoll`'s parameter).
 */
guest_halt_poll_ns: (Nanos | null)
/**
 * The states of the first processor, shallowest first.
 */
states: IdleState[]
}
/**
 * One idle state.
 */
export interface IdleState {
/**
 * Whether somebody switched it off.
 */
disabled: (boolean | null)
/**
 * How long leaving it takes, by the driver's table.
 */
latency_ns: (Nanos | null)
/**
 * Its name: `POLL`, `C1E`.
 */
name: string
/**
 * How long it must last to be worth it.
 */
residency_ns: (Nanos | null)
}
/**
 * What this process may ask for.
 */
export interface Limits {
/**
 * Memory that may be locked (`RLIMIT_MEMLOCK`).
 */
memory_lock_bytes: (number | null)
/**
 * 20 minus the lowest niceness (`RLIMIT_NICE`); 0 for none below what it has.
 */
nice: (number | null)
/**
 * The kernel's limit on all real-time threads.
 */
realtime_guard: (RtGuard | null)
/**
 * The highest real-time priority (`RLIMIT_RTPRIO`); 0 for none.
 */
realtime_priority: (number | null)
/**
 * Whether the process is root's.
 */
root: (boolean | null)
}
/**
 * The kernel's limit on real-time threads.
 */
export interface RtGuard {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
period_ns: number
/**
 * The time real-time threads may take of every period; `null` if all of it.
 */
runtime_ns: (Nanos | null)
}
/**
 * The average number of threads that run or want to (on Linux also those in uninterruptible sleep).
 */
export interface Load {
/**
 * Over fifteen.
 */
fifteen_minutes: number
/**
 * Over five.
 */
five_minutes: number
/**
 * Over a minute.
 */
one_minute: number
/**
 * Threads that run or want to run right now, this one included (Linux).
 */
runnable: (number | null)
}
/**
 * Its memory.
 */
export interface Memory {
/**
 * What can be had without swapping (Linux).
 */
available_bytes: (number | null)
/**
 * All of it.
 */
total_bytes: (number | null)
}
/**
 * The kernel's clock discipline (`adjtimex`, read only).
 */
export interface Ntp {
/**
 * By how much the clock is made faster than its counter.
 */
frequency_ppm: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
max_error_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
offset_ns: number
/**
 * The `STA_` bits.
 */
status: number
/**
 * Whether the kernel believes the clock to be right.
 */
synchronised: boolean
/**
 * International atomic time minus UTC, 37 s since 2017; 0 where nobody told the kernel.
 */
tai_offset_s: number
}
/**
 * Where its kernel lets another thread run.
 */
export interface Preemption {
/**
 * Whether the model can be changed while the kernel runs (`PREEMPT_DYNAMIC`).
 */
dynamic: (boolean | null)
/**
 * `none`, `voluntary`, `full`, `lazy` or `rt`; `null` if the kernel can change it and does not tell this user.
 */
model: (string | null)
/**
 * Whether it is a real-time kernel (`PREEMPT_RT`).
 */
realtime: (boolean | null)
}
/**
 * Its processors.
 */
export interface Processor {
/**
 * What chooses the clock frequency: a governor (`performance`, `schedutil`), or Windows' power plan; `null` if nothing does.
 */
frequency_governor: (string | null)
/**
 * What the maker calls it.
 */
model: (string | null)
/**
 * The processors that are there and running.
 */
online: number[]
/**
 * Whether two threads share a core.
 */
smt_active: (boolean | null)
}
/**
 * The tightest quota on the way from the process's group up to the root.
 */
export interface Quota {
/**
 * Processors' worth of time: quota over period.
 */
cpus: number
/**
 * The group that sets it, below its hierarchy's mount.
 */
group: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
period_ns: number
/**
 * Periods in which the group ran.
 */
periods: (number | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
quota_ns: number
/**
 * How long its threads were kept waiting for it, together.
 */
throttled_ns: (Nanos | null)
/**
 * Periods in which its time was used up.
 */
throttled_periods: (number | null)
}
/**
 * Stolen time of one processor since boot.
 */
export interface Steal {
/**
 * The processor.
 */
cpu: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
stolen_ns: number
}
/**
 * Its clocks and timers.
 */
export interface Timekeeping {
/**
 * The counter time is read from: `tsc`.
 */
clocksource: (string | null)
/**
 * The counters it could be read from.
 */
clocksources: string[]
/**
 * The counter's rate where programs read it as such (Windows' `QueryPerformanceFrequency`).
 */
counter_hz?: (number | null)
/**
 * Whether timers fire between ticks (Linux).
 */
high_resolution: (boolean | null)
/**
 * The monotonic clock's resolution as claimed (`clock_getres`). On Linux this is the timers': 1 ns where
 * they have high resolution, the tick's length where they fire on ticks.
 */
resolution_ns: (Nanos | null)
/**
 * The tick's length as the kernel claims it: `clock_getres` of `CLOCK_MONOTONIC_COARSE`, `kern.clockrate`.
 */
tick_claimed_ns: (Nanos | null)
/**
 * The tick's length as seen; filled by who calls `oversleep_os::sysinfo::tick::measure`, which takes its time.
 */
tick_measured_ns: (Nanos | null)
/**
 * The timer resolutions of Windows.
 */
timer_resolution?: (TimerResolution | null)
/**
 * The timer slack of the thread that asked.
 */
timer_slack_ns: (Nanos | null)
}
/**
 * The timer resolutions a system has (Windows).
 */
export interface TimerResolution {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
coarsest_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
finest_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
in_force_ns: number
}
/**
 * A setting as it was found.
 */
export interface Tunable {
/**
 * Its name: `kern.timecounter.alloweddeviation`.
 */
name: string
/**
 * Its value, as the system's own tool shows it.
 */
value: string
}
/**
 * Whether it is a guest or the process in a container.
 */
export interface Virtualisation {
/**
 * The container: `docker`, `podman`, or what systemd calls it; `null` if none is seen.
 */
container: (string | null)
/**
 * The hypervisor: `kvm`, `hyper-v`, `xen`; its own signature if it has no name here; `null` if none is seen.
 */
hypervisor: (string | null)
/**
 * What the firmware calls the machine, maker first.
 */
product: (string | null)
}
/**
 * A model with the parameters found, laid over the sleeps.
 */
export interface ModelOverlay {
/**
 * All of them together; `null` where there are none.
 */
fit: (Fit | null)
/**
 * One model for each method under one set of conditions.
 */
kernels: Laid[]
/**
 * Sleeps no model was laid over.
 */
left_out: LeftOut[]
}
/**
 * The match of predicted and measured lateness over some sleeps. Residual: measured − predicted.
 */
export interface Fit {
/**
 * 1 − Σ residual² / Σ lateness²: counted from zero, so that a constant lateness counts as something to predict.
 */
level_share: (number | null)
/**
 * 1 − Var(residual) / Var(lateness): the same but for a constant offset, which it forgives. A rule that is wrong by
 * one whole tick each time passes here and not above.
 */
offset_free_share: (number | null)
/**
 * Var(prediction) / Var(lateness): near 0 where the model says the same of every sleep.
 */
predicted_variance: (number | null)
/**
 * The residuals' 1st percentile, ns.
 */
residual_p01_ns: number
/**
 * Their median.
 */
residual_p50_ns: number
/**
 * Their 99th percentile.
 */
residual_p99_ns: number
/**
 * The median of their sizes.
 */
residual_size_p50_ns: number
/**
 * Sleeps compared.
 */
sleeps: number
/**
 * `variance_share` without the 1 % of sleeps whose residuals lie furthest from the median residual: what rare late sleeps
 * (which no deterministic model predicts) do not decide.
 */
trimmed_share: (number | null)
/**
 * 1 − mean(residual²) / Var(lateness), the coefficient of determination: 1 is perfect, 0 no better than the mean,
 * below zero worse. `null` where lateness does not vary.
 */
variance_share: (number | null)
}
/**
 * One model over the sleeps of one method under one set of conditions.
 */
export interface Laid {
/**
 * The other rules a tick kernel may round by, and the share of the variance each would explain.
 */
alternatives?: Alternative[]
/**
 * Its cells.
 */
cells: number[]
/**
 * From the end of a sleep to the program running, in ns.
 */
cost_ns: number
/**
 * Ticks to add to the kernel's own count, which the wheel's coarser steps are counted from.
 */
count: number
fit: Fit1
/**
 * The tick's nominal rate; `null` where timers fire between ticks.
 */
hz: (number | null)
/**
 * Where the diagnosis left the rate open: the rates it allows, of which the model has the one that fits best.
 */
hz_open?: number[]
/**
 * The method.
 */
method: string
/**
 * Where the ticks lie: ns from the group's first start to one of them.
 */
phase_ns: number
/**
 * The quantum of threads ahead in the run queue, in ns, and how many there are.
 * 
 * @minItems 2
 * @maxItems 2
 */
queue?: ([number, number] | null)
/**
 * How the tick kernel rounds.
 */
rule: (Rounding | null)
/**
 * Slack as a share of the request.
 */
share: number
/**
 * And at most, in ns.
 */
share_cap_ns: (number | null)
/**
 * Timer slack, in ns.
 */
slack_ns: number
/**
 * The tick's length on the clock, in ns.
 */
tick_ns: (number | null)
/**
 * Whether timeouts are counted on the timer wheel.
 */
wheel: boolean
}
/**
 * A rule that was not found, laid over the same sleeps.
 */
export interface Alternative {
/**
 * The rule.
 */
rule: ("up" | "up-plus-one" | "early")
/**
 * Share of the variance it explains; below zero where it predicts worse than the mean would.
 */
variance_share: (number | null)
}
/**
 * The match of predicted and measured lateness over some sleeps. Residual: measured − predicted.
 */
export interface Fit1 {
/**
 * 1 − Σ residual² / Σ lateness²: counted from zero, so that a constant lateness counts as something to predict.
 */
level_share: (number | null)
/**
 * 1 − Var(residual) / Var(lateness): the same but for a constant offset, which it forgives. A rule that is wrong by
 * one whole tick each time passes here and not above.
 */
offset_free_share: (number | null)
/**
 * Var(prediction) / Var(lateness): near 0 where the model says the same of every sleep.
 */
predicted_variance: (number | null)
/**
 * The residuals' 1st percentile, ns.
 */
residual_p01_ns: number
/**
 * Their median.
 */
residual_p50_ns: number
/**
 * Their 99th percentile.
 */
residual_p99_ns: number
/**
 * The median of their sizes.
 */
residual_size_p50_ns: number
/**
 * Sleeps compared.
 */
sleeps: number
/**
 * `variance_share` without the 1 % of sleeps whose residuals lie furthest from the median residual: what rare late sleeps
 * (which no deterministic model predicts) do not decide.
 */
trimmed_share: (number | null)
/**
 * 1 − mean(residual²) / Var(lateness), the coefficient of determination: 1 is perfect, 0 no better than the mean,
 * below zero worse. `null` where lateness does not vary.
 */
variance_share: (number | null)
}
/**
 * Sleeps without a model.
 */
export interface LeftOut {
/**
 * The method.
 */
method: string
/**
 * Its sleeps.
 */
sleeps: number
/**
 * Why.
 */
why: string
}
/**
 * What a watch for stalls saw, and what it is put down to.
 */
export interface Stalls {
histogram: Histogram
/**
 * How each watched processor spent its time.
 */
processors: Watched[]
/**
 * What took time, cell by cell, the most first.
 */
took: Took[]
/**
 * Stalls that the recording lists without what was seen of them, as when it breaks off: they are in the figures, and
 * in no cause.
 */
unnamed?: number
/**
 * The longest stalls of each processor, the longest first.
 */
worst: ExplainedStall[]
}
/**
 * How long the stalls were.
 */
export interface Histogram {
/**
 * The edges between bins, ascending.
 */
edges_ns: number[]
/**
 * Each processor's counts.
 */
processors: Counts[]
}
/**
 * One processor's stalls by length.
 */
export interface Counts {
/**
 * One count more than edges: below the first, between each two, at or above the last.
 */
counts: number[]
/**
 * The processor.
 */
cpu: number
}
/**
 * How a processor's time was spent while it was watched for stalls. `elapsed = spun + stalled + looked + paused`.
 */
export interface Watched {
/**
 * Readings that went backwards.
 */
backwards: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
begun_ns: number
/**
 * The cell whose samples are its stalls.
 */
cell: number
/**
 * The processor.
 */
cpu: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
elapsed_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
floor_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
looked_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
paused_ns: number
/**
 * Readings of the counter.
 */
readings: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
spun_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
stalled_ns: number
/**
 * Stalls.
 */
stalls: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
threshold_ns: number
/**
 * Of these, stalls that found no room in the list: counted and in `stalled`, but no samples.
 */
unlisted: number
}
/**
 * What one cause took of a processor, all stalls together.
 */
export interface Took {
/**
 * The cause.
 */
cause: string
/**
 * The cell.
 */
cell: number
/**
 * In how many stalls.
 */
stalls: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
time_ns: number
}
/**
 * A stall with its sentence.
 */
export interface ExplainedStall {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
at_ns: number
/**
 * What it is put down to, in one phrase that is the same for all of its kind.
 */
cause: string
/**
 * The sample's cell.
 */
cell: number
/**
 * The processor, where known.
 */
cpu: (number | null)
/**
 * What all of this rests on; `null` in a recording of an older version, which kept a sentence instead.
 */
evidence?: (StallEvidence | null)
/**
 * What is known of it, in one sentence.
 */
explanation: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
length_ns: number
/**
 * Its number.
 */
sequence: number
/**
 * Its thread.
 */
thread: number
/**
 * Processors that stalled at the same time.
 */
together?: number[]
/**
 * What the explanation rests on: `trace`, `counters`, `none`.
 */
witness: string
}
/**
 * What is known of one stall.
 */
export interface StallEvidence {
/**
 * What it is put down to.
 */
kind: ("quota" | "smi" | "stolen" | "at-once" | "unseen" | "owner" | "preempted" | "interrupt" | "interrupts-unread" | "counters-unread")
/**
 * Who had the processor by the trace, the most first, each with its time in ns; together the length. `sleeper` is the
 * watching thread: time that no kernel event accounts for.
 */
owners?: ([Owner, Nanos][] | null)
/**
 * By how much the processor's counters grew, if they were read.
 */
processor?: (ProcessorCounters | null)
/**
 * How many stalls before this one that growth covers too.
 */
processor_since: number
/**
 * By how much the watching thread's own counters grew, if they were read.
 */
thread?: (ThreadCounters | null)
/**
 * How many stalls before this one that growth covers too.
 */
thread_since: number
}
/**
 * What was counted of a processor between two readings; `null` where the counter cannot be read.
 */
export interface ProcessorCounters {
/**
 * Times the processor slowed down because it was hot (`thermal_throttle/core_throttle_count`).
 */
heat?: (number | null)
/**
 * Interrupts by name, those that came.
 */
interrupts?: ([string, number][] | null)
/**
 * System-management interrupts (`MSR_SMI_COUNT`, 0x34; Intel since Nehalem).
 */
smi?: (number | null)
/**
 * Softirqs by name, those that ran.
 */
softirqs?: ([string, number][] | null)
/**
 * Time stolen by the host, in steps of `USER_HZ` ticks (10 ms usually).
 */
stolen_ns?: (Nanos | null)
}
/**
 * Counters of a thread, or the difference between two readings of them, which says what happened in between.
 */
export interface ThreadCounters {
/**
 * Involuntary switches (`getrusage`).
 */
preempted?: (number | null)
/**
 * Time spent runnable but not running (`/proc/thread-self/schedstat`). Stays where it is for a wake-up that
 * preempts at once, because the kernel then skips the clock update: a lower bound.
 */
run_delay_ns?: (Nanos | null)
/**
 * Time the thread's control group was kept from running by its quota, all of its threads together.
 */
throttled_ns?: (Nanos | null)
}
/**
 * The system call that a sleep became, and the time that it was given.
 */
export interface ToldTime {
/**
 * Those that were made of these calls.
 */
agreeing: number
/**
 * The call.
 */
call: string
/**
 * Whether that stood in its arguments. Otherwise it is how long the timer that it set had to run.
 */
exact: boolean
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
requested_ns: number
/**
 * What became of the request on the way.
 */
rule: ("as-asked" | "rounded-up" | "truncated" | "longer" | "shorter")
/**
 * Sleeps whose calls were recorded.
 */
sleeps: number
/**
 * The time it was given; several where a sleep made it several times.
 */
told_ns: Nanos[]
}
/**
 * A question the samples leave open, and the experiment that would answer it.
 */
export interface Undecided {
/**
 * What would have given these samples: names of causes, with a rate where several fit (`tick-quantised 250 Hz`).
 */
candidates?: string[]
/**
 * A command line whose recording would.
 */
experiment: string
/**
 * The question.
 */
question: string
/**
 * Why these samples do not answer it.
 */
why: string
}
/**
 * How many samples of a file have a fault.
 */
export interface Unsound {
/**
 * What is wrong with them.
 */
fault: ("ends-before-start" | "unknown-cell" | "out-of-order")
/**
 * Where in the file the batch begins that has the first of them, in bytes.
 */
first_byte: number
/**
 * How many.
 */
samples: number
}
/**
 * Its figures.
 */
export interface Measured {
/**
 * Its cells, in the plan's order.
 */
cells: CellFigures[]
/**
 * What the figures of another program's file mean, as that program defines them.
 */
conventions?: string[]
/**
 * Figures of files that hold buckets and no samples.
 */
distributions?: DistributionFigures[]
/**
 * How it ended; `null` if it was cut off.
 */
ended: (End | null)
/**
 * The experiment's name.
 */
experiment: string
/**
 * The version of this form.
 */
format: number
/**
 * Late sleeps, where they were watched for.
 */
late?: (LateSleeps | null)
/**
 * Samples lost because they could not be stored fast enough.
 */
lost: number
machine: Machine1
/**
 * Where the samples come from.
 */
origin: ({
kind: "live"
} | {
kind: "simulated"
/**
 * The preset's name, or the file's.
 */
model: string
/**
 * Its parameters, whole.
 */
parameters: {
[k: string]: unknown
}
} | {
/**
 * The file.
 */
file: string
/**
 * The format.
 */
format: string
kind: "imported"
})
/**
 * Stalls of processors, where those were watched for.
 */
stalls?: (Stalls | null)
/**
 * When it began (RFC 3339, UTC), if known.
 */
started: (string | null)
/**
 * What the kernel was told while a program slept, where that was traced.
 */
told?: ToldTime[]
/**
 * What wrote the recording, with version.
 */
tool: string
/**
 * What was asked for and could not be had.
 */
unavailable: Unobtained[]
/**
 * Samples of the file that cannot be as they stand.
 */
unsound?: Unsound[]
}
/**
 * One cell and its figures.
 */
export interface CellFigures {
/**
 * Whether deadlines were asked for, and not durations.
 */
absolute: boolean
/**
 * The clock that was read.
 */
clock: ("monotonic" | "monotonic-raw" | "realtime" | "boottime" | "tai" | "counter" | "true")
conditions: AskedAndObtained1
/**
 * What a schedule would have felt: the series corrected for periods omitted.
 */
corrected?: (Figures | null)
/**
 * How many woke early: an oversleep below zero.
 */
early: number
/**
 * Calls that failed; in no figure.
 */
failed: number
/**
 * Oversleeps of each thread's first call.
 */
first_ns: Nanos[]
/**
 * Sleeps that a signal ended; in all figures.
 */
interrupted: number
/**
 * The largest.
 */
max_ns: (Nanos | null)
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The method.
 */
method: string
/**
 * The smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * How many samples.
 */
n: number
/**
 * Upper end of the median's 95 % interval.
 */
p50_high_ns: (Nanos | null)
/**
 * Lower end of the median's 95 % interval.
 */
p50_low_ns: (Nanos | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * Nine of ten are at or below.
 */
p90_ns: (Nanos | null)
/**
 * 999 of 1000 are at or below.
 */
p999_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
/**
 * How requests follow each other.
 */
pattern: ("fixed" | "random" | "aligned" | "periodic")
/**
 * The account of a schedule's periods.
 */
periods?: (PeriodCounts | null)
/**
 * Whether quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * What was asked for; `null` where each sleep asked for something else.
 */
requested_ns: (Nanos | null)
/**
 * The sample standard deviation.
 */
sd_ns: (number | null)
/**
 * Each thread of a schedule by itself, where there are several.
 */
threads?: ThreadFigures[]
}
/**
 * What was in force.
 */
export interface AskedAndObtained1 {
asked: Conditions
/**
 * Read back from the system; `null` if the cell never slept.
 */
obtained: (Conditions1 | null)
}
/**
 * The machine.
 */
export interface Machine1 {
/**
 * The instruction set: `x86_64`.
 */
architecture: string
/**
 * The options of the kernel's command line that bear on sleep.
 */
command_line: string[]
idle: Idle
limits: Limits
/**
 * How busy it is.
 */
load: (Load | null)
memory: Memory
/**
 * How its clock is steered.
 */
ntp: (Ntp | null)
preemption: Preemption
processor: Processor
/**
 * The processor time this process's groups allow.
 */
quota: (Quota | null)
/**
 * The kernel's release: `6.18.44`.
 */
release: string
/**
 * Time its host took away.
 */
steal: Steal[]
/**
 * The operating system's name: `Linux`.
 */
system: string
timekeeping: Timekeeping
/**
 * Settings of the kernel that bear on sleep, where they have names (`sysctl`).
 */
tunables?: Tunable[]
/**
 * The kernel's version: when and for what it was built.
 */
version: string
virtualisation: Virtualisation
}
/**
 * How samples are embedded: as columns of whole numbers, each split into planes of bytes (the lowest first), all of it
 * deflated and written in base64.
 */
export interface PackedSamples {
/**
 * The columns.
 */
columns: PackedColumn[]
/**
 * How many are embedded.
 */
count: number
/**
 * How many the recording has. If it has more, the latest and the earliest are embedded, and one of `one_of` others.
 */
of: number
/**
 * One in this many is embedded.
 */
one_of: number
}
/**
 * A column of embedded samples.
 */
export interface PackedColumn {
/**
 * Its name.
 */
name: string
/**
 * Bytes per value; 0 for a column of zeros, which is not written.
 */
width: number
}
/**
 * One traced cell: its figures, and single sleeps.
 */
export interface PageTrace {
/**
 * What the columns of [`TracedSleep::times_ns`] are.
 */
parts: string[]
/**
 * Sleeps of the whole run, and the latest of all, in order.
 */
sleeps: TracedSleep[]
trace: Trace
}
/**
 * One traced sleep.
 */
export interface TracedSleep {
/**
 * Why its parts are not all told apart; `null` if they are.
 */
incomplete: (string | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
oversleep_ns: number
/**
 * Who had the processor for most of the longest part, where known.
 */
owner: (string | null)
/**
 * Its number.
 */
sequence: number
/**
 * The time of each part, which together are that.
 */
times_ns: Nanos[]
}
/**
 * The cell's document.
 */
export interface Trace {
/**
 * The share of traced sleeps whose chain of marks is whole, 0 to 1; `null` without any.
 */
complete_share: (number | null)
conditions: TraceConditions
/**
 * Why tracing ended before its time, if it did.
 */
ended_early: (Refusal | null)
/**
 * The document's version.
 */
format: number
/**
 * Where the switches of a processor did not join up: threads hidden from the trace.
 */
hidden_breaks: number
/**
 * Why each higher tier could not be had.
 */
higher_tiers: RefusedTier[]
/**
 * Sleeps that a signal or an error ended; in no figure.
 */
interrupted: number
/**
 * Events lost, at least: where the kernel does not say how many, a gap counts as one.
 */
lost_events: number
/**
 * The method.
 */
method: string
/**
 * Whether the thread's own switch records were there too.
 */
own_switches: boolean
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * It has no operators: whatever can leave that range says in its name what it does then. Saturating is mostly right: a
 * deadline beyond the range is never, not long ago.
 * 
 * Sleeps are signed throughout: an oversleep below zero is a sleep that woke early.
 */
requested_ns: number
/**
 * Every traced sleep's breakdown, where they are wanted.
 */
sleeps?: (Breakdown[] | null)
/**
 * The tier of evidence.
 */
tier: ("events" | "switches" | "counters" | "slack")
trace: Summary
/**
 * Upper end of its 95 % interval.
 */
trace_shift_high_ns: (Nanos | null)
/**
 * Lower end of its 95 % interval.
 */
trace_shift_low_ns: (Nanos | null)
/**
 * How much later traced blocks were than the untraced ones beside them, at the median of their medians.
 */
trace_shift_ns: (Nanos | null)
traced: Spread3
/**
 * What could not be had.
 */
unavailable: Lacking[]
untraced: Untraced
}
/**
 * Under which conditions.
 */
export interface TraceConditions {
asked: Conditions3
obtained: Conditions4
}
/**
 * Conditions, as asked for or as obtained.
 * 
 * Asked: `null` leaves the thing as it is. Obtained: what was read back from the system; `null` where the
 * system has no such thing or does not tell.
 */
export interface Conditions3 {
/**
 * The processors the thread may run on.
 */
affinity?: (number[] | null)
/**
 * The longest processor wake-up latency tolerated, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads beside the sleepers.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked in place.
 */
memory_locked?: (boolean | null)
/**
 * The task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * The niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread has one of those processors to itself, in turn, instead of all of them.
 */
one_cpu_each?: (boolean | null)
/**
 * What happens between two sleeps.
 */
phase?: (Phase | null)
/**
 * Scheduling policy and its parameters.
 */
policy?: (Policy | null)
/**
 * The priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * The quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * How many threads sleep at once.
 */
threads?: (number | null)
/**
 * How often the system looks at its timers (Windows). Obtained: what is in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether the kernel's account is recorded beside each sleep. `false` is said of sleeps that are there only to be
 * compared with traced ones beside them. Neither kind says how this machine sleeps by itself: tracing has its price.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * Conditions, as asked for or as obtained.
 * 
 * Asked: `null` leaves the thing as it is. Obtained: what was read back from the system; `null` where the
 * system has no such thing or does not tell.
 */
export interface Conditions4 {
/**
 * The processors the thread may run on.
 */
affinity?: (number[] | null)
/**
 * The longest processor wake-up latency tolerated, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads beside the sleepers.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked in place.
 */
memory_locked?: (boolean | null)
/**
 * The task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * The niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread has one of those processors to itself, in turn, instead of all of them.
 */
one_cpu_each?: (boolean | null)
/**
 * What happens between two sleeps.
 */
phase?: (Phase | null)
/**
 * Scheduling policy and its parameters.
 */
policy?: (Policy | null)
/**
 * The priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * The quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * How many threads sleep at once.
 */
threads?: (number | null)
/**
 * How often the system looks at its timers (Windows). Obtained: what is in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether the kernel's account is recorded beside each sleep. `false` is said of sleeps that are there only to be
 * compared with traced ones beside them. Neither kind says how this machine sleeps by itself: tracing has its price.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * A tier that could not be had, and why.
 */
export interface RefusedTier {
/**
 * The tier.
 */
tier: ("events" | "switches" | "counters" | "slack")
/**
 * Why something of the machine could not be had.
 * 
 * The three are kept apart because the reader can do something different about each: nothing, ask for a
 * privilege, or look at what went wrong.
 */
why: ({
unavailable: string
} | {
forbidden: string
} | {
failed: string
})
}
/**
 * The traced sleeps in figures.
 */
export interface Summary {
/**
 * Those whose chain is whole. All figures are of these.
 */
complete: number
/**
 * Who had the processor while sleepers waited.
 */
culprits: Culprit[]
oversleep: Spread
/**
 * Why the others are not, and how many each.
 */
partial: {
[k: string]: number
}
/**
 * The budget of the typical sleep and of the late one, part by part.
 */
parts: PartFigures[]
/**
 * Sleeps that were traced.
 */
sleeps: number
unexplained: Spread2
/**
 * Its share of all oversleep time, 0 to 1; `null` without complete sleeps.
 */
unexplained_share: (number | null)
}
/**
 * The oversleep.
 */
export interface Spread {
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
}
/**
 * One kind of part.
 */
export interface PartFigures {
/**
 * Its time in the sleep whose oversleep is the median.
 */
at_p50_ns: (Nanos | null)
/**
 * Its time in the sleep whose oversleep is the 99th percentile.
 */
at_p99_ns: (Nanos | null)
/**
 * Which.
 */
kind: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * Its share of all oversleep time, 0 to 1.
 */
share: (number | null)
spread: Spread1
}
/**
 * Its own distribution over the complete sleeps, 0 where it did not occur. Medians of parts do not sum to the
 * median of the whole; [`PartFigures::typical`] and [`PartFigures::late`] do.
 */
export interface Spread1 {
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
}
/**
 * Time without a named cause.
 */
export interface Spread2 {
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
}
/**
 * The oversleep of all traced sleeps, their chains whole or not.
 */
export interface Spread3 {
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
}
/**
 * Something that could not be had.
 */
export interface Lacking {
/**
 * What.
 */
what: string
/**
 * Why not.
 */
why: ({
unavailable: string
} | {
forbidden: string
} | {
failed: string
})
}
/**
 * The untraced sleeps beside them.
 */
export interface Untraced {
/**
 * How many.
 */
n: number
spread: Spread4
}
/**
 * Their oversleep.
 */
export interface Spread4 {
/**
 * The mean.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99 of 100 are at or below.
 */
p99_ns: (Nanos | null)
}
