/** What prompts say of the agent's work: how it does on a labelled table, what it is about, and the event that follows. */
import { describe, expect, it } from "vitest"
import { adapters } from "../../../src/agents/adapters.ts"
import { feedbackOf } from "../../../src/agents/feedback.ts"
import { feedbackNote } from "../../../src/features/feedback/feedback.ts"
import { prompts, unseen } from "../../support/labelled/prompts.ts"
import { score } from "../../support/labelled/score.ts"
import { terse } from "../../support/labelled/terse.ts"

const polarity = (prompt: string): string | null => feedbackOf(prompt)?.polarity ?? null

describe("the labelled prompts", () => {
  it("are many, of both polarities and of neither, each once", () => {
    const labels = prompts.map(([, label]) => label)
    expect(prompts.length).toBeGreaterThanOrEqual(300)
    expect(new Set(prompts.map(([prompt]) => prompt)).size).toBe(prompts.length)
    for (const label of ["positive", "negative", null])
      expect(labels.filter((one) => one === label).length).toBeGreaterThanOrEqual(80)
  })

  it("are told apart with a precision of 0.95 and a recall of 0.85", () => {
    const { precision, recall, wrong } = score(prompts, polarity)
    expect(precision, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.95)
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.85)
  })

  it("that nobody looked at before are seldom taken for what they are not", () => {
    expect(score(unseen, polarity).precision).toBeGreaterThanOrEqual(0.8)
  })
})

describe("terse prompts", () => {
  const half = (rest: number) => terse.filter((_, nth) => nth % 2 === rest)
  const f1 = (table: typeof terse, wanted: string): number => {
    const { precision, recall } = score(
      table.map(([text, label]) => [text, label === wanted ? label : null]),
      (text) => (polarity(text) === wanted ? wanted : null)
    )
    return (2 * precision * recall) / (precision + recall)
  }

  it.each(["negative", "positive"])(
    "that were looked at, and those kept back, are told apart: %s",
    (wanted) => {
      expect(terse.length).toBeGreaterThanOrEqual(199)
      expect(f1(half(0), wanted)).toBeGreaterThanOrEqual(0.95)
      expect(f1(half(1), wanted)).toBeGreaterThanOrEqual(0.85)
    }
  )
})

describe("feedback", () => {
  it.each([
    ["Great job on `router.ts`!", "router.ts"],
    ["The refactoring of src/auth.ts is spot on", "src/auth.ts"],
    ['that\'s wrong, "npm ci" is the command', "npm ci"],
    ["No, that is wrong. Look at lib/a.go.", "lib/a.go"],
    ["Perfect, exactly what I wanted.", "Perfect, exactly what I wanted."]
  ])("%s is about %s", (prompt, about) => {
    expect(feedbackOf(prompt)?.about).toBe(about)
  })

  it("that praises and corrects is a correction", () => {
    expect(polarity("Great work.\nBut you broke the build.")).toBe("negative")
    expect(polarity("great, but that's wrong")).toBe("negative")
  })

  it("does not lie in a long task or a document, save in its first words", () => {
    const long = `${"The parser reads lines. ".repeat(40)}Now the build is broken, and you deleted it.`
    expect(polarity(`Add this. ${long}`)).toBeNull()
    expect(polarity(`# Plan\nThat's wrong.\n${long}`)).toBeNull()
    expect(polarity(`No, that's wrong. ${long}`)).toBe("negative")
  })

  it("does not lie in code, in quotes, or in what others said", () => {
    for (const prompt of [
      "```\nthat's wrong\n```",
      "    you broke it",
      "> this is terrible",
      'say "you broke it"'
    ])
      expect(polarity(prompt), prompt).toBeNull()
  })

  it("is looked for in the beginning of what is long, whatever it holds", () => {
    const long = [
      "you ".repeat(30_000),
      "a".repeat(200_000),
      "`".repeat(100_000),
      "that's ".repeat(20_000),
      "\n".repeat(200_000)
    ]
    for (const prompt of [...long, ...long.map((one) => `${one} is wrong`)])
      expect([null, "negative"], prompt.slice(0, 20)).toContain(polarity(prompt))
    expect(polarity(`That's wrong. ${"x".repeat(200_000)}`)).toBe("negative")
    expect(feedbackOf(`${"x ".repeat(900)} that's wrong`)?.about.length).toBeLessThanOrEqual(200)
  })
})

