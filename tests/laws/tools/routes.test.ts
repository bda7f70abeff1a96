/** Who is left without being asked has nothing to hear: routes agree with the plan of the full way, on every fixture and any hooks. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type Agent, canonicalEvents, derivedEvents, type ToolKind } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { namedTools } from "../../../src/agents/namedTools.ts"
import { defaults } from "../../../src/features/defaults.ts"
import type { Past } from "../../../src/history/Past.ts"
import { defineHook, type Hook, type HookDefinition } from "../../../src/hooks/defineHook.ts"
import { type RouteTable, routeOf } from "../../../src/runtime/builds/routeTable.ts"
import { plan } from "../../../src/runtime/registry.ts"
import type { HookSettings } from "../../../src/state/config.ts"
import type { FoundHook } from "../../../src/tools/build/check.ts"
import { describeHook } from "../../../src/tools/build/report.ts"
import { routesOf } from "../../../src/tools/build/routes.ts"
import { findShipped } from "../../../src/tools/build/shipped.ts"
import { holds } from "../../support/arbitrary.ts"

const folder = join(import.meta.dirname, "..", "..", "fixtures")

interface Fixture {
  readonly agent: Agent
  readonly native: string
  readonly payload: JsonObject
}

const isAgent = (name: string): name is Agent => Object.hasOwn(adapters, name)

const recorded: readonly Fixture[] = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
  .flatMap(({ name, parentPath }) => {
    const path = relative(folder, join(parentPath, name))
    const agent = path.split("/").find(isAgent)
    const native = basename(name, ".json").replace(/[.-].*$/, "")
    if (agent === undefined || !Object.hasOwn(adapters[agent].events, native)) return []
    const payload: unknown = JSON.parse(readFileSync(join(folder, path), "utf8"))
    return typeof payload === "object" && payload !== null && !Array.isArray(payload)
      ? [{ agent, native, payload: payload as JsonObject }]
      : []
  })

/** The same calls of every tool that an agent's table knows, and of some that none does. */
const fixtures: readonly Fixture[] = recorded.flatMap((one) =>
  typeof one.payload["tool_name"] === "string"
    ? [
        one,
        ...[...(namedTools[one.agent] ?? []), "mcp__a__b", "Unheard"].map((tool_name) => ({
          ...one,
          payload: { ...one.payload, tool_name }
        }))
      ]
    : [one]
)

const natives = Object.fromEntries(
  Object.entries(adapters).map(([agent, { events }]) => [
    agent,
    Object.fromEntries(Object.entries(events).map(([native, { event }]) => [native, event]))
  ])
)

interface Set {
  readonly hook: Hook
  readonly settings: HookSettings | undefined
}

const foundHook = ({ hook }: Set, at: number): FoundHook => ({
  file: `/h/${at}.ts`,
  owner: "user",
  name: "default",
  path: [],
  hook: hook.name,
  on: typeof hook.on === "string" ? [hook.on] : hook.on,
  priority: undefined,
  enabled: hook.enabled !== false,
  deadline: undefined,
  fields: describeHook(hook)
})

const tableOf = (sets: readonly Set[]): RouteTable =>
  routesOf({
    hooks: sets.map(foundHook),
    settings: {
      user: Object.fromEntries(
        sets.flatMap(({ hook, settings }) => (settings ? [[hook.name, settings]] : []))
      ),
      hooktape: {}
    },
    manifest: { natives, withheld: [] }
  })

/** As src/programs/client/route.c decides. */
const isLeft = (table: RouteTable, { agent, native, payload }: Fixture): boolean => {
  const route = routeOf(table, agent, native)
  if (route === undefined) return false
  const tool = payload["tool_name"]
  return route.tools === "all" || (typeof tool === "string" && route.tools.includes(tool))
}

/** Whoever says by hand that a hook is on, it is on. */
const switchedOn: Past = {
  switched: () => ({ enabled: true, reason: "by hand" }),
  admit: () => undefined,
  stops: () => undefined,
  complaints: () => []
} as unknown as Past

/** As a bundle has them: without those that the configuration took out, the others with what it says of them. */
const registryOf = (sets: readonly Set[]) =>
  sets.map(({ hook, settings }, at) => ({
    hook: { ...hook, ...settings } as Hook,
    source: `/h/${at}.ts`,
    ...(settings?.enabled === false && hook.enabled !== false
      ? { withheld: "disabled in the configuration" }
      : {})
  }))

/** Whoever has a word before the agent goes on; with hooks that are off switched on, too. */
const answering = (sets: readonly Set[], { agent, native, payload }: Fixture): readonly string[] => {
  const decoded = adapters[agent].decode(native, payload)
  const input = {
    agent,
    project: "/home/me/project",
    tool: decoded.tool,
    events: decoded.events,
    deadlineMs: 5000,
    invocation: "01890000-0000-7000-8000-000000000001"
  }
  const registry = registryOf(sets)
  return [undefined, switchedOn].flatMap((past) =>
    plan(registry, { ...input, past }).handlers.map(({ handler }) => handler)
  )
}

