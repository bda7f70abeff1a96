/** List prices of models, in US dollars for a million tokens, as their vendors named them at `pricedOn`. No discount, no subscription. */

export const pricedOn = "2025-11-24"

export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheCreation: number
}

const anthropic = (input: number, output: number): Price => ({
  input,
  output,
  cacheRead: input / 10,
  cacheCreation: input * 1.25
})

const other = (input: number, output: number, cacheRead: number): Price => ({
  input,
  output,
  cacheRead,
  cacheCreation: input
})

/** The first that fits a model's name counts; a name that fits none has no price. */
const table: readonly (readonly [name: RegExp, price: Price])[] = [
  [/^claude-opus-4-5\b/, anthropic(5, 25)],
  [/^claude-(?:opus-4|3-opus)\b/, anthropic(15, 75)],
  [/^claude-(?:sonnet-4|3-[57]-sonnet|3-sonnet)\b/, anthropic(3, 15)],
  [/^claude-haiku-4-5\b/, anthropic(1, 5)],
  [/^claude-3-5-haiku\b/, anthropic(0.8, 4)],
  [/^gpt-5(?:\.\d)?-mini\b/, other(0.25, 2, 0.025)],
  [/^gpt-5(?:\.1)?(?:-codex)?(?:-max)?(?:-\d{4}.*)?$/, other(1.25, 10, 0.125)],
  [/^gemini-2\.5-pro\b/, other(1.25, 10, 0.31)],
  [/^gemini-2\.5-flash-lite\b/, other(0.1, 0.4, 0.025)],
  [/^gemini-2\.5-flash\b/, other(0.3, 2.5, 0.075)]
]

export const priceOf = (model: string): Price | undefined => table.find(([name]) => name.test(model))?.[1]

/** Tokens that a model can have before it, where its name tells. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gpt-5/, 400_000],
  [/^gemini-2/, 1_048_576]
]

export const windowOf = (model: string): number | undefined => windows.find(([name]) => name.test(model))?.[1]
