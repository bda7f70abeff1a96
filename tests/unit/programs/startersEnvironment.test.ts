/** What work of one project knows of the environment in which another project's call started the host. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { environmentFor } from "../../../src/programs/host/httpEnvironment.ts"
import { completed } from "../../../src/programs/host/leftEnvironment.ts"
import { starterOf } from "../../../src/programs/host/startersEnvironment.ts"
import { weakening } from "../../../src/trust/weakening.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "starter-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const [first, second] = ["first", "second"].map((name) => {
  const project = join(root, name)
  mkdirSync(join(project, ".git"), { recursive: true })
  mkdirSync(join(project, "deeper"))
  return project
}) as [string, string]

const weak = Object.fromEntries(
  Object.keys(weakening)
    .filter((name) => name !== "HOME" && name !== "PATH")
    .map((name) => [name, `${name.toLowerCase()} of the first`])
)
mkdirSync(join(first, ".claude"))
writeFileSync(
  join(first, ".claude", "settings.json"),
  JSON.stringify({ env: { ...weak, DATABASE_URL: "db://secret", SHARED: "other", HOME: first } })
)
writeFileSync(join(first, ".env"), `TOKEN="a secret"\nPATH=${first}/bin\n`)

/** That of a host which a call of the first project started. */
const own = {
  ...weak,
  DATABASE_URL: "db://secret",
  TOKEN: "a secret",
  SHARED: "of the user",
  EDITOR: "vi",
  HOME: first,
  PATH: `${first}/bin:/usr/bin`,
  CLAUDE_PROJECT_DIR: first,
  PWD: "/"
}
const starter = starterOf(own)

describe("a job or call of another project", () => {
  it("knows no variable that the settings of the project set whose call started the host", () => {
    expect(completed({ CI: "theirs" }, second, own, starter)).toEqual({
      SHARED: "of the user",
      EDITOR: "vi",
      HOME: userInfo().homedir,
      PATH: "/usr/bin",
      CI: "theirs",
      PWD: second
    })
    const { get } = environmentFor(second, own, starter)
    expect(["DATABASE_URL", "TOKEN", "HOOKTAPE_HOME"].map(get)).toEqual([undefined, undefined, undefined])
  })
})

describe("a job of that project", () => {
  it("has what its foreground calls have", () => {
    const known = completed({}, join(first, "deeper"), own, starter)
    expect(known).toMatchObject({ DATABASE_URL: "db://secret", TOKEN: "a secret", EDITOR: "vi", HOME: first })
  })

  it("has nothing that is meant for one process of hooktape alone", () => {
    const known = Object.keys(completed({}, first, own, starter))
    expect(known.filter((name) => /^HOOKTAPE_(CALL|HOLD|LAUNCHER|NOISE|PROBE)$/.test(name))).toEqual([])
  })
})

it("a host that no repository's settings had a say in gives all it has", () => {
  expect(starterOf({ PWD: second, EDITOR: "vi" })).toBeUndefined()
  expect(starterOf({})).toBeUndefined()
  expect(environmentFor(second, { EDITOR: "vi" }, undefined).all()).toEqual({ EDITOR: "vi", PWD: second })
})
