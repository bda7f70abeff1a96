/** Which bytes leave on which channel, through the real entrypoint: for each agent, event and intent, and for readers that are slow or gone. */
import { beforeAll, describe, expect, it } from "vitest"
import type { Agent, CanonicalEvent } from "../../../events/agentEvents.ts"
import { canonicalEvents } from "../../../events/agentEvents.ts"
import {
  blockingFeedback,
  diagnostic,
  exitSignal,
  type Intent,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import {
  bash,
  dataOf,
  type Fired,
  inTurns,
  outcomeOf,
  payloadOf,
  probeHook,
  type Run,
  type Station,
  station
} from "../../support/entrypoint.ts"

interface Said {
  readonly intent: string
  readonly intents: readonly Intent[]
  /** Text for the model or the human: never on standard error. */
  readonly marks: readonly string[]
}

const block = [blockingFeedback("BLOCK-MARK")]
const subjects: readonly Said[] = [
  { intent: "nothing", intents: [], marks: [] },
  { intent: "DIAGNOSTIC", intents: [diagnostic("warn", "DIAGNOSTIC-MARK")], marks: [] },
  { intent: "MODEL_CONTEXT", intents: [modelContext("CONTEXT-MARK")], marks: ["CONTEXT-MARK"] },
  {
    intent: "MODEL_CONTEXT with permission and input",
    intents: [modelContext({ permission: "allow", updatedInput: { command: "INPUT-MARK" } })],
    marks: ["INPUT-MARK"]
  },
  {
    intent: "MODEL_CONTEXT with output",
    intents: [modelContext({ updatedOutput: "OUTPUT-MARK" })],
    marks: ["OUTPUT-MARK"]
  },
  { intent: "USER_HINT", intents: [userHint("HINT-MARK")], marks: ["HINT-MARK"] },
  {
    intent: "all but a block",
    intents: [diagnostic("error", "DIAGNOSTIC-MARK"), modelContext("CONTEXT-MARK"), userHint("HINT-MARK")],
    marks: ["CONTEXT-MARK", "HINT-MARK"]
  },
  { intent: "BLOCKING_FEEDBACK", intents: block, marks: [] },
  { intent: "EXIT_SIGNAL", intents: [exitSignal(3)], marks: [] },
  {
    intent: "all at once",
    intents: [
      diagnostic("error", "DIAGNOSTIC-MARK"),
      modelContext("CONTEXT-MARK"),
      userHint("HINT-MARK"),
      ...block
    ],
    marks: ["CONTEXT-MARK", "HINT-MARK"]
  }
]

/** What an agent has a place for. What is written to standard error for the operator arrives everywhere. */
type Arrives = "MODEL_CONTEXT" | "USER_HINT" | "BLOCKING_FEEDBACK"
const allThree: readonly Arrives[] = ["MODEL_CONTEXT", "USER_HINT", "BLOCKING_FEEDBACK"]

/**
 * For each kind of thing an agent lets hooks do, an event, which one it is to hooks, and what of theirs arrives; the pure suite of the
 * adapters has all of them.
 */
const events: readonly (readonly [Agent, string, CanonicalEvent, object, readonly Arrives[]])[] = [
  [
    "claude-code",
    "PreToolUse",
    "tool.before",
    { tool_name: "Bash", tool_input: { command: "true" } },
    allThree
  ],
  [
    "claude-code",
    "PostToolUse",
    "tool.after",
    { tool_name: "Bash", tool_input: { command: "true" }, tool_response: { stdout: "" } },
    allThree
  ],
  ["claude-code", "SessionStart", "session.start", { source: "startup" }, ["MODEL_CONTEXT", "USER_HINT"]],
  ["claude-code", "UserPromptSubmit", "prompt.submit", { prompt: "hello" }, allThree],
  ["claude-code", "Stop", "turn.stop", { stop_hook_active: false }, allThree],
  ["codex", "PreToolUse", "tool.before", { tool_name: "Bash", tool_input: { command: "true" } }, allThree],
  ["codex", "Stop", "turn.stop", { stop_hook_active: false }, ["USER_HINT", "BLOCKING_FEEDBACK"]],
  [
    "gemini-cli",
    "BeforeTool",
    "tool.before",
    { tool_name: "run_shell_command", tool_input: { command: "true" } },
    ["USER_HINT", "BLOCKING_FEEDBACK"]
  ],
  [
    "gemini-cli",
    "AfterAgent",
    "turn.stop",
    { prompt: "p", prompt_response: "r", stop_hook_active: false },
    ["USER_HINT", "BLOCKING_FEEDBACK"]
  ],
  [
    "cursor",
    "preToolUse",
    "tool.before",
    { tool_name: "Shell", tool_input: { command: "true" } },
    ["USER_HINT", "BLOCKING_FEEDBACK"]
  ],
  ["cursor", "beforeSubmitPrompt", "prompt.submit", { prompt: "hello" }, ["USER_HINT", "BLOCKING_FEEDBACK"]],
  ["cursor", "stop", "turn.stop", { status: "completed", loop_count: 0 }, ["BLOCKING_FEEDBACK"]],
  [
    "windsurf",
    "pre_run_command",
    "tool.before",
    { tool_info: { command_line: "true", cwd: "/tmp" } },
    ["BLOCKING_FEEDBACK"]
  ],
  ["windsurf", "post_cascade_response", "turn.stop", { tool_info: { response: "done" } }, []],
  [
    "raw",
    "tool.before",
    "tool.before",
    {
      event: "tool.before",
      tool: { kind: "shell", name: "sh", command: "true", input: { command: "true" } }
    },
    allThree
  ]
]

const cases = events.flatMap(([agent, event, to, more, arrives]) =>
  subjects.map((said) => ({ agent, event, to, more, arrives, ...said }))
)

/** What is one slot of a reply, or several beside each other: none of it waits for another. */
const isWhole = (intent: string): boolean =>
  ["MODEL_CONTEXT", "USER_HINT", "all but a block", "BLOCKING_FEEDBACK"].includes(intent)

/** Hooks that have one event each, and nothing to say: those that ran tell which events it was. */
const witness = (event: CanonicalEvent): string => `on-${event.replace(".", "-")}`

let place: Station
let fired: readonly Fired[]
let runs: ReadonlyMap<number, Run>
const of = (at: number) => {
  const one = fired[at] as Fired
  return { fired: one, run: runs.get(one.pid) as Run }
}

/** The names of the fields under which a document has a text. */
const placesOf = (value: unknown, text: string): readonly string[] => {
  if (typeof value === "string") return value.includes(text) ? [""] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    placesOf(one, text).map((below) => (below === "" ? name : `${name}.${below}`))
  )
}

