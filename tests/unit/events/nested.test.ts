/** What a fact holds in its members: each of these words, and nothing that lacks a part or has one of another kind. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { followsFromCalls } from "../../../events/agentEvents.ts"
import { observedStream } from "../../../events/observedStream.ts"
import { decodeFact } from "../../../src/log/validity.ts"

interface Fact {
  readonly type: string
  readonly [member: string]: unknown
}

const golden: readonly Fact[] = readFileSync(join(import.meta.dirname, "../../logs/v1.ndjson"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line).data)

const isKnown = (fact: Fact): boolean => decodeFact(fact.type, 1, fact).known
/** A fact of the golden log with one member more, or another one. */
const withMember = (type: string, member: string, value: unknown): Fact => {
  const fact = golden.find((one) => one.type === type)
  if (fact === undefined) throw new Error(`the golden log has no ${type}`)
  return { ...fact, [member]: value }
}

const words: readonly (readonly [type: string, member: string, words: string])[] = [
  ["INVOCATION_OPENED", "transport", "entry socket http"],
  ["INVOCATION_OPENED", "route", "client"],
  ["PAYLOAD_BUFFERED", "missing", "not·shipped"],
  ["PAYLOAD_REJECTED", "reason", "empty malformed too-large timed-out not-a-hook-payload"],
  ["HANDLER_FAILED", "policy", "allow block ask"],
  ["HANDLER_SKIPPED", "policy", "allow block ask"],
  ["NOISE_CAPTURED", "stream", "stdout stderr"],
  ["HANDLER_PROCESS_FREED", "goodFor", "any same"],
  ["HOOK_DISABLED", "scope", "user project session"],
  ["HOOKS_TRUSTED", "by", "dev"],
  ["FACT_REDACTED", "extent", "text whole"],
  ["JOB_ENQUEUED", "whenFull", "supersede refuse"],
  ["TOOL_CALL_OBSERVED", "source", "transcript"],
  ["TOOL_CALL_OBSERVED", "told", "ok failed denied rejected stopped running untold"],
  ["HOOK_RUN_OBSERVED", "outcome", "succeeded failed blocked cancelled"],
  ["HOOK_CALL_MISSED", "expected", "tool.before tool.after"]
]

const handler = {
  handler: "h",
  event: "e",
  index: 0,
  priority: 1,
  deadlineMs: 1,
  onFailure: "allow"
}
const error = { name: "n", message: "m" }

type Row = readonly [type: string, member: string, part: object, more?: object]
const whole = ([type, member, part, more = {}]: Row) => [type, member, part, more] as const

/** Whole as it is; lacking where any of its members is taken away. Behind it what it may have besides. */
const parts: readonly Row[] = [
  ["INVOCATION_OPENED", "client", { startUs: 1 }, { beforeUs: 1, tookUs: 1 }],
  ["HANDLER_FAILED", "error", error, { stack: "s" }],
  ["HANDLER_FAILED", "onError", error, { stack: "s" }],
  ["HANDLER_TIMED_OUT", "onError", error],
  ["HANDLER_SUCCEEDED", "process", { kind: "host", pid: 1 }],
  ["HANDLERS_PLANNED", "stops", { blocked: 1, most: 2 }],
  ["SERVICE_CALLED", "error", error],
  ["DELIVERY_FAILED", "error", error],
  ["EXITED", "summary", { planned: 1, started: 1, succeeded: 1 }],
  ["JOB_FAILED", "error", error, { stack: "s" }]
]

/** The same of the members of a list. */
const listed: readonly Row[] = [
  [
    "HANDLERS_PLANNED",
    "handlers",
    handler,
    { ifCannotAsk: "block", source: "s", from: "f", background: true, switchedOn: true, stuck: "s" }
  ],
  ["HANDLERS_PLANNED", "background", { ...handler, job: "j" }, { whenFull: "refuse" }],
  ["HANDLERS_PLANNED", "left", { handler: "h", event: "e", reason: "r" }],
  ["REPLY_DELIVERED", "channels", { intent: "i", handler: "h", channel: "c" }, { reason: "r" }],
  ["HOOKS_BUILT", "replaced", { hook: "h", file: "f", by: "b" }],
  ["HOOKS_TRUSTED", "files", { file: "f", hash: "h" }],
  ["DOCTOR_RAN", "problems", { name: "n", status: "s", message: "m" }, { fix: "f" }],
  ["DOCTOR_RAN", "passed", { name: "n", message: "m" }],
  ["METRICS_RECORDED", "figures", { metric: "m", value: null, n: 1 }],
  ["JOB_SUCCEEDED", "noise", { stream: "stderr", bytes: 1, text: "t" }]
]

