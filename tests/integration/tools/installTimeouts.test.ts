/** `hooktape install`: the agent waits as long as hooks may take, and what everyone gets says nothing of one person. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { command } from "../../support/command.ts"
import { station } from "../../support/entrypoint.ts"

it("registers time-outs above what the configuration gives hooks, for a repository from its own alone", async () => {
  const place = await station()
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const timeouts = (file: string): ReadonlySet<number> => {
    const { hooks } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly hooks: Readonly<
        Record<string, readonly { readonly hooks: readonly { readonly timeout: number }[] }[]>
      >
    }
    const { SessionEnd: _, ...others } = hooks
    return new Set(
      Object.values(others).flatMap((groups) =>
        groups.flatMap((group) => group.hooks.map((one) => one.timeout))
      )
    )
  }
  const install = async (scope: string) => {
    const { code, stderr } = await command(
      place,
      "install",
      "--agent",
      "claude-code",
      "--scope",
      scope,
      "--transport",
      "command"
    )
    expect(code, stderr).toBe(0)
  }
  const user = join(place.home, ".claude", "settings.json")
  const shared = join(place.project, ".claude", "settings.json")
  put(join(place.home, ".config", "hooktape", "config.json"), '{ "deadlineMs": 30000 }')
  await install("user")
  expect([...timeouts(user)]).toEqual([35])
  await install("project")
  expect([...timeouts(shared)]).toEqual([10])
  put(join(place.project, ".hooktape", "config.json"), '{ "deadlineMs": 20000 }')
  await install("project")
  expect([...timeouts(shared)]).toEqual([25])
})
