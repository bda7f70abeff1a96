/** The twelve moments that hook managers have in common: each has an event here, and what a hook may do at it works. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { canonicalEvents, derivedEvents, type HookEvent } from "../../../events/agentEvents.ts"
import {
  blockingFeedback,
  diagnostic,
  type JsonObject,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import { lifecycle, type Moment } from "../../../events/lifecycle.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { rows } from "../../support/markdown.ts"
import { registered, tell } from "../../support/world.ts"

const moments: readonly (readonly [string, Moment])[] = Object.entries(lifecycle)
const edit: JsonObject = {
  tool_name: "Edit",
  tool_input: { file_path: "/p/a.py", old_string: "1", new_string: "2" },
  tool_response: { filePath: "/p/a.py" }
}
const own = { trigger: "manual", quality: 70, components: [], checkpoint: "c" }

/** A call at which each moment comes about, as an agent or hooktape itself makes it. */
const calls: Readonly<
  Record<string, readonly [agent: "claude-code" | "raw", event: string, payload: JsonObject]>
> = {
  "checkpoint.before": ["raw", "checkpoint.before", own],
  "checkpoint.after": ["raw", "checkpoint.after", own],
  "reflection.before": ["raw", "reflection.before", { text: "remember", source: "operator" }],
  "search.before": ["raw", "search.before", { query: "redis" }],
  "tool.before": ["claude-code", "PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }],
  "tool.after": ["claude-code", "PostToolUse", edit],
  "file.edited": ["claude-code", "PostToolUse", edit],
  "error.observed": [
    "claude-code",
    "PostToolUseFailure",
    { tool_name: "Bash", tool_input: {}, error: "Error: no" }
  ],
  "session.start": ["claude-code", "SessionStart", { source: "startup" }],
  "session.ending": ["claude-code", "SessionEnd", { reason: "exit" }],
  "session.end": ["claude-code", "SessionEnd", { reason: "exit" }],
  "prompt.submit": ["claude-code", "UserPromptSubmit", { prompt: "hi" }]
}

type Handlers = Parameters<typeof registered>[0]

const at = (event: HookEvent, handlers: Handlers) => {
  const [agent, agentEvent, payload] = calls[event] ?? ["raw", event, {}]
  return tell({
    adapter: adapters[agent],
    agentEvent,
    payload: { session_id: "s", session: "s", cwd: "/p", ...payload },
    registry: registered(
      Object.fromEntries(
        Object.entries(handlers).map(([name, run]) => [name, { on: event, run: run as never }])
      )
    )
  })
}

describe("the twelve moments", () => {
  it("are these, each with an event of its own", () => {
    expect(moments).toHaveLength(12)
    const events = moments.map(([, { event }]) => event)
    expect(new Set(events).size).toBe(12)
    for (const event of events) expect([...canonicalEvents, ...derivedEvents]).toContain(event)
    expect(Object.keys(calls).toSorted()).toEqual(events.toSorted())
  })

  it("stand on the page of events, with what a hook may do there", () => {
    const page = readFileSync(new URL("../../../docs/reference/events.md", import.meta.url), "utf8")
    const table = rows(page.split(/^## /m).find((part) => part.startsWith("Twelve moments")) ?? "").slice(1)
    expect(table.map(([elsewhere, here, kind]) => [elsewhere, here, kind])).toEqual(
      moments.map(([name, { event, kind }]) => [name, `\`${event}\``, kind])
    )
  })

  it.each(moments)("%s runs its hooks, which may judge what they see", async (_, { event }) => {
    let seen: JsonObject = {}
    const told = await at(event, {
      judge: (context) => {
        seen = { event: context.event }
        return diagnostic("info", "judged")
      }
    })
    expect(seen).toEqual({ event })
    expect(told.find("HANDLER_SUCCEEDED")).toMatchObject([{ handler: "judge", event }])
  })

  it.each(moments.filter(([, { stops }]) => stops !== undefined))(
    "%s can be stopped, and the hooks after the one that did run all the same",
    async (_, { event }) => {
      const told = await at(event, { stop: () => blockingFeedback("not this"), next: () => userHint("next") })
      expect(told.find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["stop", "next"])
      const [reply] = told.delivered
      expect(`${reply?.stdout}${reply?.stderr}`).toContain("not this")
      const channel = told.find("REPLY_DELIVERED")[0]?.channels.find(({ handler }) => handler === "stop")
      expect(channel).toMatchObject({ intent: "BLOCKING_FEEDBACK" })
      expect(channel?.channel).not.toBe("undeliverable")
    }
  )

  it("changes a tool's input, later keys over earlier, and a prompt by what is added", async () => {
    const tool = await at("tool.before", {
      one: () => modelContext({ updatedInput: { command: "ls -a", a: 1 } }),
      two: () => modelContext({ updatedInput: { command: "ls -l" } })
    })
    expect(JSON.parse(tool.delivered[0]?.stdout ?? "")).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "ls -l", a: 1 } }
    })
    const whole = await at("tool.before", {
      one: () => modelContext({ updatedInput: { a: 1 } }),
      two: () => modelContext({ updatedInput: { command: "ls -l" }, replacesInput: true }),
      three: () => modelContext({ updatedInput: { b: 2 } })
    })
    expect(JSON.parse(whole.delivered[0]?.stdout ?? "").hookSpecificOutput.updatedInput).toEqual({
      command: "ls -l",
      b: 2
    })
    const prompt = await at("prompt.submit", { add: () => modelContext("and be brief") })
    expect(prompt.delivered[0]?.stdout).toContain("and be brief")
  })

  it.each([
    ["search.before", { query: "cache" }],
    ["reflection.before", { text: "forget" }]
  ] as const)("changes what %s is about by a patch, which later hooks see", async (event, patch) => {
    const seen: unknown[] = []
    const told = await at(event, {
      change: () => ({ metadata: patch }),
      look: ({ metadata }) => {
        seen.push(metadata)
      }
    })
    expect(seen).toEqual([patch])
    expect(told.find("HANDLER_SUCCEEDED")[0]?.patch).toEqual(patch)
  })

  it("has the hooks of a session's end prepared for: its last chance comes before it, its beginning before all", async () => {
    const order: string[] = []
    const run = ({ event }: { readonly event: string }) => void order.push(event)
    const ends = ["session.end", "session.ending"] as const
    await tell({
      adapter: adapters["claude-code"],
      agentEvent: "SessionEnd",
      payload: { session_id: "s", reason: "exit" },
      registry: registered({ clear: { on: ends, run: run as never } })
    })
    expect(order).toEqual(["session.ending", "session.end"])
    await at("session.start", { prepare: run as never })
    expect(order.at(-1)).toBe("session.start")
  })
})
