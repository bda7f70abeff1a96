/** Which hooks an invocation runs, in which order, and why others are left out. */
import { describe, expect, it } from "vitest"
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import type { HookContext } from "../../../src/hooks/HookContext.ts"
import type { Registered } from "../../../src/hooks/Registered.ts"
import { type PlanInput, plan } from "../../../src/runtime/registry.ts"
import { anyHook } from "../../support/anyHook.ts"
import { registered, tell } from "../../support/world.ts"

const shell: Tool = { kind: "shell", name: "Bash", command: "git push --force", input: {} }
const on = (...events: string[]) => events.map((event) => ({ event, data: {} }) as Dispatched)

const input = (more: Partial<PlanInput> = {}): PlanInput => ({
  agent: "claude-code",
  project: "/project",
  tool: shell,
  events: on("tool.before"),
  deadlineMs: 5000,
  ...more
})

const hook = (name: string, more: Partial<HookDefinition> = {}, withheld?: string): Registered => ({
  hook: anyHook({ name, on: "tool.before", run: () => {}, ...more }),
  source: `${name}.ts`,
  ...(withheld === undefined ? {} : { withheld })
})

const names = (registry: readonly Registered[], more: Partial<PlanInput> = {}) =>
  plan(registry, input(more)).handlers.map(({ handler, event }) => `${event} ${handler}`)

describe("a plan", () => {
  it("is empty where nobody subscribed", () => {
    expect(plan([], input())).toEqual({ handlers: [], left: [] })
    expect(plan([hook("a", { on: "turn.stop" })], input())).toEqual({ handlers: [], left: [] })
  })

  it("goes by priority, lower first, and by registration where that is equal", () => {
    const registry = [
      hook("late", { priority: 900 }),
      // By name it would be the other way round.
      hook("one of equals"),
      hook("another of equals", { priority: 500 }),
      hook("early", { priority: 0 })
    ]
    expect(names(registry)).toEqual(
      ["early", "one of equals", "another of equals", "late"].map((name) => `tool.before ${name}`)
    )
  })

  it("goes through the agent's event before those derived from it, whatever the priorities", () => {
    const registry = [hook("derived", { on: "command.ran", priority: 0 }), hook("own", { priority: 1000 })]
    expect(names(registry, { events: on("tool.before", "command.ran") })).toEqual([
      "tool.before own",
      "command.ran derived"
    ])
  })

  it("holds a hook once for each of its events, and counts through", () => {
    const registry = [hook("both", { on: ["tool.before", "command.ran"] }), hook("one")]
    const { handlers } = plan(registry, input({ events: on("tool.before", "command.ran") }))
    expect(handlers.map(({ handler, index }) => [handler, index])).toEqual([
      ["both", 0],
      ["one", 1],
      ["both", 2]
    ])
  })

  it("says all that a replay needs", () => {
    const registry = [hook("a", { priority: 7, deadline: "2 seconds", onFailure: "block" }), hook("b")]
    expect(plan(registry, input()).handlers).toEqual([
      {
        handler: "a",
        event: "tool.before",
        index: 0,
        priority: 7,
        deadlineMs: 2000,
        onFailure: "block",
        source: "a.ts"
      },
      {
        handler: "b",
        event: "tool.before",
        index: 1,
        priority: 500,
        deadlineMs: 5000,
        onFailure: "allow",
        source: "b.ts"
      }
    ])
  })

  it("gives nobody more time than the invocation has", () => {
    const { handlers } = plan([hook("a", { deadline: "1 minute" })], input({ deadlineMs: 1000 }))
    expect(handlers[0]?.deadlineMs).toBe(1000)
  })

  it("names those it left out and why", () => {
    const registry = [
      hook("off", { enabled: false }),
      hook("other agent", { agents: ["codex"] }),
      hook("other command", { when: { command: "npm publish" } }),
      hook("strange", {}, "not trusted"),
      hook("runs", { agents: ["claude-code"], when: { tool: "shell", command: /--force/ } })
    ]
    const { handlers, left } = plan(registry, input())
    expect(handlers.map(({ handler }) => handler)).toEqual(["runs"])
    expect(left.map(({ handler, reason }) => [handler, reason])).toEqual([
      ["off", "disabled"],
      ["other agent", "not for claude-code"],
      ["other command", "when: command does not match"],
      ["strange", "not trusted"]
    ])
  })

  it("asks for the agent in a condition", () => {
    const registry = [
      hook("this", { when: { agent: "claude-code" } }),
      hook("one of these", { when: { agent: ["codex", "claude-code"] } }),
      hook("another", { when: { agent: "gemini-cli" } })
    ]
    const { handlers, left } = plan(registry, input())
    expect(handlers.map(({ handler }) => handler)).toEqual(["this", "one of these"])
    expect(left).toEqual([{ handler: "another", event: "tool.before", reason: "when: agent is claude-code" }])
  })

  it("carries how often a handler is tried", () => {
    const registry = [hook("a", { retry: 3 }), hook("b", { retry: { attempts: 2, delay: "1 second" } })]
    expect(plan(registry, input()).handlers.map(({ retry }) => retry)).toEqual([
      { attempts: 3, delayMs: 100 },
      { attempts: 2, delayMs: 1000 }
    ])
  })

  it("leaves the registry as it was", () => {
    const registry = [hook("b", { priority: 2 }), hook("a", { priority: 1 })]
    plan(registry, input())
    expect(registry.map(({ hook: { name } }) => name)).toEqual(["b", "a"])
  })
})

