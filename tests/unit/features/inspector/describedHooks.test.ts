/** Whether a hook is on, told of all projects and of one: what builds say of it, and what somebody switched where. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { describedHooks } from "../../../../src/features/inspector/read/describedHooks.ts"
import { type Switch, switchesFile, switchesText } from "../../../../src/history/switches.ts"
import { describedFile } from "../../../../src/runtime/builds/described.ts"
import { projectManifest, userManifest } from "../../../../src/state/manifest.ts"

const root = mkdtempSync(join(tmpdir(), "described-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
let state = ""
/** Without hooks of its own. */
let plain = ""
let own = ""

const hookNamed = (name: string) => ({
  name,
  events: ["tool.before"],
  priority: 0,
  owner: "user",
  source: "all.ts",
  enabled: true,
  removed: false,
  background: false,
  metadata: {},
  options: {}
})

const putBuild = (file: string, project: string | null): void => {
  const dir = join(state, "build", String(count++))
  mkdirSync(dir, { recursive: true })
  mkdirSync(join(state, "projects"), { recursive: true })
  writeFileSync(join(dir, describedFile), JSON.stringify(["g", "other"].map(hookNamed)))
  writeFileSync(file, JSON.stringify({ version: 1, project, dir }))
}

const put = (...switches: readonly Omit<Switch, "at">[]): void =>
  writeFileSync(switchesFile(state), switchesText(switches.map((one) => ({ ...one, at: 1 }))), {
    mode: 0o600
  })

const standing = (project?: string, hook = "g") => {
  const found = describedHooks(state, project).get(hook)
  return [found?.on, found?.why]
}

const byDefault = "on unless somebody says otherwise"
const disabledHere = 'disabled for this project with "hooktape hooks"'

beforeEach(() => {
  state = mkdtempSync(join(root, "state-"))
  plain = mkdtempSync(join(root, "plain-"))
  own = mkdtempSync(join(root, "own-"))
  putBuild(userManifest(state), null)
})

describe("a hook that somebody switched off in one project", () => {
  it("is off there, also where the user's build serves the project, and on in the others", () => {
    put({ hook: "g", enabled: false, scope: "project", project: plain })
    expect(standing(plain)).toEqual([false, disabledHere])
    expect(standing(own)).toEqual([true, byDefault])
    expect(standing()).toEqual([
      null,
      `on in all other projects: ${byDefault}; off in ${plain}: ${disabledHere}`
    ])
    expect(standing(undefined, "other")).toEqual([true, byDefault])
  })

  it("is told once of a project with a build of its own", () => {
    putBuild(projectManifest(state, own), own)
    put({ hook: "g", enabled: false, scope: "project", project: own })
    expect(standing(own)).toEqual([false, disabledHere])
    const [on, why] = standing()
    expect(on).toBeNull()
    expect(why?.toString().split("; ").sort()).toEqual([
      `off in ${own}: ${disabledHere}`,
      `on in all other projects: ${byDefault}`
    ])
  })

  it("has one word again where the project's folder was deleted", () => {
    putBuild(projectManifest(state, own), own)
    put(
      { hook: "g", enabled: false, scope: "project", project: own },
      { hook: "g", enabled: false, scope: "project", project: plain }
    )
    rmSync(own, { recursive: true })
    rmSync(plain, { recursive: true })
    expect(standing()).toEqual([true, byDefault])
  })
})

it("is unknown, and not off, where what was switched cannot be read", () => {
  putBuild(projectManifest(state, own), own)
  const file = join(state, "build", String(count - 1), describedFile)
  writeFileSync(file, JSON.stringify([{ ...hookNamed("g"), removed: true }]))
  writeFileSync(switchesFile(state), "{}", { mode: 0o600 })
  const [on, why] = standing()
  expect(on).toBeNull()
  expect(why).toContain(`off in ${own}: the configuration takes it out`)
  expect(why).toMatch(/unknown in all other projects: switches\.json is damaged/)
})
