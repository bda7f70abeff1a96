/** What is kept of a session and told to later ones: summaries, briefings and recall as texts within a budget. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { briefText } from "../../../src/features/memory/brief.ts"
import { clippedTo, fitting, tokensOf, within } from "../../../src/features/memory/budget.ts"
import { idOf, recalled, recallText } from "../../../src/features/memory/recall.ts"
import { isEmpty, type SeenFact, summarise, summaryText } from "../../../src/features/memory/summary.ts"
import type { Hit } from "../../../src/features/search/find.ts"
import { holds } from "../../support/arbitrary.ts"

const payload = (events: readonly object[], tool?: object): SeenFact => ({
  type: "PAYLOAD_BUFFERED",
  data: { events, ...(tool ? { tool } : {}) }
})
const prompt = (text: string) => payload([{ event: "prompt.submit", data: { prompt: text } }])
const edit = (path: string) =>
  payload(
    [
      { event: "tool.after", data: {} },
      { event: "file.edited", data: { path } }
    ],
    { kind: "edit", name: "Edit" }
  )
const ran = (command: string, exitCode: number, message = "broke") =>
  payload(
    [
      { event: "tool.after", data: {} },
      { event: "command.ran", data: { command, exitCode, output: "" } },
      ...(exitCode === 0 ? [] : [{ event: "error.observed", data: { signature: "s", message } }])
    ],
    { kind: "shell", name: "Bash", command }
  )
const answered = (text: string) =>
  payload([
    { event: "turn.stop", data: {} },
    { event: "response.given", data: { text } }
  ])

describe("a summary", () => {
  const facts = [
    prompt("Make the   login\nwork"),
    edit("/p/src/a.ts"),
    edit("/p/src/b.ts"),
    ran("npm test", 1, "login.test failed"),
    ran("make", 1, "no rule"),
    edit("/p/src/a.ts"),
    ran("npm  test", 0),
    prompt("Now the logout"),
    answered("Both work now.")
  ]

  it("says the goal, the files, the commands, what is open and how it ended", () => {
    expect(summaryText(summarise(facts), "/p")).toBe(
      [
        "Goal: Make the login work",
        "Last asked: Now the logout",
        "Files changed:",
        "- src/b.ts",
        "- src/a.ts",
        "Commands:",
        "- `make`, failed",
        "- `npm test` 2 times",
        "Unresolved:",
        "- `make`: no rule",
        "Ended with: Both work now."
      ].join("\n")
    )
  })

  it("follows from the facts alone, and is bounded whatever they hold", () => {
    expect(summarise(facts)).toEqual(summarise([...facts]))
    const long = "x".repeat(10_000)
    const many = Array.from({ length: 300 }, (_, at) => [
      prompt(long + at),
      edit(`/p/${at}${long}`),
      ran(`c${at} ${long}`, 1, long),
      answered(long)
    ]).flat()
    expect(summaryText(summarise(many), "/p").length).toBeLessThan(14_000)
    for (const odd of [null, 7, {}, { events: 7 }, { events: [{ event: "prompt.submit", data: {} }] }])
      expect(isEmpty(summarise([{ type: "PAYLOAD_BUFFERED", data: odd }]))).toBe(true)
  })
})

describe("a budget", () => {
  const text = FastCheck.stringOf(FastCheck.constantFrom("word ", "\n", "日本", "é", "😀", "x"), {
    maxLength: 200
  })

  it("is never exceeded", () => {
    holds(FastCheck.tuple(text, FastCheck.integer({ min: 1, max: 60 })), ([given, tokens]) => {
      const kept = clippedTo(given, tokens)
      expect(tokensOf(kept)).toBeLessThanOrEqual(tokens + 1)
      expect(given.startsWith(kept.replace(/…$/, ""))).toBe(true)
    })
    holds(
      FastCheck.tuple(FastCheck.array(text), FastCheck.integer({ min: 1, max: 60 })),
      ([pieces, tokens]) => {
        const kept = fitting(pieces, tokens, (one) => one)
        expect(kept.reduce((sum, one) => sum + tokensOf(one), 0)).toBeLessThanOrEqual(tokens)
      }
    )
  })

  it("is what the settings say where they say something that can be", () => {
    expect([
      within(7, 1, 10, 3),
      within(0, 1, 10, 3),
      within("7", 1, 10, 3),
      within(Number.NaN, 1, 10, 3)
    ]).toEqual([7, 3, 3, 3])
  })
})

describe("a briefing", () => {
  const briefing = {
    summary: { text: "Goal: x", at: "2026-01-02T03:04:05.000Z" },
    feedback: [
      { polarity: "negative", about: "no default exports" },
      { polarity: "positive", about: "small commits" }
    ],
    errors: [{ what: "`make`", error: "no rule" }],
    preferences: [{ file: ".hooktape/preferences.md", text: "Use pnpm." }]
  }

  it("has preferences, feedback, what is unresolved and the last summary", () => {
    expect(briefText(briefing, 800)).toBe(
      [
        "From earlier sessions of this project:",
        "## Preferences (.hooktape/preferences.md)\nUse pnpm.",
        "## What the user said of earlier work\n- corrected: no default exports\n- liked: small commits",
        "## Unresolved when the last session ended\n- `make`: no rule",
        "## The last session (2026-01-02)\nGoal: x"
      ].join("\n\n")
    )
  })

  it("is nothing where there is nothing to tell", () => {
    expect(briefText({ feedback: [], errors: [], preferences: [] }, 800)).toBeUndefined()
  })

  it("keeps to its budget, and lets no section take the others' place", () => {
    const long = { ...briefing, preferences: [{ file: "a", text: "word ".repeat(10_000) }] }
    for (const tokens of [80, 200, 800])
      expect(tokensOf(briefText(long, tokens) ?? "")).toBeLessThanOrEqual(tokens)
    expect(briefText(long, 400)).toContain("no rule")
  })
})

const hit = (position: number, text: string, more: Partial<Hit> = {}): Hit => ({
  kind: "note",
  position,
  at: 0,
  project: "/p",
  session: "old",
  note: `n${position}`,
  text,
  excerpt: "",
  ...more
})

describe("recall", () => {
  const ask = {
    prompt: "Why do the redis tests fail?",
    session: "s",
    given: new Set<string>(),
    tokens: 500,
    most: 4
  }
  const ids = (hits: readonly Hit[], over: Partial<typeof ask> = {}) =>
    recalled({ ...ask, ...over, hits }).map(({ id }) => id)

  it("is what shares enough with the prompt, comes from another session, and was not given before", () => {
    const hits = [
      hit(1, "The Redis test needs port 6379"),
      hit(2, "Redis is nice"),
      hit(3, "redis tests failed", { session: "s" }),
      hit(4, "redis tests failed here"),
      hit(5, "`npm test` failed, redis was down", { kind: "fix", note: null, session: null })
    ]
    expect(ids(hits)).toEqual(["note n1", "note n4", "fact 5"])
    expect(ids(hits, { given: new Set(["note n1", "fact 5"]) })).toEqual(["note n4"])
    expect(ids(hits, { most: 1 })).toEqual(["note n1"])
    expect(ids(hits, { prompt: "redis" })).toEqual(["note n1", "note n2", "note n4", "fact 5"])
    expect(ids(hits, { prompt: "and then?" })).toEqual([])
    expect(idOf(hit(9, ""))).toBe("note n9")
  })

  it("has patterns in their own words, the best believed first where patterns stood, and none that is hardly believed", () => {
    const hits = [1, 2, 3, 4].map((nth) => hit(nth, `redis tests ${nth}\nconvention`))
    const believed = (confidence: number) => ({ text: `redis tests say ${confidence}`, confidence })
    const patterns = new Map([
      ["n1", believed(0.4)],
      ["n3", believed(0.2)],
      ["n4", believed(0.9)]
    ])
    expect(recalled({ ...ask, hits, patterns, least: 0.3 })).toEqual([
      { id: "note n4", kind: "pattern", text: "redis tests say 0.9" },
      { id: "note n2", kind: "note", text: "redis tests 2\nconvention" },
      { id: "note n1", kind: "pattern", text: "redis tests say 0.4" }
    ])
    expect(recallText(recalled({ ...ask, hits, patterns, least: 0.8 }))).toContain(
      "- an earlier answer: redis tests say 0.9"
    )
  })

  it("keeps to its budget, and is nothing where there is nothing", () => {
    const hits = Array.from({ length: 40 }, (_, at) => hit(at, `redis tests ${"word ".repeat(500)}${at}`))
    for (const tokens of [30, 100, 500]) {
      const text = recallText(recalled({ ...ask, tokens, most: 50, hits }))
      expect(tokensOf(text ?? "")).toBeLessThanOrEqual(tokens + 2)
    }
    expect(recallText([])).toBeUndefined()
    expect(recallText([{ id: "a", kind: "fix", text: "one\n\ntwo" }])).toMatch(
      /^From earlier .*\n- fixed before: one\n {2}two$/
    )
  })
})
