import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { describeProblem, nearestOf } from "../../../src/hooks/Problem.ts"
import { mergeConfigs, parseConfig, readConfig } from "../../../src/state/config.ts"
import { configJsonSchema } from "../../../src/state/configShape.ts"
import { writeWhole } from "../../../src/state/files.ts"
import { findProject } from "../../../src/state/project.ts"
import { userFolder } from "../../../src/state/userFolder.ts"
import { trustByContent } from "../../../src/tools/migrations/0001-trust-by-content.ts"
import {
  changedSince,
  isInForce,
  readTrust,
  type Trusted,
  withoutRevoked,
  withRevoked,
  withTrusted,
  writeTrust
} from "../../../src/trust/store.ts"

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
      expect.stringMatching(/^config\.json:3:\d+: is not JSON: a value has to stand here/)
    ])
    expect(problemsOf("[]")).toEqual([expect.stringMatching(/^config\.json:1: the configuration: Expected/)])
    expect(
      problemsOf(
        '{\n "deadlineMS": 1,\n "hooks": {\n  "a": {\n   "priority": 1001,\n   "deadline": "2h",\n   "onFailure": "stop",\n   "enabled": "no",\n   "background": 1\n  }\n }\n}'
      )
    ).toEqual([
      'config.json:2: unknown key "deadlineMS"\n  Did you mean "deadlineMs"?',
      expect.stringMatching(/^config\.json:5: "hooks\.a\.priority": /),
      expect.stringMatching(
        /^config\.json:6: "hooks\.a\.deadline": must be a number of milliseconds, or a text/
      ),
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
    const shipped = readFileSync(new URL("../../../src/hooks/config.schema.json", import.meta.url), "utf8")
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
    symlinkSync(".hooktape", join(deep, ".hooktape"))
    expect(findProject(deep)).toBe(at)
  })
})

describe("the record of trust", () => {
  const one: Trusted = {
    digest: "d1",
    kind: "hook",
    code: "c1",
    names: ["a"],
    project: "/p",
    file: ".hooktape/hooks/a.ts",
    at: 1
  }
  const none = readTrust("/nowhere")

  it("is private, keeps what is there, and trusts nothing when damaged", () => {
    const state = folder()
    writeTrust(state, withTrusted(none, [one]))
    writeTrust(
      state,
      withTrusted(readTrust(state), [
        { ...one, digest: "d2" },
        { ...one, at: 2 }
      ])
    )
    expect(readTrust(state).trusted).toEqual({ d1: one, d2: { ...one, digest: "d2" } })
    expect(isInForce(readTrust(state), "constructor")).toBe(false)
    expect(statSync(join(state, "trust.json")).mode & 0o777).toBe(0o600)
    for (const damaged of [
      "{",
      '{ "version": 3, "trusted": {} }',
      '{ "version": 2, "trusted": null }',
      '{ "version": 2, "trusted": { "d1": null } }',
      '{ "version": 1, "projects": { "/p": { "config": null, "files": { "a": null } } } }'
    ]) {
      writeFileSync(join(state, "trust.json"), damaged)
      expect(readTrust(state), damaged).toEqual(none)
    }
  })

  it("a digest that was revoked stays so until it is named", () => {
    const revoked = withRevoked(withTrusted(none, [one]), "d1", 5)
    expect(isInForce(revoked, "d1")).toBe(false)
    const again = withTrusted(revoked, [one])
    expect(isInForce(again, "d1")).toBe(false)
    expect(isInForce(withoutRevoked(again, ["d1"]), "d1")).toBe(true)
  })

  it("of before, by path, is history that holds for these contents only", () => {
    const trusted = { config: null, files: { "a.ts": "1", "b.ts": "2" } }
    const state = folder()
    writeFileSync(join(state, "trust.json"), JSON.stringify({ version: 1, projects: { "/p": trusted } }))
    expect(readTrust(state)).toEqual({ ...none, before: { "/p": trusted } })
    const [change] = trustByContent.plan({ state })
    const migrated = change?.kind === "file" ? String(change.next) : ""
    expect(JSON.parse(migrated)).toEqual({ ...none, before: { "/p": trusted } })
    writeFileSync(join(state, "trust.json"), migrated)
    expect(trustByContent.plan({ state })).toEqual([])
    expect(changedSince(trusted, null, { "a.ts": "1" }, "a.ts")).toBeUndefined()
    expect(changedSince(trusted, null, { "a.ts": "2" }, "b.ts")).toBe("a.ts changed since you trusted it")
    expect(changedSince(trusted, null, { "c.ts": "1" }, "a.ts")).toBe("comes with c.ts, which is not trusted")
    expect(changedSince(trusted, null, { toString: "1" }, "a.ts")).toBe(
      "comes with toString, which is not trusted"
    )
    expect(changedSince(trusted, "x", { "a.ts": "1" }, "a.ts")).toBe(
      "the configuration changed since you trusted it"
    )
    expect(changedSince(trusted, null, { "a.ts": "2" }, "a.ts")).toBe("changed since you trusted it")
    expect(changedSince(trusted, null, { "c.ts": "2" }, "c.ts")).toBe("not trusted")
    expect(changedSince(undefined, null, {}, "a.ts")).toBe("not trusted")
  })
})

it("the word that was meant is the nearest, if any is near", () => {
  expect(nearestOf("PreToolUse", ["tool.before", "turn.stop"])).toBeUndefined()
  expect(nearestOf("tool.befor", ["tool.before", "tool.after"])).toBe("tool.before")
  expect(nearestOf("Tool.After", ["tool.before", "tool.after"])).toBe("tool.after")
})
