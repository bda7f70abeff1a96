/** What of an agent's settings can go under hooktape as it is: its command hooks as external hooks, and why others stay. */
import * as Either from "effect/Either"
import type { Node } from "jsonc-parser"
import { adapters } from "../../agents/adapters.ts"
import type { ExternalDefinition } from "../../hooks/external.ts"
import type { InstallAgent } from "../install/dialects.ts"
import * as Doc from "../install/document.ts"
import { type Entry, entriesOf, fieldOf, withoutEntry } from "../install/entries.ts"
import { oursIn } from "../install/registrations.ts"
import { beyond, type Conditions, conditionsOf, either, isPattern } from "./conditions.ts"

export interface Left {
  readonly event: string
  readonly command: string
  readonly reason: string
}

export interface Taken {
  readonly definitions: readonly ExternalDefinition[]
  readonly left: readonly Left[]
  /** The settings without what was taken. */
  readonly text: string
}

export interface Taking {
  readonly agent: InstallAgent
  readonly text: string
  readonly root: Node | undefined
  /** The agent's events at which hooktape is called. */
  readonly registered: readonly string[]
  /** Names that are taken already. */
  readonly names: readonly string[]
}

/** Members that change nothing about what a hook does, or that a definition says as well. */
const plainKeys = ["type", "command", "timeout", "statusMessage", "name", "description"]
const groupKeys = ["matcher", "hooks", "id", "name", "description"]
/** Codex has a command of its own for Windows. */
const keysFor = (agent: InstallAgent): readonly string[] =>
  agent === "codex" ? [...plainKeys, "commandWindows"] : plainKeys

const keysOf = (node: Node | undefined): readonly string[] =>
  (node?.children ?? []).map((property) => String(property.children?.[0]?.value))

/** The first member that means something which nobody here knows. What begins so is a remark to every reader of such files. */
const beyondKeys = (node: Node | undefined, known: readonly string[]): string | undefined =>
  keysOf(node).find((key) => !known.includes(key) && !key.startsWith("_"))
/** The agents whose matchers are known well enough to say them in another way. */
export const adoptable = ["claude-code", "codex", "gemini-cli"] as const
const isAdoptable = (agent: string): agent is (typeof adoptable)[number] =>
  (adoptable as readonly string[]).includes(agent)

/** Standard output is an answer to these that no intent can give. */
const ownAnswers: readonly string[] = ["WorktreeCreate", "WorktreeRemove", "BeforeToolSelection"]
const longestSeconds = 600

const matcherOf = ({ group }: Pick<Entry, "group">): string | undefined => {
  const matcher = fieldOf(group, "matcher")
  return typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : undefined
}

const isFlat = ({ group, handler }: Entry): boolean => group === handler

