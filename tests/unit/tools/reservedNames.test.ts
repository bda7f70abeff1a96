/** A hook of a project with the name of a guard of hooktape's own never runs: that is said before anybody relies on it. */
import { mkdtempSync, readdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { expect, it } from "vitest"
import { command } from "../../../src/programs/cli/commands/new.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { Screen, type ScreenShape } from "../../../src/programs/cli/Screen.ts"
import { reservedNames } from "../../../src/tools/build/shipped.ts"
import { reservedFindings } from "../../../src/tools/check/reserved.ts"
import { templates } from "../../../src/tools/templates/templates.ts"

it("are those of guards, and of what others' hooks need", () => {
  expect(reservedNames).toEqual(
    expect.arrayContaining(["own-guards", "guard-destructive", "settings-report"])
  )
  expect(reservedNames).not.toContain("session-brief")
})

it("are an error of a project's check", () => {
  const hook = (name: string, owner: string) => ({ hook: name, file: `/p/${name}.ts`, owner })
  const found = reservedFindings(
    [hook("own-guards", "project"), hook("own-guards", "hooktape"), hook("mine", "project")],
    (file) => file.slice(3)
  )
  expect(found).toMatchObject([
    { level: "error", file: "own-guards.ts", message: expect.stringContaining("does not run") }
  ])
})

it("are given to no new hook", async () => {
  const project = mkdtempSync(join(homedir(), "reserved-"))
  const made = Effect.either(
    Effect.provideService(
      command.action?.run(
        { template: templates()[0]?.name, name: "own-guards", project, json: false } as never,
        undefined as never
      ) as Effect.Effect<unknown, Error, Screen>,
      Screen,
      { out: () => Effect.void, note: () => Effect.void, style: plain } as unknown as ScreenShape
    )
  )
  const ended = await Effect.runPromise(made)
  expect(Either.isLeft(ended) && ended.left.message).toContain(
    '"own-guards" is the name of a hook that comes'
  )
  expect(readdirSync(project)).toEqual([])
})
