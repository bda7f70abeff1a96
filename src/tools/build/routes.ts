/** Which calls need no handler's process: those on which, as far as static data tells, no foreground hook has a word. */
import type { Agent, Tool } from "../../../events/agentEvents.ts"
import { adapters } from "../../agents/adapters.ts"
import { namedTools } from "../../agents/namedTools.ts"
import { empty } from "../../agents/reply.ts"
import { eventsIn } from "../../runtime/builds/reach.ts"
import type { Route, RouteTable } from "../../runtime/builds/routeTable.ts"
import type { Manifest } from "../../state/manifest.ts"
import type { FoundHook } from "./check.ts"
import { hinted, type Plan, settingsOf } from "./generate.ts"
import { isForeground } from "./leavable.ts"

export interface Routing extends Pick<Plan, "hooks" | "settings"> {
  readonly manifest: Pick<Manifest, "natives" | "withheld" | "held">
}

/** They enter a session and its guards, and end them. */
const opensOrEnds = (event: string): boolean =>
  event === "session.start" || event === "session.end" || event === "session.setup"

/** What a hook's `when` and `agents` say in plain words; anything else, such as a pattern, may hold. */
const lists = (value: unknown): readonly string[] | undefined => {
  if (typeof value === "string") return [value]
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined
}

const admits = (allowed: unknown, one: string): boolean => lists(allowed)?.includes(one) ?? true

const mayHold = (hook: FoundHook, agent: string, tool: Tool | undefined): boolean => {
  const { agents, when } = hook.fields
  if (!admits(agents, agent)) return false
  if (typeof when !== "object" || when === null) return true
  const conditions = when as Readonly<Record<string, unknown>>
  if (!admits(conditions["agent"], agent)) return false
  return (
    tool === undefined || (admits(conditions["tool"], tool.kind) && admits(conditions["toolName"], tool.name))
  )
}

/** The guards that leave out a command which only looks, before they look at anything else: their `when.matches` asks `isPlain`. */
const glancing: readonly string[] = ["guard-destructive", "own-guards"]

/** Shipped ones, as they are: a hook of another's with the same name is that one's. */
const isGlancing = ({ hook, owner }: FoundHook): boolean => owner === "hooktape" && glancing.includes(hook)

/** Of what may follow from an event, what can follow from a call of this tool. */
const eventsOf = (event: string, tool: Tool | undefined): readonly string[] =>
  eventsIn(event).filter(
    (one) =>
      tool === undefined ||
      ((one !== "file.edited" || tool.kind === "edit") && (one !== "command.ran" || tool.kind === "shell"))
  )

/** The tool as a payload names it: kind and name need no more. */
const toolCalled = (agent: Agent, native: string, name: string): Tool | undefined =>
  adapters[agent].decode(native, { tool_name: name, tool_input: {} }).tool

/** The client looks for a shell's command where it stands in the input of these tools. */
const hasCommand = (agent: Agent, native: string, name: string): boolean => {
  const tool = adapters[agent].decode(native, { tool_name: name, tool_input: { command: "ls" } }).tool
  return tool?.kind === "shell" && tool.command === "ls"
}

const isAgent = (agent: string): agent is Agent => Object.hasOwn(adapters, agent)

export const routesOf = ({ hooks, manifest, settings }: Routing): RouteTable => {
  const foreground = hooks.filter((hook) => isForeground(hook, settingsOf(settings, hook)))
  const listening = (agent: Agent, event: string, tool?: Tool): readonly FoundHook[] => {
    const events = eventsOf(event, tool)
    return foreground.filter(
      (hook) => hook.on.some((one) => events.includes(one)) && mayHold(hook, agent, tool)
    )
  }
  const isQuiet = (agent: Agent, event: string, tool?: Tool): boolean =>
    listening(agent, event, tool).length === 0
  const isTold = (event: string): boolean =>
    hinted.includes(event) && manifest.withheld.length + (manifest.held ?? []).length > 0

  const routeOf = (agent: Agent, native: string, event: string): Route | undefined => {
    const { exitCode, stderr, stdout } = adapters[agent].encode(native, "command", empty)
    if (exitCode !== 0 || stderr !== "" || opensOrEnds(event) || isTold(event)) return undefined
    const reply = stdout.trimEnd()
    if (isQuiet(agent, event)) return { reply, tools: "all" }
    const called = (namedTools[agent] ?? []).flatMap((name) => {
      const tool = toolCalled(agent, native, name)
      return tool === undefined ? [] : [{ name, listening: listening(agent, event, tool) }]
    })
    const tools = called.filter(({ listening }) => listening.length === 0).map(({ name }) => name)
    const shells = called
      .filter(({ listening }) => listening.length > 0 && listening.every(isGlancing))
      .map(({ name }) => name)
      .filter((name) => hasCommand(agent, native, name))
    if (tools.length + shells.length === 0) return undefined
    return { reply, tools, ...(shells.length === 0 ? {} : { shells }) }
  }

  return Object.fromEntries(
    Object.entries(manifest.natives).flatMap(([agent, natives]) => {
      if (!isAgent(agent)) return []
      const routes = Object.entries(natives).flatMap(([native, event]) => {
        const route = routeOf(agent, native, event)
        return route === undefined ? [] : [[native, route] as const]
      })
      return [[agent, Object.fromEntries(routes)] as const]
    })
  )
}
