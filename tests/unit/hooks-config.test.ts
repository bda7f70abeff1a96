import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { configJsonSchema, mergeConfigs, parseConfig, readConfig } from "../../src/hooks/config.ts"
import { userFolder } from "../../src/hooks/discover.ts"
import { writeWhole } from "../../src/hooks/files.ts"
import { describeProblem, nearestOf } from "../../src/hooks/Problem.ts"
import { findProject } from "../../src/hooks/project.ts"
import { distrust, readTrust, writeTrust } from "../../src/hooks/trust.ts"

const folder = () => mkdtempSync(join(homedir(), "config-"))
const problemsOf = (text: string) => {
  const parsed = parseConfig("config.json", text)
  return Either.isLeft(parsed) ? parsed.left.map(describeProblem) : []
}

describe("config.json", () => {
  it("may hold comments and trailing commas, and is optional", () => {
    const text =
      '{ "$schema": "x", // why\n "deadlineMs": 2000, "hooks": { "a": { "enabled": false, "deadline": "2 seconds", }, }, }'
    expect(parseConfig("config.json", text)).toEqual(
      Either.right({
        $schema: "x",
        deadlineMs: 2000,
        hooks: { a: { enabled: false, deadline: "2 seconds" } }
      })
    )
    expect(readConfig(join(folder(), "config.json"))).toEqual(Either.right({}))
  })

  it("says what is wrong by line and key, everything at once", () => {
    expect(problemsOf("")).toEqual([expect.stringContaining("config.json:1: is empty")])
    expect(problemsOf('{\n "hooks": \n}')).toEqual([
      expect.stringMatching(/^config\.json:3: is not JSON: ValueExpected/)
    ])
    expect(problemsOf("[]")).toEqual([expect.stringMatching(/^config\.json:1: the configuration: Expected/)])
    expect(
      problemsOf(
        '{\n "deadlineMS": 1,\n "hooks": {\n  "a": {\n   "priority": 1001,\n   "deadline": "2h",\n   "onFailure": "stop",\n   "enabled": "no",\n   "background": 1\n  }\n }\n}'
      )
    ).toEqual([
      'config.json:2: unknown key "deadlineMS"\n  Did you mean "deadlineMs"?',
      expect.stringMatching(/^config\.json:5: "hooks\.a\.priority": /),
      expect.stringMatching(/^config\.json:6: "hooks\.a\.deadline": must be milliseconds or a text/),
      expect.stringMatching(/^config\.json:7: "hooks\.a\.onFailure": /),
      expect.stringMatching(/^config\.json:8: "hooks\.a\.enabled": /),
      expect.stringMatching(/^config\.json:9: "hooks\.a\.background": must be true or false/)
    ])
  })

  it("of the project wins over the user's, key by key", () => {
    expect(
      mergeConfigs(
        { deadlineMs: 100, hooks: { a: { enabled: false, priority: 1 }, b: { priority: 2 } } },
        { hooks: { a: { priority: 9 } } }
      )
    ).toEqual({ deadlineMs: 100, hooks: { a: { enabled: false, priority: 9 }, b: { priority: 2 } } })
    expect(mergeConfigs({}, {})).toEqual({ deadlineMs: 5000, hooks: {} })
  })

  it("has a schema for editors that says the same as the decoder", () => {
    const shipped = readFileSync(new URL("../../src/hooks/config.schema.json", import.meta.url), "utf8")
    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
    // Beside a reference, editors ignore every other word.
    expect(shipped).not.toContain("$ref")
    expect(JSON.stringify(configJsonSchema())).toContain('"additionalProperties":false')
  })
})

describe("where things are", () => {
  it("a relative XDG path counts as none", () => {
    expect(userFolder({ XDG_CONFIG_HOME: "/x", HOME: "/h" })).toBe("/x/hooktape")
    expect(userFolder({ XDG_CONFIG_HOME: "x", HOME: "/h" })).toBe("/h/.config/hooktape")
  })

  it("a project is the nearest .hooktape, else the git root, else the directory", () => {
    const at = folder()
    const deep = join(at, "a", "b")
    writeWhole(join(deep, "x"), "")
    expect(findProject(deep)).toBe(deep)
    writeWhole(join(at, "a", ".git"), "gitdir: elsewhere")
    expect(findProject(deep)).toBe(join(at, "a"))
    writeWhole(join(at, ".hooktape", "x"), "")
    expect(findProject(deep)).toBe(at)
  })
})

describe("the record of trust", () => {
  const trusted = { config: null, files: { "a.ts": "1", "b.ts": "2" } }

  it("is private, keeps other projects, and trusts nothing when damaged", () => {
    const state = folder()
    writeTrust(state, "/p", trusted)
    writeTrust(state, "/q", { config: "c", files: {} })
    expect(readTrust(state, "/p")).toEqual(trusted)
    expect(readTrust(state, "constructor")).toBeUndefined()
    expect(statSync(join(state, "trust.json")).mode & 0o777).toBe(0o600)
    for (const damaged of [
      "{",
      '{ "version": 1, "projects": null }',
      '{ "version": 1, "projects": { "/p": null } }',
      '{ "version": 1, "projects": { "/p": { "config": null, "files": null } } }',
      '{ "version": 1, "projects": { "/p": { "config": null, "files": { "a": null } } } }'
    ]) {
      writeFileSync(join(state, "trust.json"), damaged)
      expect(readTrust(state, "/p"), damaged).toBeUndefined()
    }
  })

  it("holds for these contents only", () => {
    expect(distrust(trusted, null, { "a.ts": "1" })).toBeUndefined()
    expect(distrust(trusted, null, { "a.ts": "2" })).toBe("a.ts changed since you trusted it")
    expect(distrust(trusted, null, { "c.ts": "1" })).toBe("imports c.ts, which is not trusted")
    expect(distrust(trusted, null, { toString: "1" })).toBe("imports toString, which is not trusted")
    expect(distrust(trusted, "x", { "a.ts": "1" })).toBe("the configuration changed since you trusted it")
    expect(distrust(trusted, null, { "a.ts": "2" }, "a.ts")).toBe("changed since you trusted it")
    expect(distrust(trusted, null, { "c.ts": "2" }, "c.ts")).toBe("not trusted")
    expect(distrust(undefined, null, {})).toBe("not trusted")
  })
})

it("the word that was meant is the nearest, if any is near", () => {
  expect(nearestOf("PreToolUse", ["tool.before", "turn.stop"])).toBeUndefined()
  expect(nearestOf("tool.befor", ["tool.before", "tool.after"])).toBe("tool.before")
  expect(nearestOf("Tool.After", ["tool.before", "tool.after"])).toBe("tool.after")
})
