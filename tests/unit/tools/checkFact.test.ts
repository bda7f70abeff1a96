/** What a collector takes of a fact: what it is as a whole has to be one of its type. */
import { expect, it } from "vitest"
import { noMarks } from "../../../events/Recorded.ts"
import { checkFact, isParked } from "../../../src/tools/collector/ingest/checkFact.ts"
import { cloudEvent } from "../../../src/tools/shipping/cloudEvent.ts"
import * as fact from "../../support/facts.ts"

const event = (type: string, data: object) => ({
  specversion: "1.0",
  id: "f1",
  source: "urn:hooktape:test",
  type: `hooktape.${type}`,
  subject: "invocation/i1",
  time: "2026-03-01T00:00:00.000Z",
  sequence: "0000000000000001",
  data
})

const problemOf = (type: string, data: object): string | undefined => {
  const row = checkFact(event(type, data), 0, 1)
  return isParked(row) ? row.problem : undefined
}

it.each([
  ["none", "exited", { code: 0, ms: {} }, undefined],
  ["of its type", "exited", { code: 0, ms: {}, whole: fact.exited() }, undefined],
  ["of a type that nobody knows", "from_the_future", { whole: { type: "FROM_THE_FUTURE" } }, undefined],
  [
    "of another shape, where nothing else is sent",
    "noise_captured",
    { whole: { text: 7 } },
    /as a whole is none/
  ],
  ["no fact at all, where nothing else is sent", "noise_captured", { whole: "NOISE" }, /as a whole is none/]
])("a whole that is %s", (_, type, data, problem) => {
  if (problem === undefined) expect(problemOf(type, data)).toBeUndefined()
  else expect(problemOf(type, data)).toMatch(problem)
})

it.each([
  ["of another shape", { type: "EXITED", code: "zero" }],
  ["no fact at all", "EXITED"]
])("of a fact whose whole is %s what is always sent is kept", (_, whole) => {
  expect(checkFact(event("exited", { code: 0, ms: {}, whole }), 0, 1)).toMatchObject({
    type: "EXITED",
    data: { code: 0, ms: {} }
  })
  expect(JSON.stringify(checkFact(event("exited", { code: 0, ms: {}, whole }), 0, 1))).not.toContain("whole")
})

it("a fact with an intent of a newer version is kept as without payloads", () => {
  const handler = { handler: "h", event: "tool.before", index: 0, attempt: 1 }
  const shape = { ...handler, intents: [{ type: "FROM_THE_FUTURE" }], ms: 1 }
  const whole = { ...shape, type: "HANDLER_SUCCEEDED", intents: [{ type: "FROM_THE_FUTURE", text: "t" }] }
  expect(checkFact(event("handler_succeeded", { ...shape, whole }), 0, 1)).toMatchObject({ data: shape })
})

/** As a machine sends a call whose payload is so long, and of which so much was found. */
const sentOf = (payload: number, moments: number): unknown => {
  const findings = { moments: Array.from({ length: moments }, () => ({ kind: "seen", name: "npm test" })) }
  const data = { ...fact.buffered({ payload: "x ".repeat(payload / 2) }), findings }
  const recorded = {
    ...noMarks,
    id: "f1",
    stream: "invocation/i1",
    source: "test",
    position: 1,
    at: 0,
    known: true
  }
  return cloudEvent(
    { ...recorded, type: data.type, data, cause: null, recordedAt: 0, schemaVersion: 1 } as never,
    Buffer.alloc(32, 7),
    true
  )
}

it.each([
  ["small", 1000, 10, true],
  ["long, and much was found", 40_744, 400, true],
  ["too long beside what was found", 58_000, 400, false],
  ["too long for itself", 70_000, 10, false]
])("a call that is %s fits in one form or the other", (_, payload, moments, isWhole) => {
  const sent = sentOf(payload, moments)
  const row = checkFact(sent, 0, 1)
  expect(isParked(row) && row.problem).toBe(false)
  expect(row).toMatchObject({ data: { findings: {} } })
  expect("whole" in (row as { data: object }).data).toBe(isWhole)
  expect(JSON.stringify(sent).split("moments")).toHaveLength(2)
})

it.each([
  ["as they are made", { moments: [{ kind: "seen" }], signs: [{ chain: "c", effects: [0] }] }, true],
  ["with a text longer than a name", { about: "x".repeat(300) }, false],
  ["with a field in place of a list", { signs: [{ effects: "all" }] }, false]
])("findings %s", (_, findings, isTaken) => {
  expect(problemOf("payload_buffered", { bytes: 1, findings }) === undefined).toBe(isTaken)
})