beforeAll(async () => {
  place = await station()
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
  place.putUser("hooks/probe.ts", probeHook(canonicalEvents))
  for (const event of canonicalEvents)
    place.putUser(
      `hooks/${witness(event)}.ts`,
      `import { defineHook } from "hooktape"
      export default defineHook({ name: "${witness(event)}", on: "${event}", run: () => undefined })`
    )
  place.putUser(
    "hooks/large.ts",
    `import { defineHook, modelContext } from "hooktape"
    export default defineHook({ name: "large", on: "prompt.submit", run: ({ payload }) =>
      typeof payload["large"] === "number" ? modelContext("é".repeat(payload["large"] / 2)) : undefined })`
  )
  await place.build()
  fired = await inTurns(cases, 3, ({ agent, event, intents, more }) =>
    place.fire({ agent, event, input: payloadOf(event, more), env: { PROBE: JSON.stringify(intents) } })
  )
  runs = await place.runsByPid()
}, 240_000)

describe("every intent at every kind of event", () => {
  it.each(cases.map((one, at) => ({ ...one, at })))("$agent $event: $intent", (one) => {
    const { agent, arrives, at, event, intent, intents, marks, to } = one
    const { fired, run } = of(at)
    const [payload] = run.facts.filter(({ type }) => type === "PAYLOAD_BUFFERED")
    expect(payload).toMatchObject({ agent, agentEvent: event, event: to })
    const ran = dataOf(run, "HANDLER_SUCCEEDED")
    expect(ran.map(({ handler }) => handler).filter((name) => name.startsWith("on-"))).toEqual([witness(to)])
    for (const mark of marks) expect(fired.stderr).not.toContain(mark)
    expect(fired.stdout).not.toContain("DIAGNOSTIC-MARK")
    const [delivered] = dataOf(run, "REPLY_DELIVERED")
    expect(delivered).toMatchObject({ stdout: fired.stdout, stderr: fired.stderr, exitCode: fired.code })
    expect(dataOf(run, "EXITED")[0]?.code).toBe(fired.code)
    const told = ran.find(({ handler }) => handler === "probe")
    expect(told?.intents).toEqual(intents)
    if (fired.stdout !== "") {
      expect(fired.stdout.endsWith("}\n") && !fired.stdout.slice(0, -1).includes("\n"), "one document").toBe(
        true
      )
      expect(JSON.parse(fired.stdout)).toBeTypeOf("object")
    }
    const taken = new Map(delivered?.channels.map((one) => [one.intent, one]))
    expect(taken.size > 0, "nothing is dropped silently").toBe(intents.length > 0)
    for (const { channel, reason } of taken.values())
      if (channel === "undeliverable") expect(reason).toMatch(/\w/)
    if (isWhole(intent)) {
      // A part of an intent is named with it.
      const arrived = [...taken.values()].flatMap((one) =>
        one.channel === "undeliverable" ? [] : [one.intent.replace(/\..*/, "")]
      )
      const wanted = intents
        .map(({ type }) => type)
        .filter((type) => type === "DIAGNOSTIC" || arrives.includes(type as Arrives))
      expect(arrived.toSorted()).toEqual(wanted.toSorted())
      for (const [type, mark] of [
        ["MODEL_CONTEXT", "CONTEXT-MARK"],
        ["USER_HINT", "HINT-MARK"]
      ] as const)
        if (arrived.includes(type)) expect(fired.stdout).toContain(mark)
    }
    if (intent === "USER_HINT" && arrives.includes("USER_HINT")) {
      const told = cases.findIndex(
        (other) => other.agent === agent && other.event === event && other.intent === "MODEL_CONTEXT"
      )
      const [hint, ...more] = placesOf(JSON.parse(fired.stdout), "HINT-MARK")
      const [context] = placesOf(JSON.parse(of(told).fired.stdout || "{}"), "CONTEXT-MARK")
      expect([hint, more]).toEqual([expect.any(String), []])
      expect(hint, "apart from the model's text").not.toBe(context)
      if (agent !== "raw") expect(hint, "where the model reads nothing").not.toMatch(/context|reason/i)
    }
    // The document of `raw`, which is no agent's, names whatever was wanted, the status too.
    if (intent === "EXIT_SIGNAL" && agent !== "raw") {
      const nothing = cases.findIndex((one) => one.agent === agent && one.event === event)
      const { stderr, stdout } = of(nothing).fired
      expect(fired, "the status and nothing else").toMatchObject({ stderr, stdout })
    }
    const reason = taken.get("BLOCKING_FEEDBACK")?.channel
    if (reason === "stderr and exit code 2") {
      expect(fired).toMatchObject({ code: 2, stdout: "", stderr: "BLOCK-MARK\n" })
    } else {
      expect(fired.stderr).not.toContain("BLOCK-MARK")
      if (reason !== undefined && reason !== "undeliverable") expect(fired.stdout).toContain("BLOCK-MARK")
    }
  })

  it("is looked at with what matters in it", () => {
    const codes = fired.map(({ code }) => code)
    expect(codes.filter((code) => code === 2).length, "blocks by exit code").toBeGreaterThan(3)
    expect(codes.filter((code) => code === 3).length, "exit signals").toBeGreaterThan(0)
    expect(new Set(codes)).toEqual(new Set([0, 2, 3]))
    expect(fired.filter(({ stdout }) => stdout.includes("CONTEXT-MARK")).length).toBeGreaterThan(5)
    expect(fired.filter(({ stderr }) => stderr.includes("DIAGNOSTIC-MARK")).length).toBeGreaterThan(5)
    expect(fired.filter(({ stdout }) => stdout.includes("HINT-MARK")).length).toBeGreaterThan(5)
  })
})

