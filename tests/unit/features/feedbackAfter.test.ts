/** What prompts say of the agent's work where the turn before is at hand, and how that turn is read from the log. */
import { describe, expect, it } from "vitest"
import type { SessionId } from "../../../events/ids.ts"
import { type Draft, noMarks } from "../../../events/Recorded.ts"
import { feedbackOf } from "../../../src/agents/feedback.ts"
import { feedbackAfter, type TurnBefore } from "../../../src/features/feedback/feedbackAfter.ts"
import { turnBefore } from "../../../src/features/feedback/turnBefore.ts"
import type { Reader, ReadFact } from "../../../src/log/reader.ts"

const worked: TurnBefore = {
  prompt: "add a table of prices to the shop page",
  answer: "Done. The prices are kept in cents, and column widths cannot be set.",
  worked: true
}
const judge = (prompt: string, before: TurnBefore | undefined = worked): string | null =>
  feedbackAfter(prompt, before)?.polarity ?? null

describe("with the turn before, a prompt", () => {
  it.each([
    "try again",
    "please do it again",
    "Add a table of prices to the shop page!",
    "I've removed the new columns, what about the header?",
    "I was able to set them in the stylesheet",
    "the header doesn't line up",
    "the second row seems to be missing",
    "I don't see the table in the menu",
    "there is a small problem with the footer",
    "this name will cause trouble with the old shop, it will break it",
    "let's use euros and not cents",
    "why can't we just reuse the old table?",
    "lint failures :(",
    "now I get ReferenceError: cart is not defined",
    "TypeError: total is not a function",
    "we see 12 failures in ci",
    "it's not rounded",
    "not visible",
    "what happened to the search box?",
    "where are the prices?",
    "git restore . and start over",
    "bring the old footer back",
    "I had to move the styles myself",
    "again"
  ])("corrects, though its words alone do not: %s", (prompt) => {
    expect(feedbackOf(prompt), "its words alone").toBeUndefined()
    expect(judge(prompt)).toBe("negative")
  })

  it.each([
    "cool - and what does the footer say?",
    "I like option 2, do that",
    "it's green now",
    "the warning is gone",
    "the shop loads again",
    "tests pass on my laptop too",
    "yes, ship it",
    "keep it as it is",
    "makes sense"
  ])("praises, though its words alone do not: %s", (prompt) => {
    expect(feedbackOf(prompt), "its words alone").toBeUndefined()
    expect(judge(prompt)).toBe("positive")
  })

  it.each([
    "commit and push",
    "now add a footer",
    "what does the footer say?",
    "is the footer missing?",
    "find what is wrong with the old shop",
    "if a price is missing, show a dash",
    "let's use tabs instead of spaces",
    "nice to have: a filter",
    "nothing starts here",
    "where are the logs?",
    "git checkout main and pull",
    "the nightly job is failing since last month, have a look",
    "it's not urgent",
    "Should use the existing button",
    "There is already a migration for that column, extend it",
    "Bring the sidebar back on the settings page",
    "Turn it back on for production builds",
    "We get a timeout error from the bank about once a day, add a retry",
    "It is still in beta, put it behind a flag",
    "they are still on Python 3.8, so avoid match",
    "it's not on npm yet, publish it",
    "git reset --hard is too dangerous for the script",
    "I had to rename the variable in staging yesterday, update the docs",
    "Only the README",
    "Where are the tests for the upload client?",
    "Check that the app starts without warnings",
    "Reads well enough for juniors?",
    "not a single error in the log, so where does the alert come from?",
    "it's not published yet, publish it",
    "/review it is wrong",
    "> the header is missing"
  ])("does neither: %s", (prompt) => {
    expect(judge(prompt)).toBeNull()
  })

  it("corrects nothing where it answers what the agent asked", () => {
    const asked = { ...worked, worked: false, answer: "What does it print?" }
    expect(
      feedbackOf("it fails with ENOENT, no output")?.polarity ??
        feedbackOf("no, only the first one")?.polarity
    ).toBe("negative")
    expect(judge("it fails with ENOENT, no output", asked)).toBeNull()
    expect(judge("no, only the first one", asked)).toBeNull()
    expect(judge("no, you misread the question", asked)).toBe("negative")
    expect(judge("That's not what I meant.", asked)).toBe("negative")
    expect(judge("no, only the first one", { ...asked, worked: true })).toBe("negative")
  })

  it("corrects nothing where nothing was done, or nothing came of it", () => {
    expect(judge("the header doesn't line up", { ...worked, worked: false })).toBeNull()
    expect(judge("try again", { ...worked, answer: "" })).toBeNull()
  })

  it("that begins a session tells of the work of others, unless it speaks to the agent", () => {
    expect(feedbackOf("The build is broken since your last change")?.polarity).toBe("negative")
    expect(feedbackAfter("The linter does not work. Fix it.", undefined)).toBeUndefined()
    const long = `Still broken. Fix it. ${"The log of the last run says what is wrong. ".repeat(8)}`
    expect(feedbackAfter(long, undefined)).toBeUndefined()
    expect(feedbackAfter("The build is broken since your last change", undefined)?.polarity).toBe("negative")
  })

  it.each([
    ["That's wrong, revert it", "negative"],
    ["No, use tabs", "negative"],
    ["Still broken. Fix it.", "negative"],
    ["Perfect, thanks!", "positive"]
  ])(
    "that begins a session and answers to something, as one that goes on with another does: %s",
    (prompt, polarity) => {
      expect(feedbackAfter(prompt, undefined)?.polarity).toBe(polarity)
    }
  )

  it("is what its words alone say, where they say something", () => {
    expect(feedbackAfter("No, that's wrong, see `a.ts`", worked)).toEqual(
      feedbackOf("No, that's wrong, see `a.ts`")
    )
  })
})

