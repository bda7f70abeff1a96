/** The mutator of `npm run soak -- mutants`: each mutant can be had by itself, and without any the source is what it was. */

import { runInNewContext } from "node:vm"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { type Mutated, mutate } from "../../soak/mutants/mutate.ts"

const source = `
const at = (a: number, b: number, c: boolean): string => {
  if (a > 1 && b > 1 && c) return "much"
  if (Number.isNaN(a ?? b ?? 0)) return "none"
  return [a, b].filter((one) => one > 0).filter((one) => one < 9).map(String).join("-").toString()
}
at`

type At = (a: number, b: number, c: boolean) => string

/** What the function says where one of the mutants is in. */
const run = ({ mutants, text }: Mutated, active?: string) => {
  const all = text(new Set(mutants.map(({ id }) => id)))
  const { outputText } = ts.transpileModule(all, { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
  try {
    const at = runInNewContext(outputText, { isMutant: (id: string) => id === active }) as At
    return [at(2, 2, true), at(2, 0, true), at(12, 1, false), at(1, 3, true)].join(" ")
  } catch (error) {
    return `failed: ${error}`
  }
}

describe("a source with all its mutants", () => {
  const mutated = mutate("at.ts", source)

  it("does what it did while none of them is in", () => expect(run(mutated)).toBe("much 2 1 1-3"))

  it("has a name for each of them alone, also where one begins as another does", () => {
    const ids = mutated.mutants.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(25)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("does otherwise with one that changes what it says", () => {
    const told = (operator: string, from: string) =>
      mutated.mutants
        .filter((one) => one.operator === operator && one.from === from)
        .map(({ id }) => run(mutated, id))
    expect(told("condition", "a > 1 && b > 1 && c")).toEqual(["much much much much", "2-2 2 1 1-3"])
    expect(told("condition", "a > 1")).toEqual(["much 2 1 much", "2-2 2 1 1-3"])
    expect(told("operator", "&&")).toEqual(["much much 1 much", "much much 1 much"])
    expect(told("text", '"-"')).toEqual(["much 2 1 13"])
  })
})