/** Events whose hooks the agent passes over as a whole: Claude Code (as of 2.1.332), for one entry that is no group. */
const voidIn = (agent: InstallAgent, entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(agent === "claude-code" ? entries.filter(isFlat).map(({ under }) => under) : [])

const reasonToLeave = ({ agent, registered }: Taking, entry: Entry): string | undefined => {
  const { group, handler, under } = entry
  if (isFlat(entry)) return 'it stands in no group with "hooks", and the agent runs nothing else'
  const type = fieldOf(handler, "type")
  const command = fieldOf(handler, "command")
  if (typeof type === "string" && type !== "command") return `it is of type ${type}, no command`
  if (type !== "command" || typeof command !== "string")
    return 'it is not {"type": "command", "command": "…"}, and the agent runs nothing else'
  const more = beyondKeys(handler, keysFor(agent))
  if (more !== undefined) return `"${more}" has no counterpart here`
  const besides = beyondKeys(group, groupKeys)
  if (besides !== undefined) return `"${besides}" has no counterpart here`
  if (ownAnswers.includes(under)) return "its output is an answer that only the agent can be given"
  if (adapters[agent].events[under] === undefined) return "hooktape does not know this event"
  if (!registered.includes(under)) return "hooktape is not called at this event"
  const matcher = matcherOf({ group })
  if (matcher !== undefined && agent !== "gemini-cli" && !isPattern(matcher))
    return "its matcher cannot be read"
  return undefined
}

/** After the script it runs, else after its program. */
const nameFor = (command: string, event: string, taken: ReadonlySet<string>): string => {
  const words = command.split(/[\s"']+/).filter((word) => word !== "")
  const script =
    words.find((word) => /[\w-]\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php)$/.test(word)) ?? words[0] ?? event
  const base =
    (script.split(/[\\/]/).at(-1) ?? "")
      .replace(/\.\w+$/, "")
      .replace(/[^\w-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "hook"
  for (let nth = 1; ; nth++) {
    const name = nth === 1 ? base : `${base}-${nth}`
    if (!taken.has(name)) return name
  }
}

const timeOf = (agent: InstallAgent, { handler }: Entry): number | undefined => {
  const timeout = fieldOf(handler, "timeout")
  const seconds = typeof timeout === "number" ? timeout / (agent === "gemini-cli" ? 1000 : 1) : 0
  return seconds > 0 ? Math.round(Math.min(seconds, longestSeconds) * 1000) : undefined
}

/** What an agent takes for one hook, which it runs once whichever of its matchers fit. Codex runs each of them. */
const sameFor = (agent: InstallAgent, { handler, under }: Entry, nth: number): string => {
  if (agent === "codex") return String(nth)
  const name = agent === "gemini-cli" ? (fieldOf(handler, "name") ?? "") : ""
  return JSON.stringify([under, fieldOf(handler, "command"), name])
}

interface Timed {
  /** The first that it was made of. */
  readonly entry: Entry
  readonly deadline: number | undefined
  readonly conditions: Conditions
}

/**
 * What an agent takes for one hook, in the order of the settings: for which calls it has which time. Where matchers with different times
 * fit the same call, Claude Code gives the time of the last of them, Gemini CLI that of the first.
 */
const timesOf = (agent: InstallAgent, entries: readonly Entry[]): readonly Timed[] => {
  const all = entries.map((entry) => ({
    entry,
    deadline: timeOf(agent, entry),
    conditions: conditionsOf(agent, entry.under, matcherOf(entry))
  }))
  const times: Timed[] = []
  for (const [nth, one] of all.entries()) {
    const stronger = agent === "gemini-cli" ? all.slice(0, nth) : all.slice(nth + 1)
    let own: Conditions | undefined = one.conditions
    for (const { conditions, deadline } of stronger)
      if (own !== undefined && deadline !== one.deadline) own = beyond(own, conditions)
    if (own === undefined) continue
    const at = times.findIndex(({ deadline }) => deadline === one.deadline)
    const before = times[at]
    if (before === undefined) times.push({ ...one, conditions: own })
    else times[at] = { ...before, conditions: either(before.conditions, own) }
  }
  return times
}

/** All that are taken, each with its time, in the order of the settings. */
const timed = (agent: InstallAgent, taken: readonly Entry[]): readonly Timed[] => {
  const hooks = new Map<string, Entry[]>()
  for (const [nth, entry] of taken.entries()) {
    const same = sameFor(agent, entry, nth)
    hooks.set(same, [...(hooks.get(same) ?? []), entry])
  }
  return [...hooks.values()]
    .flatMap((same) => timesOf(agent, same))
    .sort((one, other) => taken.indexOf(one.entry) - taken.indexOf(other.entry))
}

export const takenFrom = (taking: Taking): Taken => {
  const { agent, names, root } = taking
  const left: Left[] = []
  const taken: Entry[] = []
  const entries = entriesOf(root)
  const passedOver = voidIn(agent, entries)
  for (const entry of entries) {
    const { handler, under } = entry
    if (oursIn(handler) !== undefined) continue
    const command = String(fieldOf(handler, "command") ?? "")
    const reason = !isAdoptable(agent)
      ? "the agent's matchers are not known"
      : (reasonToLeave(taking, entry) ??
        (passedOver.has(under)
          ? "the agent runs none of an event's hooks while one of them stands in no group"
          : undefined))
    if (reason === undefined) taken.push(entry)
    else left.push({ event: under, command, reason })
  }
  const known = new Set(names)
  const definitions = timed(agent, taken).map(({ conditions, deadline, entry }): ExternalDefinition => {
    const command = String(fieldOf(entry.handler, "command"))
    const onWindows = fieldOf(entry.handler, "commandWindows")
    const name = nameFor(command, entry.under, known)
    known.add(name)
    return {
      name,
      on: adapters[agent].events[entry.under]?.event ?? "",
      run: command,
      ...(typeof onWindows === "string" ? { runOnWindows: onWindows } : {}),
      agents: [agent],
      agentEvents: [entry.under],
      ...conditions,
      ...(deadline === undefined ? {} : { deadline })
    }
  })
  return { definitions, left, text: without(taking.text, taken) }
}

/** From the last one on: what stands before keeps its place. */
const without = (text: string, taken: readonly Entry[]): string => {
  let rest = text
  for (let at = taken.length - 1; at >= 0; at--) {
    const { handler } = taken[at] as Entry
    const root = Either.getOrUndefined(Doc.parseDocument(rest))?.root
    const now = entriesOf(root).find((one) => one.handler.offset === handler.offset)
    if (now !== undefined) rest = withoutEntry(rest, now)
  }
  return rest
}
