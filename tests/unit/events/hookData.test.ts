/** What a hook is told of errors, edits and checkpoints, and what it may carry itself. */
import { describe, expect, it } from "vitest"
import type { HookEvent } from "../../../events/agentEvents.ts"
import { userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { defineHook, isHook } from "../../../src/hooks/defineHook.ts"
import { registered, tell, type World } from "../../support/world.ts"

/** What a handler of this event saw. */
const seen = async (on: HookEvent, world: World) => {
  let context: Readonly<Record<string, unknown>> = {}
  const run = (given: object) => {
    context = { ...given }
  }
  await tell({ ...world, registry: registered({ a: { on, run } }) })
  return context
}

const afterTool = (tool: object): World => ({
  adapter: adapters["claude-code"],
  agentEvent: "PostToolUseFailure",
  payload: { session_id: "s", ...tool } as never
})

describe("a handler", () => {
  it("of an error sees its message, its signature and the tool", async () => {
    const failed = afterTool({
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      error: "Exit code 1\nError: Cannot find module 'x'"
    })
    expect(await seen("error.observed", failed)).toMatchObject({
      event: "error.observed",
      message: "Error: Cannot find module 'x'",
      signature: "error: cannot find module ‹text›",
      tool: { name: "Bash", exitCode: 1 }
    })
  })

  it("of an edit sees the path, the language and the kind of change", async () => {
    const edited: World = {
      adapter: adapters["claude-code"],
      agentEvent: "PostToolUse",
      payload: {
        session_id: "s",
        tool_name: "Edit",
        tool_input: { file_path: "/project/a.py", old_string: "1", new_string: "2" },
        tool_response: { filePath: "/project/a.py" }
      }
    }
    expect(await seen("file.edited", edited)).toMatchObject({
      path: "/project/a.py",
      language: "python",
      change: "update"
    })
  })

  it("of a session that is about to end has its say before those of the end", async () => {
    const ends = Object.values(adapters).flatMap((adapter) =>
      Object.entries(adapter.events).flatMap(([agentEvent, { event }]) =>
        event === "session.end" ? [{ adapter, agentEvent }] : []
      )
    )
    expect(ends.map(({ adapter }) => adapter.agent)).toEqual(
      expect.arrayContaining(["claude-code", "codex", "gemini-cli", "cursor", "raw"])
    )
    for (const end of ends) {
      const reasons: unknown[] = []
      const { find } = await tell({
        ...end,
        payload: { session_id: "s", hook_event_name: end.agentEvent, reason: "clear" },
        registry: registered({
          ended: { on: "session.end", priority: 0, run: () => {} },
          ending: {
            on: "session.ending",
            priority: 900,
            run: (given: object) => void reasons.push((given as { readonly reason?: unknown }).reason)
          }
        })
      })
      const order = find("HANDLER_SUCCEEDED").map(({ event, handler }) => [handler, event])
      expect(order, end.adapter.agent).toEqual([
        ["ending", "session.ending"],
        ["ended", "session.end"]
      ])
      expect(reasons, end.adapter.agent).toEqual(["clear"])
    }
  })

  it("of a checkpoint sees its figures", async () => {
    const recorded: World = {
      adapter: adapters.raw,
      agentEvent: "checkpoint.after",
      payload: { session: "s", quality: 91, tests: { passed: 7 } }
    }
    expect(await seen("checkpoint.after", recorded)).toMatchObject({
      event: "checkpoint.after",
      session: "s",
      quality: 91,
      tests: { passed: 7 }
    })
  })
})

describe("a failure", () => {
  it("is recorded with the line it came from", async () => {
    const { find } = await tell({
      registry: registered({
        a: () => {
          throw new Error("here")
        }
      })
    })
    expect(find("HANDLER_FAILED")[0]?.error.stack).toMatch(/hookData\.test\.ts:\d+:\d+/)
  })
})

describe("a run", () => {
  it("may carry the chain that it belongs to, with intents, with a patch, or alone", async () => {
    const { find } = await tell({
      registry: registered({
        alone: () => ({ chain: "error: x" }),
        all: async () => ({ chain: "c", intents: userHint("seen"), metadata: { a: 1 } }),
        none: () => ({ metadata: { a: 2 } })
      })
    })
    const of = find("HANDLER_SUCCEEDED").map(({ chain, intents, patch }) => ({ chain, intents, patch }))
    expect(of).toEqual([
      { chain: "error: x", intents: [], patch: undefined },
      { chain: "c", intents: [userHint("seen")], patch: { a: 1 } },
      { chain: undefined, intents: [], patch: { a: 2 } }
    ])
  })
})

describe("a hook", () => {
  it("carries its metadata along, and is enabled unless it says otherwise", async () => {
    const metadata = { owner: "me", links: ["a", "b"] }
    const hook = defineHook({ name: "a", on: "notify", metadata, run() {} })
    expect(isHook(hook)).toBe(true)
    expect(hook.metadata).toEqual(metadata)
    const told = await tell({
      registry: registered({ plain: () => {}, off: { enabled: false, run: () => {} } })
    })
    expect(told.find("HANDLER_SUCCEEDED").map(({ handler }) => handler)).toEqual(["plain"])
  })
})
