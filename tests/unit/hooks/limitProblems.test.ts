/** What is wrong with the limits of a hook, as its author is told. */
import { describe, expect, it } from "vitest"
import { limitProblems } from "../../../src/hooks/limitProblems.ts"

const told = (fields: Readonly<Record<string, unknown>>) =>
  limitProblems(fields).map(([key, problem]) => [key, problem])
const per = "10 minutes"

describe("limits", () => {
  it("are sound in each of their scopes", () => {
    for (const scope of ["session", "project"])
      expect(
        told({ once: scope, cooldown: { for: per, scope }, rateLimit: { limit: 1, per, scope } })
      ).toEqual([])
    expect(
      told({ cooldown: per, retry: { attempts: 10, delay: 5 }, rateLimit: { limit: 1000, per } })
    ).toEqual([])
    expect(told({ retry: 1 })).toEqual([])
  })

  it("are named in the order of their keys, each with what is wrong with it", () => {
    expect(told({ retry: 0, rateLimit: 3, cooldown: 0, once: "day" }).map(([key]) => key)).toEqual([
      "once",
      "cooldown",
      "rateLimit",
      "retry"
    ])
    expect(told({ once: "day" })).toEqual([["once", 'must be "session" or "project"']])
  })

  it.each([
    ["rateLimit", { limit: 1, per, scope: "day" }, 'has a `scope` that must be "session" or "project"'],
    ["rateLimit", { limit: 1, per, scop: "session" }, "has no `scop`; there is limit, per, scope"],
    ["rateLimit", { limit: 1001, per }, "needs a `limit`, a whole number from 1 to 1000"],
    ["rateLimit", { limit: 1.5, per }, "needs a `limit`, a whole number from 1 to 1000"],
    ["rateLimit", [], 'must be an object, such as { limit: 3, per: "10 minutes" }'],
    ["cooldown", { for: per, scope: "day" }, 'has a `scope` that must be "session" or "project"'],
    ["cooldown", { for: per, every: 1 }, "has no `every`; there is for, scope"],
    ["retry", { attempts: 2, wait: 1 }, "has no `wait`; there is attempts, delay"],
    ["retry", { attempts: 11 }, "needs `attempts`, a whole number of attempts from 1 to 10"],
    ["retry", 11, "must be a whole number of attempts from 1 to 10"]
  ])("%s that is %j says so", (key, value, problem) =>
    expect(told({ [key]: value })).toEqual([[key, problem]])
  )
})
