/** A hook is looked at where its author wrote it: in the stack of a failure, and in the debugger that a recorded call stops in. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { afterEach, describe, expect, it } from "vitest"
import { command, startCommand } from "../../support/command.ts"
import { bash, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { attach, type InspectorEvent } from "../../support/inspector.ts"

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

const hooks = {
  "looker.ts": `import { defineHook, userHint } from "hooktape"

const hint = (command: string | undefined) => userHint("seen: " + command)

export default defineHook({ name: "looker", on: "tool.before", run: ({ tool }) => hint(tool.command) })
`,
  "thrower.ts": `import { defineHook } from "hooktape"

interface Deep { readonly missing?: { readonly field: string } }

const deep = (value: Deep): string => {
  return (value.missing as { field: string }).field
}

export default defineHook({ name: "thrower", on: "tool.after", run: () => void deep({}) })
`
}

const stationWithHooks = async () => {
  const place = await station()
  const folder = join(place.home, ".config", "hooktape", "hooks")
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(hooks)) writeFileSync(join(folder, name), text)
  await place.build()
  return { place, folder }
}

describe("a hook that throws", { timeout: 60_000 }, () => {
  it("is told with the names of its author's variables", async () => {
    const { folder, place } = await stationWithHooks()
    const text = `import { defineHook } from "hooktape"

const placeOf = (visitor: { readonly seat?: { readonly row: string } }): string => {
  const { row } = visitor.seat as { readonly row: string }
  return row + row
}

export default defineHook({ name: "unpacks", on: "turn.stop", run: () => void placeOf({}) })
`
    writeFileSync(join(folder, "unpacks.ts"), text)
    await place.build()
    await place.fire({ event: "Stop", input: payloadOf("Stop") })
    const { stdout } = await command(place, "show", "last")
    expect(stdout).toContain("'visitor.seat'")
    expect(stdout).toContain(`at placeOf (${join(folder, "unpacks.ts")}:4:`)
  })

  it("is shown by the author's file, line and function, and by no line of the bundle", async () => {
    const { folder, place } = await stationWithHooks()
    await place.fire({ event: "PostToolUse", input: payloadOf("PostToolUse", { tool_name: "Bash" }) })
    const { code, stdout } = await command(place, "show", "last")
    expect(code).toBe(0)
    expect(stdout).toContain("thrower failed at Bash; the agent went on.")
    expect(stdout).toContain(`at deep (${join(folder, "thrower.ts")}:6:47)`)
    expect(stdout).not.toMatch(/tool\.after\.cjs:\d/)
  })
})

/** A recorded call under the inspector, and its address. */
const broken = (place: Station) => {
  const child = startCommand(place, ["replay", "last", "--break"])
  children.push(child)
  const said = { out: "", err: "" }
  const listening = new Promise<string>((resolve) => {
    ;(child.stderr as Readable).on("data", (chunk: Buffer) => {
      said.err += chunk
      const url = /ws:\/\/127\.0\.0\.1:\S+/.exec(said.err)?.[0]
      if (url !== undefined) resolve(url)
    })
  })
  ;(child.stdout as Readable).on("data", (chunk: Buffer) => {
    said.out += chunk
  })
  return { child, listening, said }
}

describe("a recorded call", { timeout: 60_000 }, () => {
  it("that somebody ends in the debugger is no call that went well", async () => {
    const { place } = await stationWithHooks()
    await place.fire({ input: bash("ls -la") })
    const { child, listening, said } = broken(place)
    const socket = await attach(await listening, (event, send) => {
      if (event.method === "Debugger.paused")
        send("Runtime.evaluate", { expression: "process.kill(process.pid, 9)" })
    })
    const [code] = await once(child, "close")
    socket.end()
    expect(code).toBe(1)
    expect(said.err).toContain("the call did not come to its end: its process ended with SIGKILL.")
  })

  it("stops in the debugger before its hook, and goes on to its answer", async () => {
    const { place } = await stationWithHooks()
    await place.fire({ input: bash("ls -la") })
    const { child, listening, said } = broken(place)
    const seen: InspectorEvent[] = []
    const socket = await attach(await listening, (event, send) => {
      seen.push(event)
      if (event.method === "Debugger.paused") send("Debugger.resume")
    })
    // Node 20 may crash where a debugger leaves while the code runs: this one stays until it is waited for.
    ;(child.stderr as Readable).on("data", () => {
      if (said.err.includes("Waiting for the debugger to disconnect")) socket.end()
    })
    const [code] = await once(child, "close")
    expect(code, said.err).toBe(0)
    expect(said.out).toContain("seen: ls -la")
    const scripts = seen.filter(({ method }) => method === "Debugger.scriptParsed")
    const bundle = scripts.find(({ params }) => params?.url?.endsWith("/tool.before.cjs"))
    expect(bundle?.params?.sourceMapURL).toMatch(/\/tool\.before\.cjs\.map$/)
  })
})
