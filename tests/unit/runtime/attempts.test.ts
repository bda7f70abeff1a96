/** When a build that came to nothing is tried again: once something of it moved, or a moment later. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { noteUnbuilt, wasTried } from "../../../src/runtime/builds/attempts.ts"
import { userManifest } from "../../../src/state/manifest.ts"

const place = () => {
  const state = mkdtempSync(join(homedir(), "attempts-"))
  const [file, cli] = ["hook.ts", "cli.js"].map((name) => join(state, name)) as [string, string]
  for (const one of [file, cli]) writeFileSync(one, "")
  const manifest = { cli, sources: [{ file, mtimeMs: 0, size: 0, kind: "user" as const }] }
  // After both were written, whatever a file system makes of the time.
  const at = Math.ceil(Math.max(...[file, cli].map((one) => statSync(one).ctimeMs))) + 1
  const tried = (now: number, project?: string) => wasTried(state, project, manifest, now)
  return { at, cli, file, state, tried }
}

it("is not tried by the calls that follow at once", () => {
  const { at, state, tried } = place()
  expect(tried(at)).toBe(false)
  noteUnbuilt(state, undefined, at)
  expect([tried(at), tried(at + 9999), tried(at + 10_000)]).toEqual([true, true, false])
  expect(readdirSync(join(state, "run"))).toEqual(["unbuilt-user"])
  // A clock that was put back says nothing about how long ago it was.
  expect(tried(at - 1)).toBe(false)
})

it("is tried by the next call where a hook is gone since it began, and not where it was gone before", () => {
  const { at, file, state, tried } = place()
  noteUnbuilt(state, undefined, at)
  expect(tried(at)).toBe(true)
  rmSync(file)
  expect(tried(at)).toBe(false)
  const missing = {
    cli: join(state, "cli.js"),
    sources: [{ file, mtimeMs: -1, size: -1, kind: "user" as const }]
  }
  expect(wasTried(state, undefined, missing, at)).toBe(true)
})

it("is tried by the next call where a hook or hooktape itself was changed since it began", () => {
  for (const changed of ["file", "cli"] as const) {
    const made = place()
    const before = statSync(made[changed]).ctimeMs
    noteUnbuilt(made.state, undefined, Math.floor(before) - 1)
    expect(made.tried(before)).toBe(false)
    utimesSync(made[changed], 1, 1)
    expect(made.tried(before)).toBe(false)
  }
})

it("is tried by the next call where another build was put in its place", () => {
  const { at, state, tried } = place()
  noteUnbuilt(state, undefined, at)
  expect(tried(at)).toBe(true)
  mkdirSync(join(state, "projects"))
  writeFileSync(userManifest(state), "{}")
  // Made after the attempt began.
  const mark = (statSync(userManifest(state)).ctimeMs - 1) / 1000
  utimesSync(join(state, "run", "unbuilt-user"), mark, mark)
  expect(tried(mark * 1000 + 1)).toBe(false)
})

it("holds up nobody else's", () => {
  const { at, state, tried } = place()
  noteUnbuilt(state, "/p", at)
  expect([tried(at, "/p"), tried(at, "/q"), tried(at)]).toEqual([true, false, false])
})
