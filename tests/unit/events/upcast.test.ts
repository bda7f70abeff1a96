/** Old shapes of facts, and the golden log of every released schema version. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { upcast } from "../../../events/upcast.ts"
import { decodeFact, knownTypes } from "../../../src/log/validity.ts"

const table = {
  NOTE: [
    (data: unknown) => ({ ...(data as object), two: true }),
    (data: unknown) => ({ ...(data as object), three: (data as { two: boolean }).two })
  ],
  BROKEN: [
    () => {
      throw new Error("no")
    }
  ]
}

describe("upcast", () => {
  it("goes through every version in between", () => {
    expect(upcast("NOTE", 1, { one: 1 }, table, 3)).toEqual({ data: { one: 1, two: true, three: true } })
    expect(upcast("NOTE", 2, { two: false }, table, 3)).toEqual({ data: { two: false, three: false } })
    expect(upcast("NOTE", 3, { x: 1 }, table, 3)).toEqual({ data: { x: 1 } })
  })

  it("leaves types alone that never changed, whatever they are called", () => {
    expect(upcast("OTHER", 1, { x: 1 }, table, 3)).toEqual({ data: { x: 1 } })
    expect(upcast("constructor", 1, { x: 1 }, table, 3)).toEqual({ data: { x: 1 } })
  })

  it("knows no way from the future, from nowhere, or where a step fails", () => {
    expect(upcast("NOTE", 4, {}, table, 3)).toBeUndefined()
    expect(upcast("NOTE", 0, {}, table, 3)).toBeUndefined()
    expect(upcast("NOTE", 1.5, {}, table, 3)).toBeUndefined()
    expect(upcast("BROKEN", 1, {}, table, 3)).toBeUndefined()
  })
})

const golden = (version: number): readonly Recorded[] =>
  readFileSync(join(import.meta.dirname, `../../logs/v${version}.ndjson`), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("golden logs", () => {
  const versions = Array.from({ length: schemaVersion }, (_, at) => at + 1)

  it.each(versions)("every fact of version %i is still known", (version) => {
    const facts = golden(version)
    expect(facts.length).toBeGreaterThan(0)
    for (const fact of facts) {
      expect(fact.schemaVersion).toBe(version)
      const { known, data } = decodeFact(fact.type, fact.schemaVersion, fact.data)
      expect([fact.type, known]).toEqual([fact.type, true])
      expect((data as { type: string }).type).toBe(fact.type)
    }
  })

  it("the newest holds one of every type", () => {
    const types = new Set(golden(schemaVersion).map(({ type }) => type))
    expect(knownTypes.filter((type) => !types.has(type))).toEqual([])
  })

  it("a fact that lacks a field, or has one of another kind, is not known", () => {
    for (const { type, schemaVersion, data } of golden(1)) {
      for (const [field, value] of Object.entries(data as object)) {
        const { [field]: _, ...without } = data as Record<string, unknown>
        const wrong = decodeFact(type, schemaVersion, {
          ...without,
          [field]: typeof value === "string" ? 7 : "x"
        })
        const free = ["tool", "input", "result", "response"]
        if (!free.includes(field)) expect([type, field, wrong.known]).toEqual([type, field, false])
      }
    }
  })
})
