/** What a collector takes of a fact: what it is as a whole has to be one of its type. */
import { expect, it } from "vitest"
import { checkFact, isParked } from "../../../src/tools/collector/ingest/checkFact.ts"
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
  ["of another shape", "exited", { whole: { type: "EXITED", code: "zero" } }, /as a whole is none/],
  ["no fact at all", "exited", { whole: "EXITED" }, /as a whole is none/]
])("a whole that is %s", (_, type, data, problem) => {
  if (problem === undefined) expect(problemOf(type, data)).toBeUndefined()
  else expect(problemOf(type, data)).toMatch(problem)
})

it.each([
  ["as they are made", { moments: [{ kind: "seen" }], signs: [{ chain: "c", effects: [0] }] }, true],
  ["with a text longer than a name", { about: "x".repeat(300) }, false],
  ["with a field in place of a list", { signs: [{ effects: "all" }] }, false]
])("findings %s", (_, findings, isTaken) => {
  expect(problemOf("payload_buffered", { bytes: 1, findings }) === undefined).toBe(isTaken)
})