/** Why Claude Code is told not to use the tool. */
const denied = (delivery: { readonly stdout: string } | undefined): string => {
  const { hookSpecificOutput } = JSON.parse(delivery?.stdout ?? "{}")
  expect(hookSpecificOutput).toMatchObject({ permissionDecision: "deny" })
  return hookSpecificOutput.permissionDecisionReason
}

describe("a condition that does not come to an end", () => {
  it("leaves its hook to its policy instead of holding the invocation", async () => {
    const endless = { when: { command: /^(\w+\s?)*$/ }, onFailure: "block" as const, run: () => {} }
    const { find, delivered } = await tell({
      adapter: adapters["claude-code"],
      agentEvent: "PreToolUse",
      payload: { tool_name: "Bash", tool_input: { command: `${"a".repeat(46)}!` } },
      registry: registered({
        guard: { ...endless, on: "tool.before" },
        next: { on: "tool.before", run: () => {} }
      })
    })
    expect(find("HANDLER_SKIPPED")[0]).toMatchObject({ handler: "guard", policy: "block" })
    expect(denied(delivered[0])).toContain("its condition took too long")
    expect(find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["next"])
  })
})

describe("a predicate", () => {
  const claude = { adapter: adapters["claude-code"], agentEvent: "PreToolUse" }
  const payload = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } }

  const judgedBy = (matches: unknown, more: Partial<HookDefinition> = {}) =>
    tell({
      ...claude,
      payload,
      registry: registered({
        guard: {
          on: "tool.before",
          when: { tool: "shell", matches: matches as never },
          run: () => {},
          ...more
        },
        next: { on: "tool.before", run: () => {} }
      })
    })

  const started = ({ find }: Awaited<ReturnType<typeof tell>>) =>
    find("HANDLER_STARTED").map(({ handler }) => handler)

  it("decides by the context of the handler, and its no is on the log", async () => {
    const seen: unknown[] = []
    const told = await judgedBy((context: HookContext<"tool.before">) => {
      seen.push([context.event, context.session, context.tool.command, context.metadata])
      return context.tool.command === "rm"
    })
    expect(seen).toEqual([["tool.before", "s", "ls", {}]])
    expect(started(told)).toEqual(["next"])
    expect(told.find("HANDLERS_PLANNED")[0]?.left).toEqual([
      { handler: "guard", event: "tool.before", reason: "when: matches said no" }
    ])
    expect(started(await judgedBy(() => true))).toEqual(["guard", "next"])
  })

  it("is asked only when all else holds, and changes nobody's context", async () => {
    let asked = 0
    const count = (context: HookContext<"tool.before">) => {
      asked++
      ;(context.payload as Record<string, unknown>)["tool_name"] = "Edit"
      return true
    }
    await judgedBy(count, { when: { tool: "edit", matches: count as never } })
    expect(asked).toBe(0)
    const told = await tell({
      ...claude,
      payload,
      registry: registered({
        one: { on: "tool.before", when: { matches: count as never }, run: () => {} },
        two: {
          on: "tool.before",
          when: { matches: ({ payload }) => (payload as JsonObject)["tool_name"] === "Bash" },
          run: () => {}
        }
      })
    })
    expect(started(told)).toEqual(["one", "two"])
  })

  it.each([
    // The last one is left when the deadline has passed; the others are not to meet it.
    ["fails", () => JSON.parse("no"), /its condition failed: .*JSON/],
    [
      "throws what is no text",
      () => {
        throw Object.create(null)
      },
      /its condition failed: threw \[object Object\]/
    ],
    ["answers something else", () => "yes", /answered neither true nor false/],
    ["answers later", async () => true, /answered neither true nor false/],
    [
      "spins",
      () => {
        for (;;);
      },
      /took too long/
    ]
  ])("that %s leaves its hook to its policy", async (what, matches, reason) => {
    const told = await tell({
      ...claude,
      payload,
      deadlineMs: what === "spins" ? 300 : 30_000,
      registry: registered({
        guard: { on: "tool.before", when: { matches: matches as never }, onFailure: "block", run: () => {} }
      })
    })
    expect(told.find("HANDLER_SKIPPED")[0]).toMatchObject({ reason: expect.stringMatching(reason) })
    expect(denied(told.delivered[0])).toMatch(reason)
  })
})
