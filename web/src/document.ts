// Made from docs/schema/page.json by `npm run types`.

/**
 * Whether two processors agree on a clock.
 */
export type Across = ({
/**
 * Always `false`.
 */
compared: boolean
/**
 * Reason.
 */
why: string
} | {
/**
 * Always `true`.
 */
compared: boolean
/**
 * Of these, readings below the latest one that the other processor had published.
 */
earlier: number
/**
 * Whether each thread was pinned to a processor of its own.
 */
pinned: boolean
/**
 * Readings compared.
 */
reads: number
/**
 * The same difference, in ns.
 */
worst_ns: number
/**
 * Largest difference of such a reading, in ticks.
 */
worst_ticks: number
})
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
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
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
window_ns: number
} | {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
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
 * Priority: 1 to 99 on Linux.
 */
priority: number
} | {
name: "rr"
/**
 * Priority: 1 to 99 on Linux.
 */
priority: number
} | {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
deadline_ns: number
name: "deadline"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
period_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
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
 * One named cause found in the samples.
 */
export type Finding = ({
/**
 * Confidence, 0 to 1, that the cause exists at all, not that the size is exact.
 */
confidence: number
/**
 * Causes that would look the same in the samples.
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
 * Remedies, per system.
 */
remedy: Remedy[]
/**
 * Share of the cell's total lateness, 0 to 1; `null` where the finding is not about the lateness of one cell.
 */
share: (number | null)
/**
 * Size of the cause, in `unit`.
 */
size: number
/**
 * Unit of `size`, `low` and `high`.
 */
unit: ("ns" | "ppm" | "ratio" | "share" | "us/s")
/**
 * Witnesses of the finding.
 */
witnesses: Witness[]
} & Finding1)
/**
 * How a finding is known.
 */
export type Witness = ("pattern" | "intervention" | "trace" | "counters")
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
cause: "calibration"
evidence: Calibration
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
} | {
cause: "stopped"
evidence: StoppedWitnessed
} | {
cause: "late-interrupt"
evidence: Examined
} | {
cause: "throttled"
evidence: Examined
})
/**
 * How a tick-driven kernel turns a request into ticks.
 */
export type Rounding = ("up" | "up-plus-one" | "early" | "down")
/**
 * The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
 */
