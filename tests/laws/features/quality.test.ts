/** Quality follows from evidence: never beyond its bounds, by weights that add up, and what nobody knows has no say. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import {
  type Evidence,
  qualityOf,
  shares,
  unknownQuality
} from "../../../src/features/checkpoints/quality.ts"
import { faults, qualityGate } from "../../../src/features/qualityGate/qualityGate.ts"
import { holds } from "../../support/arbitrary.ts"

const count = FastCheck.oneof(FastCheck.nat({ max: 5 }), FastCheck.nat({ max: 1_000_000 }))
const outcome = FastCheck.record({
  command: FastCheck.string(),
  passed: FastCheck.boolean(),
  editedSince: count
})
const maybe = <A>(some: FastCheck.Arbitrary<A>) => FastCheck.option(some, { nil: undefined })

const errors = FastCheck.tuple(count, count).map(([a, b]) => ({
  seen: Math.max(a, b),
  results: a + b,
  unresolved: Math.min(a, b),
  last: "x"
}))
const feedback = FastCheck.record({ praise: count, corrections: count }).filter(
  ({ corrections, praise }) => praise + corrections > 0
)

const evidence: FastCheck.Arbitrary<Evidence> = FastCheck.record({
  tests: maybe(outcome),
  build: maybe(outcome),
  types: maybe(outcome),
  lint: maybe(outcome),
  errors: maybe(errors),
  blocks: maybe(FastCheck.record({ actions: count, blocked: count })),
  changes: maybe(FastCheck.record({ files: count, lines: count })),
  feedback: maybe(feedback)
})

const names = Object.keys(shares) as readonly (keyof Evidence)[]
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

describe("quality", () => {
  it("is a whole number from 0 to 100, between the worst and the best of its components", () => {
    holds(
      evidence,
      (given) => {
        const { components, quality } = qualityOf(given)
        expect(Number.isInteger(quality) && quality >= 0 && quality <= 100).toBe(true)
        const scores = components.flatMap(({ score }) => (score === undefined ? [] : [score]))
        for (const score of scores) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
        if (scores.length === 0) return
        expect(quality).toBeGreaterThanOrEqual(Math.min(...scores))
        expect(quality).toBeLessThanOrEqual(Math.max(...scores))
      },
      500
    )
  })

  it("has every component, each with a reason; weights add up to 1, and what has no evidence has none", () => {
    holds(
      evidence,
      (given) => {
        const { components } = qualityOf(given)
        expect(components.map(({ name }) => name)).toEqual(names)
        for (const { name, reason, score, weight } of components) {
          expect(reason).not.toBe("")
          expect(score === undefined).toBe(given[name as keyof Evidence] === undefined)
          if (score === undefined) expect(weight).toBe(0)
          else expect(weight).toBeGreaterThanOrEqual(shares[name as keyof Evidence] - 1e-5)
        }
        const known = names.filter((name) => given[name] !== undefined)
        expect(sum(components.map(({ weight }) => weight))).toBeCloseTo(known.length === 0 ? 0 : 1, 4)
      },
      500
    )
    expect(sum(Object.values(shares))).toBeCloseTo(1, 9)
  })

  it("never falls because something passed, and never rises because something failed", () => {
    holds(
      FastCheck.tuple(evidence, FastCheck.constantFrom("tests", "build", "types", "lint")),
      ([given, name]) => {
        const as = (passed: boolean) =>
          qualityOf({ ...given, [name]: { command: "x", passed, editedSince: 0 } }).quality
        expect(as(true)).toBeGreaterThanOrEqual(as(false))
      }
    )
  })

  it("of nothing is neither good nor turned down", () => {
    expect(qualityOf({}).quality).toBe(unknownQuality)
    expect(
      qualityOf({}).components.every(({ reason, score }) => score === undefined && /^no/.test(reason))
    ).toBe(true)
  })
})

describe("quality-gate", () => {
  const run = (quality: number, settings = {}) =>
    qualityGate.run({
      quality,
      components: qualityOf({ tests: { command: "npm test", passed: false, editedSince: 2 } }).components,
      settings
    } as never)

  it("lets pass from 60 on and hands the quality on, and says of any other what is wrong", () => {
    holds(
      FastCheck.tuple(FastCheck.integer({ min: 0, max: 100 }), FastCheck.integer({ min: 0, max: 100 })),
      ([quality, least]) => {
        expect(run(quality, { least })).toEqual(
          quality >= least
            ? { metadata: { validated: true, quality } }
            : {
                type: "BLOCKING_FEEDBACK",
                reason: `quality ${quality} is under ${least} (tests: \`npm test\` failed, and 2 files edited since)`
              }
        )
      }
    )
    for (const nonsense of [undefined, "90", -1, 101, null])
      expect(run(60, { least: nonsense })).toHaveProperty("metadata")
    expect(run(59)).toHaveProperty("reason")
  })

  it("names what takes most away first, and three at most", () => {
    const part = (name: string, weight: number, score?: number) => ({
      name,
      weight,
      reason: "r",
      ...(score === undefined ? {} : { score })
    })
    const parts = [
      part("a", 0.1, 0),
      part("b", 0.5, 50),
      part("c", 0.1, 90),
      part("d", 0.2, 50),
      part("e", 0.1, 100),
      part("f", 0)
    ]
    expect(faults(parts)).toEqual(["b: r", "a: r", "d: r"])
  })
})
