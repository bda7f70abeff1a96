/** What `hooktape init` says to do next. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { command } from "../../support/command.ts"
import { station } from "../../support/entrypoint.ts"

it("names the agents that are there, in a command that can be pasted", async () => {
  const place = await station()
  const first = await command(place, "init")
  expect(first.stdout).toContain("hooktape trust and hooktape install --agent ….")
  const found = async (folder: string) => {
    mkdirSync(join(place.env["HOME"] ?? "", folder))
    return (await command(place, "init")).stdout
  }
  expect(await found(".codex")).toContain("hooktape install --agent codex.\n")
  expect(await found(".claude")).toContain(
    "hooktape install --agent claude-code (here are Claude Code, Codex).\n"
  )
})

it("says nothing of installing where an agent calls hooktape already", async () => {
  const place = await station()
  mkdirSync(join(place.env["HOME"] ?? "", ".claude"))
  expect((await command(place, "install", "--agent", "claude-code")).code).toBe(0)
  const { stdout } = await command(place, "init")
  expect(stdout).toContain("Next: read the hooks in .hooktape/hooks, then hooktape trust.\n")
})
