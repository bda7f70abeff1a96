/** What a host writes down for the clients of a directory, and when it writes nothing. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { makeRoutes, routesAt } from "../../../src/programs/host/routes.ts"
import type { Manifest } from "../../../src/state/manifest.ts"
import { writeSession } from "../../../src/trust/sessionGuards.ts"

let root: string
let state: string
let project: string
let source: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "routes-")))
  state = join(root, "state")
  project = join(root, "project")
  for (const part of ["state/projects", "state/build", "project/.git"])
    mkdirSync(join(root, part), { recursive: true })
  source = join(root, "hook.ts")
  writeFileSync(source, "")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const later = () => Date.now() + 60_000

const built = (more: Partial<Manifest> = {}): Manifest => {
  const dir = join(state, "build")
  writeFileSync(
    join(dir, "routes.json"),
    JSON.stringify({
      "claude-code": {
        PreToolUse: { reply: "", tools: ["Read", "Glob"] },
        Stop: { reply: "", tools: "all" }
      },
      cursor: { stop: { reply: "{}", tools: "all" } }
    })
  )
  const { ctimeMs, mtimeMs, size } = statSync(source)
  const manifest = {
    version: 1,
    project: null,
    build: "one",
    dir,
    cli: "/cli",
    default: "d.cjs",
    sources: [{ file: source, mtimeMs, size, ctimeMs, kind: "user" }],
    events: {},
    natives: {},
    withheld: [],
    ...more
  } as unknown as Manifest
  writeFileSync(join(state, "projects", "user.json"), JSON.stringify(manifest))
  return manifest
}

const asked = (
  manifest: Manifest,
  { agentEvent = "PreToolUse", lacking = false, now = later } = {}
): string | undefined => {
  const routes = makeRoutes({
    state,
    build: "b",
    lackingGuards: () => (_, native) => lacking && native === "Stop",
    now
  })
  routes.asked({ agent: "claude-code", agentEvent, directory: project, project, manifest })
  const file = routesAt(state, project)
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}

it("has the calls of the build, and all that they were made from", () => {
  const lines = asked(built())?.split("\n") ?? []
  const { ctimeNs, ino, mtimeNs, size } = statSync(source, { bigint: true })
  expect(lines.slice(0, 2)).toEqual(["HKR1 b", project])
  expect(lines).toContain(`=${ino} ${size} ${mtimeNs} ${ctimeNs} ${source}`)
  expect(lines).toContain(`+${statSync(join(project, ".git")).ino} ${join(project, ".git")}`)
  for (const path of [
    join(project, ".hooktape"),
    join(root, ".hooktape"),
    "/.hooktape",
    join(state, "run", "probe"),
    join(state, "trust.json")
  ])
    expect(lines).toContain(`-${path}`)
  expect(lines.filter((line) => /^>/.test(line))).toEqual([
    ">claude-code PreToolUse\t\tRead\tGlob",
    ">claude-code Stop\t\t*",
    ">cursor stop\t{}\t*"
  ])
  expect(lines).not.toContain("guarded")
})

it("is written where the build has something to say of the call, and nowhere else", () => {
  expect(asked(built(), { agentEvent: "SessionStart" })).toBeUndefined()
})

it("is not written of a build that stands in for the one that is being made", () => {
  const manifest = built()
  mkdirSync(join(project, ".hooktape", "hooks"), { recursive: true })
  expect(asked(manifest)).toBeUndefined()
})

it("is not written of a build that is not of its sources any more, or not the one that is there", () => {
  const manifest = built()
  expect(asked({ ...manifest, build: "two" })).toBeUndefined()
  writeFileSync(source, "other")
  expect(asked(manifest)).toBeUndefined()
})

it("is not written of what changed within a tick of the clock", () => {
  const lately = () => statSync(source).ctimeMs + 50
  expect(asked(built(), { now: lately })).toBeUndefined()
  utimesSync(source, 4_000_000_000, 4_000_000_000)
  expect(asked(built())).toBeUndefined()
})

it("is written once as long as it says the same", () => {
  const manifest = built()
  let at = later()
  const routes = makeRoutes({ state, build: "b", lackingGuards: () => () => false, now: () => at })
  const seen = [1, 2, 3, 4].map(() => {
    at += 1000
    routes.asked({ agent: "claude-code", agentEvent: "PreToolUse", directory: project, project, manifest })
    // Each writing puts another file in its place.
    return statSync(routesAt(state, project), { bigint: true }).ctimeNs
  })
  expect(new Set(seen).size).toBe(1)
})

it("leaves out what a session has a guard for that the build lacks", () => {
  expect(asked(built(), { lacking: true })).not.toContain("claude-code Stop")
})

it("names the sessions that were entered with the guards of the build, and none that lacks one or is over", () => {
  const guard = (name: string) => ({
    name,
    owner: "user" as const,
    digest: name,
    source: name,
    events: ["tool.before"],
    trustedAt: 0
  })
  const enter = (session: string, names: readonly string[], ended?: number) =>
    writeSession(state, {
      version: 1,
      session,
      began: 1,
      guards: names.map(guard),
      ...(ended === undefined ? {} : { ended })
    })
  enter("whole", ["a"])
  enter("more", ["a", "b"])
  enter("over", ["a"], 2)
  enter("not plain\nat all", ["a"])
  const text = asked(built({ guards: [guard("a")] }))
  expect(text?.split("\n").filter((line) => /^(?:guarded|session)/.test(line))).toEqual([
    "guarded",
    "session whole"
  ])
})
