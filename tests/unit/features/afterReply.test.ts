/** What background hooks found out, in the reply that takes it along. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { uuidv7 } from "../../../events/ids.ts"
import { type Intent, modelContext, userHint } from "../../../events/intents.ts"
import { hear } from "../../../src/features/afterReply/hear.ts"
import { saidOf } from "../../../src/features/afterReply/saidOf.ts"
import { leave } from "../../../src/history/deliveries.ts"
import type { Reader, ReadFact } from "../../../src/log/reader.ts"

const now = 1_000_000
const idOf = (at: number): string => uuidv7(at, new Uint8Array(10).fill(at % 256))

const reading = (facts: readonly object[]): Reader => ({
  facts: () => ({ facts: facts as readonly ReadFact[] }),
  ask: () => ({}),
  close: () => undefined
})

const furnished = (intents: readonly Intent[] = [modelContext("2 tests fail")]): string => {
  const state = mkdtempSync(join(homedir(), "after-reply-"))
  const word = { session: "s", invocation: idOf(1), job: idOf(2), handler: "tests", event: "file.edited" }
  leave(state, { ...word, at: now - 90_000, until: now + 3_600_000, intents }, { keep: "all" })
  return state
}

const hearing = (state: string, more: Partial<Parameters<typeof hear>[0]> = {}) =>
  hear({
    state,
    reader: reading([]),
    agent: "claude-code",
    agentEvent: "UserPromptSubmit",
    session: "s",
    invocation: idOf(now),
    payload: {},
    now,
    ...more
  }).heard.map(({ handler }) => handler)

describe("what waits for the session", () => {
  it("is told where the agent takes it, and not to a subagent", () => {
    const state = furnished()
    expect(hearing(state, { agentEvent: "SessionEnd" })).toEqual([])
    expect(hearing(state, { agentEvent: "Unheard" })).toEqual([])
    expect(hearing(state, { agent: "windsurf", agentEvent: "pre_user_prompt" })).toEqual([])
    expect(hearing(state, { payload: { agent_id: "a" } })).toEqual([])
    expect(hearing(state)).toEqual(["tests"])
    // A word for the human alone needs no way to the model.
    expect(hearing(furnished([userHint("tests fail")]), { agentEvent: "PreCompact" })).toEqual(["tests"])
  })

  const replied = (channel: string) => ({
    type: "REPLY_DELIVERED",
    at: now,
    data: { channels: [{ intent: "MODEL_CONTEXT.context", handler: "after-reply", channel }] }
  })
  const opened = (pid: number) => ({ type: "INVOCATION_OPENED", at: now, data: { pid } })
  it.each<readonly [string, readonly object[], number, readonly string[]]>([
    ["was carried", [replied("stdout: x")], 1, []],
    ["was not carried", [replied("undeliverable")], 1, ["tests"]],
    ["was answered without it", [{ type: "REPLY_DELIVERED", at: now, data: { channels: [] } }], 1, ["tests"]],
    ["reached nobody", [{ type: "DELIVERY_FAILED", at: now, data: {} }], 1, ["tests"]],
    ["is under way", [opened(process.pid)], 1, []],
    ["never ended", [opened(0x7fff_fff0)], 1, ["tests"]],
    ["is not on the log yet", [], 1, []],
    ["never came to the log", [], 700_000, ["tests"]]
  ])("is told again or not where it %s", (_, facts, later, again) => {
    const state = furnished()
    expect(hearing(state, { invocation: idOf(now) })).toEqual(["tests"])
    const word = { now: now + later, reader: reading(facts), invocation: idOf(now + 9) }
    expect(hearing(state, word)).toEqual(again)
  })
})

describe("its words", () => {
  it("name the hook, the event and the time, and say what is too old", () => {
    const word = { job: "j", handler: "tests", event: "file.edited", ago: "90 s" }
    expect(
      saidOf({
        heard: [
          { ...word, intents: [modelContext("2 tests fail"), userHint("look"), modelContext("a.test.ts")] }
        ],
        tooOld: [{ ...word, intents: [] }]
      })
    ).toEqual([
      modelContext("Hook tests, which ran after file.edited 90 s ago:\n2 tests fail\na.test.ts"),
      userHint("look"),
      {
        type: "DIAGNOSTIC",
        level: "warn",
        message: "what hook tests said 90 s ago is too old to be passed on (job j)"
      }
    ])
  })
})
