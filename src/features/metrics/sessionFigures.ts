/** How long agents and people were at it, and how often one stepped in. Pure. */
import { type Found, unknown } from "./Measure.ts"
import { quantile } from "./statistics.ts"
import { activeBetween, type Trace } from "./trace.ts"

const timesOf = ({ moments }: Trace): readonly number[] => moments.map(({ at }) => at)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const activeOf = (trace: Trace): number => activeBetween(timesOf(trace))

/** Time in which the agent was asked to work: from each prompt to its stop. What it waited for leave is not its own. */
const agentMsOf = (trace: Trace): number => {
  const times = timesOf(trace)
  return sum(trace.turns.map(({ from, to }) => activeBetween(times, from, to)))
}

const waitMsOf = ({ calls }: Trace): number => sum(calls.map(({ waitMs }) => waitMs))

export const activeTime = (traces: readonly Trace[]): Found => ({
  value: sum(traces.map(activeOf)),
  n: traces.length,
  parts: [
    { name: "median of a session", value: quantile(traces.map(activeOf), 0.5) ?? 0 },
    { name: "longest session", value: Math.max(0, ...traces.map(activeOf)) }
  ]
})

export const splitTime = (traces: readonly Trace[]): Found => {
  const active = sum(traces.map(activeOf))
  const wait = Math.min(active, sum(traces.map(waitMsOf)))
  const agent = Math.max(0, Math.min(active, sum(traces.map(agentMsOf))) - wait)
  if (active === 0) return unknown("nothing lasted", traces.length)
  return {
    value: agent / active,
    n: traces.length,
    parts: [
      { name: "agent", value: agent },
      { name: "waiting for leave", value: wait },
      { name: "human", value: Math.max(0, active - agent - wait) }
    ]
  }
}

const humanPrompts = ({ moments }: Trace): number =>
  moments.filter(({ moment, subagent }) => moment.kind === "prompt" && moment.isHuman && subagent === null)
    .length

const deniedBy = ({ calls }: Trace): number =>
  calls.filter(({ ended }) => ended?.told === "denied" || ended?.told === "stopped").length

const interruptsOf = ({ moments }: Trace): number =>
  moments.filter(({ moment }) => moment.kind === "interrupt").length

/** How often a person stepped in, in an hour of the agent's work. */
export const autonomy = (traces: readonly Trace[]): Found => {
  const hours = sum(traces.map(agentMsOf)) / 3_600_000
  const prompts = sum(traces.map((trace) => Math.max(0, humanPrompts(trace) - 1)))
  const denials = sum(traces.map(deniedBy))
  const interrupts = sum(traces.map(interruptsOf))
  const parts = [
    { name: "prompts after the first", value: prompts },
    { name: "denials", value: denials },
    { name: "interrupts", value: interrupts }
  ]
  const n = prompts + denials + interrupts
  if (hours === 0) return { ...unknown("no turn of an agent was seen"), n, parts }
  return { value: n / hours, n, parts }
}

export const prompts = (traces: readonly Trace[]): Found => ({
  value: sum(traces.map(humanPrompts)),
  n: traces.length
})

export const toolCalls = (traces: readonly Trace[]): Found => ({
  value: sum(traces.map(({ calls }) => calls.length)),
  n: traces.length
})

export const compactions = (traces: readonly Trace[]): Found => {
  const hours = sum(traces.map(activeOf)) / 3_600_000
  const n = sum(traces.map(({ moments }) => moments.filter(({ moment }) => moment.kind === "compact").length))
  return hours === 0 ? unknown("nothing lasted", n) : { value: n / hours, n }
}