/** Several times what a pipe holds, and within what a handler may say. */
const size = 400 * 1024
const large = payloadOf("UserPromptSubmit", { prompt: "p", large: size })

const isOpen = (child: { readonly exitCode: number | null }): boolean => child.exitCode === null

describe("a reply that no pipe holds", () => {
  it("is complete though its reader is slow", async () => {
    const child = place.start({ event: "UserPromptSubmit" })
    child.stdin?.end(large)
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
    // A pipe holds 64 KiB: until something is read the writer waits, however long that takes.
    const chunks: Buffer[] = []
    let openWhileReading = true
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      const sofar = chunks.reduce((sum, { length }) => sum + length, 0)
      if (sofar < size / 2) openWhileReading = openWhileReading && isOpen(child)
      for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await ended).toBe(0)
    expect(openWhileReading, "it did not leave before all was read").toBe(true)
    const document = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    expect(Buffer.byteLength(document.hookSpecificOutput.additionalContext)).toBe(size)
    const run = await place.runOf({ pid: child.pid ?? 0 })
    expect(run.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
  })

  it("is recorded as not delivered when its reader is gone, and no trace of the stack is shown", async () => {
    const child = place.start({ event: "UserPromptSubmit" })
    child.stdout?.destroy()
    child.stdin?.end(large)
    const { code, stderr } = await outcomeOf(child)
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const run = await place.runOf({ pid: child.pid ?? 0 })
    expect(run.types.slice(-2)).toEqual(["DELIVERY_FAILED", "EXITED"])
    expect(dataOf(run, "DELIVERY_FAILED")[0]?.error.message).toContain("EPIPE")
  })

  it("still blocks when nobody reads standard error", async () => {
    const child = place.start({ env: { PROBE: JSON.stringify(block) } })
    child.stderr?.destroy()
    child.stdin?.end(bash("true"))
    const { code, stdout } = await outcomeOf(child)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } })
    expect((await place.runOf({ pid: child.pid ?? 0 })).types.slice(-2)).toEqual([
      "REPLY_DELIVERED",
      "EXITED"
    ])
  })
})
