/** The parts of a migration that somebody asks for, killed at each of their operations: a project's own registrations, hooks of earlier tools. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it, vi } from "vitest"
import { isExecutable } from "../../../src/state/isExecutable.ts"
import { layout } from "../../../src/state/layout.ts"
import { sharedHookFile } from "../../../src/tools/install/sharedHook.ts"
import { earlierHooks } from "../../../src/tools/migrations/earlierTools.ts"
import { journalFile, readJournal } from "../../../src/tools/migrations/journal.ts"
import { rollBack } from "../../../src/tools/migrations/rollBack.ts"
import {
  type Ports,
  type Request,
  realPorts,
  runMigrations
} from "../../../src/tools/migrations/runMigrations.ts"
import {
  contentsOf,
  currentVersions,
  differences,
  earlierVersions,
  type Golden,
  unpack
} from "../../support/goldenState.ts"
import { killedAtEach, removeBundle } from "../../support/killed.ts"
import { registerAsBefore } from "../../support/registeredProject.ts"
import { quickDisk } from "../../support/steppedDisk.ts"

const quick: Ports = { ...realPorts, disk: quickDisk }

afterAll(removeBundle)

interface Asked {
  readonly golden: Golden
  readonly request: Request
  /** Throws unless all that was asked for is done. */
  readonly expectDone: (at: string) => void
}

/** Killed on the way there and on the way back, at each operation; whoever migrates next brings it to an end, and back to the byte. */
const expectToOutliveKills = async ({ expectDone, golden, request }: Asked): Promise<void> => {
  const { home, state } = golden
  const was = contentsOf(home)
  const isBack = (at: string): void => expect(differences(home, was), at).toEqual([])
  let resumed = 0
  const isBroughtOn = (at: string): void => {
    const begun =
      readJournal(state)
        .runs.at(-1)
        ?.steps.filter((step) => step.state === "begun") ?? []
    // A host asks for no project, and for nothing that is only offered: what was begun it brings to its end all the same.
    runMigrations({ state, byItself: true }, quick)
    const left = readJournal(state).runs.at(-1)
    expect(left?.steps.filter((step) => step.state === "begun") ?? [], at).toEqual([])
    expect(left?.state ?? "done", at).toBe("done")
    resumed += begun.length
    runMigrations(request, quick)
    expectDone(at)
    while (rollBack({ state }, quick) !== undefined);
    isBack(at)
  }
  const isTakenBack = (at: string): void => {
    rollBack({ state }, quick)
    isBack(at)
  }
  await killedAtEach(home, "on", request, isBroughtOn, isTakenBack)
  expect(resumed, "steps that were cut off amid what they change").toBeGreaterThan(5)
  runMigrations(request, quick)
  expectDone("all at once")
  await killedAtEach(home, "back", { state }, isTakenBack)
}

/** What is the user's own is today's already, with nothing left to take back. */
const current = (version: string): Golden => {
  const golden = unpack(version)
  runMigrations({ state: golden.state }, quick)
  rmSync(journalFile(golden.state), { force: true })
  return golden
}

describe.each([...earlierVersions, ...currentVersions])("with the state that %s left", (version) => {
  it("a project's registrations are brought to their end, or back, wherever the work was cut off", {
    timeout: 300_000
  }, async () => {
    const golden = current(version)
    const registered = [
      registerAsBefore(golden.state, join(golden.home, "shop")),
      registerAsBefore(golden.state, join(golden.home, "inventory"), "local")
    ]
    const projects = registered.map(({ project }) => project)
    await expectToOutliveKills({
      golden,
      request: { state: golden.state, projects },
      expectDone: (at) => {
        for (const { file, project, today } of registered) {
          expect(readFileSync(file, "utf8"), at).toBe(today)
          expect(readJournal(golden.state).projects[project], at).toBe(layout)
        }
      }
    })
  })

  it("hooks of earlier tools are replaced, or back, wherever the work was cut off", {
    timeout: 300_000
  }, async () => {
    const golden = current(version)
    const { home, state } = golden
    vi.stubEnv("HOME", home)
    for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"]) vi.stubEnv(name, "")
    const project = join(home, "shop")
    const put = (file: string, settings: object): void => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(settings, null, 2))
    }
    const entry = (command: string) => ({ hooks: [{ type: "command", command }] })
    // hooktape is registered there already, of which they are only taken out, and is not yet here; a repository gets its script.
    const claude = join(home, ".claude", "settings.json")
    const { hooks, ...others } = JSON.parse(readFileSync(claude, "utf8"))
    put(claude, {
      ...others,
      hooks: { ...hooks, Stop: [...(hooks.Stop ?? []), entry("kuzu-memory hooks learn")] }
    })
    put(join(home, ".cursor", "hooks.json"), {
      version: 1,
      hooks: { stop: [{ command: "kuzu-memory hooks learn" }] }
    })
    put(join(project, ".qwen", "settings.json"), {
      hooks: { SessionStart: [entry("kuzu-memory hooks session-start")] }
    })
    expect(earlierHooks([project]).map(({ agent }) => agent)).toEqual(["claude-code", "cursor", "qwen-code"])
    await expectToOutliveKills({
      golden,
      request: { state, projects: [project], replace: true },
      expectDone: (at) => {
        expect(earlierHooks([project]), at).toEqual([])
        expect(isExecutable(sharedHookFile(project)), at).toBe(true)
      }
    })
  })
})
