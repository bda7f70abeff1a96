/** What a program that works on a repository is given: no folder and no program that the repository brought, whatever it is called. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { git } from "../../../src/trust/git.ts"
import { pathOutside, plainEnvironment } from "../../../src/trust/plainEnvironment.ts"

const here = process.cwd()
let root: string
let repository: string
let canary: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "plain-")))
  repository = join(root, "repository")
  canary = join(root, "ran")
  mkdirSync(join(repository, ".git"), { recursive: true })
  mkdirSync(join(repository, "tools"))
  const program = join(repository, "tools", "git")
  writeFileSync(program, `#!/bin/sh\necho ran > '${canary}'\n`)
  chmodSync(program, 0o755)
  symlinkSync(repository, join(root, "link"))
  mkdirSync(join(root, "own"))
  process.chdir(repository)
})
afterEach(() => {
  process.chdir(here)
  rmSync(root, { recursive: true, force: true })
})

const brought: Readonly<Record<string, () => string>> = {
  "by its own name": () => join(repository, "tools"),
  "by the working directory of whoever asks": () => "/proc/self/cwd/tools",
  "by a longer way to it": () => "/proc/self/root/../self/cwd/tools",
  "by a descriptor": () => "/dev/fd/3/tools",
  "by a link from outside": () => join(root, "link", "tools"),
  "by a link, where it does not exist yet": () => join(root, "link", "coming", "tools")
}

describe("a folder of the repository", () => {
  it.each(Object.entries(brought))("is none in which programs are looked for: %s", (_, folder) => {
    expect(pathOutside([folder(), join(root, "own")].join(delimiter), repository)).toEqual([
      join(root, "own")
    ])
  })

  it.each(Object.entries(brought))("is no home and holds no settings: %s", (_, folder) => {
    const env = { HOME: folder(), XDG_CONFIG_HOME: folder(), LANG: "C" }
    const given = plainEnvironment(repository, env)
    expect([given["HOME"], given["XDG_CONFIG_HOME"], given["LANG"]]).toEqual([undefined, undefined, "C"])
  })

  it.each(Object.entries(brought))("has no git that is asked: %s", async (_, folder) => {
    vi.stubEnv("PATH", [folder(), process.env["PATH"]].join(delimiter))
    await git(repository, ["rev-parse", "--show-toplevel"])
    expect(existsSync(canary)).toBe(false)
  })

  it("is none where the repository is asked about by a link", () => {
    expect(pathOutside(join(repository, "tools"), join(root, "link"))).toEqual([])
  })

  it("is none in a repository within it", () => {
    const inner = join(repository, "inner")
    mkdirSync(join(inner, ".git"), { recursive: true })
    expect(pathOutside(join(repository, "tools"), inner)).toEqual([])
  })
})

describe("what lies outside", () => {
  it("has no program that leads into the repository", async () => {
    symlinkSync(join(repository, "tools", "git"), join(root, "own", "git"))
    vi.stubEnv("PATH", [join(root, "own"), process.env["PATH"]].join(delimiter))
    await git(repository, ["rev-parse", "--show-toplevel"])
    expect(existsSync(canary)).toBe(false)
  })

  it("is kept, there or not", () => {
    const env = { HOME: join(root, "own"), XDG_CACHE_HOME: join(root, "coming") }
    expect(plainEnvironment(repository, env)).toMatchObject(env)
  })
})
