import { describe, expect, it } from "@effect/vitest"
import { makeLongTexts } from "../../../src/redact/longTexts.ts"

const setup = () => {
  const texts = makeLongTexts()
  let made = 0
  const ask = (text: string) =>
    texts.of(text, (given) => {
      made++
      return `${given}!`
    })
  return { texts, ask, made: () => made }
}
const long = "a".repeat(1000)

describe("long texts", () => {
  it("are made once, whoever asks", () => {
    const { ask, made } = setup()
    expect([ask(long), ask("a".repeat(1000))]).toEqual([`${long}!`, `${long}!`])
    expect(made()).toBe(1)
  })

  it("are told apart where they differ at their end alone", () => {
    const { ask } = setup()
    ask(`${long}b`)
    expect(ask(`${long}c`)).toBe(`${long}c!`)
  })

  it("stay as they are once they settled", () => {
    const { ask, made, texts } = setup()
    texts.isSettled(long)
    expect(ask(long)).toBe(long)
    expect(made()).toBe(0)
  })

  it("are short ones never", () => {
    const { ask, made, texts } = setup()
    texts.isSettled("a")
    expect([ask("a"), ask("a")]).toEqual(["a!", "a!"])
    expect(made()).toBe(2)
  })

  it("are kept from one call to the next", () => {
    const { ask, made, texts } = setup()
    ask(long)
    texts.trim()
    ask(long)
    expect(made()).toBe(1)
  })

  it("are dropped between calls where they are too much to hold on to", () => {
    const { ask, made, texts } = setup()
    const huge = "a".repeat(5_000_000)
    ask(huge)
    ask(huge)
    expect(made()).toBe(1)
    texts.trim()
    ask(huge)
    expect(made()).toBe(2)
  })

  it("are no more than so many", () => {
    const { ask, made } = setup()
    ask(long)
    for (let n = 0; n < 64; n++) ask(long + n)
    ask(long)
    expect(made()).toBe(66)
  })
})