describe("the note of it", () => {
  it("says what was praised or corrected, and with which words", () => {
    expect(feedbackNote("negative", "a.ts", "No,  that's\nwrong, see `a.ts`")).toBe(
      "Corrected: a.ts\n\nNo, that's wrong, see `a.ts`"
    )
    expect(feedbackNote("positive", "perfect", "perfect")).toBe("Praised: perfect")
    expect(feedbackNote("positive", "x", "y".repeat(1000)).length).toBeLessThan(520)
  })
})

describe("feedback.given", () => {
  const prompt = "No, that's wrong, see `a.ts`"
  const feedback = { event: "feedback.given", data: { polarity: "negative", about: "a.ts" } }

  it.each([
    ["claude-code", "UserPromptSubmit", { session_id: "s", prompt }],
    ["codex", "UserPromptSubmit", { session_id: "s", prompt }],
    ["gemini-cli", "BeforeAgent", { session_id: "s", prompt }],
    ["cursor", "beforeSubmitPrompt", { conversation_id: "s", prompt }],
    ["windsurf", "pre_user_prompt", { trajectory_id: "s", tool_info: { user_prompt: prompt } }],
    ["raw", "prompt.submit", { session: "s", prompt }]
  ] as const)("follows from a prompt of %s", (agent, native, payload) => {
    const { events } = adapters[agent].decode(native, payload)
    expect(events.map(({ event }) => event)).toEqual(["prompt.submit", "feedback.given"])
    expect(events[1]).toEqual(feedback)
  })

  it("does not follow from one that says nothing of the kind", () => {
    const { events } = adapters.codex.decode("UserPromptSubmit", { prompt: "add a test" })
    expect(events).toHaveLength(1)
  })
})

describe("prompts of a stranger's kind", () => {
  it.each([
    "the endpoint you added returns 500 without a body",
    "looks like you hardcoded the port",
    "did you even run it? it doesn't start",
    "They don't.",
    "Wait, stop. The wrong branch.",
    "not quite - newest first",
    "that's not the bug",
    "Useless. It tests the mock.",
    "the page is still blank",
    "it was fine until the last commit",
    "it literally wiped my notes",
    "nobody asked for a wizard",
    "looks good except the margin on phones"
  ])("corrects: %s", (prompt) => {
    expect(feedbackOf(prompt)?.polarity).toBe("negative")
  })

  it.each([
    "kudos, clean work",
    "Great, now add one for the empty list",
    "I'm impressed, you found the leak I was after for days",
    "Approved, go on.",
    "Confirmed, the crash is gone.",
    "nailed it",
    "that's actually simpler than mine",
    "better than i hoped"
  ])("praises: %s", (prompt) => {
    expect(feedbackOf(prompt)?.polarity).toBe("positive")
  })

  it.each([
    "Add a test that fails when the name is wrong.",
    "write one that breaks on purpose",
    "Nobody asked for single sign-on yet, skip it",
    "Not quite ready to merge, I still need to write the docs",
    "Was fine until v3 of the library: bisect",
    "It's harder to maintain than the old one, according to the audit",
    "The third time asking for help, the user should see a link",
    "Props should be readonly",
    "Approved orders get a green badge",
    "Approved by legal, so publish",
    "Kudos page: add a list of winners",
    "Verified users should see a badge when the check passes",
    "Confirmed: the customer says login works on Safari, close the ticket",
    "Solid, Liskov and so on: explain",
    "Sorting is easier than I thought in Rust, add a section",
    "Add a nice trick section"
  ])("asks or tells, and does neither: %s", (prompt) => {
    expect(feedbackOf(prompt)).toBeUndefined()
  })
})
