/** The moments of a session put together: its tool calls each once, its turns, the time that passed. Pure. */
import type { ToolKind } from "../../../events/agentEvents.ts"
import { joined } from "./joined.ts"
import type { CallEnded, Placed, SessionMoments, Source } from "./Moment.ts"

/** A pause longer than this is no work: of a longer one as much counts. */
export const longestPauseMs = 10 * 60_000

export interface TracedCall {
  readonly use: string
  readonly name: string
  readonly tool: ToolKind
  /** When it began, or ended where nothing tells of its beginning. Milliseconds since 1970. */
  readonly at: number
  /** When it asked for leave, and what the wait for it was. */
  readonly waitMs: number
  readonly ended: CallEnded | undefined
  readonly endedAt: number | undefined
  readonly sources: ReadonlySet<Source>
}

export interface Turn {
  readonly from: number
  /** When the agent stopped, or the last thing that was seen of it. */
  readonly to: number
  readonly isHuman: boolean
}

export interface Trace {
  readonly agent: string | null
  readonly session: string
  readonly project: string | null
  readonly moments: readonly Placed[]
  readonly calls: readonly TracedCall[]
  readonly turns: readonly Turn[]
  readonly from: number
  readonly to: number
}

interface Building {
  readonly use: string
  name: string
  tool: ToolKind
  at: number
  waitMs: number
  permission: number | undefined
  ended: CallEnded | undefined
  endedAt: number | undefined
  readonly sources: Set<Source>
}

/** An end of its own says more than the batch, and what knows whether it went well more than what does not. */
const isBetter = (next: CallEnded, before: CallEnded | undefined): boolean => {
  if (before === undefined) return true
  if (before.isBatch !== next.isBatch) return before.isBatch === true
  if ((before.verdict === "unknown") !== (next.verdict === "unknown")) return before.verdict === "unknown"
  return (before.edits?.length ?? 0) < (next.edits?.length ?? 0)
}

/** Only what is not known yet is taken from what is told later. */
const settle = (call: Building | undefined, told: "ok" | "failed", at: number): void => {
  if (call?.ended === undefined || call.ended.verdict !== "unknown") return
  const { checks = [] } = call.ended
  const failed = { verdict: "fail", error: checks.length > 0 ? "check" : "other" } as const
  call.ended = { ...call.ended, told, ...(told === "ok" ? { verdict: "pass" } : failed) }
  call.endedAt = at
}

const callsOf = (moments: readonly Placed[]): readonly TracedCall[] => {
  const calls = new Map<string, Building>()
  const callAt = (use: string, name: string, tool: ToolKind, { at, source }: Placed): Building => {
    const before = calls.get(use)
    if (before !== undefined) {
      before.sources.add(source)
      return before
    }
    const made = {
      use,
      name,
      tool,
      at,
      waitMs: 0,
      permission: undefined,
      ended: undefined,
      endedAt: undefined,
      sources: new Set([source])
    }
    calls.set(use, made)
    return made
  }
  for (const placed of moments) {
    const { at, moment } = placed
    if (moment.kind === "call-started") callAt(moment.use, moment.name, moment.tool, placed)
    else if (moment.kind === "permission") {
      const call = calls.get(moment.use)
      if (call !== undefined) call.permission ??= at
    } else if (moment.kind === "call-ended") {
      const call = callAt(moment.use, moment.name, moment.tool, placed)
      if (isBetter(moment, call.ended)) {
        call.ended = moment
        call.endedAt = at
      }
      if (call.permission !== undefined) {
        call.waitMs += Math.max(0, at - call.permission)
        call.permission = undefined
      }
    } else if (moment.kind === "call-settled") settle(calls.get(moment.use), moment.told, at)
  }
  return [...calls.values()]
}

const turnsOf = (moments: readonly Placed[]): readonly Turn[] => {
  const turns: Turn[] = []
  let open: { from: number; isHuman: boolean; last: number } | undefined
  const close = (to: number): void => {
    if (open !== undefined) turns.push({ from: open.from, to, isHuman: open.isHuman })
    open = undefined
  }
  for (const { at, moment, subagent } of moments) {
    if (moment.kind === "prompt" && subagent === null) {
      if (open !== undefined) close(open.last)
      open = { from: at, isHuman: moment.isHuman, last: at }
    } else if (
      (moment.kind === "stop" || moment.kind === "interrupt" || moment.kind === "end") &&
      subagent === null
    )
      close(moment.kind === "end" ? (open?.last ?? at) : at)
    else if (open !== undefined) open.last = at
  }
  if (open !== undefined) close(open.last)
  return turns
}

/** Between two moments at most the longest pause. */
export const activeBetween = (times: readonly number[], from = -Infinity, to = Infinity): number => {
  let active = 0
  let before: number | undefined
  for (const at of times) {
    if (at < from || at > to) continue
    if (before !== undefined) active += Math.min(at - before, longestPauseMs)
    before = at
  }
  return active
}

export const traceOf = ({ agent, moments, project, session }: SessionMoments): Trace => {
  const inOrder = joined([...moments].sort((a, b) => a.at - b.at))
  return {
    agent,
    session,
    project,
    moments: inOrder,
    calls: callsOf(inOrder),
    turns: turnsOf(inOrder),
    from: inOrder[0]?.at ?? 0,
    to: inOrder.at(-1)?.at ?? 0
  }
}
