/** `hooktape dev` with a real project: what is saved is in use, what an agent saved waits, and calls are told as they come. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { command, startCommand } from "../../support/command.ts"
import { bash, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { type RunningHost, startHost } from "../../support/host.ts"

const hook = (says: string): string => `import { defineHook, modelContext } from "hooktape"
export default defineHook({
  name: "says",
  on: ["prompt.submit", "tool.before"],
  run: ({ tool }) => {
    if (tool?.command === "boom") throw new Error("it broke")
    return modelContext("${says}")
  }
})
`

let child: ChildProcess | undefined
let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
  if (child === undefined || child.exitCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  await ended
})

/** All that it says, and a wait for words that come after what was waited for before. */
const started = (place: Station, args: readonly string[]) => {
  child = startCommand(place, args)
  let text = ""
  let from = 0
  const woken = new Set<() => void>()
  const take = (chunk: Buffer): void => {
    text += chunk.toString("utf8")
    for (const wake of woken) wake()
  }
  child.stdout?.on("data", take)
  child.stderr?.on("data", take)
  child.once("exit", () => {
    text += "(ended)"
    for (const wake of woken) wake()
  })
  return {
    all: () => text,
    until: async (words: string): Promise<void> => {
      for (;;) {
        const at = text.indexOf(words, from)
        if (at >= 0) {
          from = at + words.length
          return
        }
        if (text.endsWith("(ended)")) throw new Error(`it ended without "${words}":\n${text}`)
        await new Promise<void>((wake) => {
          woken.add(wake)
        })
        woken.clear()
      }
    }
  }
}

it("brings a save into use, holds back what an agent saved, and tells calls and where hooks broke", async () => {
  const place = await station()
  mkdirSync(join(place.project, ".git"))
  place.put(".hooktape/hooks/says.ts", hook("first"))
  await command(place, "trust", "--yes")
  const { all, until } = started(place, ["dev", "--trust-saves"])
  await until("in use after")
  await until("watching")
  // A prompt is no work of an agent's.
  const said = async (): Promise<string> =>
    (
      await place.fire({
        event: "UserPromptSubmit",
        input: payloadOf("UserPromptSubmit", { prompt: "go on" })
      })
    ).stdout
  expect(await said()).toContain("first")
  await until('"go on"')
  /** Builds of the user's hooks alone. */
  const usersBuilds = async () =>
    (await place.facts()).filter(
      ({ data, type }) => type === "HOOKS_BUILT" && (data as { readonly project: string }).project === ""
    ).length
  const before = await usersBuilds()

  place.put(".hooktape/hooks/says.ts", hook("second"))
  await until("in use after")
  expect(await said()).toContain("second")

  place.put(".hooktape/hooks/says.ts", `${hook("broken")}this is no script\n`)
  await until("says.ts:10:")
  await until("What worked before stays in use")
  expect(await said()).toContain("second")
  place.put(".hooktape/hooks/says.ts", hook("second"))
  await until("in use after")

  // Nobody has trusted it so far, and so no build names what is wrong with it.
  place.put(".hooktape/hooks/fresh.ts", `${hook("fresh").replace('"says"', '"fresh"')}this is no script\n`)
  await until("fresh.ts:10:")
  await until("What worked before stays in use")
  place.put(".hooktape/hooks/fresh.ts", hook("fresh").replace('"says"', '"fresh"'))
  await until("in use after")
  const ready = all().slice(0, all().lastIndexOf("in use after"))
  expect(ready.slice(ready.lastIndexOf("fresh.ts:10:"))).not.toContain("in use after")
  expect(await said()).toContain("fresh")

  await place.fire({ input: bash("boom") })
  await until("it broke")
  await until("says.ts:6")

  await said()

  // A tool of an agent runs: whatever is saved meanwhile may be its work.
  await place.fire({
    input: payloadOf("PreToolUse", {
      tool_name: "Write",
      tool_use_id: "w-1",
      tool_input: { file_path: join(place.project, ".hooktape/hooks/says.ts"), content: "" }
    })
  })
  place.put(".hooktape/hooks/says.ts", hook("third"))
  await until("waits: claude-code r")
  expect(all()).toContain('+    return modelContext("third")')
  expect(await said()).toContain("second")

  expect(await usersBuilds(), "a save of the project's builds the project's").toBe(before)

  place.putUser("hooks/mine.ts", hook("mine").replace('"says"', '"mine"'))
  while (!(await said()).includes("mine"));
  expect(await usersBuilds(), "a save of the user's builds theirs").toBe(before + 1)

  const trusted = (await place.facts()).filter(({ type }) => type === "HOOKS_TRUSTED")
  expect(trusted.map(({ data }) => (data as { readonly by?: string }).by)).toEqual([undefined, "dev", "dev"])
})

it("says why a fixture is not as kept, and tells of work after the reply that failed", async () => {
  const place = await station()
  mkdirSync(join(place.project, ".git"))
  place.put(".hooktape/hooks/says.ts", hook("first"))
  const input = JSON.parse(payloadOf("UserPromptSubmit", { prompt: "go on" }))
  place.put(
    ".hooktape/fixtures/go-on.json",
    JSON.stringify({ agent: "claude-code", event: "UserPromptSubmit", payload: input })
  )
  await command(place, "trust", "--yes")
  await command(place, "test", "--update")
  const { until } = started(place, ["dev", "--trust-saves"])
  await until("1 fixture as kept")

  place.put(".hooktape/hooks/says.ts", hook("second"))
  await until("go-on.json - kept, + now")
  await until('-    "additionalContext": "first"')
  await until("1 of 1 fixture not as kept")

  place.put(
    ".hooktape/hooks/later.ts",
    `import { defineHook } from "hooktape"
export default defineHook({
  name: "later",
  on: "prompt.submit",
  background: true,
  retry: { attempts: 1 },
  run: () => { throw new Error("nobody sees it") }
})
`
  )
  await until("in use after")
  await place.fire({ event: "UserPromptSubmit", input: payloadOf("UserPromptSubmit", { prompt: "go on" }) })
  host = await startHost(place)
  await until("later (after the reply, attempt 1): Error: nobody sees it; it is not tried again")
  await until("later.ts:7")
  expect((await command(place, "log", "--failed")).stdout).toContain("✖ later after the reply")
  expect((await command(place)).stdout).toContain("1 job given up")
  expect((await command(place, "jobs", "show", "last")).stdout).toMatch(/last error\n.*\n +at .*later\.ts:7/)
})