const wrong = (value: unknown): unknown => (typeof value === "string" ? 7 : "x")

const holds = (fact: (part: object) => Fact, part: object, more: object) => {
  const all = { ...part, ...more }
  expect([isKnown(fact(part)), isKnown(fact(all))]).toEqual([true, true])
  for (const name of Object.keys(part)) {
    const { [name as keyof typeof part]: _, ...lacking } = part
    expect([name, isKnown(fact(lacking))]).toEqual([name, false])
  }
  for (const [name, value] of Object.entries(all))
    expect([name, isKnown(fact({ ...all, [name]: wrong(value) }))]).toEqual([name, false])
}

describe("a fact", () => {
  it.each(words)("%s knows these words in its %s, and no other: %s", (type, member, text) => {
    for (const word of text.split(" "))
      expect([word, isKnown(withMember(type, member, word.replace("·", " ")))]).toEqual([word, true])
    for (const word of ["", "unheard"]) expect(isKnown(withMember(type, member, word))).toBe(false)
  })

  it.each(parts.map(whole))("%s has a %s of these parts", (type, member, part, more) => {
    holds((one) => withMember(type, member, one), part, more)
  })

  it.each(listed.map(whole))("%s has a list of %s of these parts", (type, member, part, more) => {
    holds((one) => withMember(type, member, [one]), part, more)
    expect(isKnown(withMember(type, member, []))).toBe(true)
  })

  it("knows the words of a plan and of what is printed", () => {
    const planned = (more: object) =>
      isKnown(withMember("HANDLERS_PLANNED", "handlers", [{ ...handler, ...more }]))
    for (const onFailure of ["allow", "block", "ask"]) expect(planned({ onFailure })).toBe(true)
    for (const ifCannotAsk of ["allow", "block"]) expect(planned({ ifCannotAsk })).toBe(true)
    expect(planned({ retry: { attempts: 1, delayMs: 1 } })).toBe(true)
    for (const retry of [{ attempts: 1 }, { delayMs: 1 }, { attempts: "1", delayMs: 1 }])
      expect(planned({ retry })).toBe(false)
    const background = (deliver: object) =>
      isKnown(withMember("HANDLERS_PLANNED", "background", [{ ...handler, job: "j", deliver }]))
    for (const keep of ["all", "newest"]) expect(background({ withinMs: 1, keep })).toBe(true)
    for (const deliver of [{ keep: "all" }, { withinMs: 1 }, { withinMs: 1, keep: "" }])
      expect(background(deliver)).toBe(false)
    for (const stream of ["stdout", "stderr"])
      expect(isKnown(withMember("JOB_SUCCEEDED", "noise", [{ stream, bytes: 1, text: "" }]))).toBe(true)
    for (const kind of ["entry", "host", "thread", "handler"])
      expect(isKnown(withMember("HANDLER_SUCCEEDED", "process", { kind, pid: 1 }))).toBe(true)
  })
})

describe("an event", () => {
  it("follows from calls where an agent's payload tells it, and not where hooktape itself does something", () => {
    for (const event of ["file.edited", "command.ran", "error.observed", "response.given", "feedback.given"])
      expect(followsFromCalls(event)).toBe(true)
    expect(followsFromCalls("session.ending")).toBe(true)
    for (const event of ["checkpoint.before", "search.before", "tool.before", "file", ""])
      expect(followsFromCalls(event)).toBe(false)
  })

  it("that a transcript tells stands on a stream of its session", () => {
    expect(observedStream("codex", "s")).toBe("transcript/codex/s")
  })
})