const toolKinds: readonly ToolKind[] = ["shell", "read", "edit", "search", "web", "mcp", "task", "other"]
const agentNames = Object.keys(adapters) as readonly Agent[]
const toolNames = [...new Set(Object.values(namedTools).flat())]
const events = [...canonicalEvents, ...derivedEvents, "agent.Unheard", "agent.TaskCreated"]
const some = <A>(...values: readonly A[]) =>
  FastCheck.uniqueArray(FastCheck.constantFrom(...values), { minLength: 1, maxLength: 3 })
const oneOrSome = <A>(...values: readonly A[]) =>
  FastCheck.oneof(FastCheck.constantFrom(...values), some(...values))

const rarely = <A>(value: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof({ weight: 7, arbitrary: FastCheck.constant(undefined) }, { weight: 1, arbitrary: value })

const when = FastCheck.record({
  tool: FastCheck.option(oneOrSome(...toolKinds), { nil: undefined }),
  toolName: rarely(
    FastCheck.oneof(FastCheck.constantFrom(...toolNames), FastCheck.constantFrom(/^Re/, /e/i, /never/))
  ),
  agent: rarely(oneOrSome(...agentNames)),
  command: rarely(FastCheck.constantFrom("rm", /npm/)),
  path: rarely(FastCheck.constantFrom("src/**", "**")),
  project: rarely(FastCheck.constantFrom("/home/**", "/elsewhere/**"))
}).map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)))

const on = FastCheck.oneof(
  oneOrSome("tool.before", "tool.after", "file.edited", "command.ran", "error.observed"),
  oneOrSome(...events)
)

const set: FastCheck.Arbitrary<Set> = FastCheck.record({
  hook: FastCheck.record(
    {
      name: FastCheck.string({ minLength: 1, maxLength: 6, unit: "grapheme-ascii" }),
      on,
      run: FastCheck.constant(() => undefined),
      when,
      agents: some(...agentNames),
      enabled: FastCheck.boolean(),
      background: FastCheck.boolean(),
      onFailure: FastCheck.constantFrom("allow" as const, "block" as const)
    },
    { requiredKeys: ["name", "on", "run"] }
  ).map((definition) => defineHook(definition as unknown as HookDefinition)),
  settings: FastCheck.option(
    FastCheck.record({ enabled: FastCheck.boolean(), background: FastCheck.boolean() }, { requiredKeys: [] }),
    { nil: undefined }
  )
})

const sets = FastCheck.uniqueArray(set, { maxLength: 4, selector: ({ hook }) => hook.name })

const shipped = defaults.map(({ hook }): Set => ({ hook, settings: undefined }))

describe("routes", () => {
  it("leave no call on which a hook has a word", () => {
    const seen = { left: 0, answered: 0 }
    holds(
      sets,
      (some) => {
        const table = tableOf(some)
        for (const fixture of fixtures) {
          const said = answering(some, fixture)
          const left = isLeft(table, fixture)
          if (left) expect(said, `${fixture.agent} ${fixture.native}`).toEqual([])
          if (left) seen.left++
          if (said.length > 0) seen.answered++
        }
      },
      300
    )
    // It looked at more than nothing.
    expect(seen.left).toBeGreaterThan(1000)
    expect(seen.answered).toBeGreaterThan(1000)
  }, 60_000)

  it("leave no call on which a shipped hook has a word", () => {
    const table = tableOf(shipped)
    for (const fixture of fixtures)
      if (isLeft(table, fixture)) expect(answering(shipped, fixture), fixture.native).toEqual([])
  })

  it("are as the build makes them of shipped hooks", () => {
    const table = routesOf({
      hooks: findShipped((module) => module),
      settings: { user: {}, hooktape: {} },
      manifest: { natives, withheld: [] }
    })
    expect(table).toEqual(tableOf(shipped))
    expect(table["claude-code"]?.["PreToolUse"]).toEqual({
      reply: "",
      tools: (namedTools["claude-code"] ?? []).filter((name) => !/Bash|PowerShell|Edit|^Write/.test(name))
    })
    for (const native of ["Stop", "Notification", "SubagentStop", "PreCompact", "PermissionRequest"])
      expect(routeOf(table, "claude-code", native), native).toEqual({ reply: "", tools: "all" })
    for (const native of ["SessionStart", "SessionEnd", "UserPromptSubmit", "PostToolUse"])
      expect(routeOf(table, "claude-code", native), native).toBeUndefined()
    expect(routeOf(table, "cursor", "stop")).toEqual({ reply: "{}", tools: "all" })
  })

  it("leave no prompt and no start of a session where the human is told of files that are left out", () => {
    const file = { file: ".hooktape/hooks/a.ts", reason: "not trusted" }
    for (const manifest of [
      { natives, withheld: [file] },
      { natives, withheld: [], held: [file] }
    ]) {
      const table = routesOf({ hooks: [], settings: { user: {}, hooktape: {} }, manifest })
      expect(routeOf(table, "claude-code", "UserPromptSubmit")).toBeUndefined()
      expect(routeOf(table, "claude-code", "SessionStart")).toBeUndefined()
      expect(routeOf(table, "claude-code", "PreToolUse")).toEqual({ reply: "", tools: "all" })
    }
  })
})
