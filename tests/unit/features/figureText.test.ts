/** What a figure stands on, in words that fit one and many. */
import { expect, it } from "vitest"
import { definitions } from "../../../src/features/metrics/definitions.ts"
import { intervalText, nText } from "../../../src/features/metrics/figureText.ts"

it("one of what is counted is told as one, whichever figure it is", () => {
  const ones = new Map(definitions.map(({ counts }) => [counts, nText({ counts, n: 1 })]))
  expect(Object.fromEntries(ones)).toEqual({
    "blocked tool calls": "n = 1 blocked tool call",
    "calls that ended": "n = 1 call that ended",
    "calls within turns": "n = 1 call within turns",
    "checkpoints with evidence": "n = 1 checkpoint with evidence",
    "checks that were red": "n = 1 check that was red",
    "commits found in git": "n = 1 commit found in git",
    compactions: "n = 1 compaction",
    "first runs after an edit": "n = 1 first run after an edit",
    interventions: "n = 1 intervention",
    "lines put in": "n = 1 line put in",
    "messages of the model": "n = 1 message of the model",
    runs: "n = 1 run",
    sessions: "n = 1 session",
    "tool calls": "n = 1 tool call",
    "turns that edit": "n = 1 turn that edits",
    weeks: "n = 1 week"
  })
  expect(nText({ counts: "sessions", n: 2400 })).toBe("n = 2 400 sessions")
})

it("an interval is told where there is one", () => {
  expect(intervalText({ unit: "share", interval: [0.25, 0.75] })).toBe("95 %: 25 % to 75 %")
  expect(intervalText({ unit: "share" })).toBe("")
})
