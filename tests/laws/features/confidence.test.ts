/** What a pattern's confidence keeps to, whatever evidence there is for it or against it. */
import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { asOf, confidenceOf, startConfidence } from "../../../src/features/learning/confidence.ts"
import { type NoteEvidence, notesIn } from "../../../src/runtime/services/Note.ts"

const Because = Schema.Literal(
  "said",
  "praised",
  "checkpoint",
  "corrected",
  "something newer",
  // Names that every object has.
  "constructor",
  "toString"
)
const Share = Schema.Number.pipe(Schema.between(0, 1))
const Days = Schema.Number.pipe(Schema.between(0, 4000))
const Piece = Schema.Struct({
  holds: Schema.Boolean,
  day: Days,
  by: Schema.Literal("operator", "hook learn"),
  because: Schema.NullOr(Because)
})
const Pieces = Schema.Array(Piece).pipe(Schema.maxItems(30))

const day = 86_400_000
const iso = (days: number): string => new Date(days * day).toISOString()
const evidenceOf = ({ because, by, day: at, holds }: typeof Piece.Type): NoteEvidence => ({
  holds,
  by,
  because,
  at: iso(at),
  from: null,
  session: null
})
const of = (pieces: readonly (typeof Piece.Type)[], now: number, start: number | null = startConfidence) =>
  confidenceOf({ at: iso(0), confidence: start, evidence: pieces.map(evidenceOf) }, now * day)

const tiny = 1e-12

const isContested = (pieces: readonly (typeof Piece.Type)[]): boolean => {
  const words = pieces.filter(
    ({ because, by }) => by === "operator" || because === "praised" || because === "corrected"
  )
  return words.filter(({ holds }) => !holds).length > words.filter(({ holds }) => holds).length
}

describe("confidence", () => {
  it.prop("is between 0 and 1", [Pieces, Days, Share], ([pieces, now, start]) => {
    const value = of(pieces, now, start)
    return value >= 0 && value <= 1
  })

  it.prop(
    "never falls by what speaks for it, and never rises by what speaks against it",
    [Pieces, Piece, Days, Share],
    ([pieces, piece, now, start]) => {
      const before = of(pieces, now, start)
      const after = of([...pieces, piece], now, start)
      return piece.holds ? after >= before - tiny : after <= before + tiny
    }
  )

  it.prop(
    "grows by each word for it and shrinks by each against it, where there is room",
    [Pieces, Piece, Days],
    ([pieces, piece, now]) => {
      const before = of(pieces, now)
      const after = of([...pieces, piece], now)
      if (!piece.holds) return after < before
      // A model that says again what people said is wrong convinces nobody.
      const isPersons =
        piece.by === "operator" || piece.because === "praised" || piece.because === "corrected"
      return isPersons || !isContested(pieces) ? after > before : after === before
    }
  )

  it.prop("does not depend on the order of the evidence", [Pieces, Days], ([pieces, now]) => {
    return Math.abs(of(pieces, now) - of([...pieces].reverse(), now)) < 1e-9
  })

  it.prop("falls with age alone", [Pieces, Days, Days], ([pieces, one, other]) => {
    const [sooner, later] = [Math.min(one, other), Math.max(one, other)]
    return of(pieces, later) <= of(pieces, sooner) + tiny
  })

  it("starts in the middle, and a correction outweighs what was said twice", () => {
    const piece = (because: typeof Because.Type, holds = true) => ({
      because,
      holds,
      by: "hook learn" as const,
      day: 0
    })
    expect(of([], 0)).toBe(0.5)
    expect(of([piece("said")], 0)).toBeCloseTo(2 / 3)
    expect(of([piece("praised")], 0)).toBeGreaterThan(of([piece("said")], 0))
    expect(of([piece("checkpoint")], 0)).toBeLessThan(of([piece("said")], 0))
    expect(of([piece("corrected", false)], 0)).toBe(0.25)
    expect(of([piece("said"), piece("corrected", false)], 0)).toBeLessThan(0.5)
    expect(of([piece("corrected", false), piece("said"), piece("said"), piece("checkpoint")], 0)).toBe(0.25)
    const answered = [piece("corrected", false), piece("said"), piece("praised")]
    expect(of(answered, 0)).toBeCloseTo(3.5 / 6.5)
    expect(of([], 180)).toBeCloseTo(0.25)
    expect(of([{ ...piece("said"), by: "operator", because: null }], 0)).toBe(0.8)
  })
})

describe("evidence", () => {
  const told = (data: object, session: string | null = null, at = 0) => ({
    type: (data as { type: string }).type,
    data,
    at,
    project: "/p",
    session
  })
  const recorded = {
    type: "NOTE_RECORDED",
    note: "n",
    text: "x",
    kind: "pattern",
    confidence: 0.5,
    from: "answer"
  }
  const Fact = Schema.Struct({
    type: Schema.Literal("NOTE_CONFIRMED", "NOTE_DOUBTED"),
    note: Schema.Literal("n"),
    by: Schema.Literal("hook learn", "operator"),
    because: Because,
    from: Schema.Literal("a", "b", "c")
  })

  it.prop(
    "counts once, however often it is recorded",
    [Schema.Array(Fact).pipe(Schema.maxItems(20))],
    ([facts]) => {
      const once = notesIn([told(recorded), ...facts.map((fact) => told(fact, "s"))])
      const twice = notesIn(
        [told(recorded), ...facts, ...facts].map((fact) => ("data" in fact ? fact : told(fact, "s")))
      )
      expect(twice).toEqual(once)
    }
  )

  it("of one session saying it again is one piece, of two sessions two, and each praise is its own", () => {
    const piece = (because: string, from: string) => ({
      type: "NOTE_CONFIRMED",
      note: "n",
      by: "hook learn",
      because,
      from
    })
    const [note] = notesIn([
      told(recorded, "s-1"),
      told(piece("said", "a"), "s-1", 1000),
      told(piece("said", "b"), "s-1", 2000),
      told(piece("said", "c"), "s-2", 3000),
      told(piece("praised", "a"), "s-1", 4000),
      told(piece("praised", "b"), "s-1", 5000),
      told(
        { type: "NOTE_DOUBTED", note: "n", by: "hook learn", because: "corrected", from: "d" },
        "s-2",
        6000
      )
    ])
    expect(note).toMatchObject({ confirmed: 4, confirmedAt: iso(5000 / day), from: "answer" })
    expect(note?.evidence.map(({ because, holds, session }) => [because, holds, session])).toEqual([
      ["said", true, "s-1"],
      ["said", true, "s-2"],
      ["praised", true, "s-1"],
      ["praised", true, "s-1"],
      ["corrected", false, "s-2"]
    ])
  })

  it("changes what is shown of patterns alone", () => {
    const [pattern] = notesIn([told(recorded), told({ type: "NOTE_CONFIRMED", note: "n", by: "operator" })])
    const [other] = notesIn([
      told({ ...recorded, kind: "note", confidence: 0.9 }),
      told({ type: "NOTE_CONFIRMED", note: "n", by: "operator" })
    ])
    expect(pattern && asOf(pattern, 0).confidence).toBe(0.8)
    expect(other && asOf(other, 0).confidence).toBe(0.9)
  })
})
