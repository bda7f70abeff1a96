/** What commands say where a newer hooktape wrote what is trusted, and a build that this one cannot make anew is gone. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { list } from "../../../src/programs/cli/commands/trusted.ts"
import { checkBuilds } from "../../../src/programs/cli/doctor/builds.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { Screen } from "../../../src/programs/cli/Screen.ts"
import { userManifest } from "../../../src/state/manifest.ts"
import { trustFile } from "../../../src/trust/store.ts"

const fresh = (): string => {
  const state = mkdtempSync(join(homedir(), "newer-"))
  mkdirSync(join(state, "projects"))
  return state
}

it("what this version cannot read of it is not told as nothing", async () => {
  const state = fresh()
  const before = process.env["HOOKTAPE_HOME"]
  process.env["HOOKTAPE_HOME"] = state
  const told: string[] = []
  const tell = (text: string) => Effect.sync(() => void told.push(text))
  const listed = (json: boolean) =>
    list({ json }).pipe(
      Effect.provideService(Screen, {
        out: tell,
        note: tell,
        watched: false,
        style: plain,
        width: undefined,
        progress: () => ({ at: () => undefined, end: () => undefined })
      })
    )
  try {
    await Effect.runPromise(listed(false))
    expect(told).toEqual(["Nothing was trusted yet.\n"])
    writeFileSync(trustFile(state), JSON.stringify({ version: 3, trusted: ["another shape"] }))
    for (const json of [false, true]) {
      const error = await Effect.runPromise(Effect.flip(listed(json)))
      expect(String(error)).toContain("trust.json was written by a newer hooktape: update this one")
    }
    expect(told).toHaveLength(1)
  } finally {
    if (before === undefined) delete process.env["HOOKTAPE_HOME"]
    else process.env["HOOKTAPE_HOME"] = before
  }
})

it("doctor says of the build before that it is in use only where it is there", () => {
  const state = fresh()
  const dir = join(state, "build", "b")
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, "default.cjs"), "0")
  writeFileSync(
    userManifest(state),
    JSON.stringify({
      version: 1,
      project: null,
      build: "b",
      dir,
      events: {},
      default: "default.cjs",
      natives: {},
      sources: [],
      withheld: [],
      history: [],
      failed: ["trust.json was written by a newer hooktape: update this one"],
      cli: "/cli.js"
    })
  )
  const said = (): unknown => checkBuilds(state, "/nowhere", join(state, "user"), {})[0]
  expect(said()).toMatchObject({
    status: "fail",
    fix: expect.stringContaining("The build before is in use.")
  })
  rmSync(dir, { recursive: true })
  expect(said()).toMatchObject({
    message: expect.stringContaining("newer hooktape"),
    fix: expect.stringContaining("The build before is gone: until then only guards run.")
  })
})
