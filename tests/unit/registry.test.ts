/** Which hooks an invocation runs, in which order, and why others are left out. */
import { describe, expect, it } from "vitest"
import type { Dispatched, Tool } from "../../events/agentEvents.ts"
import { adapters } from "../../src/adapters/adapters.ts"
import { type PlanInput, plan, type Registered } from "../../src/engine/registry.ts"
import { defineHook, type HookDefinition } from "../../src/hooks/defineHook.ts"
import { registered, tell } from "../support/world.ts"

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
  hook: defineHook({ name, on: "tool.before", run: () => {}, ...more }),
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
      hook("first of equals"),
      hook("second of equals", { priority: 500 }),
      hook("early", { priority: 0 })
    ]
    expect(names(registry)).toEqual(
      ["early", "first of equals", "second of equals", "late"].map((name) => `tool.before ${name}`)
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

  it("leaves the registry as it was", () => {
    const registry = [hook("b", { priority: 2 }), hook("a", { priority: 1 })]
    plan(registry, input())
    expect(registry.map(({ hook: { name } }) => name)).toEqual(["b", "a"])
  })
})

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
    expect(delivered[0]).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("its condition took too long")
    })
    expect(find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["next"])
  })
})
