/** Manifests are read once and seen anew when they change: what serves a call is what was built last. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { askedDefaults } from "../../../src/programs/cli/askedDefaults.ts"
import { makeBuilds, makeManifestAt } from "../../../src/programs/host/builds.ts"
import { buildEnv, type ManifestAt } from "../../../src/runtime/builds/refresh.ts"
import type { Manifest } from "../../../src/state/manifest.ts"
import { BeneathAgent } from "../../../src/trust/BeneathAgent.ts"

let root: string
let path: string
let read: ManifestAt
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "builds-"))
  path = join(root, "projects", "user.json")
  mkdirSync(dirname(path))
  read = makeManifestAt()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const manifest = (build: string) => ({
  version: 1,
  build,
  dir: root,
  cli: "/cli",
  default: "d.cjs",
  sources: [],
  events: {},
  natives: {},
  guarded: [],
  withheld: []
})
const put = (build: string) => {
  const aside = `${path}.new`
  writeFileSync(aside, JSON.stringify(manifest(build)))
  renameSync(aside, path)
}
const build = () => (read(path) as Manifest | undefined)?.build

describe("a manifest that the host has read", () => {
  it("is not read again as long as it is the same", () => {
    put("one")
    expect(build()).toBe("one")
    expect(read(path)).toBe(read(path))
  })

  it("is seen when another is put in its place, also one as long and of the same time", () => {
    put("one")
    expect(build()).toBe("one")
    const { atime, mtime } = statSync(path)
    put("two")
    utimesSync(path, atime, mtime)
    expect(build()).toBe("two")
  })

  it("is seen when it is written over", () => {
    put("one")
    expect(build()).toBe("one")
    writeFileSync(path, JSON.stringify(manifest("another")))
    expect(build()).toBe("another")
  })

  it("is gone when it is removed, and there again when it comes back", () => {
    put("one")
    expect(build()).toBe("one")
    rmSync(path)
    expect(build()).toBeUndefined()
    put("one")
    expect(build()).toBe("one")
  })

  it("that is none, or cannot be reached, is none", () => {
    writeFileSync(path, "{half")
    expect(build()).toBeUndefined()
    expect(read(`${path}/${"x".repeat(5000)}`)).toBeUndefined()
    put("one")
    expect(build()).toBe("one")
  })
})

describe("the hooks that come with hooktape", () => {
  it.each(["HOOKTAPE_DEFAULTS", "hooktape_defaults"])(
    "stay in a build that a hook call makes anew, whatever its %s says",
    (name) => {
      expect(buildEnv({}, "/state", { [name]: "off", KEPT: "1" })).toEqual({
        KEPT: "1",
        HOOKTAPE_HOME: "/state"
      })
    }
  )

  it("stay out of it where its user built without them", () => {
    expect(buildEnv({ withoutDefaults: true }, "/state", {})).toEqual({
      HOOKTAPE_DEFAULTS: "off",
      HOOKTAPE_HOME: "/state"
    })
  })

  const asked = (sign: string | undefined, value?: string) =>
    Effect.runSync(
      askedDefaults({ state: root }, { HOOKTAPE_DEFAULTS: value }).pipe(
        Effect.provideService(BeneathAgent, { sign: Effect.succeed(sign) })
      )
    )

  it("are left out by a person's environment, and beneath an agent only where they were left out before", () => {
    expect(asked(undefined, "off")).toBeUndefined()
    expect(asked("CLAUDECODE is set", undefined)).toBeUndefined()
    expect(asked("CLAUDECODE is set", "off")).toBe("settings")
    writeFileSync(path, JSON.stringify({ ...manifest("one"), withoutDefaults: true }))
    expect(asked("CLAUDECODE is set", "off")).toBe(false)
  })
})

describe("a look at hook files", () => {
  const seen = () => {
    const source = join(root, "hook.ts")
    writeFileSync(source, "one")
    const { ctimeMs, mtimeMs, size } = statSync(source)
    const sources = [{ file: source, mtimeMs, size, ctimeMs, kind: "user" }]
    writeFileSync(path, JSON.stringify({ ...manifest("one"), project: null, sources }))
    return {
      source,
      builds: makeBuilds(
        root,
        () => 0,
        () => 1000
      )
    }
  }

  it("serves all calls that were on their way by then", async () => {
    const { builds, source } = seen()
    expect((await builds.serving(root, 1000, 900)).found?.rebuilt).toBe(false)
    writeFileSync(source, "other")
    expect((await builds.serving(root, 1000, 999)).found?.rebuilt).toBe(false)
    expect((await builds.serving(root, 1000)).found?.rebuilt).toBe(false)
  })

  it("serves none that began after it: what was changed in between counts", async () => {
    const { builds, source } = seen()
    expect((await builds.serving(root, 1000, 900)).found?.rebuilt).toBe(false)
    writeFileSync(source, "other")
    expect((await builds.serving(root, 1000, 1000)).found?.rebuilt).toBe(true)
  })

  it("sees a file in another's place, also of the same size and the same time", async () => {
    const { builds, source } = seen()
    const { mtimeMs } = statSync(source)
    utimesSync(source, 1_700_000_000, 1_700_000_000)
    expect(statSync(source).mtimeMs).not.toBe(mtimeMs)
    const { ctimeMs } = statSync(source)
    const sources = [{ file: source, mtimeMs: 1_700_000_000_000, size: 3, ctimeMs, kind: "user" }]
    writeFileSync(path, JSON.stringify({ ...manifest("two"), project: null, sources }))
    expect((await builds.serving(root, 1000, 900)).found?.rebuilt).toBe(false)
    writeFileSync(source, "two")
    utimesSync(source, 1_700_000_000, 1_700_000_000)
    expect((await builds.serving(root, 1000, 1000)).found?.rebuilt).toBe(true)
  })
})
