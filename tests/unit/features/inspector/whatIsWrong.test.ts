/** What the inspector says of a question that it cannot read. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { whatIsWrong } from "../../../../src/features/inspector/server/whatIsWrong.ts"

const Question = Schema.Struct({
  limit: Schema.optional(Schema.NumberFromString.pipe(Schema.lessThanOrEqualTo(10))),
  whatIf: Schema.optional(Schema.Struct({ hook: Schema.String }))
})

const wrong = (asked: unknown): string =>
  Either.match(Schema.decodeUnknownEither(Question)(asked), {
    onLeft: whatIsWrong,
    onRight: () => "nothing"
  })

describe("what is wrong with a question", () => {
  it("is said in one line that begins with the field's name", () => {
    expect(wrong({ limit: "11" })).toMatch(/^limit: [^\n]*\b10\b[^\n]*$/)
    expect(wrong({ whatIf: {} })).toMatch(/^whatIf\.hook: [^\n]+$/)
  })

  it("has no field where the whole is none", () => {
    expect(wrong([])).toBe("not an object")
    expect(wrong({})).toBe("nothing")
  })
})
