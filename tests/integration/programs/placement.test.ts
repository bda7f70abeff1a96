/** Where hooks run: shipped ones in the host and its thread, each with the environment of its call; others in processes. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { bash, dataOf, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { commandOf, endPlaces, processesAt } from "../../support/fire/place.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop()
  endPlaces()
})

/** Shipped hooks alone, with a host. */
const shipped = async (furnish: (place: Station) => void = () => undefined): Promise<Station> => {
  const place = await station()
  delete place.env["HOOKTAPE_DEFAULTS"]
  furnish(place)
  await Effect.runPromise(
    buildHooks({ state: place.state, userFolder: place.userFolder, project: place.project, defaults: true })
  )
  await equip(place)
  host = await startHost(place)
  return place
}

const processes = async (): Promise<number> => (await host?.status())?.processes ?? -1

const decision = (stdout: string): string =>
  stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.permissionDecision

const edit = (file: string): string =>
  payloadOf("PreToolUse", {
    tool_name: "Edit",
    tool_input: { file_path: file, old_string: "a", new_string: "b" }
  })

describe.skipIf(!existsSync(shippedClient()))("shipped hooks, with a host", () => {
  it("need no process of their own, and work after the reply is done in it too", async () => {
    const place = await shipped()
    expect(decision((await place.fire({ input: bash("rm -rf /") })).stdout)).toBe("deny")
    expect((await place.fire({ input: bash("npm test -- parser") })).stdout).toBe("")
    const edited = payloadOf("PostToolUse", {
      tool_name: "Write",
      tool_use_id: "t",
      tool_input: { file_path: join(place.project, "a.py"), content: "x" },
      tool_response: { type: "create", filePath: join(place.project, "a.py") }
    })
    expect(await place.fire({ event: "PostToolUse", input: edited })).toMatchObject({ code: 0 })
    const stop = payloadOf("Stop", { stop_hook_active: false, last_assistant_message: "Done." })
    expect(await place.fire({ event: "Stop", input: stop })).toMatchObject({ code: 0, stderr: "" })
    const end = payloadOf("SessionEnd", { reason: "other" })
    expect(await place.fire({ event: "SessionEnd", input: end })).toMatchObject({ code: 0, stderr: "" })
    expect(await processes()).toBe(0)
    const programs = processesAt(place).map(commandOf)
    expect(programs.filter((one) => one.includes("worker.cjs"))).toEqual([])
    await host?.stop()
    const runs = await place.runs()
    const ran = runs.flatMap((run) => dataOf(run, "HANDLER_SUCCEEDED").map(({ handler }) => handler))
    expect(ran).toEqual(expect.arrayContaining(["guard-destructive", "format-on-edit"]))
    expect(runs.flatMap((run) => dataOf(run, "HANDLER_FAILED"))).toEqual([])
    const opened = runs.flatMap((run) => dataOf(run, "INVOCATION_OPENED"))
    const ways = opened.filter(({ agent }) => agent !== "raw").map(({ transport }) => transport)
    expect(new Set(ways)).toEqual(new Set(["socket"]))
  })

  it("read the environment of their call, not the host's", async () => {
    const place = await shipped()
    const elsewhere = join(place.home, "elsewhere")
    const file = join(elsewhere, "settings.json")
    expect((await place.fire({ input: edit(file) })).stdout).toBe("")
    const asked = await place.fire({ input: edit(file), env: { CLAUDE_CONFIG_DIR: elsewhere } })
    expect(decision(asked.stdout)).toBe("ask")
    const shell = { input: bash(`echo x > ${file}`), env: { CLAUDE_CONFIG_DIR: elsewhere } }
    expect(decision((await place.fire(shell)).stdout)).toBe("ask")
    expect((await place.fire({ input: edit(file) })).stdout).toBe("")
    expect(await processes()).toBe(0)
  })

  it("guard the state directory that the host was told, whatever a call's environment says", async () => {
    const place = await shipped()
    const removal = bash(`echo x >> ${place.state}/build/x`)
    expect(decision((await place.fire({ input: removal, env: { HOOKTAPE_HOME: undefined } })).stdout)).toBe(
      "ask"
    )
    expect(await processes()).toBe(0)
  })

  it("are asked in a process where the call's home is another one", async () => {
    const place = await shipped()
    const home = join(place.home, "other")
    mkdirSync(home)
    const removal = { input: bash("rm -rf ~/work"), env: { HOME: home } }
    expect(decision((await place.fire(removal)).stdout)).not.toBe("")
    expect(await processes()).toBe(1)
  })

  it("are asked in a process where hooks of others could be asked too", async () => {
    const hook = `import { defineHook, userHint } from "hooktape"
export default defineHook({ name: "mine", on: "tool.before", run: () => userHint(String(process.pid)) })
`
    const place = await shipped(({ putUser }) => putUser("hooks/mine.ts", hook))
    const { stdout } = await place.fire({ input: bash("ls") })
    expect(Number(JSON.parse(stdout).systemMessage)).not.toBe(host?.child.pid)
    expect(await processes()).toBe(1)
  })

  it("that throw are recorded as failed, and the host goes on", async () => {
    const place = await shipped()
    // No database where its memory is kept.
    const broken = join(place.state, "memory.sqlite")
    if (existsSync(broken)) throw new Error("there is one already")
    mkdirSync(broken)
    writeFileSync(join(broken, "x"), "")
    const start = payloadOf("SessionStart", { source: "startup" })
    expect(await place.fire({ event: "SessionStart", input: start })).toMatchObject({ code: 0 })
    expect(decision((await place.fire({ input: bash("rm -rf /") })).stdout)).toBe("deny")
    expect(await processes()).toBe(0)
  })
})
