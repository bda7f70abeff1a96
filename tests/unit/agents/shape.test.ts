/** What of a payload does not have its shape is named by where it stands, and the rest is used. */
import { describe, expect, it } from "vitest"
import { type Fields, mismatches, read, type Shape } from "../../../src/agents/shape.ts"

const described: Fields = {
  name: "string",
  "count?": "number",
  kind: { oneOf: ["a", "b"] },
  word: { word: ["seen"] },
  input: { fields: { path: "string", "deep?": { only: { "at?": "boolean" } } } },
  rows: { listOf: { fields: { id: { nullOr: "number" } } } },
  any: "json",
  thing: "object"
}

const sound = {
  name: "n",
  count: 1,
  kind: "b",
  word: "unseen",
  input: { path: "p", deep: { at: true }, more: 1 },
  rows: [{ id: null }, { id: 2 }],
  any: null,
  thing: {},
  extra: 1
}

describe("a payload", () => {
  it("of its shape is used whole, but for what nobody described", () => {
    const { extra: _, ...known } = sound
    expect(read(described, sound)).toEqual({ fields: known, drift: [] })
  })

  it("may lack any field", () => expect(read(described, {})).toEqual({ fields: {}, drift: [] }))

  it("names each wrong field where it stands, and keeps the others", () => {
    const { drift, fields } = read(described, {
      ...sound,
      count: "1",
      kind: "c",
      word: 1,
      input: { deep: { at: 1, other: true } },
      rows: [{ id: "1" }, {}, { id: 3 }, 4],
      thing: []
    })
    expect(drift).toEqual([
      "count",
      "kind",
      "word",
      "input.path",
      "input.deep.at",
      "input.deep.other",
      "rows[0].id",
      "rows[1].id",
      "rows[3]",
      "thing"
    ])
    expect(fields).toEqual({ name: "n", any: null })
  })

  it("names five of what is wrong in one field", () => {
    const rows = Array.from({ length: 9 }, () => ({ id: "x" }))
    expect(read({ rows: described["rows"] as Shape }, { rows }).drift).toEqual(
      [0, 1, 2, 3, 4].map((at) => `rows[${at}].id`)
    )
  })

  it("is not asked for what an object merely inherits", () => {
    expect(read({ toString: "string" } as const, {})).toEqual({ fields: {}, drift: [] })
    expect(mismatches({ fields: { toString: "string" } as const }, {})).toEqual(["toString"])
  })
})

describe("a value", () => {
  it.each<[Shape, unknown]>([
    ["string", 1],
    ["number", "1"],
    ["boolean", null],
    ["json", undefined],
    ["object", null],
    ["object", []],
    [{ listOf: "string" }, {}],
    [{ nullOr: "string" }, 1],
    [{ fields: {} }, []],
    [{ only: {} }, "x"]
  ])("that is not %j is named: %j", (shape, value) => expect(mismatches(shape, value, "at")).toEqual(["at"]))

  it("that is whole is named by its own fields", () => {
    expect(mismatches({ only: { "a?": "string" } }, { a: 1, b: 2 })).toEqual(["a", "b"])
  })
})
