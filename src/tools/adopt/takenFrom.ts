/** What of an agent's settings can go under hooktape as it is: its command hooks as external hooks, and why others stay. */
import * as Either from "effect/Either"
import type { Node } from "jsonc-parser"
import { adapters } from "../../agents/adapters.ts"
import { type ExternalDefinition, listedIn } from "../../hooks/external.ts"
import type { InstallAgent } from "../install/dialects.ts"
import * as Doc from "../install/document.ts"
import { type Entry, entriesOf, fieldOf, withoutEntry } from "../install/entries.ts"
import { oursIn } from "../install/registrations.ts"

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
/** The agents whose matchers are known well enough to say them in another way. */
export const adoptable = ["claude-code", "codex", "gemini-cli"] as const
const isAdoptable = (agent: string): agent is (typeof adoptable)[number] =>
  (adoptable as readonly string[]).includes(agent)

/** Standard output is an answer to these that no intent can give. */
const ownAnswers: readonly string[] = ["WorktreeCreate", "WorktreeRemove", "BeforeToolSelection"]
const longestSeconds = 600

const keysOf = (node: Node | undefined): readonly string[] =>
  (node?.children ?? []).map((property) => String(property.children?.[0]?.value))

const matcherOf = ({ group, handler }: Entry): string | undefined => {
  const matcher = fieldOf(group === handler ? undefined : group, "matcher")
  return typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : undefined
}

const isPattern = (text: string): boolean => {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

/** Events at which agents look at no matcher. */
const unmatched =
  /^(?:UserPromptSubmit|PostToolBatch|Stop|TeammateIdle|TaskCreated|TaskCompleted|MessageDisplay|CwdChanged|BeforeAgent|AfterAgent|BeforeModel|AfterModel)$/

type Conditions = Pick<ExternalDefinition, "when" | "matcher">

const named = (names: readonly string[]): Conditions =>
  names.length === 1 ? { when: { toolName: names[0] } } : { when: { toolName: names } }

/** A matcher as conditions, as its agent reads it. */
const conditionsOf = (agent: InstallAgent, event: string, matcher: string | undefined): Conditions => {
  if (matcher === undefined || unmatched.test(event)) return {}
  const isTool = /Tool|Permission/.test(event)
  if (!isTool)
    return {
      matcher: agent === "gemini-cli" ? `^(?:${matcher.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})$` : matcher
    }
  const listed = agent === "claude-code" ? listedIn(matcher) : undefined
  if (listed !== undefined) return named(listed)
  if (!isPattern(matcher)) return named([matcher])
  // A patch is called by the names of the other agents' tools as well.
  const isPatch = agent === "codex" && ["Edit", "Write"].some((name) => new RegExp(matcher).test(name))
  return { when: { toolName: isPatch ? `/(?:${matcher})|^apply_patch$/` : `/${matcher}/` } }
}

const patternOf = (name: string): string =>
  /^\/(.*)\/$/s.exec(name)?.[1] ?? `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`

/** Where either holds. */
const either = (one: Conditions, other: Conditions): Conditions => {
  if (one.matcher !== undefined && other.matcher !== undefined)
    return { matcher: `(?:${one.matcher})|(?:${other.matcher})` }
  const names = [one, other].flatMap(({ when }) => (when?.["toolName"] ?? []) as string | readonly string[])
  if (one.when === undefined || other.when === undefined) return {}
  const all = [...new Set(names)]
  return all.some((name) => name.startsWith("/"))
    ? { when: { toolName: `/${all.map((name) => `(?:${patternOf(name)})`).join("|")}/` } }
    : named(all)
}

const reasonToLeave = (
  { agent, registered }: Taking,
  { group, handler, under }: Entry
): string | undefined => {
  const type = fieldOf(handler, "type")
  const command = fieldOf(handler, "command")
  if (typeof type === "string" && type !== "command") return `it is of type ${type}, no command`
  if (type !== "command" || typeof command !== "string")
    return 'it is not {"type": "command", "command": "…"}, and the agent runs nothing else'
  const more = keysOf(handler).find((key) => !plainKeys.includes(key))
  if (more !== undefined) return `"${more}" has no counterpart here`
  const besides = keysOf(group).find((key) => !["matcher", "hooks"].includes(key))
  if (besides !== undefined) return `"${besides}" has no counterpart here`
  if (ownAnswers.includes(under)) return "its output is an answer that only the agent can be given"
  if (adapters[agent].events[under] === undefined) return "hooktape does not know this event"
  if (!registered.includes(under)) return "hooktape is not called at this event"
  const matcher = matcherOf({ group, handler } as Entry)
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

export const takenFrom = (taking: Taking): Taken => {
  const { agent, names, root } = taking
  const definitions: ExternalDefinition[] = []
  const left: Left[] = []
  const known = new Set(names)
  /** Where each stands among the definitions. */
  const seen = new Map<string, number>()
  const taken: Entry[] = []
  for (const entry of entriesOf(root)) {
    const { handler, under } = entry
    if (oursIn(handler) !== undefined) continue
    const command = String(fieldOf(handler, "command") ?? "")
    const reason = isAdoptable(agent) ? reasonToLeave(taking, entry) : "the agent's matchers are not known"
    if (reason !== undefined) {
      left.push({ event: under, command, reason })
      continue
    }
    taken.push(entry)
    const conditions = conditionsOf(agent, under, matcherOf(entry))
    // Claude Code and Gemini CLI run the same command once, whichever of its matchers fit.
    const same = JSON.stringify([under, command])
    const before = agent === "codex" ? undefined : seen.get(same)
    const first = before === undefined ? undefined : definitions[before]
    if (before !== undefined && first !== undefined) {
      const { matcher, when, ...rest } = first
      definitions[before] = {
        ...rest,
        ...either({ ...(matcher && { matcher }), ...(when && { when }) }, conditions)
      }
      continue
    }
    seen.set(same, definitions.length)
    const name = nameFor(command, under, known)
    known.add(name)
    const timeout = fieldOf(handler, "timeout")
    const seconds = typeof timeout === "number" ? timeout / (agent === "gemini-cli" ? 1000 : 1) : undefined
    definitions.push({
      name,
      on: adapters[agent].events[under]?.event ?? "",
      run: command,
      agents: [agent],
      agentEvents: [under],
      ...conditions,
      ...(seconds !== undefined && seconds > 0
        ? { deadline: Math.round(Math.min(seconds, longestSeconds) * 1000) }
        : {})
    })
  }
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
