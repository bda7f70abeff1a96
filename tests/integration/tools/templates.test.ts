/** `hooktape new`: every template becomes a hook that builds, with a call that it answers. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { templates, writeTemplate } from "../../../src/tools/templates/templates.ts"
import { command } from "../../support/command.ts"
import { station } from "../../support/entrypoint.ts"

const known = templates()

it("has at least ten, each of which says what it does", () => {
  expect(known.length).toBeGreaterThanOrEqual(10)
  for (const { about, hook, name } of known) {
    expect(about, name).toMatch(/^[A-Z].{20,160}\.$/)
    expect(hook, name).toContain(`name: "${name}"`)
  }
})

it("makes each of them, and their answers are kept", async () => {
  const place = await station()
  for (const template of known)
    await Effect.runPromise(writeTemplate(template, { project: place.project, as: `my-${template.name}` }))
  const kept = await command(place, "test", "--update", "--json")
  expect(kept.stderr).toBe("")
  const { fixtures } = JSON.parse(kept.stdout) as {
    fixtures: readonly { fixture: string; status: string; reply: { exitCode: number; stdout: string } }[]
  }
  expect(fixtures.map(({ status }) => status)).toEqual(known.map(() => "written"))
  const said = (name: string) => fixtures.find(({ fixture }) => fixture.endsWith(`/my-${name}.json`))?.reply
  expect(said("protect-paths")?.stdout).toContain("dist/main.js is not to be edited by hand")
  // Whatever the branch of whoever tries it.
  expect(said("branch")?.stdout).toContain("The branch is topic; 2 files are not committed.")
  expect(said("no-commits-on-main")?.stdout).toContain("Nothing is committed on main")
  expect(said("no-keys-in-commits")?.stdout).toContain("What is staged holds a key or a token.")
  expect(said("lint-edits")?.stdout).toContain("Unexpected expression")
  expect(said("tests-after-edits")?.stdout).toContain("files were edited in this turn, and no test ran")
  expect(said("ticket")?.stdout).toContain("This branch is for ticket ABC-123")
  expect(said("ask-before-publish")?.stdout).toContain("What is published cannot be taken back.")
  expect(fixtures.map(({ reply }) => reply.exitCode)).toEqual(known.map(() => 0))
})

it("touches nothing that is there, and knows what it has", async () => {
  const place = await station()
  const hook = join(place.project, ".hooktape", "hooks", "branch.ts")
  const { code, stdout } = await command(place, "new", "branch")
  expect(code).toBe(0)
  expect(stdout).toContain(".hooktape/fixtures/branch.json")
  expect(stdout).not.toContain("@types/node")
  expect((await command(place, "new", "turn-times")).stdout).toContain("@types/node")
  writeFileSync(hook, "// mine\n")
  const again = await command(place, "new", "branch")
  expect(again.code).not.toBe(0)
  expect(again.stderr).toContain("is there already")
  expect(readFileSync(hook, "utf8")).toBe("// mine\n")
  const misspelt = await command(place, "new", "protect-path")
  expect(misspelt.stderr).toContain("protect-paths")
  expect(misspelt.code).not.toBe(0)
  expect((await command(place, "new", "branch", "--name", "../x")).stderr).toContain("no name for a hook")
  expect(existsSync(join(place.project, ".hooktape", "x.ts"))).toBe(false)
  const listed = await command(place, "new")
  for (const { name } of known) expect(listed.stdout).toContain(name)
})
