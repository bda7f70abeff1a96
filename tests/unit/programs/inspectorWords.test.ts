/** What the inspector's page calls actors, and how it says that a call would decide otherwise. */
import { describe, expect, it } from "vitest"
import { actorTitle, machineTitle } from "../../../src/programs/inspector/core/actorTitles.ts"
import { differenceSentence } from "../../../src/programs/inspector/core/differences.ts"

describe("one actor", () => {
  it.each([
    ["handlers", "Handler process"],
    ["invocation", "Invocation"],
    ["breaker", "Breaker"],
    ["ownGuard", "Own Guard"]
  ])("of the machine %s is called %s", (machine, title) => expect(actorTitle(machine)).toBe(title))

  it("of several has a name that is not that of all of them", () => {
    expect(machineTitle("handlers")).toBe("Handler processes")
  })
})

describe("a call with other hooks", () => {
  const said = (change: "same" | "looser" | "other" | "not-replayable", says: string): string =>
    differenceSentence({ change, says }, "today’s hooks")

  it("would be looser", () =>
    expect(said("looser", "blocked → nothing said")).toBe(
      "With today’s hooks it would be looser: blocked → nothing said."
    ))

  it("would decide the same in other words", () =>
    expect(said("other", "blocked, in other words")).toBe(
      "With today’s hooks it would decide the same: blocked, in other words."
    ))

  it("would not differ, or cannot be run", () => {
    expect(said("same", "blocked")).toBe("With today’s hooks nothing would be different.")
    expect(said("not-replayable", "its build is gone")).toBe("It cannot be run again: its build is gone.")
  })
})
