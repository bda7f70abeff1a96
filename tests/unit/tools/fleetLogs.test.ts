/** Logs of a fleet: what a collector has reads as facts again, and a name in the configuration leads to a database. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { decodeFact } from "../../../src/log/validity.ts"
import { namedLog, replicaOf, urlOf } from "../../../src/tools/fleet/NamedLog.ts"
import { restored, type ShippedRow } from "../../../src/tools/fleet/restored.ts"
import { shapeOf, shippedTypes } from "../../../src/tools/shipping/shape.ts"
import { holds, script } from "../../support/arbitrary.ts"
import * as fact from "../../support/facts.ts"
import { play } from "../../support/scripted.ts"

const row = (one: InvocationFact, more: Partial<ShippedRow> = {}): ShippedRow => ({
  machine: "laptop-7",
  id: "f1",
  stream: "invocation/i1",
  type: one.type,
  agent: "claude-code",
  agent_event: "PreToolUse",
  session: "s1",
  project: "d1",
  tool_use_id: "t1",
  cause: null,
  at: 1,
  data: shapeOf(one.type, one) as ShippedRow["data"],
  ...more
})

const handler = fact.plannedHandler("guard", 0)

/** One of each that is shipped. */
const shipped: readonly InvocationFact[] = [
  fact.opened(),
  fact.buffered(),
  fact.rejected("empty"),
  fact.planned([handler]),
  fact.started(handler),
  fact.succeeded(handler),
  fact.failed(handler),
  fact.timedOut(handler),
  fact.skipped(handler),
  fact.delivered(2),
  fact.undelivered(),
  fact.exited()
]

describe("a shipped fact", () => {
  it("is tried here, of each type", () => {
    expect(shipped.map(({ type }) => type).sort()).toEqual([...shippedTypes].sort())
  })

  it.each(shipped)("is one that every reader takes: $type", (one) => {
    const whole = restored(row(one))
    expect(decodeFact(one.type, 1, whole)).toEqual({ data: whole, known: true })
  })

  it("is so whatever happened in the call", () =>
    holds(
      script,
      (scripted) => {
        for (const one of play(scripted).log)
          if (shippedTypes.includes(one.type))
            expect(decodeFact(one.type, 1, restored(row(one))).known).toBe(true)
      },
      50
    ))

  it.each([handler, fact.plannedHandler("h".repeat(300), 0)])("is one with any name of a hook", (one) => {
    for (const each of [
      fact.planned([one]),
      fact.started(one),
      fact.succeeded(one),
      fact.failed(one),
      fact.timedOut(one),
      fact.skipped(one)
    ])
      expect(decodeFact(each.type, 1, restored(row(each))).known).toBe(true)
  })

  it("keeps what was shipped, and says what was not", () => {
    expect(restored(row(fact.buffered({ bytes: 77 })))).toEqual({
      type: "PAYLOAD_BUFFERED",
      bytes: 77,
      ...(fact.buffered().digest === undefined ? {} : { digest: fact.buffered().digest }),
      payload: "",
      missing: "not shipped",
      session: "s1",
      toolUseId: "t1",
      events: [{ event: "tool.before", data: {} }]
    })
    expect(restored(row(fact.opened()))).toMatchObject({
      agent: "claude-code",
      agentEvent: "PreToolUse",
      invocation: "i1",
      machine: "laptop-7",
      project: "d1"
    })
    const said = restored(row(fact.succeeded(handler, [{ type: "BLOCKING_FEEDBACK", reason: "SECRET" }])))
    expect(said).toMatchObject({ intents: [{ type: "BLOCKING_FEEDBACK", reason: "" }] })
  })

  it("has what was found in it beside its payload", () => {
    const one = row(fact.buffered())
    const findings = { about: "a" }
    const data = { ...one.data, findings, whole: fact.buffered({ payload: "{}" }) }
    expect(restored({ ...one, data })).toMatchObject({ payload: "{}", findings })
    expect(restored({ ...one, data: { ...data, findings: { about: 1 } } })).not.toHaveProperty("findings")
  })

  it("of an agent that this version does not know has its own event", () => {
    const one = row(fact.buffered(), { agent: "later", agent_event: "Odd" })
    expect(restored(one)).toMatchObject({ events: [{ event: "agent.Odd" }] })
    expect(decodeFact(one.type, 1, restored(one)).known).toBe(true)
  })
})

const configured = (config: unknown): string => {
  const file = join(mkdtempSync(join(homedir(), "fleet-")), "config.json")
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config))
  return file
}
const url = "postgresql://analyst@db.example/hooktape?sslmode=verify-full"
const reasonOf = <A>(one: Either.Either<A, { readonly reason: string }>): string =>
  Either.isLeft(one) ? one.left.reason : ""

describe("a named log", () => {
  it("is found by its name, and by no other", () => {
    const file = configured({ logs: { team: { url } } })
    expect(namedLog(file, "team")).toEqual(Either.right({ url }))
    expect(reasonOf(namedLog(file, "toString"))).toBe('no log is called "toString": there are team')
    expect(reasonOf(namedLog(configured({}), "team"))).toContain("none has a name so far")
    expect(reasonOf(namedLog(configured('{"logs": 1}'), "team"))).toContain('"logs": must give each name')
    expect(reasonOf(namedLog(configured({ logs: { "../x": { url } } }), "../x"))).toContain("logs")
  })

  it("has its password in a file or in the environment", () => {
    const file = configured({})
    const folder = join(file, "..")
    writeFileSync(join(folder, "secret"), "p@ss/word\n", { mode: 0o600 })
    expect(urlOf({ url, passwordFile: "secret" }, file, {})).toEqual(
      Either.right(`${url}&password=p%40ss%2Fword`)
    )
    expect(urlOf({ url: "postgresql:///hooktape", passwordEnvironment: "PW" }, file, { PW: "x" })).toEqual(
      Either.right("postgresql:///hooktape?password=x")
    )
    chmodSync(join(folder, "secret"), 0o644)
    expect(reasonOf(urlOf({ url, passwordFile: "secret" }, file, {}))).toContain(
      "can be read or written by others"
    )
    expect(urlOf({ url }, file, {})).toEqual(Either.right(url))
  })

  it.each([
    ["postgresql://a:secret@db/hooktape", {}, "a URL with a password is refused"],
    ["postgresql://a@db/hooktape?password=secret", {}, "a URL with a password is refused"],
    ["https://db", {}, "does not begin with postgresql://"],
    ["nonsense", {}, "does not begin with postgresql://"],
    ["postgresql://a@db.example/hooktape", {}, "says nothing of TLS"],
    [url, { passwordEnvironment: "NOT_SET" }, "NOT_SET is not set"],
    [url, { passwordFile: "nowhere" }, "its password cannot be taken"]
  ])("that is %s %j is refused", (to, more, why) => {
    const told = reasonOf(urlOf({ url: to, ...more }, configured({}), {}))
    expect(told).toContain(why)
    expect(told).not.toContain("secret")
  })

  it("of another database lies elsewhere under the same name", () => {
    expect(replicaOf("/s", "team", { url })).not.toBe(replicaOf("/s", "team", { url: `${url}2` }))
  })
})
