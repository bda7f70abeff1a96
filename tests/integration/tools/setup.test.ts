/** `hooktape setup`, as `npm install` runs it in a clone: it makes ready what is missing, and is never the reason why that fails. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { projectManifest, userManifest } from "../../../src/state/manifest.ts"
import { command } from "../../support/command.ts"
import { station } from "../../support/entrypoint.ts"

const hook = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "mine", on: "tool.before", run: () => blockingFeedback("no") })
`

it("makes a clone ready, trusts nothing and says what waits", async () => {
  const place = await station()
  const fresh = join(place.home, "fresh")
  const env = { ...place.env, HOOKTAPE_HOME: fresh }
  expect(await command({ ...place, env }, "setup")).toMatchObject({ code: 0, stdout: "", stderr: "" })
  expect(existsSync(join(fresh, "bin", "hook"))).toBe(true)
  // What comes with hooktape runs from the first call on.
  expect(existsSync(userManifest(fresh))).toBe(true)

  mkdirSync(join(place.project, ".hooktape", "hooks"), { recursive: true })
  writeFileSync(join(place.project, ".hooktape", "hooks", "mine.ts"), hook)
  expect(await command({ ...place, env }, "setup")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "hooktape: 1 hook of this project waits for you to read it: npx hooktape trust\n"
  })
  const listed = await command({ ...place, env }, "trust", "list")
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.stdout).not.toContain("mine")
})

it("leaves the hooktape that is there as it is", async () => {
  const place = await station()
  const host = join(place.state, "bin", "host")
  writeFileSync(host, `#!/bin/sh\n[ -x '/bin/sh' ] && [ -r '${host}' ] || exit 1\n`)
  const files = ["bin/hook", "bin/host", "bin/load.cjs"].map((name) => join(place.state, name))
  const before = files.map((file) => readFileSync(file, "utf8"))
  expect(await command(place, "setup")).toMatchObject({ code: 0, stderr: "" })
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before)

  // The package that it started is gone: this one takes its place.
  writeFileSync(host, `#!/bin/sh\n[ -x '/bin/sh' ] && [ -r '${host}.gone' ] || exit 1\n`)
  expect(await command(place, "setup")).toMatchObject({ code: 0, stderr: "" })
  expect(readFileSync(host, "utf8")).toContain("host.cjs")
})

it("fails no installation where it cannot", async () => {
  const place = await station()
  const file = join(place.home, "file")
  writeFileSync(file, "")
  const { code, stderr } = await command({ ...place, env: { ...place.env, HOOKTAPE_HOME: file } }, "setup")
  expect(code).toBe(0)
  expect(stderr).toMatch(/^hooktape: not set up here, agents work without it: .+\n$/)
})

it("an installation for everyone leaves a build, nothing due, and no call yet", async () => {
  const place = await station()
  const { code } = await command(place, "install", "--agent", "claude-code", "--scope", "project")
  expect(code).toBe(0)
  expect(existsSync(projectManifest(place.state, place.project))).toBe(true)
  const { stdout } = await command(place, "doctor")
  expect(stdout).not.toContain("nothing is built")
  expect(stdout).not.toMatch(/migrations\s+due/)
  // Its probe is a call of hooktape's own.
  expect((await command(place, "log")).stderr).toBe(
    'no call of an agent yet. "--all" shows those of hooktape itself.\n'
  )
})

it("where a file has the place of the folder of hooks, the file is named", async () => {
  const place = await station()
  const file = join(place.project, ".hooktape")
  writeFileSync(file, "")
  for (const words of [["init"], ["new", "ticket"]]) {
    const { code, stderr } = await command(place, ...words)
    expect(code).toBe(1)
    expect(stderr).toContain(`${file}: is a file, and the project's hooks need a folder of that name`)
  }
})
