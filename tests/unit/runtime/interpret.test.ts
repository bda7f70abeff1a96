/** A whole invocation in memory: which facts, in which order, and what is answered. */
import { describe, expect, it } from "vitest"
import {
  blockingFeedback,
  diagnostic,
  exitSignal,
  type Intent,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { anyHook } from "../../support/anyHook.ts"
import { memoryEdge, registered, tell } from "../../support/world.ts"

const told = ["INVOCATION_OPENED", "PAYLOAD_BUFFERED", "HANDLERS_PLANNED"]

describe("an invocation", () => {
  it("without handlers is opened, read, planned, answered, over", async () => {
    const { types, delivered } = await tell()
    expect(types).toEqual([...told, "REPLY_DELIVERED", "EXITED"])
    expect(delivered).toEqual([{ stdout: "", stderr: "", exitCode: 0 }])
  })

  it("with handlers tells start and end of each before the next", async () => {
    const { log, delivered } = await tell({
      registry: registered({ a: () => modelContext("one"), b: () => {}, c: () => modelContext("two") })
    })
    expect(log.map((fact) => ("handler" in fact ? `${fact.type} ${fact.handler}` : fact.type))).toEqual([
      ...told,
      ...["a", "b", "c"].flatMap((name) => [`HANDLER_STARTED ${name}`, `HANDLER_SUCCEEDED ${name}`]),
      "REPLY_DELIVERED",
      "EXITED"
    ])
    expect(delivered).toEqual([{ stdout: '{"context":"one\\n\\ntwo"}\n', stderr: "", exitCode: 0 }])
  })

  it.each([
    ["", "empty"],
    ["{", "malformed"],
    ["[]", "not-a-hook-payload"]
  ])(
    "with the payload %j is rejected: neutral reply, exit 0, and a fact that says why",
    async (payload, reason) => {
      const ran: string[] = []
      const { types, find, delivered } = await tell({
        payload,
        registry: registered({ a: () => void ran.push("a") })
      })
      expect(types).toEqual(["INVOCATION_OPENED", "PAYLOAD_REJECTED", "REPLY_DELIVERED", "EXITED"])
      expect(find("PAYLOAD_REJECTED")[0]).toMatchObject({ reason, bytes: payload.length, digest: "digest" })
      expect(delivered[0]).toMatchObject({
        stdout: "",
        exitCode: 0,
        stderr: expect.stringContaining(reason) as string
      })
      expect(ran).toEqual([])
    }
  )

  it("whose payload never came within the deadline it was given is rejected as timed out", async () => {
    let asked = 0
    const { find } = await tell({
      read: (deadlineMs) => {
        asked = deadlineMs
        return { kind: "timed-out", bytes: Buffer.from('{"a"') }
      }
    })
    expect(asked).toBe(5000)
    expect(find("PAYLOAD_REJECTED")).toMatchObject([{ reason: "timed-out", bytes: 4, excerpt: '{"a"' }])
  })

  it("that is too large says how large it was, not how much was kept", async () => {
    const read = () => ({ kind: "too-large", bytes: Buffer.from("{"), total: 20_000_000 }) as const
    expect((await tell({ read })).find("PAYLOAD_REJECTED")).toMatchObject([
      { reason: "too-large", bytes: 20_000_000 }
    ])
  })

  it("that is blocked exits 2 with the reason, and the handlers after it still ran", async () => {
    const { delivered, find } = await tell({
      registry: registered({ no: () => blockingFeedback("stop"), after: () => modelContext("not for now") })
    })
    expect(delivered).toEqual([{ stdout: "", stderr: "stop\n", exitCode: 2 }])
    expect(find("HANDLER_SUCCEEDED")).toHaveLength(2)
    expect(find("EXITED")[0]?.code).toBe(2)
    expect(find("REPLY_DELIVERED")[0]?.channels).toEqual([
      { intent: "BLOCKING_FEEDBACK", handler: "no", channel: "stderr" },
      { intent: "MODEL_CONTEXT.context", handler: "after", channel: "undeliverable", reason: "overruled" }
    ])
  })

  it.each([
    ["windsurf", "pre_run_command", "tool.before", { tool_info: { command_line: "true", cwd: "/p" } }, 2],
    ["claude-code", "TaskCompleted", "agent.TaskCompleted", {}, 2],
    ["claude-code", "PreToolUse", "tool.before", { tool_name: "Bash", tool_input: { command: "true" } }, 0],
    ["gemini-cli", "BeforeTool", "tool.before", { tool_name: "run_shell_command", tool_input: {} }, 0]
  ] as const)(
    "of %s that is blocked at %s is answered as that agent has it, and nobody exits",
    async (agent, agentEvent, on, more, exitCode) => {
      const ran: string[] = []
      const hook = (name: string, run: () => Intent | undefined) => ({
        hook: anyHook({ name, on, run }),
        source: name
      })
      const { delivered, find } = await tell({
        adapter: adapters[agent],
        agentEvent,
        payload: { session_id: "s", hook_event_name: agentEvent, ...more },
        registry: [
          hook("no", () => blockingFeedback("NOT-THAT")),
          hook("after", () => void ran.push("after"))
        ]
      })
      const [reply] = delivered
      expect(delivered).toHaveLength(1)
      expect(ran).toEqual(["after"])
      expect(reply?.exitCode).toBe(exitCode)
      expect(find("EXITED")[0]?.code).toBe(exitCode)
      // The reason alone where the agent takes the exit code; else in the document that says no.
      if (exitCode === 2) expect(reply).toMatchObject({ stdout: "", stderr: "NOT-THAT\n" })
      else {
        expect(reply?.stderr).toBe("")
        expect(reply?.stdout).toMatch(/"deny"/)
        expect(JSON.stringify(JSON.parse(reply?.stdout ?? ""))).toContain("NOT-THAT")
      }
    }
  )

  it("whose reader is gone records the failure, and exits as it would have", async () => {
    const { types, find } = await tell({
      edge: memoryEdge([], Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
      registry: registered({ a: () => modelContext("lost") })
    })
    expect(types.slice(-2)).toEqual(["DELIVERY_FAILED", "EXITED"])
    expect(find("DELIVERY_FAILED")[0]).toMatchObject({
      error: { name: "Error", message: "write EPIPE" },
      stdout: '{"context":"lost"}\n'
    })
    expect(find("EXITED")[0]?.code).toBe(0)
  })

  it("says for every intent where it went, or why it could not", async () => {
    const { find } = await tell({
      registry: registered({
        a: () => [modelContext({ text: "x", permission: "allow", updatedInput: {} }), exitSignal(0)],
        b: () => [userHint("h"), diagnostic("debug", "quiet"), diagnostic("warn", "loud")]
      })
    })
    expect(find("REPLY_DELIVERED")[0]?.channels).toEqual([
      { intent: "MODEL_CONTEXT.context", handler: "a", channel: "stdout" },
      { intent: "MODEL_CONTEXT.permission", handler: "a", channel: "stdout" },
      { intent: "MODEL_CONTEXT.input", handler: "a", channel: "undeliverable", reason: "no such field" },
      { intent: "EXIT_SIGNAL", handler: "a", channel: "exit code" },
      { intent: "USER_HINT", handler: "b", channel: "stdout" },
      { intent: "DIAGNOSTIC", handler: "b", channel: "log" },
      { intent: "DIAGNOSTIC", handler: "b", channel: "stderr" }
    ])
  })

  it.each([
    [undefined, "info warn error "],
    ["debug", "debug info warn error "],
    ["error", "error "],
    ["nonsense", "info warn error "]
  ])("shows diagnostics from level %s on and records them all", async (logLevel, shown) => {
    const all = (["debug", "info", "warn", "error"] as const).map((level) => diagnostic(level, level))
    const { delivered, find } = await tell({ logLevel, registry: registered({ a: () => all }) })
    expect(delivered[0]?.stderr.replaceAll("\n", " ")).toBe(shown)
    expect(find("HANDLER_SUCCEEDED")[0]?.intents).toEqual(all)
  })

  it("begins with what the runtime has to say, also where no handler runs", async () => {
    const { find, delivered } = await tell({ notices: [userHint("one hook file is not trusted")] })
    expect(find("HANDLERS_PLANNED")[0]?.notices).toEqual([userHint("one hook file is not trusted")])
    expect(delivered[0]?.stdout).toContain("not trusted")
  })

  it("tells how long each state took", async () => {
    let now = 0
    const { find } = await tell({
      elapsed: () => now,
      read: () => {
        now = 3
        return { kind: "buffered", bytes: Buffer.from("{}") }
      },
      edge: {
        deliver: ({ stdout, stderr, exitCode }) => {
          now += 4
          return { stdout, stderr, exitCode }
        }
      },
      registry: registered({
        a: () => {
          now += 5
        }
      })
    })
    expect(find("EXITED")[0]?.ms).toEqual({ buffering: 3, handling: 5, emitting: 4 })
    expect(find("HANDLER_SUCCEEDED")[0]?.ms).toBe(5)
  })

  it("measures the run of each handler, however it ends and whatever it says of itself", async () => {
    let now = 0
    const { find } = await tell({
      elapsed: () => now,
      registry: registered({
        good: () => {
          now += 5
          return { metadata: { ms: 1 } }
        },
        bad: () => {
          now += 6
          throw Object.assign(new Error("boom"), { ms: 1 })
        },
        late: {
          deadline: 200,
          run: () => {
            now += 7
            return new Promise<never>(() => {})
          }
        }
      })
    })
    expect(find("HANDLER_SUCCEEDED").map(({ ms }) => ms)).toEqual([5])
    expect(find("HANDLER_FAILED").map(({ ms }) => ms)).toEqual([6])
    expect(find("HANDLER_TIMED_OUT").map(({ ms }) => ms)).toEqual([7])
  })

  it("keeps of a large event and tool what a reader needs; the payload has the rest", async () => {
    const data = { long: "x".repeat(100_000), list: Array.from({ length: 1000 }, (_, at) => at) }
    const { find } = await tell({ payload: { events: [{ event: "agent.Fired", data }] } })
    const [recorded] = find("PAYLOAD_BUFFERED")
    expect(JSON.stringify(recorded?.events).length).toBeLessThan(5000)
    expect(recorded?.payload.length).toBeGreaterThan(100_000)
  })
})

describe("an invocation of a real agent", () => {
  const payload = {
    session_id: "s-1",
    transcript_path: "/t.jsonl",
    cwd: "/project",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "git push --force" },
    tool_use_id: "t-1"
  }

  it("of Claude Code answers a block and context as one JSON document, and a block carries exactly its reason", async () => {
    const world = { adapter: adapters["claude-code"], agentEvent: "PreToolUse", payload }
    const run = (result: () => ReturnType<typeof blockingFeedback> | ReturnType<typeof modelContext>) =>
      tell({ ...world, registry: registered({ a: { on: "tool.before", run: result } }) })
    const blocked = await run(() => blockingFeedback("Use --force-with-lease."))
    expect(blocked.delivered[0]).toMatchObject({ exitCode: 0, stderr: "" })
    expect(JSON.parse(blocked.delivered[0]?.stdout ?? "").hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "Use --force-with-lease."
    })
    const context = await run(() => modelContext("The branch is protected."))
    expect(JSON.parse(context.delivered[0]?.stdout ?? "")).toMatchObject({
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "The branch is protected." }
    })
    expect(context.find("PAYLOAD_BUFFERED")[0]).toMatchObject({ session: "s-1", toolUseId: "t-1" })
  })

  it.each(Object.values(adapters))(
    "of $agent is answered neutrally when its payload is junk or its event unknown",
    async (adapter) => {
      const junk = await tell({ adapter, agentEvent: "PreToolUse", payload: "\0\0" })
      expect(["", "{}\n"]).toContain(junk.delivered[0]?.stdout)
      expect(junk.delivered[0]?.exitCode).toBe(0)
      const unknown = await tell({ adapter, agentEvent: "NobodyKnows", payload: { session_id: "s" } })
      expect(unknown.delivered[0]?.exitCode).toBe(0)
      expect(unknown.find("PAYLOAD_BUFFERED")[0]?.events[0]?.event).toBe("agent.NobodyKnows")
    }
  )
})
