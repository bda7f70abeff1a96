/** Who is left without being asked has nothing to hear: routes agree with the plan of the full way, on every fixture and any hooks. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type Agent, canonicalEvents, derivedEvents, type ToolKind } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Decoded } from "../../../src/agents/Adapter.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { namedTools } from "../../../src/agents/namedTools.ts"
import { defaults } from "../../../src/features/defaults.ts"
import { glance } from "../../../src/features/guard/plain.ts"
import type { Past } from "../../../src/history/Past.ts"
import type { Hook, HookDefinition } from "../../../src/hooks/defineHook.ts"
import { type RouteTable, routeOf } from "../../../src/runtime/builds/routeTable.ts"
import { plan } from "../../../src/runtime/registry.ts"
import type { HookSettings } from "../../../src/state/configShape.ts"
import type { FoundHook } from "../../../src/tools/build/check.ts"
import { describeHook } from "../../../src/tools/build/report.ts"
import { routesOf } from "../../../src/tools/build/routes.ts"
import { findShipped } from "../../../src/tools/build/shipped.ts"
import { anyHook } from "../../support/anyHook.ts"
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

/** Calls of shells, with a command that only looks and with one that does not. */
const shellCalls: readonly Fixture[] = [
  ...new Map(
    fixtures
      .filter(({ payload }) => /bash|shell|exec|Unheard/i.test(String(payload["tool_name"])))
      .map((one) => [`${one.agent} ${one.native} ${one.payload["tool_name"]}`, one] as const)
  ).values()
].flatMap((one) =>
  [{ command: "git status" }, { command: "git push", cmd: "ls" }, { cmd: "ls" }].map((tool_input) => ({
    ...one,
    payload: { ...one.payload, tool_input }
  }))
)

const natives = Object.fromEntries(
  Object.entries(adapters).map(([agent, { events }]) => [
    agent,
    Object.fromEntries(Object.entries(events).map(([native, { event }]) => [native, event]))
  ])
)

interface Set {
  readonly isShipped?: boolean
  readonly hook: Hook
  readonly settings: HookSettings | undefined
}

const foundHook = ({ hook, isShipped }: Set, at: number): FoundHook => ({
  file: `/h/${at}.ts`,
  owner: isShipped ? "hooktape" : "user",
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
  const { shells = [], tools } = route
  const tool = payload["tool_name"]
  if (tools === "all") return true
  if (typeof tool !== "string") return false
  const command = (payload["tool_input"] as JsonObject | undefined)?.["command"]
  if (tools.includes(tool)) return true
  if (!shells.includes(tool) || typeof command !== "string") return false
  const { isPlain, startsScript } = glance(command)
  // A script of a package is left only where no package is in reach.
  return isPlain && !startsScript
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
  sets.map(({ hook, isShipped, settings }, at) => ({
    hook: { ...hook, ...settings } as Hook,
    source: isShipped ? `hooktape:${hook.name}` : `/h/${at}.ts`,
    ...(settings?.enabled === false && hook.enabled !== false
      ? { withheld: "disabled in the configuration" }
      : {})
  }))

/** What is decoded of a call is the same whichever hooks look at it, and nobody changes it. */
const decodedOf = new Map<Fixture, Decoded>()
const decode = (fixture: Fixture): Decoded => {
  const known = decodedOf.get(fixture)
  if (known !== undefined) return known
  const decoded = adapters[fixture.agent].decode(fixture.native, fixture.payload)
  decodedOf.set(fixture, decoded)
  return decoded
}

/** Whoever has a word before the agent goes on; with hooks that are off switched on, too. */
const answering = (sets: readonly Set[], fixture: Fixture): readonly string[] => {
  const { agent } = fixture
  const decoded = decode(fixture)
  const input = {
    agent,
    project: "/home/me/project",
    tool: decoded.tool,
    events: decoded.events,
    deadlineMs: 5000,
    context: () => ({ tool: decoded.tool, cwd: "/home/me/project", project: "/home/me/project" }) as never,
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
  ).map((definition) => anyHook(definition as unknown as HookDefinition)),
  settings: FastCheck.option(
    FastCheck.record({ enabled: FastCheck.boolean(), background: FastCheck.boolean() }, { requiredKeys: [] }),
    { nil: undefined }
  )
})

const sets = FastCheck.uniqueArray(set, { maxLength: 4, selector: ({ hook }) => hook.name })

const shipped = defaults.map(({ hook }): Set => ({ hook, settings: undefined, isShipped: true }))
const guards = shipped.filter(({ hook }) => hook.name === "guard-destructive" || hook.name === "own-guards")

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
  }, 240_000)

  it("leave no call on which a shipped hook has a word", () => {
    const table = tableOf(shipped)
    for (const fixture of fixtures)
      if (isLeft(table, fixture)) expect(answering(shipped, fixture), fixture.native).toEqual([])
  })

  it("leave no plain command on which a hook beside the guards has a word", () => {
    const seen = { left: 0, answered: 0 }
    holds(
      sets,
      (some) => {
        const all = [...guards, ...some]
        const table = tableOf(all)
        for (const fixture of shellCalls) {
          const said = answering(all, fixture)
          const left = isLeft(table, fixture)
          if (left) expect(said, `${fixture.agent} ${fixture.native}`).toEqual([])
          if (left && routeOf(table, fixture.agent, fixture.native)?.shells !== undefined) seen.left++
          if (said.length > 0) seen.answered++
        }
      },
      100
    )
    expect(seen.left).toBeGreaterThan(100)
    expect(seen.answered).toBeGreaterThan(100)
  }, 240_000)

  it("know no guard by its name alone", () => {
    const named = tableOf(guards.map(({ hook }) => ({ hook, settings: undefined })))
    expect(named["claude-code"]?.["PreToolUse"]?.tools).toContain("Read")
    expect(named["claude-code"]?.["PreToolUse"]?.shells).toBeUndefined()
  })

  it("are as the build makes them of shipped hooks", () => {
    const table = routesOf({
      hooks: findShipped((module) => module).filter(({ serves }) => serves === undefined),
      settings: { user: {}, hooktape: {} },
      manifest: { natives, withheld: [] }
    })
    expect(table).toEqual(tableOf(shipped))
    expect(table["claude-code"]?.["PreToolUse"]).toEqual({
      reply: "",
      tools: (namedTools["claude-code"] ?? []).filter((name) => !/Bash|PowerShell|Edit|^Write/.test(name)),
      shells: ["Bash", "PowerShell"]
    })
    // Its `exec_command` has the command elsewhere.
    expect(table["codex"]?.["PreToolUse"]?.shells).toEqual(["Bash", "shell"])
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