const facts = (...all: readonly (readonly [invocation: string, event: string, data: object])[]): Reader => ({
  facts: () => ({
    facts: all
      .map(([invocation, event, data], nth): ReadFact => {
        const buffered = { type: "PAYLOAD_BUFFERED", bytes: 0, payload: "", events: [{ event, data }] }
        return {
          ...noMarks,
          position: nth + 1,
          id: `f-${nth}` as Draft["id"],
          stream: `invocation/${invocation}`,
          type: "PAYLOAD_BUFFERED",
          schemaVersion: 1,
          at: nth,
          cause: null,
          data: buffered as unknown as Draft["data"]
        }
      })
      .toReversed()
  }),
  ask: () => ({}),
  close: () => {}
})
const session = "s" as SessionId

describe("the turn before", () => {
  it("is what was asked, what was said at last, and whether anything was done in the session", () => {
    const reader = facts(
      ["a", "session.start", { source: "startup" }],
      ["b", "prompt.submit", { prompt: "first" }],
      ["c", "file.edited", { path: "a.ts" }],
      ["d", "prompt.submit", { prompt: "second" }],
      ["e", "response.given", { text: "one" }],
      ["f", "response.given", { text: "two" }],
      ["g", "prompt.submit", { prompt: "third" }],
      ["h", "command.ran", { command: "ls" }]
    )
    expect(turnBefore(reader, session, "g")).toEqual({ prompt: "second", answer: "two", worked: true })
    expect(turnBefore(reader, session, "d")).toEqual({ prompt: "first", answer: "", worked: true })
    expect(turnBefore(reader, session, "b")).toBeUndefined()
  })

  it("is not known of a session whose beginning is not on the log, of one that goes on, and of a prompt that is not there", () => {
    const prompt = ["b", "prompt.submit", { prompt: "x" }] as const
    expect(turnBefore(facts(prompt), session, "b")).toBe("unknown")
    expect(turnBefore(facts(["a", "session.start", { source: "resume" }], prompt), session, "b")).toBe(
      "unknown"
    )
    expect(turnBefore(facts(prompt), session, "other")).toBe("unknown")
  })
})