export type ConstantCostWitnessed = ({
/**
 * Name of the state.
 */
deepest_idle?: string
examined?: (Examined | null)
/**
 * Longest time that leaving it takes, according to its driver, in ns.
 */
exit_latency_ns?: number
intervention?: (Changed | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Usual lateness in ns, where nothing but slack is subtracted from it.
 */
usual_late_ns?: (number | null)
} | {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
examined?: (Examined | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | Examined | null | undefined
} | {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
})
/**
 * The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
 */
export type TimerSlackWitnessed = ({
/**
 * What the slack was recognised by.
 */
basis: ("contrast" | "conditions" | "nominal")
examined?: (Examined | null)
intervention?: (Changed | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Smallest lateness, in ns.
 */
least_late_ns: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * The system's name for the rule behind the slack.
 */
system_rule?: (string | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Usual lateness, in ns.
 */
usual_late_ns: number
} | {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
examined?: (Examined | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | Examined | null | undefined
} | {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
})
/**
 * The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
 */
export type ProportionalSlackWitnessed = ({
/**
 * Upper limit of the slack in ns, if a request reached it.
 */
cap_ns: (number | null)
examined?: (Examined | null)
intervention?: (Changed | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Slack as a share of the request.
 */
ratio: number
/**
 * The slack for this cell's request, in ns.
 */
stretch_ns: number
/**
 * The system's name for the rule behind the slack.
 */
system_rule?: (string | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
} | {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
examined?: (Examined | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | Examined | null | undefined
} | {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
})
/**
 * The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
 */
export type RunQueueWitnessed = ({
/**
 * Number of busy threads that were recorded.
 */
busy_threads?: number
examined?: (Examined | null)
intervention?: (Changed | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Length of all their quanta together, in ns.
 */
longest_wait_ns?: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Standard error of the quantum, in ns.
 */
quantum_error_ns?: number
/**
 * Length of one quantum, in ns.
 */
quantum_ns?: number
/**
 * Number of threads ahead in the run queue.
 */
threads?: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Usual wait for a turn in ns, where no quanta show.
 */
turn_ns?: (number | null)
/**
 * Median lateness without the busy threads, in ns.
 */
without_ns?: number
} | {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
examined?: (Examined | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | Examined | null | undefined
} | {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
})
/**
 * The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
 */
export type IdleExitWitnessed = ({
/**
 * Name of the state.
 */
deepest_idle?: string
examined?: (Examined | null)
/**
 * Longest time that leaving it takes, according to its driver, in ns.
 */
exit_latency_ns?: number
intervention?: (Changed | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Lateness of the longest sleeps, in ns.
 */
longest_late_ns: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Lateness of the shortest sleeps, in ns.
 */
shortest_late_ns: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
} | {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
examined?: (Examined | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | Examined | null | undefined
} | {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
})
/**
 * The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
 */
export type StoppedWitnessed = ({
examined?: (Examined | null)
intervention?: (Changed | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Number of such gaps.
 */
times: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * 90th percentile of the lateness, at least 1 µs, in ns.
 */
usual_late_ns: number
} | {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
examined?: (Examined | null)
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | Examined | null | undefined
} | {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Size according to the intervention.
 */
intervention_says_ns?: (number | null)
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Size according to the pattern.
 */
pattern_says_ns?: (number | null)
/**
 * Size according to the trace.
 */
trace_says_ns?: (number | null)
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
})
/**
 * Information that a format does not keep.
 */
export type Loss = ("times" | "order" | "requests" | "unit" | "overflow" | "skipped-periods" | "early-wakes" | "conditions" | "buckets")
/**
 * How a run ended.
 */
export type End = ("complete" | "interrupted" | "time-over")
/**
 * The effect of one change on the median and the 99th percentile.
 */
export type Effect = ({
/**
 * Number of blocks in which both slept.
 */
blocks: number
/**
 * Number of the variant's cell.
 */
cell: number
delay: SizeInterval
/**
 * Condition that both cells have and the base has not.
 */
given?: (Change | null)
p50: Shift
/**
 * Shift of the 99th percentile, where there are enough sleeps.
 */
p99: (Shift1 | null)
/**
 * Prediction for the variant from the base's own samples; `null` where they say nothing about this change.
 */
predicted?: (Predicted | null)
/**
 * Number of the cell it is compared with.
 */
reference: number
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * Median lateness of the variant, in ns.
 */
variant_p50_ns: number
/**
 * 99th percentile of the variant's lateness in ns, where there are enough sleeps.
 */
variant_p99_ns: (number | null)
} & Effect1)
/**
 * One difference, with its new value. `null`: the system's default.
 */
export type Change = ({
change: "slack"
/**
 * New slack.
 */
slack_ns: (Nanos | null)
} | {
change: "slack-as-long"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
requested_ns: number
/**
 * New slack.
 */
slack_ns: (Nanos | null)
} | {
change: "policy"
/**
 * New policy.
 */
policy: (Policy | null)
} | {
change: "affinity"
/**
 * Numbers of the new processors.
 */
cpus: (number[] | null)
} | {
change: "neighbour"
/**
 * Number of busy threads.
 */
threads: number
} | {
change: "hold"
/**
 * New latency.
 */
hold_ns: (Nanos | null)
} | {
change: "warm"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
lead_ns: number
} | {
change: "absolute"
/**
 * New method.
 */
method: string
} | {
change: "relative"
/**
 * New method.
 */
method: string
} | {
change: "method"
/**
 * New method.
 */
method: string
} | {
change: "request"
/**
 * New request, if it is the same for every sleep.
 */
requested_ns: (Nanos | null)
} | {
change: "other"
})
export type Effect1 = ({
change: "slack"
/**
 * New slack.
 */
slack_ns: (Nanos | null)
} | {
change: "slack-as-long"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
requested_ns: number
/**
 * New slack.
 */
slack_ns: (Nanos | null)
} | {
change: "policy"
/**
 * New policy.
 */
policy: (Policy | null)
} | {
change: "affinity"
/**
 * Numbers of the new processors.
 */
cpus: (number[] | null)
} | {
change: "neighbour"
/**
 * Number of busy threads.
 */
threads: number
} | {
change: "hold"
/**
 * New latency.
 */
hold_ns: (Nanos | null)
} | {
change: "warm"
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
lead_ns: number
} | {
change: "absolute"
/**
 * New method.
 */
method: string
} | {
change: "relative"
/**
 * New method.
 */
method: string
} | {
change: "method"
/**
 * New method.
 */
method: string
} | {
change: "request"
/**
 * New request, if it is the same for every sleep.
 */
requested_ns: (Nanos | null)
} | {
change: "other"
})
/**
 * Who used the processor.
 */
export type Owner = ({
idle: (number | null)
} | {
task: {
/**
 * Thread name.
 */
comm: string
/**
 * Kernel priority: below 100 is real time, below 0 `SCHED_DEADLINE`.
 */
prio: number
/**
 * Thread ID.
 */
tid: number
}
} | "sleeper" | "timer" | {
irq: {
/**
 * Interrupt number.
 */
irq: number
/**
 * Interrupt name.
 */
name: string
}
} | {
softirq: number
} | {
vector: string
} | "throttled" | "hidden" | "unknown")
/**
 * How a request was changed on its way to the kernel.
 */
export type RequestChange = ("as-asked" | "rounded-up" | "truncated" | "longer" | "shorter")
/**
 * Why something could not be had.
 * 
 * The three kinds are kept apart because the user can do something different about each: nothing, get a
 * privilege, or find out what went wrong.
 */
export type Refusal = ({
unavailable: string
} | {
forbidden: string
} | {
failed: string
})

/**
 * The report page: several recordings together.
 */
export interface Page {
/**
 * Meaning of each cause that was found, by its identifier.
 */
causes: {
[k: string]: string
}
/**
 * Comparison of two sides of recordings, a table for each row that both have; empty for other pages.
 */
compared: PageTable[]
/**
 * Version of this document.
 */
format: number
/**
 * Summary of all recordings, in one sentence.
 */
headline: string
/**
 * Recordings, in the order in which they were named.
 */
recordings: PageRecording[]
/**
 * Program that made it, with version.
 */
tool: string
}
/**
 * A table in words, as the text of the same command shows it.
 */
export interface PageTable {
/**
 * Headings of its columns.
 */
headings: string[]
/**
 * Remarks on it.
 */
remarks: string[]
/**
 * Fields of each row.
 */
rows: string[][]
/**
 * What it is about.
 */
title: string
}
/**
 * One recording. Which of its documents are present depends on its kind.
 */
export interface PageRecording {
/**
 * Advice, where something is known to help.
 */
advice: (string | null)
/**
 * Labels of the cells, in the order of the figures.
 */
cells: PageCell[]
/**
 * The clock survey, if the recording is one.
 */
clocks: (Clocks | null)
/**
 * Counts of another program's file, whose figures are in `measured.distributions`.
 */
counts?: PageCounts[]
/**
 * Drift of clocks that were read together during the run.
 */
drift: DriftLine[]
/**
 * Figures with findings; `null` for stalls, clocks and traced sleeps.
 */
explained: (Explained2 | null)
/**
 * Summary, in one sentence.
 */
headline: string
measured: Measured
/**
 * Name of the file.
 */
name: string
/**
 * What the models laid over the sleeps predict, a line for each cell that has a model.
 */
predicted?: PredictedLine[]
/**
 * Command that repeats the measurement, where there is one.
 */
repeat: (string | null)
/**
 * Samples; `null` if the recording has none, or none that fit.
 */
samples: (PackedSamples | null)
/**
 * Cells that share a colour in pictures, in the order in which they are drawn.
 */
series: PageSeries[]
/**
 * Shifts of the cells' medians against the first recording, in the order of the cells, where there are several recordings.
 */
shifts?: (PageShift | null)[]
/**
 * Traced cells.
 */
traces: PageTrace[]
/**
 * Reasons to doubt the figures, a sentence each: a busy machine, a run that ended early.
 */
warnings: string[]
}
/**
 * The labels of a cell, and the distribution of all its sleeps.
 */
export interface PageCell {
/**
 * Request in words.
 */
asked: string
/**
 * Conditions in words: as obtained, for those that were requested.
 */
conditions: string
/**
 * Distribution of the lateness: bin numbers with their counts, ascending. [`Bins`] defines the bins.
 */
histogram: [number, number][]
/**
 * Label that distinguishes the cell from the others: method, and what differs in request and conditions.
 */
label: string
/**
 * Time of the cell's clock at the beginning, as a decimal number in ns: `start` and `end` of its samples count
 * from it.
 */
origin_ns: string
/**
 * Of a schedule: what its periods left after their wake-ups, in words.
 */
time_left?: (string | null)
}
/**
 * The result of a clock survey. Values that were not measured are `null`, and `null` in JSON.
 */
export interface Clocks {
/**
 * Counters that the kernel tells time by, of which both a stated rate and the one it assumes are known.
 */
assumed_rates: AssumedRate[]
/**
 * Clocks that could be read, in the catalogue's order.
 */
clocks: Clock[]
/**
 * Facts about the processor's counter.
 */
counter: (Counter | null)
/**
 * Drift of every pair of clocks that were read together.
 */
drift: ClockDrift2[]
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
drift_window_ns: number
/**
 * Version of this document.
 */
format: number
/**
 * By how much time synchronisation corrects the clock's rate, in ppm, where the system says it.
 */
ntp_ppm: (number | null)
/**
 * Whether the survey was stopped before its end.
 */
stopped: boolean
/**
 * Clocks without a drift, because 100 of their steps do not fit into the drift window.
 */
too_coarse_for_drift: string[]
tool: Tool
/**
 * Clocks of the system, or requested ones, that could not be read.
 */
unavailable: Unobtained[]
}
/**
 * A counter whose rate is known from two sides.
 */
export interface AssumedRate {
/**
 * Name of the counter.
 */
counter: string
/**
 * By how much the difference lengthens the tick on the clock, in ppm.
 */
drift_ppm: number
/**
 * Rate that the kernel assumes.
 */
kernel_hz: number
/**
 * Rate that the processor, the hypervisor or the firmware states.
 */
stated_hz: number
/**
 * What the counter times.
 */
times: ("clock" | "tick")
}
/**
 * The measurements of one clock. Facts from the catalogue are `null` for a clock that the catalogue lacks.
 */
export interface Clock {
/**
 * Whether two processors agree on the clock.
 */
across_cpus: (Across | null)
/**
 * When the clock goes backwards.
 */
backwards: (string | null)
/**
 * Call that reads the clock.
 */
call: (string | null)
/**
 * Resolution that the system claims.
 */
claimed_resolution_ns: (Nanos | null)
/**
 * Name of the clock.
 */
clock: string
/**
 * Cost measurements.
 */
costs: Cost[]
/**
 * What the clock counts.
 */
counts: (string | null)
/**
 * Cost measurement while other threads read the same clock, if requested.
 */
loaded?: (LoadedCost | null)
/**
 * Whether the documentation allows a later reading to be below an earlier one.
 */
may_go_backwards: (boolean | null)
/**
 * Ticks per second.
 */
rate_hz: number
/**
 * Address of the documentation.
 */
source: (string | null)
/**
 * How time synchronisation affects the clock.
 */
steered: (string | null)
/**
 * How the clock advanced on one thread.
 */
steps: (Steps | null)
/**
 * How the clock behaves while the machine is suspended.
 */
suspend: (string | null)
}
/**
 * The cost of reading a clock, from a timed loop of calls.
 */
export interface Cost {
/**
 * Calls made.
 */
calls: number
/**
 * Time per call, in ns.
 */
per_call_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
total_ns: number
}
/**
 * The cost of reading a clock while other threads read the same clock as fast as they can.
 */
export interface LoadedCost {
/**
 * Calls made.
 */
calls: number
/**
 * Time per call, in ns.
 */
per_call_ns: number
/**
 * Number of other threads.
 */
readers: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
total_ns: number
}
/**
 * How a clock advanced on one thread.
 */
export interface Steps {
/**
 * Readings below the previous one.
 */
backwards: number
/**
 * Readings taken.
 */
reads: number
/**
 * Share of readings equal to the previous one, 0 to 1.
 */
repeated_share: (number | null)
/**
 * Smallest step forwards, in ns; may be below 1.
 */
smallest_ns: (number | null)
/**
 * Smallest step forwards, in ticks.
 */
smallest_ticks: (number | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
worst_backwards_ns: number
}
/**
 * Facts about the processor's counter.
 */
export interface Counter {
/**
 * Clock source that the kernel uses.
 */
clocksource: (string | null)
/**
 * Whether the counter runs at one rate whatever the processor's frequency and sleep state.
 */
invariant: boolean
/**
 * Rate that the processor or hypervisor states.
 */
nominal_hz: (number | null)
/**
 * Whether the counter may be used in place of the system's clock.
 */
trusted: boolean
}
/**
 * How much faster one clock runs than another.
 */
export interface ClockDrift2 {
/**
 * Name of the slower clock.
 */
against: string
/**
 * Name of the faster clock.
 */
clock: string
/**
 * The interval's confidence.
 */
confidence: number
/**
 * How much faster it runs.
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
 * Rounds of readings used.
 */
rounds: number
}
/**
 * Program that made the document.
 */
export interface Tool {
/**
 * Name of the program.
 */
name: string
/**
 * Version of the program.
 */
version: string
}
/**
 * Something that was requested and could not be had, with the reason.
 */
export interface Unobtained {
/**
 * Kind of reason: `unavailable`, `forbidden` or `failed`.
 */
kind: string
/**
 * What could not be had: a method's name, a condition.
 */
what: string
/**
 * Reason that the system gave.
 */
why: string
}
/**
 * Counts in another program's own buckets.
 */
export interface PageCounts {
/**
 * Buckets, ascending: lowest value, highest value, number of values. The last one holds the values beyond the file's own
 * buckets, where both of their bounds are known.
 */
buckets_ns: [Nanos, Nanos, number][]
/**
 * Label that distinguishes the counts from the others: method, and what differs in conditions and quantity.
 */
label: string
/**
 * Quantity that was counted.
 */
quantity: ("oversleep" | "hiccup" | "timer-interrupt" | "timer-thread" | "timer-user" | "loop-gap" | "noise" | "run-queue" | "handover" | "run-time")
}
/**
 * How far a clock ran ahead of the monotonic one during the run.
 */
export interface DriftLine {
/**
 * Name of the clock.
 */
clock: string
/**
 * Time since the first reading, and how much further than the monotonic clock this clock advanced, both in ns.
 */
points: [Nanos, Nanos][]
}
/**
 * The document of `explain`: that of `diagnose`, with the coverage and a model of the findings.
 */
export interface Explained2 {
/**
 * Loops and culprits of another program whose waits were recorded.
 */
attached?: (Attached | null)
/**
 * Figures of the cells, in the plan's order.
 */
cells: ExplainedCell[]
/**
 * Meaning of the figures of another program's file, as that program defines them.
 */
conventions?: string[]
/**
 * Figures of files that contain buckets and no samples.
 */
distributions?: DistributionFigures[]
/**
 * How the run ended; `null` if the recording was cut off.
 */
ended: (End | null)
/**
 * Findings about the whole machine.
 */
findings: Finding[]
/**
 * Version of this document.
 */
format: number
/**
 * Effects of every change; `null` where there are too few blocks.
 */
interventions: (Interventions | null)
/**
 * What the recording is of.
 */
kind: ("check-up" | "measure" | "wall-second" | "sweep" | "load" | "periodic" | "trace" | "diagnose" | "stalls" | "clocks" | "runtimes" | "attach" | "imported")
/**
 * Late sleeps, if the run watched for them.
 */
late?: (LateSleeps | null)
looked_at: Coverage
/**
 * Loops in another program's table of sleeps, the one with most rounds first.
 */
loops?: Loop[]
/**
 * Number of samples lost because they could not be stored fast enough.
 */
lost: number
machine: Machine
model: ModelOverlay
/**
 * Origin of the samples.
 */
origin: ({
kind: "live"
} | {
kind: "simulated"
/**
 * Name of the preset, or of the model's file.
 */
model: string
/**
 * All parameters of the model.
 */
parameters: {
[k: string]: unknown
}
} | {
/**
 * Name of the file.
 */
file: string
/**
 * Name of the format.
 */
format: string
kind: "imported"
})
/**
 * Stalls of processors, if the run watched for them.
 */
stalls?: (Stalls | null)
/**
 * When the run began (RFC 3339, UTC), if known.
 */
started: (string | null)
/**
 * Times that programs passed to the kernel for their sleeps, where system calls were traced.
 */
told?: KernelRequest[]
/**
 * Program that wrote the recording, with version.
 */
tool: string
/**
 * What was requested and could not be had.
 */
unavailable: Unobtained[]
/**
 * Questions that the samples leave open.
 */
undecided: Undecided[]
/**
 * Samples of the file that cannot be right.
 */
unsound?: Unsound[]
}
/**
 * What was found of a program whose waits were recorded; the figures of its waits are those of the cells.
 */
export interface Attached {
/**
 * Who had the processor while waits were late, the most time first.
 */
culprits: LateCulprit[]
/**
 * Threads whose waits come again and again, the one with most rounds first.
 */
loops: Loop[]
/**
 * Number of waits without one.
 */
not_separated: number
program: AttachedProgram
/**
 * Number of waits with a complete breakdown; parts and culprits are of these.
 */
separated: number
/**
 * Its threads that waited.
 */
threads: AttachedThread[]
}
/**
 * Somebody who had the processor while waits were late.
 */
export interface LateCulprit {
/**
 * Name of a thread, an interrupt or whatever else it was.
 */
name: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
time_ns: number
/**
 * Number of waits that it made late.
 */
waits: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
worst_ns: number
}
/**
 * A thread whose waits in one call come again and again. Means over its rounds; waiting, lateness and work sum to the
 * period.
 */
export interface Loop {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
asked_ns: number
/**
 * Name of the system call.
 */
call: string
/**
 * ID of the cell.
 */
cell: number
/**
 * What it waits for.
 */
kind: ("durations" | "deadlines")
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
late_ns: number
/**
 * Name of the thread.
 */
name: string
/**
 * Parts of the lateness, means over the waits with a complete breakdown, the largest first.
 */
parts: LoopPart[]
/**
 * Number of rounds left out because the thread did something else for more than ten times the requested time.
 */
pauses: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
period_ns: number
/**
 * Number of rounds.
 */
rounds: number
/**
 * Number of the thread in the cell.
 */
thread: number
/**
 * Thread ID given by the system.
 */
tid: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
waiting_ns: number
/**
 * Rate with deadlines in place of durations, if work and lateness stay as they are.
 */
with_deadlines_hz: (number | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
work_ns: number
}
/**
 * A part of a loop's lateness.
 */
export interface LoopPart {
/**
 * Kind of part.
 */
kind: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
mean_ns: number
/**
 * Who had more than half of it.
 */
mostly: (string | null)
}
/**
 * The program, and its counts besides the samples.
 */
export interface AttachedProgram {
/**
 * Its command line.
 */
command: string
/**
 * Counters of its threads, in the tier `counters`.
 */
counts?: AttachedCounts[]
/**
 * Whether it ended during the recording.
 */
ended: boolean
/**
 * Number of programs that loaded the library, in the tier `preloaded`.
 */
loaded?: (number | null)
/**
 * Number of kernel records lost, at least: a gap without a number counts as one.
 */
lost: number
/**
 * Events that this kernel lacks, with the reasons.
 */
missing?: Missing[]
/**
 * Process ID.
 */
pid: number
/**
 * Number of processors.
 */
processors: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
recorded_ns: number
/**
 * Why the tier is not the highest.
 */
refused?: (string | null)
/**
 * Whether it was started for this recording.
 */
started: boolean
/**
 * How its waits became known.
 */
tier: ("events" | "preloaded" | "counters")
/**
 * Number of timed waits that were under way when the recording began; they are not among the samples.
 */
under_way: number
/**
 * Number of calls that waited without a time limit of their own.
 */
untimed: number
}
/**
 * What the kernel counted of a thread while it was watched.
 */
export interface AttachedCounts {
/**
 * Name of the thread.
 */
name: string
/**
 * Process ID.
 */
pid: number
/**
 * How often it had to leave the processor to another thread.
 */
preempted: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
queued_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
ran_ns: number
/**
 * Its timer slack, where it could be read.
 */
slack_ns: (Nanos | null)
/**
 * Thread ID given by the system.
 */
tid: number
/**
 * How often it left the processor to wait.
 */
waits: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
watched_ns: number
}
/**
 * Something that was not available, with the reason.
 */
export interface Missing {
/**
 * What was not available.
 */
what: string
/**
 * Reason.
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
 * A thread of such a program, and the waits of one cell that it made.
 */
export interface AttachedThread {
/**
 * Number of timed waits that ended because something happened before their time was over.
 */
by_event: number
/**
 * Number of timed waits that a signal ended.
 */
by_signal: number
/**
 * Name of the system call.
 */
call: string
/**
 * ID of the cell.
 */
cell: number
/**
 * Name of the thread.
 */
name: string
/**
 * Process ID; the thread ID where it is not known.
 */
pid: number
/**
 * Number of the thread in the cell's samples.
 */
thread: number
/**
 * Thread ID given by the system.
 */
tid: number
}
/**
 * The figures of a cell with its findings.
 */
export interface ExplainedCell {
/**
 * Whether the sleeps had deadlines rather than durations.
 */
absolute: boolean
/**
 * Lateness of the cell split among the causes; `null` for a cell without usable samples.
 */
budget: (Budget | null)
/**
 * Clock that timed the sleeps.
 */
clock: ("monotonic" | "monotonic-raw" | "realtime" | "boottime" | "tai" | "counter" | "true")
conditions: AskedAndObtained
/**
 * Figures of a schedule corrected for the omitted periods.
 */
corrected?: (Figures | null)
/**
 * What a sleep took of the processor, where that was measured.
 */
cost?: (CostFigures | null)
/**
 * Number of samples that woke early: with an oversleep below zero.
 */
early: number
/**
 * Number of calls that failed; in no figure.
 */
failed: number
/**
 * Findings in the cell, largest share first.
 */
findings: Finding[]
/**
 * Oversleep of the first call of each thread.
 */
first_ns: Nanos[]
/**
 * Number of sleeps that a signal ended; included in all figures.
 */
interrupted: number
/**
 * Largest oversleep.
 */
max_ns: (Nanos | null)
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * Name of the method.
 */
method: string
/**
 * Smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * Number of samples.
 */
n: number
/**
 * Sleeps later than a limit, or stalls longer than it, where one was given (`--over`).
 */
over?: (ShareOver | null)
/**
 * Upper end of the median's 95 % interval.
 */
p50_high_ns: (Nanos | null)
/**
 * Lower end of the median's 95 % interval.
 */
p50_low_ns: (Nanos | null)
/**
 * Median.
 */
p50_ns: (Nanos | null)
/**
 * 90th percentile.
 */
p90_ns: (Nanos | null)
/**
 * 99.9th percentile.
 */
p999_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
/**
 * How the requests follow each other.
 */
pattern: ("fixed" | "random" | "aligned" | "periodic")
/**
 * Period counts of a schedule.
 */
periods?: (PeriodCounts | null)
/**
 * Whether the quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * Requested duration; `null` where it differs from sleep to sleep.
 */
requested_ns: (Nanos | null)
/**
 * Sample standard deviation, in ns.
 */
sd_ns: (number | null)
/**
 * Figures of each thread of a schedule, if there are several.
 */
threads?: ThreadFigures[]
/**
 * Time that the periods of a schedule left after their wake-ups.
 */
time_left?: (TimeLeft | null)
/**
 * What each witness says of the cell, where there is more than the pattern.
 */
witnesses?: (SideBySide | null)
}
/**
 * The budget of one cell. A quantile for which the cell has too few samples is `null`.
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
 * Conditions, requested and obtained.
 */
export interface AskedAndObtained {
asked: Conditions
/**
 * Conditions read back from the system; `null` if the cell never slept.
 */
obtained: (Conditions1 | null)
}
/**
 * Conditions requested.
 */
export interface Conditions {
/**
 * Processors on which the thread may run.
 */
affinity?: (number[] | null)
/**
 * Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads that run during the sleeps.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked.
 */
memory_locked?: (boolean | null)
/**
 * Task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * Niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
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
 * Priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * Quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * Number of threads that sleep at the same time.
 */
threads?: (number | null)
/**
 * How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
 * traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * The busy threads of a condition.
 */
export interface Load2 {
/**
 * What the busy threads do.
 */
kind: ("spin" | "memory" | "syscalls" | "timers" | "neighbour" | "runtime")
/**
 * Number of busy threads.
 */
threads: number
}
/**
 * The conditions of a cell, requested or obtained.
 * 
 * Requested: `null` leaves the setting as it is. Obtained: the value read back from the system; `null` where the
 * system has no such setting or does not tell.
 */
export interface Conditions1 {
/**
 * Processors on which the thread may run.
 */
affinity?: (number[] | null)
/**
 * Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads that run during the sleeps.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked.
 */
memory_locked?: (boolean | null)
/**
 * Task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * Niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
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
 * Priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * Quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * Number of threads that sleep at the same time.
 */
threads?: (number | null)
/**
 * How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
 * traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * Figures of a series of oversleeps. Those for which there are too few samples are `null`.
 */
export interface Figures {
/**
 * Number of samples that woke early: with an oversleep below zero.
 */
early: number
/**
 * Largest oversleep.
 */
max_ns: (Nanos | null)
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * Smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * Number of samples.
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
 * Median.
 */
p50_ns: (Nanos | null)
/**
 * 90th percentile.
 */
p90_ns: (Nanos | null)
/**
 * 99.9th percentile.
 */
p999_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
/**
 * Whether the quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * Sample standard deviation, in ns.
 */
sd_ns: (number | null)
}
/**
 * What a sleep took of the processor: means over a cell's sleeps.
 */
export interface CostFigures {
/**
 * Processor time of the thread a sleep, in nanoseconds, with the two readings of the clock around it.
 */
processor_ns: number
/**
 * Number of sleeps.
 */
sleeps: number
/**
 * How often the thread had to be woken, a sleep; `null` where the system does not count it.
 */
wake_ups?: (number | null)
}
/**
 * A remedy on one system.
 */
export interface Remedy {
/**
 * Command or call.
 */
command: string
/**
 * Effect of the remedy, and its cost.
 */
note: string
/**
 * Predicted lateness under the remedy; `null` where the samples and the model do not give one.
 */
predicted?: (Predicted | null)
/**
 * Name of the system, as in the catalogue; `any` where the program itself has to change.
 */
system: string
}
/**
 * Predicted lateness of a cell under a remedy, from only its samples and the model of the findings.
 */
export interface Predicted {
/**
 * Median; `null` with too few samples.
 */
p50: (PredictedQuantile | null)
/**
 * 99th percentile; `null` with too few samples.
 */
p99: (PredictedQuantile | null)
}
/**
 * A quantile before and, as predicted, after a remedy.
 */
export interface PredictedQuantile {
/**
 * Predicted value, in ns.
 */
after_ns: number
/**
 * Measured value, in ns.
 */
before_ns: number
/**
 * Upper end of the prediction's 95 % interval, in ns.
 */
high_ns: number
/**
 * Lower end of the prediction's 95 % interval, in ns.
 */
low_ns: number
}
/**
 * Sleeps return before their time is over.
 */
export interface EarlyWake {
/**
 * Smallest lateness in ns; negative.
 */
earliest_ns: number
/**
 * Number of early sleeps.
 */
early: number
/**
 * Whether the method's documentation allows it; `null` for a method that is not in the catalogue.
 */
method_may: (boolean | null)
/**
 * How the kernel turns requests into ticks, if that ends sleeps early.
 */
rounding: (Rounding | null)
/**
 * Number of sleeps.
 */
sleeps: number
}
/**
 * Sleeps end at a tick.
 */
export interface TickQuantised {
/**
 * What the tick is concluded from.
 */
basis?: string
/**
 * Drift of the tick against the clock, in ppm.
 */
drift_ppm?: number
/**
 * The same for the deadlines.
 */
dues_rayleigh?: number
/**
 * Nominal rate of the tick, in Hz.
 */
hz: (number | null)
/**
 * Where the rate is open: the rates that fit equally well.
 */
hz_candidates?: (number[] | null)
/**
 * Scatter of wake-ups about the grid, in ns.
 */
jitter_ns?: number
/**
 * For the machine's tick: number of methods that keep it.
 */
methods?: (number | null)
/**
 * Share of wake-ups on the grid, 0 to 1.
 */
on_grid?: number
/**
 * Rule by which requests become ticks.
 */
rounding: (Rounding | null)
/**
 * Where the rounding rule is open: the rules that would have given these sleeps.
 */
rounding_consistent?: (Rounding[] | null)
/**
 * The system's name for the rule behind the tick.
 */
system_rule?: (string | null)
/**
 * Standard error of the tick's length, in ns.
 */
tick_error_ns?: number
/**
 * Length of the tick in ns, if the timer wheel shows it.
 */
tick_ns?: (number | null)
/**
 * Resolution of the system's timers that equals this tick, in ns.
 */
timer_resolution_ns?: (number | null)
votes?: TickVotes
/**
 * How closely wake-ups keep the grid: length of their mean vector, 0 to 1.
 */
wakes_rayleigh?: number
}
/**
 * Which rounding rules single sleeps agree with.
 */
export interface TickVotes {
/**
 * Share predicted by counting one tick more from the tick in progress.
 */
counted_share: number
/**
 * Share late by one to two ticks.
 */
second_tick_share: number
/**
 * Sleeps tested.
 */
sleeps: number
/**
 * Sleeps for which the two rules predict different ticks.
 */
telling: number
/**
 * Of these, sleeps that agree with rounding up.
 */
telling_up: number
/**
 * Of these, sleeps that agree with one tick more.
 */
telling_up_plus_one: number
/**
 * Share predicted by rounding up.
 */
up_share: number
}
/**
 * Sleeps are timed with a clock that is refreshed every few ticks.
 */
export interface CachedClock {
/**
 * Time from one refresh to the next, in ns.
 */
granularity_ns: number
/**
 * Nominal rate of the tick.
 */
hz: number
/**
 * Share of sleeps predicted with the refreshes.
 */
predicted_share?: number
/**
 * Share of sleeps that the best rule without refreshes predicts.
 */
predicted_share_without?: number
/**
 * How closely the wake-ups keep the coarser grid: length of their mean vector, 0 to 1.
 */
rayleigh?: number
/**
 * The same length, if only the rounding rule were at work.
 */
rayleigh_by_rule?: number
/**
 * The same time, in ticks.
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
 * What one tick more in each rhythm would add to the drift, in ppm: any whole number of these fits the samples as
 * well. `null` where the rate itself was seen.
 */
alias_ppm: (number | null)
/**
 * What the drift was detected in.
 */
basis: ("slide" | "tick" | "quantum")
/**
 * Part of the drift that time synchronisation does not explain, in ppm.
 */
calibration_ppm?: (number | null)
/**
 * Drift in ppm; positive: the tick is longer than nominal.
 */
drift_ppm: number
/**
 * If the rate changes during the run: start of this drift, in seconds from the first sleep.
 */
from_s?: (number | null)
/**
 * Rate correction of the system's clock by time synchronisation, in ppm, where recorded; the rest is
 * calibration and crystals.
 */
ntp_ppm?: (number | null)
/**
 * What is known of the drift's parts, in words, where rates of counters were recorded and calibration was not found
 * to be the cause.
 */
side_by_side?: (string | null)
/**
 * Uncertainty of `to_s`, in seconds; `null` at the recording's end.
 */
to_error_s?: (number | null)
/**
 * End of this drift, in seconds from the first sleep.
 */
to_s?: (number | null)
}
/**
 * The kernel counts time at another rate than the processor or firmware states.
 */
export interface Calibration {
/**
 * The counters, with both rates.
 */
counters: AssumedRate[]
parts: DriftParts
/**
 * Rates and parts side by side, in words.
 */
side_by_side: string
}
/**
 * The drift and its parts.
 */
export interface DriftParts {
/**
 * What the kernel's rates of its counters add, against the stated ones.
 */
calibration_ppm: number
/**
 * The whole drift, as the samples show it.
 */
drift_ppm: number
/**
 * What is left of the drift.
 */
left_ppm: number
/**
 * What time synchronisation adds.
 */
ntp_ppm: number
/**
 * What the tick's whole number of counts adds; `null` where that number is not known.
 */
rounding_ppm?: (number | null)
}
/**
 * The tick slides relative to the clock's seconds.
 */
export interface Sawtooth {
/**
 * Size of the jumps, in ns.
 */
jump_ns: (number | null)
/**
 * Number of jumps seen.
 */
jumps: number
/**
 * Time from one jump to the next, in s, if the tick's rate is known.
 */
period_s: (number | null)
/**
 * Smallest and largest lateness, in ns.
 * 
 * @minItems 2
 * @maxItems 2
 */
range_ns: [number, number]
/**
 * Slope of the lateness, in µs per second.
 */
slope_us_per_s: number
}
/**
 * Timeouts counted on the kernel's timer wheel.
 */
export interface TimerWheel {
/**
 * Nominal rate of the tick, in Hz.
 */
hz: (number | null)
/**
 * Rule by which requests become ticks.
 */
rounding: (Rounding | null)
/**
 * Granularity of the wheel at this timeout, in ticks.
 */
step_ticks: (number | null)
/**
 * Length of the tick, in ns.
 */
tick_ns: (number | null)
}
/**
 * The first calls are slower.
 */
export interface FirstCall {
/**
 * Number of first calls.
 */
calls: number
/**
 * Median lateness of the first calls, in ns.
 */
late_ns: number
/**
 * Median lateness of all calls, in ns.
 */
usual_late_ns: number
}
/**
 * Something wakes at a fixed period.
 */
export interface PeriodicInterference {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
at_ns: number
/**
 * Number of delayed sleeps.
 */
events: number
/**
 * When it began, in s after the first sleep, or after the watch for stalls began; `null` if it was there for most of the recording.
 */
from_s?: (number | null)
/**
 * How much likelier the rhythm is than chance, as a natural logarithm.
 */
log_likelihood_beyond_chance: number
/**
 * Uncertainty of the period, in s.
 */
period_error_s: number
/**
 * Period, in s.
 */
period_s: number
/**
 * Uncertainty of that; `null` if it is the recording's end.
 */
to_error_s?: (number | null)
/**
 * When it ended.
 */
to_s?: (number | null)
}
/**
 * Two kinds of wake-up alternate.
 */
export interface Bimodal {
/**
 * Median lateness of the earlier kind, in ns.
 */
lower_ns: number
/**
 * Median lateness of the later kind, in ns.
 */
upper_ns: number
/**
 * Share of sleeps of the later kind, 0 to 1.
 */
upper_share: number
}
/**
 * From one sleep on, lateness was different.
 */
export interface ChangePoint {
/**
 * Median lateness after, in ns.
 */
after_ns: number
/**
 * Median lateness before, in ns.
 */
before_ns: number
/**
 * Resolution after, in ns.
 */
resolution_after_ns?: number
/**
 * Resolution before, in ns.
 */
resolution_before_ns?: number
/**
 * Number of the first sleep after the change.
 */
sleep: number
/**
 * The system's name for the rule behind the change.
 */
system_rule?: (string | null)
}
/**
 * The wall clock was set.
 */
export interface ClockStep {
/**
 * Clock that was set.
 */
clock: ("monotonic" | "monotonic-raw" | "realtime" | "boottime" | "tai" | "counter" | "true")
/**
 * Time of the step on the monotonic clock, in ns.
 */
monotonic_ns: number
}
/**
 * Several processors stood still at once.
 */
export interface HostSteal {
/**
 * Ends of the longest of them, at most 64, ascending, on the clock of the sleeps.
 */
ends_ns: Nanos[]
/**
 * Number of overlapping stalls expected by chance.
 */
expected_by_chance: number
/**
 * Number of such stalls.
 */
stalls: number
}
/**
 * The kernel moves wake-ups anywhere within a leeway.
 */
export interface Coalescing {
/**
 * Exponent with which the leeway grows with the request; 1: in proportion.
 */
exponent: number
/**
 * Leeway as a share of the request.
 */
leeway_ratio: number
/**
 * The share at a request of 1 ns, by the fit over all requests.
 */
ratio_at_1_ns: number
/**
 * The system's name for the rule behind the leeway.
 */
system_rule?: (string | null)
}
/**
 * Sleeps that never ended.
 */
export interface Hung {
/**
 * Number of threads whose sleep never ended.
 */
hung: number
/**
 * Longest request that never ended, in ns.
 */
longest_ns: number
/**
 * Shortest request that never ended, in ns.
 */
shortest_ns: number
/**
 * Number of threads that slept.
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
 * Of these, periods without a wake-up of their own.
 */
skipped: number
}
/**
 * What the kernel's events show of a cell's late sleeps that were examined one by one (`--on-late`).
 */
export interface Examined {
/**
 * Number of sleeps that were examined; the latest of the run.
 */
examined: number
/**
 * Number of them of whose lateness the cause is the largest part.
 */
largest_part_of: number
/**
 * Who used the processor for more than half of the cause's time; `null` if nobody did.
 */
used_by?: (string | null)
}
/**
 * The effect of a change.
 */
export interface Changed {
/**
 * Number of blocks in which both cells slept.
 */
blocks: number
/**
 * Changed condition, and the cell it was compared with unless that is the base.
 */
changed: string
/**
 * For `timer-slack`: what kept the processor awake in both cells.
 */
measured_beside?: (string | null)
/**
 * Shift of the median, in ns.
 */
p50_shift_ns: number
/**
 * Shift of the 99th percentile, in ns, where there are enough sleeps.
 */
p99_shift_ns?: (number | null)
/**
 * Probability of such a shift by chance, corrected for all comparisons.
 */
p_corrected: number
/**
 * For `constant-cost`: the part of the cost that the change removed.
 */
part?: (string | null)
/**
 * For `proportional-slack`: the slack as a share of the request.
 */
ratio?: (number | null)
/**
 * Number of sleeps of each cell.
 */
sleeps: number
/**
 * This interface was referenced by `Changed`'s JSON-Schema definition
 * via the `patternProperty` "^with_".
 */
[k: string]: number | string | null | undefined
}
/**
 * Number of sleeps later than a limit, or of stalls longer than it, and how large their share may be.
 */
export interface ShareOver {
/**
 * Number of sleeps or stalls beyond it.
 */
count: number
/**
 * Whether the number is exact; otherwise the limit is rounded to three digits.
 */
count_exact: boolean
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
limit_ns: number
/**
 * Number of all.
 */
of: number
/**
 * Upper end of it.
 */
share_high: (number | null)
/**
 * Lower end of the share's 95 % interval (Clopper–Pearson), 0 to 1; `null` for stalls.
 */
share_low: (number | null)
/**
 * Of stalls: their time together.
 */
time_ns?: (Nanos | null)
/**
 * Of stalls: time for which the processor was watched.
 */
watched_ns?: (Nanos | null)
}
/**
 * Period counts of a schedule. `asked == fresh + late + skipped`.
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
 * The figures of one thread of a schedule.
 */
export interface ThreadFigures {
/**
 * Number of samples that woke early: with an oversleep below zero.
 */
early: number
/**
 * Largest oversleep.
 */
max_ns: (Nanos | null)
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * Smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * Number of samples.
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
 * Median.
 */
p50_ns: (Nanos | null)
/**
 * 90th percentile.
 */
p90_ns: (Nanos | null)
/**
 * 99.9th percentile.
 */
p999_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
/**
 * Period counts of the thread; absent where the run was cut off before they were written.
 */
periods?: (PeriodCounts | null)
/**
 * Whether the quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * Sample standard deviation, in ns.
 */
sd_ns: (number | null)
/**
 * Number of the thread, from 0.
 */
thread: number
}
/**
 * Time that the periods of a schedule left after their wake-ups, until the next deadline: from zero to the period. Every
 * period counts, those without a wake-up of their own too. Figures for which there are too few periods are `null`.
 */
export interface TimeLeft {
/**
 * Time that every period left at least.
 */
least_ns: (Nanos | null)
/**
 * Least time that 50 % of the periods left.
 */
p50_ns: (Nanos | null)
/**
 * Time that 90 % of the periods left at least.
 */
p90_ns: (Nanos | null)
/**
 * Time that 99.9 % of the periods left at least.
 */
p999_ns: (Nanos | null)
/**
 * Time that 99 % of the periods left at least.
 */
p99_ns: (Nanos | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
period_ns: number
/**
 * Periods with and without time for their work, where it was given how long that takes (`--work`).
 */
work?: (PeriodsForWork | null)
}
/**
 * Number of periods with and without time for their work.
 */
export interface PeriodsForWork {
/**
 * Periods that left as much or more.
 */
enough: number
/**
 * Periods that left less.
 */
missed: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
time_ns: number
}
/**
 * The lateness of one cell, cause by cause.
 */
export interface SideBySide {
/**
 * Number of the cell.
 */
cell: number
/**
 * Causes of the median.
 */
p50: CauseEstimates[]
/**
 * Causes of the 99th percentile; empty where no witness has enough samples.
 */
p99: CauseEstimates[]
/**
 * Figures of the tracing and its cost, if sleeps were traced.
 */
trace?: (Traced | null)
}
/**
 * One cause, or the remainder (`unexplained`).
 */
export interface CauseEstimates {
/**
 * The cause's identifier, or `unexplained`.
 */
cause: string
/**
 * Confidence that the cause exists, all witnesses together, 0 to 1; `null` if none finds it.
 */
confidence: (number | null)
/**
 * Size according to the intervention.
 */
intervention: (Estimate | null)
/**
 * Size according to the pattern.
 */
pattern: (Estimate | null)
/**
 * Size according to the trace.
 */
trace: (Estimate | null)
/**
 * Whether the witnesses agree.
 */
verdict: ("agree" | "differ" | "alone")
}
/**
 * A size in ns with its 95 % interval, where there is one.
 */
export interface Estimate {
/**
 * Whether the size is an upper bound: any smaller size agrees with it.
 */
at_most?: boolean
/**
 * Upper end of the interval.
 */
high_ns: (number | null)
/**
 * Lower end of the interval.
 */
low_ns: (number | null)
/**
 * Estimate.
 */
size_ns: number
}
/**
 * Figures of a cell's sleeps while traced. They are not among the recording's samples, because tracing has a cost.
 */
export interface Traced {
/**
 * ID of the cell.
 */
cell: number
/**
 * Number of sleeps with a complete chain of marks; all figures are of these.
 */
complete: number
/**
 * Parts of the oversleep, cause by cause.
 */
parts: TracedPart[]
/**
 * Number of traced sleeps.
 */
sleeps: number
/**
 * Tier of evidence, as `oversleep trace` names it.
 */
tier: string
/**
 * How much later traced blocks were than their untraced neighbours: median of the differences of block medians.
 */
trace_shift?: (Difference | null)
/**
 * Median oversleep of the traced sleeps.
 */
traced_p50_ns: (Nanos | null)
/**
 * Median oversleep of the untraced sleeps in between.
 */
untraced_p50_ns: (Nanos | null)
}
/**
 * The part of the traced oversleeps that is due to one cause.
 */
export interface TracedPart {
/**
 * Time in the sleep whose oversleep is the 99th percentile, where there are enough sleeps.
 */
at_p99_ns: (Nanos | null)
/**
 * Identifier of the cause, or `unexplained`.
 */
cause: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
high_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
low_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
p50_ns: number
/**
 * Share of all oversleep time, 0 to 1.
 */
share: number
}
/**
 * A difference of two quantities, with its 95 % interval.
 */
export interface Difference {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
high_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
low_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
size_ns: number
}
/**
 * Figures of a distribution in buckets: each quantile lies between two bounds.
 */
export interface DistributionFigures {
/**
 * Number of the cell in the recording.
 */
cell: number
conditions: Conditions2
/**
 * Bounds of the figures of every period, those that were skipped included; only where the file lacks skipped
 * periods. If it does not state the period, they hold for any.
 */
corrected?: (CorrectedBounds | null)
/**
 * What the file does not record.
 */
lost: Loss[]
/**
 * Upper bound of the largest value.
 */
max_ns: (Nanos | null)
/**
 * Mean as the file gives it, in ns.
 */
mean_ns: (number | null)
/**
 * Program that slept, and its thread if it counts threads separately.
 */
method: string
/**
 * Lower bound of the smallest value.
 */
min_ns: (Nanos | null)
/**
 * Number of values.
 */
n: number
/**
 * Number of values that are in no bucket.
 */
outside: number
/**
 * Bounds of the median.
 */
p50: (Bounds | null)
/**
 * Bounds of the 90th percentile.
 */
p90: (Bounds | null)
/**
 * Bounds of the 99th percentile.
 */
p99: (Bounds | null)
/**
 * Bounds of the 99.9th percentile.
 */
p999: (Bounds | null)
/**
 * Quantity that was counted.
 */
quantity: ("oversleep" | "hiccup" | "timer-interrupt" | "timer-thread" | "timer-user" | "loop-gap" | "noise" | "run-queue" | "handover" | "run-time")
/**
 * Requested duration, where known.
 */
requested_ns: (Nanos | null)
}
/**
 * The conditions of a cell, requested or obtained.
 * 
 * Requested: `null` leaves the setting as it is. Obtained: the value read back from the system; `null` where the
 * system has no such setting or does not tell.
 */
export interface Conditions2 {
/**
 * Processors on which the thread may run.
 */
affinity?: (number[] | null)
/**
 * Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads that run during the sleeps.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked.
 */
memory_locked?: (boolean | null)
/**
 * Task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * Niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
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
 * Priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * Quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * Number of threads that sleep at the same time.
 */
threads?: (number | null)
/**
 * How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
 * traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * Figures of a distribution corrected for skipped periods.
 */
export interface CorrectedBounds {
/**
 * Upper bound of the number of values; `null` if the file does not state the period.
 */
n_high: (number | null)
/**
 * Lower bound of the number of values.
 */
n_low: number
/**
 * Bounds of the median.
 */
p50: (Bounds | null)
/**
 * Bounds of the 90th percentile.
 */
p90: (Bounds | null)
/**
 * Bounds of the 99th percentile.
 */
p99: (Bounds | null)
/**
 * Bounds of the 99.9th percentile.
 */
p999: (Bounds | null)
}
/**
 * Bounds of a value.
 */
export interface Bounds {
/**
 * Upper bound, where known.
 */
high_ns: (Nanos | null)
/**
 * Lower bound, where known.
 */
low_ns: (Nanos | null)
}
/**
 * The results of a recording's interventions.
 */
export interface Interventions {
/**
 * Number of the base cell.
 */
base: number
/**
 * Median lateness of the base, in ns.
 */
base_p50_ns: (number | null)
/**
 * 99th percentile of the base's lateness, in ns.
 */
base_p99_ns: (number | null)
/**
 * Number of blocks in which the base slept.
 */
blocks: number
/**
 * Every comparison, in the plan's order.
 */
effects: Effect[]
/**
 * What the comparisons say about causes.
 */
readings: CauseSize[]
/**
 * Number of the base's sleeps that are used.
 */
sleeps: number
/**
 * Number of shifts tested, for which the probabilities are corrected.
 */
tries: number
/**
 * Number of sleeps left out, all cells together: the first of each turn.
 */
warm_ups: number
}
/**
 * A size in ns with its 95 % interval.
 */
export interface SizeInterval {
/**
 * Upper end of the interval.
 */
high_ns: number
/**
 * Lower end of the interval.
 */
low_ns: number
/**
 * Estimate.
 */
size_ns: number
}
/**
 * Shift of the median.
 */
export interface Shift {
/**
 * Standard error of the shift.
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
 * Probability of such a shift by chance.
 */
p: number
/**
 * The same probability, corrected for all comparisons (Holm).
 */
p_corrected: number
/**
 * Whether the shift is significant after the correction and its interval excludes zero: only then is it called an
 * effect.
 */
seen: boolean
/**
 * Estimate of the shift.
 */
size_ns: number
/**
 * Smallest shift that would have been called an effect with a probability of four in five.
 */
smallest_detectable_ns: number
}
/**
 * The shift of a quantile, in ns: variant minus reference, so that negative is better.
 */
export interface Shift1 {
/**
 * Standard error of the shift.
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
 * Probability of such a shift by chance.
 */
p: number
/**
 * The same probability, corrected for all comparisons (Holm).
 */
p_corrected: number
/**
 * Whether the shift is significant after the correction and its interval excludes zero: only then is it called an
 * effect.
 */
seen: boolean
/**
 * Estimate of the shift.
 */
size_ns: number
/**
 * Smallest shift that would have been called an effect with a probability of four in five.
 */
smallest_detectable_ns: number
}
/**
 * The size of a cause in a cell, by intervention.
 */
export interface CauseSize {
/**
 * Condition that was changed.
 */
by: string
/**
 * The cause.
 */
cause: ("early-wake" | "constant-cost" | "timer-slack" | "proportional-slack" | "tick-quantised" | "cached-clock" | "clock-drift" | "calibration" | "sawtooth" | "timer-wheel" | "run-queue" | "first-call" | "periodic-interference" | "bimodal" | "change-point" | "clock-step" | "host-steal" | "idle-exit" | "coalescing" | "stopped" | "hung" | "missed-periods" | "late-interrupt" | "throttled")
/**
 * Number of the cell.
 */
cell: number
p50: SizeInterval1
/**
 * Part of the 99th percentile due to the cause, where there are enough sleeps.
 */
p99: (SizeInterval2 | null)
/**
 * Whether the effect is significant.
 */
seen: boolean
}
/**
 * Part of the median lateness due to the cause.
 */
export interface SizeInterval1 {
/**
 * Upper end of the interval.
 */
high_ns: number
/**
 * Lower end of the interval.
 */
low_ns: number
/**
 * Estimate.
 */
size_ns: number
}
/**
 * A size in ns with its 95 % interval.
 */
export interface SizeInterval2 {
/**
 * Upper end of the interval.
 */
high_ns: number
/**
 * Lower end of the interval.
 */
low_ns: number
/**
 * Estimate.
 */
size_ns: number
}
/**
 * The late sleeps of a run that watched for them.
 */
export interface LateSleeps {
account: LateAccount
/**
 * Late sleeps that were examined.
 */
sleeps: Explained[]
}
/**
 * Counts of late sleeps.
 */
export interface LateAccount {
/**
 * Number of sleeps made after that one, until the run had stopped.
 */
after_stop: number
/**
 * Number of planned sleeps never made.
 */
cut: number
/**
 * Of these, sleeps that were examined; the rest are only counted.
 */
found: number
/**
 * Of these, late sleeps.
 */
late: number
/**
 * Number of sleeps planned.
 */
planned: number
/**
 * Number of sleeps made.
 */
slept: number
/**
 * Whether a late sleep ended the run.
 */
stopped: boolean
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
threshold_ns: number
}
/**
 * A late sleep with an explanation in one sentence.
 */
export interface Explained {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
at_ns: number
/**
 * Lateness part by part; `null` without evidence.
 */
breakdown?: (Breakdown | null)
/**
 * Cause, in a phrase that is the same for all sleeps with this cause.
 */
cause: string
/**
 * Number of the cell.
 */
cell: number
/**
 * Processor on which the sleep ended, where known.
 */
cpu: (number | null)
/**
 * Who used the processor while the sleeper waited.
 */
culprits?: Culprit[]
/**
 * Explanation in one sentence.
 */
explanation: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
length_ns: number
/**
 * Why no better evidence could be had; empty if none better is known.
 */
refused?: string[]
/**
 * Number of the sample.
 */
sequence: number
/**
 * Number of the thread.
 */
thread: number
/**
 * File with the part of the trace around the sleep, as text.
 */
trace?: (string | null)
/**
 * End of the sleep in wall-clock time, since 1970, where the recording has that clock's readings.
 */
wall_ns?: (Nanos | null)
/**
 * Tier of the evidence for the cause; `none` in JSON where there is no evidence.
 */
witness: string
}
/**
 * One oversleep, split into parts.
 */
export interface Breakdown {
/**
 * Whether the chain of marks is complete.
 */
complete: ("complete" | {
partial: string
})
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
deadline_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
end_ns: number
/**
 * Parts from the deadline to the end, in order. If complete, they sum to [`Breakdown::oversleep`].
 */
parts: OversleepPart[]
/**
 * Number of the sleep in the run.
 */
sequence: number
}
/**
 * One part of an oversleep.
 */
export interface OversleepPart {
/**
 * Processor of the part, where known.
 */
cpu: (number | null)
/**
 * How the part is known.
 */
evidence: ("tracepoint" | "switch-record" | "sched-stat" | "known" | "inferred")
/**
 * What happened during the part.
 */
kind: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * Who used the processor during the part, where it matters; the times sum to at most `time`.
 */
owners: [Owner, Nanos][]
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
time_ns: number
}
/**
 * Time taken by one culprit in one kind of part.
 */
export interface Culprit {
/**
 * Kind of part in which it used the processor.
 */
during: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * Name of the culprit.
 */
name: string
/**
 * Number of sleeps affected.
 */
sleeps: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
time_ns: number
}
/**
 * How much of the recording was analysed.
 */
export interface Coverage {
/**
 * Number of sleeps kept without a gap.
 */
first: number
/**
 * Number of sleeps in the recording.
 */
samples: number
/**
 * Number of sleeps kept from all parts of the run; 0 where the recording was kept whole.
 */
spread: number
}
/**
 * Facts about the machine.
 */
export interface Machine {
/**
 * Instruction set: `x86_64`.
 */
architecture: string
/**
 * Options of the kernel's command line that affect sleep.
 */
command_line: string[]
idle: Idle
limits: Limits
/**
 * Load of the machine.
 */
load: (Load | null)
memory: Memory
/**
 * How the kernel steers the clock.
 */
ntp: (Ntp | null)
preemption: Preemption
processor: Processor
/**
 * Processor time that the process's control groups allow.
 */
quota: (Quota | null)
/**
 * Release of the kernel: `6.18.44`.
 */
release: string
/**
 * Time that the host took from each processor.
 */
steal: Steal[]
/**
 * Name of the operating system: `Linux`.
 */
system: string
timekeeping: Timekeeping
/**
 * Named kernel settings that affect sleep (`sysctl`).
 */
tunables?: Tunable[]
/**
 * Version of the kernel: when and for what it was built.
 */
version: string
virtualisation: Virtualisation
}
/**
 * Idle states of the processors.
 */
export interface Idle {
/**
 * Driver that provides the idle states: `intel_idle`, `acpi_idle`, `haltpoll`.
 */
driver: (string | null)
/**
 * Governor that chooses among them: `menu`, `teo`, `haltpoll`.
 */
governor: (string | null)
/**
 * How long a guest polls before it halts (parameter of `haltpoll`).
 */
guest_halt_poll_ns: (Nanos | null)
/**
 * Longest wake-up latency that some process tolerated when the facts were read (`/dev/cpu_dma_latency`); `null` if none asked for
 * less than usual, or this user may not read it.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Idle states of the first processor, shallowest first.
 */
states: IdleState[]
}
/**
 * One idle state.
 */
export interface IdleState {
/**
 * Whether the state was switched off.
 */
disabled: (boolean | null)
/**
 * Exit latency according to the driver.
 */
latency_ns: (Nanos | null)
/**
 * Name of the state: `POLL`, `C1E`.
 */
name: string
/**
 * Shortest stay for which the state is worth entering (target residency).
 */
residency_ns: (Nanos | null)
}
/**
 * Limits of this process.
 */
export interface Limits {
/**
 * Amount of memory that may be locked (`RLIMIT_MEMLOCK`).
 */
memory_lock_bytes: (number | null)
/**
 * 20 minus the lowest niceness (`RLIMIT_NICE`); 0 if the niceness may not be lowered.
 */
nice: (number | null)
/**
 * Kernel's limit on all real-time threads together.
 */
realtime_guard: (RtGuard | null)
/**
 * Highest real-time priority (`RLIMIT_RTPRIO`); 0 for none.
 */
realtime_priority: (number | null)
/**
 * Whether the process runs as root.
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
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
period_ns: number
/**
 * Time that real-time threads may use per period; `null` if all of it.
 */
runtime_ns: (Nanos | null)
}
/**
 * The average number of threads that run or are runnable (on Linux also those in uninterruptible sleep).
 */
export interface Load {
/**
 * Average over 15 minutes.
 */
fifteen_minutes: number
/**
 * Average over 5 minutes.
 */
five_minutes: number
/**
 * Average over 1 minute.
 */
one_minute: number
/**
 * Threads that run or are runnable at this moment, this one included (Linux).
 */
runnable: (number | null)
}
/**
 * The memory.
 */
export interface Memory {
/**
 * Memory available without swapping (Linux).
 */
available_bytes: (number | null)
/**
 * Total memory.
 */
total_bytes: (number | null)
}
/**
 * The kernel's clock discipline (`adjtimex`, read only).
 */
export interface Ntp {
/**
 * Frequency correction: how much faster the clock is made than its counter.
 */
frequency_ppm: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
max_error_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
offset_ns: number
/**
 * Status flags (`STA_`).
 */
status: number
/**
 * Whether the kernel regards the clock as synchronised.
 */
synchronised: boolean
/**
 * International atomic time minus UTC, 37 s since 2017; 0 where the kernel was not given it.
 */
tai_offset_s: number
}
/**
 * Preemption model of the kernel.
 */
export interface Preemption {
/**
 * Whether the model can be changed while the kernel runs (`PREEMPT_DYNAMIC`).
 */
dynamic: (boolean | null)
/**
 * `none`, `voluntary`, `full`, `lazy` or `rt`. Where it can be changed and this user may not read it: what the kernel was
 * booted or built with.
 */
model: (string | null)
/**
 * Whether it is a real-time kernel (`PREEMPT_RT`).
 */
realtime: (boolean | null)
}
/**
 * The processors.
 */
export interface Processor {
/**
 * What sets the clock frequency: a governor (`performance`, `schedutil`), or Windows' power plan; `null` if
 * nothing does.
 */
frequency_governor: (string | null)
/**
 * Model name given by the manufacturer.
 */
model: (string | null)
/**
 * Numbers of the processors that are online.
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
 * Number of processors that the quota amounts to: quota divided by period.
 */
cpus: number
/**
 * Control group that sets the quota, relative to its hierarchy's mount.
 */
group: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
period_ns: number
/**
 * Periods in which the group ran.
 */
periods: (number | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
quota_ns: number
/**
 * Total time for which its threads were throttled.
 */
throttled_ns: (Nanos | null)
/**
 * Of these, periods in which the quota was used up.
 */
throttled_periods: (number | null)
}
/**
 * Stolen time of one processor since boot.
 */
export interface Steal {
/**
 * Number of the processor.
 */
cpu: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
stolen_ns: number
}
/**
 * Clocks and timers.
 */
export interface Timekeeping {
/**
 * Counter behind the clock, where a rate of it can be read.
 */
clock_rate?: (CounterRate | null)
/**
 * Clock source that time is read from: `tsc`.
 */
clocksource: (string | null)
/**
 * Clock sources that are available.
 */
clocksources: string[]
/**
 * Rate of the counter where programs read it directly (Windows' `QueryPerformanceFrequency`).
 */
counter_hz?: (number | null)
/**
 * Whether timers fire between ticks (Linux).
 */
high_resolution: (boolean | null)
/**
 * Resolution of the monotonic clock as claimed (`clock_getres`). On Linux this is that of timers: 1 ns where
 * they have high resolution, the tick's length where they fire on ticks.
 */
resolution_ns: (Nanos | null)
/**
 * Length of the tick as the kernel claims it: `clock_getres` of `CLOCK_MONOTONIC_COARSE`, `kern.clockrate`.
 */
tick_claimed_ns: (Nanos | null)
/**
 * Length of the tick as measured; filled in by the caller of `oversleep_os::sysinfo::tick::measure`, which takes
 * time.
 */
tick_measured_ns: (Nanos | null)
/**
 * Counter that times the tick, where it is known; only simulated kernels tell.
 */
tick_rate?: (CounterRate | null)
/**
 * Timer resolutions of Windows.
 */
timer_resolution?: (TimerResolution | null)
/**
 * Timer slack of the calling thread.
 */
timer_slack_ns: (Nanos | null)
}
/**
 * A counter's rate, as stated and as the kernel assumes it.
 */
export interface CounterRate {
/**
 * Name of the counter: `tsc`, `lapic`.
 */
counter: string
/**
 * Number of counts from one tick to the next, where the counter times the tick.
 */
counts_per_tick?: (number | null)
/**
 * Rate that the kernel assumes, mostly from a calibration.
 */
kernel_hz?: (number | null)
/**
 * Rate that the processor, the hypervisor or the firmware states.
 */
stated_hz?: (number | null)
}
/**
 * The timer resolutions of a system (Windows).
 */
export interface TimerResolution {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
coarsest_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
finest_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
in_force_ns: number
}
/**
 * The name and value of a kernel setting.
 */
export interface Tunable {
/**
 * Name of the setting: `kern.timecounter.alloweddeviation`.
 */
name: string
/**
 * Value, as the system's own tool shows it.
 */
value: string
}
/**
 * Whether the machine is a guest, and whether the process runs in a container.
 */
export interface Virtualisation {
/**
 * Container: `docker`, `podman`, or the name that systemd uses; `null` if none was detected.
 */
container: (string | null)
/**
 * Hypervisor: `kvm`, `hyper-v`, `xen`; its raw signature if it has no name here; `null` if none was detected.
 */
hypervisor: (string | null)
/**
 * Product name of the machine according to its firmware, manufacturer first.
 */
product: (string | null)
}
/**
 * A model with the parameters found, compared with the sleeps.
 */
export interface ModelOverlay {
/**
 * Fit of all models together; `null` where there are none.
 */
fit: (Fit | null)
/**
 * One model for each method under one set of conditions.
 */
kernels: FittedModel[]
/**
 * Sleeps without a model.
 */
left_out: LeftOut[]
}
/**
 * How well predicted and measured lateness agree over some sleeps. Residual: measured − predicted.
 */
export interface Fit {
/**
 * 1 − Σ residual² / Σ lateness²: counted from zero, so that a constant lateness counts as something to predict.
 */
level_share: (number | null)
/**
 * 1 − Var(residual) / Var(lateness): the same without the effect of a constant offset. A rule that is wrong by
 * one whole tick each time has a high value here and not in `variance_share`.
 */
offset_free_share: (number | null)
/**
 * Var(prediction) / Var(lateness): near 0 where the model predicts the same for every sleep.
 */
predicted_variance: (number | null)
/**
 * 1st percentile of the residuals, in ns.
 */
residual_p01_ns: number
/**
 * Median of the residuals, in ns.
 */
residual_p50_ns: number
/**
 * 99th percentile of the residuals, in ns.
 */
residual_p99_ns: number
/**
 * Median of the residuals' absolute values, in ns.
 */
residual_size_p50_ns: number
/**
 * Number of sleeps compared.
 */
sleeps: number
/**
 * `variance_share` without the 1 % of sleeps whose residuals lie furthest from the median residual, so that rare
 * late sleeps (which no deterministic model predicts) do not decide it.
 */
trimmed_share: (number | null)
/**
 * 1 − mean(residual²) / Var(lateness), the coefficient of determination: 1 is perfect, 0 no better than the mean,
 * below zero worse. `null` where lateness does not vary.
 */
variance_share: (number | null)
}
/**
 * One model, compared with the sleeps of one method under one set of conditions.
 */
export interface FittedModel {
/**
 * Other rounding rules of a tick kernel, with the share of the variance each would explain.
 */
alternatives?: Alternative[]
/**
 * Numbers of the cells.
 */
cells: number[]
/**
 * Time from the end of a sleep until the program runs, in ns.
 */
cost_ns: number
/**
 * Ticks added to the kernel's own count, from which the wheel's coarser steps are counted.
 */
count: number
fit: Fit1
/**
 * Nominal rate of the tick in Hz; `null` where timers fire between ticks.
 */
hz: (number | null)
/**
 * Where the diagnosis left the rate open: the possible rates in Hz, of which the model uses the one that fits
 * best.
 */
hz_open?: number[]
/**
 * Name of the method.
 */
method: string
/**
 * Phase of the ticks: time in ns from the group's first start to one of them.
 */
phase_ns: number
/**
 * Quantum of the threads ahead in the run queue, in ns, and the number of those threads.
 * 
 * @minItems 2
 * @maxItems 2
 */
queue?: ([number, number] | null)
/**
 * Rounding rule of a tick kernel.
 */
rule: (Rounding | null)
/**
 * Slack as a share of the request.
 */
share: number
/**
 * Upper limit of that slack, in ns.
 */
share_cap_ns: (number | null)
/**
 * Timer slack, in ns.
 */
slack_ns: number
/**
 * Length of the tick on the clock, in ns.
 */
tick_ns: (number | null)
/**
 * Whether timeouts are counted on the timer wheel.
 */
wheel: boolean
}
/**
 * Another rounding rule, compared with the same sleeps.
 */
export interface Alternative {
/**
 * Rounding rule.
 */
rule: ("up" | "up-plus-one" | "early" | "down")
/**
 * Share of the variance it explains; below zero where it predicts worse than the mean would.
 */
variance_share: (number | null)
}
/**
 * How well predicted and measured lateness agree over some sleeps. Residual: measured − predicted.
 */
export interface Fit1 {
/**
 * 1 − Σ residual² / Σ lateness²: counted from zero, so that a constant lateness counts as something to predict.
 */
level_share: (number | null)
/**
 * 1 − Var(residual) / Var(lateness): the same without the effect of a constant offset. A rule that is wrong by
 * one whole tick each time has a high value here and not in `variance_share`.
 */
offset_free_share: (number | null)
/**
 * Var(prediction) / Var(lateness): near 0 where the model predicts the same for every sleep.
 */
predicted_variance: (number | null)
/**
 * 1st percentile of the residuals, in ns.
 */
residual_p01_ns: number
/**
 * Median of the residuals, in ns.
 */
residual_p50_ns: number
/**
 * 99th percentile of the residuals, in ns.
 */
residual_p99_ns: number
/**
 * Median of the residuals' absolute values, in ns.
 */
residual_size_p50_ns: number
/**
 * Number of sleeps compared.
 */
sleeps: number
/**
 * `variance_share` without the 1 % of sleeps whose residuals lie furthest from the median residual, so that rare
 * late sleeps (which no deterministic model predicts) do not decide it.
 */
trimmed_share: (number | null)
/**
 * 1 − mean(residual²) / Var(lateness), the coefficient of determination: 1 is perfect, 0 no better than the mean,
 * below zero worse. `null` where lateness does not vary.
 */
variance_share: (number | null)
}
/**
 * Sleeps for which there is no model.
 */
export interface LeftOut {
/**
 * Name of the method.
 */
method: string
/**
 * Number of sleeps.
 */
sleeps: number
/**
 * Reason.
 */
why: string
}
/**
 * The result of watching processors for stalls, with causes.
 */
export interface Stalls {
histogram: Histogram
/**
 * Stalls that recur after the same time, by processor.
 */
periodic?: PeriodicStalls[]
/**
 * How the time of each watched processor was spent.
 */
processors: WatchedCpu[]
/**
 * Causes of the stalls, cell by cell, the largest first.
 */
took: CauseTime[]
/**
 * Stalls that the recording lists without any evidence, as when it is cut off: they are in the figures, but
 * in no cause.
 */
unnamed?: number
/**
 * Longest stalls of each processor, the longest first.
 */
worst: ExplainedStall[]
}
/**
 * Stalls by length.
 */
export interface Histogram {
/**
 * Edges between the bins, in ns, ascending.
 */
edges_ns: number[]
/**
 * Counts of each processor.
 */
processors: StallCounts[]
}
/**
 * The stalls of one processor by length.
 */
export interface StallCounts {
/**
 * Counts per bin, one more than edges: below the first edge, between neighbours, at or above the last.
 */
counts: number[]
/**
 * Number of the processor.
 */
cpu: number
}
/**
 * The stalls of one processor that recur after the same time.
 */
export interface PeriodicStalls {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
at_ns: number
/**
 * Number of the processor.
 */
cpu: number
/**
 * Number of delayed sleeps.
 */
events: number
/**
 * When it began, in s after the first sleep, or after the watch for stalls began; `null` if it was there for most of the recording.
 */
from_s?: (number | null)
/**
 * How much likelier the rhythm is than chance, as a natural logarithm.
 */
log_likelihood_beyond_chance: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
longest_ns: number
/**
 * Uncertainty of the period, in s.
 */
period_error_s: number
/**
 * Period, in s.
 */
period_s: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
shortest_ns: number
/**
 * Uncertainty of that; `null` if it is the recording's end.
 */
to_error_s?: (number | null)
/**
 * When it ended.
 */
to_s?: (number | null)
}
/**
 * How the time of a processor was spent while it was watched for stalls. `elapsed = spun + stalled + looked + paused`.
 */
export interface WatchedCpu {
/**
 * Number of readings below the previous one.
 */
backwards: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
begun_ns: number
/**
 * ID of the cell whose samples are the stalls.
 */
cell: number
/**
 * Number of the processor.
 */
cpu: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
elapsed_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
floor_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
looked_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
paused_ns: number
/**
 * Number of readings of the counter.
 */
readings: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
spun_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
stalled_ns: number
/**
 * Number of stalls.
 */
stalls: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
threshold_ns: number
/**
 * Of these, stalls for which the list had no room: they are counted and included in `stalled`, but have no
 * samples.
 */
unlisted: number
}
/**
 * The time that one cause took from a processor, all stalls together.
 */
export interface CauseTime {
/**
 * Name of the cause.
 */
cause: string
/**
 * ID of the cell.
 */
cell: number
/**
 * Number of stalls.
 */
stalls: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
time_ns: number
}
/**
 * A stall with an explanation in one sentence.
 */
export interface ExplainedStall {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
at_ns: number
/**
 * Cause, in a phrase that is the same for all stalls with this cause.
 */
cause: string
/**
 * Number of the cell.
 */
cell: number
/**
 * Number of the processor, where known.
 */
cpu: (number | null)
/**
 * Evidence for the cause.
 */
evidence?: (StallEvidence | null)
/**
 * Explanation in one sentence.
 */
explanation: string
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
length_ns: number
/**
 * Number of the sample.
 */
sequence: number
/**
 * Number of the thread.
 */
thread: number
/**
 * Processors that stalled at the same time.
 */
together?: number[]
/**
 * Source of the explanation: `trace`, `counters`, `none`.
 */
witness: string
}
/**
 * The evidence about one stall.
 */
export interface StallEvidence {
/**
 * Kind of cause.
 */
kind: ("quota" | "smi" | "stolen" | "at-once" | "unseen" | "owner" | "preempted" | "interrupt" | "interrupts-unread" | "counters-unread")
/**
 * Who used the processor according to the trace, the longest first, with times that sum to the stall's length.
 * `sleeper` is the watching thread: time that no kernel event accounts for.
 */
owners?: ([Owner, Nanos][] | null)
/**
 * Increase of the processor's counters, if they were read.
 */
processor?: (ProcessorCounters | null)
/**
 * Number of earlier stalls that this increase covers too.
 */
processor_since: number
/**
 * Increase of the watching thread's own counters, if they were read.
 */
thread?: (ThreadCounters | null)
/**
 * Number of earlier stalls that this increase covers too.
 */
thread_since: number
}
/**
 * The increase of a processor's counters between two readings; `null` where the counter cannot be read.
 */
export interface ProcessorCounters {
/**
 * Number of times the processor slowed down because it was hot (`thermal_throttle/core_throttle_count`).
 */
heat?: (number | null)
/**
 * Number of interrupts by name, where above 0.
 */
interrupts?: ([string, number][] | null)
/**
 * Number of system-management interrupts (`MSR_SMI_COUNT`, 0x34; Intel since Nehalem).
 */
smi?: (number | null)
/**
 * Number of softirqs by name, where above 0.
 */
softirqs?: ([string, number][] | null)
/**
 * Time stolen by the host, in steps of `USER_HZ` ticks (10 ms usually).
 */
stolen_ns?: (Nanos | null)
}
/**
 * Counters of a thread, or the difference between two readings of them.
 */
export interface ThreadCounters {
/**
 * Involuntary switches (`getrusage`).
 */
preempted?: (number | null)
/**
 * Time spent runnable but not running (`/proc/thread-self/schedstat`). A lower bound: the kernel does not update
 * it for a wake-up that preempts at once.
 */
run_delay_ns?: (Nanos | null)
/**
 * Time for which the quota kept the thread's control group from running, all of its threads together.
 */
throttled_ns?: (Nanos | null)
}
/**
 * The system call that sleeps became, and the time passed to it. Only sleeps with a wait of their own show it.
 */
export interface KernelRequest {
/**
 * Number of sleeps that made these calls.
 */
agreeing: number
/**
 * Number of sleeps with waits of several threads, or of one that waited again before the sleep ended: if it ended
 * the sleep, it woke another thread for that.
 */
by_others: number
/**
 * Name of the system call; `null` if no sleep has a wait of its own in the trace.
 */
call: (string | null)
/**
 * Whether the time was read from the call's arguments. Otherwise it is how long the timer it armed had to run.
 */
exact: boolean
/**
 * Number of sleeps with a wait of their own: begun and over within the sleep and no other, by one thread, which
 * did not wait again before the sleep ended.
 */
own: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
requested_ns: number
/**
 * How the request was changed on the way; `null` if no more than half of the sleeps show it.
 */
rule: (RequestChange | null)
/**
 * Number of sleeps whose wait may be another sleep's.
 */
shared: number
/**
 * Number of sleeps whose calls were recorded.
 */
sleeps: number
/**
 * Time passed to the call; several where a sleep made it several times.
 */
told_ns: Nanos[]
}
/**
 * A question that the samples leave open, and the experiment that would answer it.
 */
export interface Undecided {
/**
 * Causes that would have given these samples: names, with a rate where several fit (`tick-quantised 250 Hz`).
 */
candidates?: string[]
/**
 * Command line of the experiment that would answer it; of another program's samples, in words.
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
 * The number of samples of a file that have a fault.
 */
export interface Unsound {
/**
 * Fault of the samples.
 */
fault: ("ends-before-start" | "unknown-cell" | "out-of-order")
/**
 * Offset in the file, in bytes, of the batch with the first of them.
 */
first_byte: number
/**
 * Number of samples.
 */
samples: number
}
/**
 * Figures.
 */
export interface Measured {
/**
 * Loops and culprits of another program whose waits were recorded.
 */
attached?: (Attached | null)
/**
 * Figures of the cells, in the plan's order.
 */
cells: CellFigures[]
/**
 * Meaning of the figures of another program's file, as that program defines them.
 */
conventions?: string[]
/**
 * Figures of files that contain buckets and no samples.
 */
distributions?: DistributionFigures[]
/**
 * How the run ended; `null` if the recording was cut off.
 */
ended: (End | null)
/**
 * Version of this document.
 */
format: number
/**
 * What the recording is of.
 */
kind: ("check-up" | "measure" | "wall-second" | "sweep" | "load" | "periodic" | "trace" | "diagnose" | "stalls" | "clocks" | "runtimes" | "attach" | "imported")
/**
 * Late sleeps, if the run watched for them.
 */
late?: (LateSleeps | null)
/**
 * Loops in another program's table of sleeps, the one with most rounds first.
 */
loops?: Loop[]
/**
 * Number of samples lost because they could not be stored fast enough.
 */
lost: number
machine: Machine1
/**
 * Origin of the samples.
 */
origin: ({
kind: "live"
} | {
kind: "simulated"
/**
 * Name of the preset, or of the model's file.
 */
model: string
/**
 * All parameters of the model.
 */
parameters: {
[k: string]: unknown
}
} | {
/**
 * Name of the file.
 */
file: string
/**
 * Name of the format.
 */
format: string
kind: "imported"
})
/**
 * Stalls of processors, if the run watched for them.
 */
stalls?: (Stalls | null)
/**
 * When the run began (RFC 3339, UTC), if known.
 */
started: (string | null)
/**
 * Times that programs passed to the kernel for their sleeps, where system calls were traced.
 */
told?: KernelRequest[]
/**
 * Program that wrote the recording, with version.
 */
tool: string
/**
 * What was requested and could not be had.
 */
unavailable: Unobtained[]
/**
 * Samples of the file that cannot be right.
 */
unsound?: Unsound[]
}
/**
 * The figures of one cell.
 */
export interface CellFigures {
/**
 * Whether the sleeps had deadlines rather than durations.
 */
absolute: boolean
/**
 * Clock that timed the sleeps.
 */
clock: ("monotonic" | "monotonic-raw" | "realtime" | "boottime" | "tai" | "counter" | "true")
conditions: AskedAndObtained1
/**
 * Figures of a schedule corrected for the omitted periods.
 */
corrected?: (Figures | null)
/**
 * What a sleep took of the processor, where that was measured.
 */
cost?: (CostFigures | null)
/**
 * Number of samples that woke early: with an oversleep below zero.
 */
early: number
/**
 * Number of calls that failed; in no figure.
 */
failed: number
/**
 * Oversleep of the first call of each thread.
 */
first_ns: Nanos[]
/**
 * Number of sleeps that a signal ended; included in all figures.
 */
interrupted: number
/**
 * Largest oversleep.
 */
max_ns: (Nanos | null)
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * Name of the method.
 */
method: string
/**
 * Smallest oversleep.
 */
min_ns: (Nanos | null)
/**
 * Number of samples.
 */
n: number
/**
 * Sleeps later than a limit, or stalls longer than it, where one was given (`--over`).
 */
over?: (ShareOver | null)
/**
 * Upper end of the median's 95 % interval.
 */
p50_high_ns: (Nanos | null)
/**
 * Lower end of the median's 95 % interval.
 */
p50_low_ns: (Nanos | null)
/**
 * Median.
 */
p50_ns: (Nanos | null)
/**
 * 90th percentile.
 */
p90_ns: (Nanos | null)
/**
 * 99.9th percentile.
 */
p999_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
/**
 * How the requests follow each other.
 */
pattern: ("fixed" | "random" | "aligned" | "periodic")
/**
 * Period counts of a schedule.
 */
periods?: (PeriodCounts | null)
/**
 * Whether the quantiles are exact; otherwise they come from a histogram with three significant digits.
 */
quantiles_exact: boolean
/**
 * Requested duration; `null` where it differs from sleep to sleep.
 */
requested_ns: (Nanos | null)
/**
 * Sample standard deviation, in ns.
 */
sd_ns: (number | null)
/**
 * Figures of each thread of a schedule, if there are several.
 */
threads?: ThreadFigures[]
/**
 * Time that the periods of a schedule left after their wake-ups.
 */
time_left?: (TimeLeft | null)
}
/**
 * Conditions, requested and obtained.
 */
export interface AskedAndObtained1 {
asked: Conditions
/**
 * Conditions read back from the system; `null` if the cell never slept.
 */
obtained: (Conditions1 | null)
}
/**
 * Facts about the machine.
 */
export interface Machine1 {
/**
 * Instruction set: `x86_64`.
 */
architecture: string
/**
 * Options of the kernel's command line that affect sleep.
 */
command_line: string[]
idle: Idle
limits: Limits
/**
 * Load of the machine.
 */
load: (Load | null)
memory: Memory
/**
 * How the kernel steers the clock.
 */
ntp: (Ntp | null)
preemption: Preemption
processor: Processor
/**
 * Processor time that the process's control groups allow.
 */
quota: (Quota | null)
/**
 * Release of the kernel: `6.18.44`.
 */
release: string
/**
 * Time that the host took from each processor.
 */
steal: Steal[]
/**
 * Name of the operating system: `Linux`.
 */
system: string
timekeeping: Timekeeping
/**
 * Named kernel settings that affect sleep (`sysctl`).
 */
tunables?: Tunable[]
/**
 * Version of the kernel: when and for what it was built.
 */
version: string
virtualisation: Virtualisation
}
/**
 * The lateness that a model predicts for some sleeps of a cell.
 */
export interface PredictedLine {
/**
 * Number of the cell.
 */
cell: number
/**
 * Start of each of these sleeps, counted from the cell's origin, and its predicted lateness, both in ns; ascending.
 */
points: [Nanos, Nanos][]
}
/**
 * Embedded samples: columns of whole numbers, each split into planes of bytes (the lowest first), everything
 * deflated and base64-encoded.
 */
export interface PackedSamples {
/**
 * Columns of the samples.
 */
columns: PackedColumn[]
/**
 * Number of samples embedded.
 */
count: number
/**
 * Number of samples in the recording. If larger, the latest and earliest are embedded, and one of `one_of` others.
 */
of: number
/**
 * Interval of embedding: one of this many samples.
 */
one_of: number
}
/**
 * A column of embedded samples.
 */
export interface PackedColumn {
/**
 * Name of the column.
 */
name: string
/**
 * Bytes per value; 0 for a column of zeros, which is not stored.
 */
width: number
}
/**
 * Cells that share a colour in pictures. Cells that never slept may be in none.
 */
export interface PageSeries {
/**
 * Indices of its cells.
 */
cells: number[]
/**
 * Number of its colour and marker.
 */
colour: number
/**
 * Name for a legend; `null` if it is the only series.
 */
name: (string | null)
}
/**
 * How far a cell's median lies from that of a cell of the first recording, as `compare` finds it.
 */
export interface PageShift {
/**
 * Index of the cell of the first recording.
 */
first: number
shift: QuantileShift
}
/**
 * The shift, with its interval and verdict.
 */
export interface QuantileShift {
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
a_ns: number
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
b_ns: number
/**
 * Standard deviation between the recordings of side A.
 */
between_a_ns: (number | null)
/**
 * Standard deviation between the recordings of side B.
 */
between_b_ns: (number | null)
/**
 * Bounds of both values and of their difference, where a side has counts in buckets.
 */
bounds?: (ShiftBounds | null)
/**
 * Confidence of the interval: 0.95 or more, less where there are too few recordings for that; 0 where the interval is
 * only that between the bounds of buckets.
 */
confidence: number
/**
 * Source of the interval.
 */
error: ("within-runs" | "buckets" | "between-runs" | "pairs")
/**
 * Quantile that is compared.
 */
figure: ("p50" | "p99" | "p99.9")
/**
 * Upper end of the interval.
 */
high_ns: number
/**
 * Lower end of the interval.
 */
low_ns: number
/**
 * Two-sided probability of such a difference by chance; `null` with one recording a side.
 */
p: (number | null)
/**
 * The same probability, corrected for the number of cells (Holm).
 */
p_corrected: (number | null)
/**
 * Difference B − A, in ns; of counts in buckets, the middle of its bounds.
 */
size_ns: number
/**
 * Conclusion about the shift.
 */
verdict: ("later" | "earlier" | "not-seen" | "open")
}
/**
 * Bounds of a shift between counts in buckets.
 */
export interface ShiftBounds {
a: Bounds1
b: Bounds2
/**
 * Largest difference that they allow, in ns.
 */
high_ns: number
/**
 * Smallest difference B − A that the buckets allow, in ns.
 */
low_ns: number
}
/**
 * Bounds of a value.
 */
export interface Bounds1 {
/**
 * Upper bound, where known.
 */
high_ns: (Nanos | null)
/**
 * Lower bound, where known.
 */
low_ns: (Nanos | null)
}
/**
 * Bounds of a value.
 */
export interface Bounds2 {
/**
 * Upper bound, where known.
 */
high_ns: (Nanos | null)
/**
 * Lower bound, where known.
 */
low_ns: (Nanos | null)
}
/**
 * One traced cell: its figures, and some of its sleeps.
 */
export interface PageTrace {
/**
 * Names of the columns of [`TracedSleep::times_ns`].
 */
parts: string[]
/**
 * Sleeps from the whole run, with the latest of all, in order.
 */
sleeps: TracedSleep[]
trace: Trace
}
/**
 * One traced sleep.
 */
export interface TracedSleep {
/**
 * Why the parts could not all be separated; `null` if they could.
 */
incomplete: (string | null)
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
oversleep_ns: number
/**
 * Who used the processor for most of the longest part, where known.
 */
owner: (string | null)
/**
 * Number of the sleep.
 */
sequence: number
/**
 * Times of the parts; they sum to `oversleep`.
 */
times_ns: Nanos[]
}
/**
 * Document of the cell.
 */
export interface Trace {
/**
 * Share of traced sleeps with a complete chain of marks, 0 to 1; `null` without traced sleeps.
 */
complete_share: (number | null)
conditions: TraceConditions
/**
 * Why tracing ended before its time, if it did.
 */
ended_early: (Refusal | null)
/**
 * Findings, with `explain`: sizes and shares are those of the traced sleeps, what remedies would do is predicted for the untraced ones.
 */
findings?: Finding[]
/**
 * Version of this document.
 */
format: number
/**
 * Number of places where consecutive switches of a processor do not match: threads hidden from the trace.
 */
hidden_breaks: number
/**
 * Why each higher tier was not available.
 */
higher_tiers: RefusedTier[]
/**
 * Number of sleeps that a signal or an error ended; in no figure.
 */
interrupted: number
/**
 * Lower bound of the events lost: where the kernel does not give a number, a gap counts as one.
 */
lost_events: number
/**
 * Name of the method.
 */
method: string
/**
 * Whether the thread's own switch records were available too.
 */
own_switches: boolean
/**
 * A signed number of nanoseconds; ±292 years.
 * 
 * The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
 * range is never reached, rather than long past. The names of the functions say what they do then.
 * 
 * It can be compared with [`Duration`].
 * 
 * Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
 */
requested_ns: number
/**
 * Breakdown of every traced sleep, if requested.
 */
sleeps?: (Breakdown[] | null)
/**
 * Tier of the evidence.
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
 * How much later traced blocks were than their untraced neighbours: median of the differences of block medians.
 */
trace_shift_ns: (Nanos | null)
traced: QuantilesAndMean3
/**
 * What was not available.
 */
unavailable: Lacking[]
untraced: Untraced
}
/**
 * Conditions, requested and obtained.
 */
export interface TraceConditions {
asked: Conditions3
obtained: Conditions4
}
/**
 * The conditions of a cell, requested or obtained.
 * 
 * Requested: `null` leaves the setting as it is. Obtained: the value read back from the system; `null` where the
 * system has no such setting or does not tell.
 */
export interface Conditions3 {
/**
 * Processors on which the thread may run.
 */
affinity?: (number[] | null)
/**
 * Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads that run during the sleeps.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked.
 */
memory_locked?: (boolean | null)
/**
 * Task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * Niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
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
 * Priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * Quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * Number of threads that sleep at the same time.
 */
threads?: (number | null)
/**
 * How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
 * traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * The conditions of a cell, requested or obtained.
 * 
 * Requested: `null` leaves the setting as it is. Obtained: the value read back from the system; `null` where the
 * system has no such setting or does not tell.
 */
export interface Conditions4 {
/**
 * Processors on which the thread may run.
 */
affinity?: (number[] | null)
/**
 * Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
 */
latency_hold_ns?: (Nanos | null)
/**
 * Busy threads that run during the sleeps.
 */
load?: (Load2 | null)
/**
 * Whether the process's memory is locked.
 */
memory_locked?: (boolean | null)
/**
 * Task for which the multimedia scheduler raises the thread's priority (Windows).
 */
multimedia_task?: (string | null)
/**
 * Niceness of the thread, −20 to 19.
 */
nice?: (number | null)
/**
 * Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
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
 * Priority class of the process (Windows).
 */
priority_class?: (PriorityClass | null)
/**
 * Quality-of-service class of the thread (macOS).
 */
qos?: (Qos | null)
/**
 * Number of threads that sleep at the same time.
 */
threads?: (number | null)
/**
 * How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
 */
timer_resolution_ns?: (Nanos | null)
/**
 * How much later than asked the kernel may fire this thread's timers to save wake-ups.
 */
timer_slack_ns?: (Nanos | null)
/**
 * Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
 * traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
 */
traced?: (boolean | null)
/**
 * Whether the system is kept from throttling the process's timers (Windows, macOS).
 */
unthrottled?: (boolean | null)
}
/**
 * A tier that was not available, with the reason.
 */
export interface RefusedTier {
/**
 * Tier of evidence.
 */
tier: ("events" | "switches" | "counters" | "slack")
/**
 * Why something could not be had.
 * 
 * The three kinds are kept apart because the user can do something different about each: nothing, get a
 * privilege, or find out what went wrong.
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
 * Figures of the traced sleeps.
 */
export interface Summary {
/**
 * Number of sleeps with a complete chain of marks. All figures are of these.
 */
complete: number
/**
 * Who used the processor while sleepers waited.
 */
culprits: Culprit[]
oversleep: QuantilesAndMean
/**
 * Reasons why chains are incomplete, with the number of sleeps for each.
 */
partial: {
[k: string]: number
}
/**
 * Budgets of the median sleep and of the one at the 99th percentile, part by part.
 */
parts: PartFigures[]
/**
 * Number of traced sleeps.
 */
sleeps: number
unexplained: QuantilesAndMean2
/**
 * Share of that time in all oversleep, 0 to 1; `null` without complete sleeps.
 */
unexplained_share: (number | null)
}
/**
 * Quantiles of the oversleep.
 */
export interface QuantilesAndMean {
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
}
/**
 * The figures of one kind of part.
 */
export interface PartFigures {
/**
 * Time of the part in the sleep whose oversleep is the median.
 */
at_p50_ns: (Nanos | null)
/**
 * Time of the part in the sleep whose oversleep is the 99th percentile.
 */
at_p99_ns: (Nanos | null)
/**
 * Kind of part.
 */
kind: ("entry" | "armed-late" | "slack" | "irq-late" | "irq-entry" | "other-timers" | "wake" | "run-queue" | "preempted" | "irq" | "stopped" | "return" | "not-yet-run" | "rest")
/**
 * Share of the part in all oversleep time, 0 to 1.
 */
share: (number | null)
spread: QuantilesAndMean1
}
/**
 * Distribution over the complete sleeps, 0 where the part did not occur. Medians of parts do not sum to the
 * median of the whole; [`PartFigures::typical`] and [`PartFigures::late`] do.
 */
export interface QuantilesAndMean1 {
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
}
/**
 * Time without a named cause.
 */
export interface QuantilesAndMean2 {
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
}
/**
 * Oversleep of all traced sleeps, with complete chains or not.
 */
export interface QuantilesAndMean3 {
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
}
/**
 * Something that was not available.
 */
export interface Lacking {
/**
 * What was not available.
 */
what: string
/**
 * Reason.
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
 * Untraced sleeps measured in turns with the traced ones.
 */
export interface Untraced {
/**
 * Number of sleeps.
 */
n: number
spread: QuantilesAndMean4
}
/**
 * Quantiles of their oversleep.
 */
export interface QuantilesAndMean4 {
/**
 * Mean, in ns.
 */
mean_ns: (number | null)
/**
 * The median.
 */
p50_ns: (Nanos | null)
/**
 * 99th percentile.
 */
p99_ns: (Nanos | null)
}
