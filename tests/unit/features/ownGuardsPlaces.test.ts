/** What is guarded is put together once for the calls of a session, and anew for each that has another home, project or variable. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { type GuardedPlace, guardedAt } from "../../../src/features/ownGuards/guarded.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "own-guards-places-")))
const home = join(root, "home")
const project = join(root, "work")
for (const folder of [join(home, ".claude"), project]) mkdirSync(folder, { recursive: true })
writeFileSync(join(home, ".claude", "settings.json"), "{}")
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place: GuardedPlace = { cwd: project, project, home, env: { HOME: home, OTHER: "a" } }
const changes = (path: string, at: GuardedPlace = place): boolean =>
  weakenedByShell(`cp a.json ${path}`, at) !== undefined

describe("what own-guards guards", () => {
  it("is put together once, whatever else the environment has", () => {
    const before = guardedAt(place)
    expect(guardedAt({ ...place, cwd: "/", env: { HOME: home, OTHER: "b" } })).toBe(before)
  })

  it.each([
    ["CODEX_HOME", "hooks.json"],
    ["CLAUDE_CONFIG_DIR", "settings.json"],
    ["HOOKTAPE_HOME", "bin/hook"],
    ["XDG_CONFIG_HOME", "hooktape/config.json"]
  ])("follows %s from the next call on", (name, file) => {
    const folder = join(root, "elsewhere")
    const there = { ...place, env: { ...place.env, [name]: folder } }
    const path = join(folder, file)
    expect([changes(path), changes(path, there), changes(path)]).toEqual([false, true, false])
  })

  it("follows the project and the home from the next call on", () => {
    const other = join(root, "other")
    const path = join(other, ".codex", "other-name.toml")
    const settings = join(other, ".config", "hooktape", "a.ts")
    expect(changes(path)).toBe(false)
    expect([changes(settings), changes(settings, { ...place, home: other })]).toEqual([false, true])
  })

  it("is looked at anew in each call: a link and a second name of a file that were not there before", () => {
    const link = join(project, "link.json")
    const twin = join(project, "twin.json")
    expect([changes(link), changes(twin)]).toEqual([false, false])
    symlinkSync(join(home, ".claude", "settings.json"), link)
    linkSync(join(home, ".claude", "settings.json"), twin)
    expect([changes(link), changes(twin)]).toEqual([true, true])
    for (const path of [link, twin]) unlinkSync(path)
    expect([changes(link), changes(twin)]).toEqual([false, false])
  })
})
