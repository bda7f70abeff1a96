/** Which statements of an answer are kept, and which are one. */
import { describe, expect, it } from "vitest"
import { learnedText } from "../../../src/features/learning/learned.ts"
import { passedCommands } from "../../../src/features/learning/passedCommands.ts"
import { maxPatterns, patternKey, patternsIn } from "../../../src/features/learning/patternsIn.ts"
import { score } from "../../support/labelled/score.ts"
import { statements, unseenStatements } from "../../support/labelled/statements.ts"

const about = (text: string): string | null => patternsIn(text)[0]?.about ?? null

describe("statements of answers", () => {
  it("are found with hardly a false one, on a table labelled before", () => {
    expect(statements.length).toBeGreaterThanOrEqual(80)
    const { precision, recall } = score(statements, about)
    expect(precision).toBeGreaterThanOrEqual(0.97)
    expect(recall).toBeGreaterThanOrEqual(0.85)
  })

  it("are found on sentences that were never tuned on", () => {
    expect(unseenStatements.length).toBeGreaterThanOrEqual(80)
    const { precision, recall } = score(unseenStatements, about)
    expect(precision).toBeGreaterThanOrEqual(0.95)
    expect(recall).toBeGreaterThanOrEqual(0.8)
  })

  it("are sentences alone, without markup, in their order, of prose that is the model's own", () => {
    const answer = [
      "I had a look. **Root cause:** the *lock* was never released.",
      "",
      "```sh",
      "This project uses npm.",
      "```",
      "> This project uses yarn.",
      "# This project uses bun.",
      "",
      "    This project uses deno.",
      "",
      "1. This project uses pnpm,",
      "   not npm. All tests pass.",
      "- [x] I chose `a.b` over “c d” because it is shorter.",
      "~~~",
      "The tests failed because of an open fence."
    ].join("\n")
    expect(patternsIn(answer)).toEqual([
      { about: "cause", text: "Root cause: the *lock* was never released." },
      { about: "convention", text: "This project uses pnpm, not npm." },
      { about: "decision", text: 'I chose `a.b` over "c d" because it is shorter.' }
    ])
  })

  it("are few and short, whatever an answer is like", () => {
    const many = Array.from({ length: 100 }, (_, at) => `This project uses tool${at}.`).join(" ")
    expect(patternsIn(many)).toHaveLength(maxPatterns)
    expect(patternsIn(`This project uses ${"very ".repeat(100)}much.`)).toEqual([])
    expect(patternsIn(`${"x\n".repeat(100_000)}This project uses pnpm.`)).toEqual([])
  })

  it("said in other punctuation, case or markup are one", () => {
    const same = [
      "This project uses pnpm, not npm.",
      "this project uses  PNPM not npm",
      "**This project uses `pnpm`, not `npm`!**",
      "This project uses “pnpm” – not npm…"
    ]
    expect(new Set(same.map(patternKey)).size).toBe(1)
    expect(patternsIn(same.slice(0, 2).join("\n\n"))).toHaveLength(1)
    expect(patternKey("Tests need C++")).not.toBe(patternKey("Tests need C"))
    expect(patternKey("The tests need a.b")).not.toBe(patternKey("Tests need ab"))
    expect(patternKey("The tests need Redis")).toBe(patternKey("Tests need Redis."))
  })

  it.each([
    ["one long word", "a".repeat(200_000)],
    ["backticks", "`".repeat(200_000)],
    ["quotes", '"a'.repeat(100_000)],
    ["stars", "*".repeat(200_000)],
    ["becauses", "the tests failed because ".repeat(10_000)],
    ["full stops", ". A".repeat(70_000)],
    ["brackets", `.${")".repeat(200_000)} A`],
    ["lines", "- the problem was\n".repeat(20_000)],
    ["of", `The root cause ${"of the ".repeat(30_000)}was a`],
    ["fixed by", `I fixed the ${"x ".repeat(100_000)}by doing`]
  ])("takes no longer for %s than for any other text of that length", { timeout: 60_000 }, (_, text) => {
    expect(patternsIn(text).length).toBeLessThanOrEqual(maxPatterns)
  })
})

describe("commands that went well", () => {
  const ran = (command: string, exitCode: number | undefined, output = "") => ({
    events: [
      { event: "tool.after", data: {} },
      { event: "command.ran", data: { command, output, ...(exitCode === undefined ? {} : { exitCode }) } }
    ],
    tool: { kind: "shell", name: "Bash", command }
  })
  const texts = (...data: readonly unknown[]) => passedCommands(data).map(({ text }) => text)

  it("say what the project is tested, built and checked with", () => {
    expect(
      texts(ran("npm test", 0), ran("npm run build", 0), ran("tsc", 0), ran("ruff check", 0), ran("ls", 0))
    ).toEqual([
      "Tests pass with `npm test`.",
      "The build passes with `npm run build`.",
      "Types are checked with `tsc`.",
      "Lint passes with `ruff check`."
    ])
  })

  it("count as they ended the last time, and only where another session can run them as they are", () => {
    expect(texts(ran("npm test", 0), ran("npm test", 1))).toEqual([])
    expect(texts(ran("npm test", 1), ran("npm test", 0))).toEqual(["Tests pass with `npm test`."])
    for (const command of [
      "npm test | tail",
      "cd /tmp/x && npm test",
      "TOKEN=secret npm test",
      "pytest tests/test_one.py",
      "npx vitest run a.test.ts",
      `npm test -- --grep "$(cat x)"`,
      `npm test ${"x".repeat(100)}`
    ])
      expect(texts(ran(command, 0)), command).toEqual([])
    expect(
      texts(undefined, null, {}, { events: "none" }, { events: [{ event: "command.ran", data: {} }] })
    ).toEqual([])
  })
})

describe("what was learned", () => {
  const of = (more: object) =>
    learnedText({ found: 0, stored: 0, confirmed: 0, doubted: 0, left: 0, ...more })

  it("is told in one line", () => {
    expect(of({})).toBe("no patterns found")
    expect(of({ found: 1, stored: 1 })).toBe("1 pattern found: 1 new")
    expect(of({ found: 4, stored: 1, confirmed: 1, doubted: 1, left: 1 })).toBe(
      "4 patterns found: 1 new, 1 confirmed, 1 doubted, 1 left out"
    )
    expect(of({ found: 2 })).toBe("2 patterns found")
  })
})
