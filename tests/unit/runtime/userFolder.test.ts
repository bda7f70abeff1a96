/** Which folder is the user's: what agent settings of a repository name never is, and what a user set is. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { afterBuild, buildEnv, findBuild, rebuildEnv } from "../../../src/runtime/builds/refresh.ts"
import type { Manifest } from "../../../src/state/manifest.ts"
import { isUserFolder, userFolder } from "../../../src/state/userFolder.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { workshop } from "../../support/build/workshop.ts"

const here = process.cwd()
const usual = join(userInfo().homedir, ".config", "hooktape")
let root: string
let home: string
let project: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "folders-")))
  home = join(root, "home")
  project = join(home, "clone")
  mkdirSync(join(project, ".git"), { recursive: true })
  mkdirSync(join(project, "cfg", "hooktape"), { recursive: true })
  symlinkSync(project, join(root, "link"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const brought: Readonly<Record<string, () => string>> = {
  "by its own name": () => join(project, "cfg"),
  "by the working directory of whoever asks": () => "/proc/self/cwd/cfg",
  "by another spelling": () => "//proc//self/./cwd/cfg",
  "by a descriptor": () => "/dev/fd/3/cfg",
  "by a link from outside": () => join(root, "link", "cfg"),
  "where it does not exist yet": () => join(root, "link", "coming")
}

describe("a folder of the project", () => {
  it.each(Object.entries(brought))("is not the user's: %s", (_, folder) => {
    const env = { HOME: home, XDG_CONFIG_HOME: folder() }
    expect(userFolder(env, project)).toBe(join(home, ".config", "hooktape"))
    expect(userFolder(env, join(root, "link"))).toBe(join(home, ".config", "hooktape"))
  })

  it.each(Object.entries(brought))("is no home of theirs: %s", (_, folder) => {
    expect(userFolder({ HOME: folder() }, project)).toBe(usual)
  })

  it("is no home of theirs as a whole", () => {
    expect(userFolder({ HOME: project }, project)).toBe(usual)
    expect(userFolder({ HOME: project }, join(project, "cfg"))).toBe(usual)
  })

  it("is not the user's in a repository within it", () => {
    const inner = join(project, "inner")
    mkdirSync(join(inner, ".git"), { recursive: true })
    const env = { HOME: home, XDG_CONFIG_HOME: join(project, "cfg") }
    expect(userFolder(env, inner)).toBe(join(home, ".config", "hooktape"))
  })
})

describe("a folder that the user set", () => {
  it("counts wherever it lies outside of the project, there or not", () => {
    const config = join(root, "config")
    expect(userFolder({ HOME: home, XDG_CONFIG_HOME: config }, project)).toBe(join(config, "hooktape"))
    expect(userFolder({ HOME: home }, project)).toBe(join(home, ".config", "hooktape"))
  })

  it("counts in a home without a repository, where an agent works in the home itself", () => {
    expect(userFolder({ HOME: home, XDG_CONFIG_HOME: join(home, ".config") }, home)).toBe(
      join(home, ".config", "hooktape")
    )
  })

  it("counts where it is the usual one of the account, whatever the project is", () => {
    const env = { HOME: userInfo().homedir, XDG_CONFIG_HOME: dirname(usual) }
    for (const place of [userInfo().homedir, dirname(userInfo().homedir), "/"])
      expect(userFolder(env, place)).toBe(usual)
    expect(isUserFolder(usual, {}, userInfo().homedir)).toBe(true)
  })

  it("counts where the agent works at the top of the file system", () => {
    const config = join(root, "config")
    expect(userFolder({ HOME: home, XDG_CONFIG_HOME: config }, "/")).toBe(join(config, "hooktape"))
  })
})

describe("a build", () => {
  const made = (folder: string) =>
    ({
      version: 1,
      project: null,
      build: "b",
      dir: root,
      default: "d.cjs",
      events: {},
      natives: {},
      cli: "/cli",
      withheld: [],
      history: [],
      sources: [{ file: join(folder, "config.json"), mtimeMs: -1, size: -1, kind: "config" }]
    }) satisfies Manifest

  /** As the build of the user's hooks alone. */
  const serving = (manifest: Manifest) => (file: string) =>
    file.endsWith("user.json") ? manifest : undefined

  it("is not used where a folder of the project went into it as the user's", () => {
    const poisoned = made(join(project, "cfg", "hooktape"))
    expect(findBuild(root, project, serving(poisoned))).toBeUndefined()
    expect(findBuild(root, join(root, "elsewhere"), serving(poisoned))?.fresh).toBeDefined()
  })

  it("is not taken up after a rebuild that failed to mend it", () => {
    const sound = made(join(root, "config", "hooktape"))
    const found = findBuild(root, project, serving(sound))
    expect(found?.fresh?.manifest).toBe(sound)
    if (found !== undefined) expect(afterBuild(root, project, found, "failed")?.manifest).toBe(sound)
  })

  it("is made anew with the folder that it had, whatever a call or a host was started with", () => {
    vi.stubEnv("HOME", project)
    vi.stubEnv("XDG_CONFIG_HOME", join(root, "link", "cfg"))
    const sound = made(join(root, "config", "hooktape"))
    for (const place of [project, join(root, "elsewhere")])
      expect(rebuildEnv(sound, root, place)["XDG_CONFIG_HOME"]).toBe(join(root, "config"))
    expect(rebuildEnv(sound, root, project)["HOME"]).toBe(userInfo().homedir)
  })

  it("is made anew with the folder that counts, where it had one of the project", () => {
    vi.stubEnv("HOME", home)
    vi.stubEnv("XDG_CONFIG_HOME", "/proc/self/cwd/cfg")
    const poisoned = made(join(project, "cfg", "hooktape"))
    expect(rebuildEnv(poisoned, root, project)["XDG_CONFIG_HOME"]).toBe(join(home, ".config"))
  })

  it.each([true, false])(
    "that is asked for takes no folder of the project: of the project's hooks %s",
    async (own) => {
      const { options, project, put } = workshop()
      put("cfg/hooktape/config.json", '{ "deadlineMs": 1234 }')
      put(".hooktape/config.json", "{}")
      vi.stubEnv("HOME", home)
      vi.stubEnv("XDG_CONFIG_HOME", join(project, "cfg"))
      process.chdir(project)
      try {
        const { project: _, ...forUser } = { ...options, userFolder: userFolder(process.env) }
        const asked = own ? { ...forUser, project } : forUser
        const { manifest } = await Effect.runPromise(buildHooks(asked))
        expect(manifest.sources.map(({ file }) => file)).toContain(
          join(home, ".config", "hooktape", "config.json")
        )
        expect(manifest.deadlineMs).not.toBe(1234)
      } finally {
        process.chdir(here)
      }
    }
  )

  it.each(["ESBUILD_BINARY_PATH", "NODE_OPTIONS", "NODE_PATH"])(
    "is not made with code that %s names",
    (name) => {
      expect(buildEnv({}, "/state", { [name]: "/evil" })).toEqual({ HOOKTAPE_HOME: "/state" })
    }
  )
})
