/** Files of the state that were damaged: every call is still answered by its hooks, or says in one line why not. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import { userManifest } from "../../../src/state/manifest.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { equip } from "../../support/host.ts"

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", onFailure: "block", run: () => blockingFeedback("GUARDED") })
`

/** Breaks a built-in that the engine uses after it. */
const breaker = `import { defineHook } from "hooktape"
export default defineHook({ name: "breaker", on: "prompt.submit", run() {
  Array.prototype.flatMap = () => { throw new Error("DEFECT") }
} })
`

let place: Station
let folder: string

beforeAll(async () => {
  place = await station()
  place.putUser("hooks/guard.ts", guard)
  place.putUser("hooks/breaker.ts", breaker)
  await place.build()
  await equip(place)
  place.env["HOOKTAPE_HOST"] = "off"
  folder = (JSON.parse(readFileSync(userManifest(place.state), "utf8")) as { dir: string }).dir
}, 60_000)

const call = () => place.fire({ input: bash("rm -rf /") })
/** By whatever way the agent is told. */
const blocked = { code: 0, stderr: "", stdout: expect.stringMatching(/GUARDED.*"deny"/) }
const fileOf = (end: string, start = "tool.before"): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith(start) && name.endsWith(end)) ?? "")

describe("a damaged", () => {
  it("code cache is not used, and made anew", async () => {
    expect(await call()).toMatchObject(blocked)
    for (const name of ["tool.before", "core"]) {
      const cache = fileOf(".cache", name)
      const bytes = readFileSync(cache)
      for (let at = 300; at < bytes.length; at += 997) bytes[at] = (bytes[at] ?? 0) ^ 0xff
      writeFileSync(cache, bytes)
      expect(await call()).toMatchObject(blocked)
      const anew = readFileSync(cache)
      expect(anew.equals(bytes), name).toBe(false)
      expect(crc32(anew.subarray(8)), name).toBe(anew.readUInt32LE())
      expect(await call()).toMatchObject(blocked)
    }
  })

  it("bundle does not answer for its hooks with silence", async () => {
    const bundle = fileOf(".cjs")
    const whole = readFileSync(bundle)
    for (const text of ["", whole.subarray(0, whole.length / 2)]) {
      writeFileSync(bundle, text)
      expect(await call()).toMatchObject(blocked)
    }
    writeFileSync(bundle, whole)
    expect(await call()).toMatchObject(blocked)
  })

  it("manifest counts as none, and takes no guard with it", async () => {
    const file = userManifest(place.state)
    const whole = readFileSync(file)
    for (const text of ["{", '{"version":1}', '{"version":1,"sources":[null]}', "null"]) {
      writeFileSync(file, text)
      expect(await call(), text).toMatchObject(blocked)
    }
    writeFileSync(file, whole)
  })

  it("built-in is put back before the engine goes on: the reply leaves, and is on the log", async () => {
    for (const agent of ["claude-code", "codex", "gemini-cli"]) {
      const event = agent === "gemini-cli" ? "BeforeAgent" : "UserPromptSubmit"
      const answer = await place.fire({
        agent,
        event,
        input: JSON.stringify({ session_id: "s", prompt: "hello" })
      })
      expect(answer).toMatchObject({ code: 0, stdout: "", stderr: "" })
      const { types } = await place.runOf(answer)
      expect(types).toContain("HANDLER_SUCCEEDED")
      expect(types).not.toContain("DELIVERY_FAILED")
      expect(types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
    }
  })

  it("command line names the agents there are", async () => {
    for (const agent of ["constructor", "__proto__", "claudecode"]) {
      const answer = await place.fire({ agent, input: bash("true") })
      expect(answer).toMatchObject({ code: 1, stdout: "" })
      expect(answer.stderr).toContain(`Known: ${agents.join(", ")}`)
    }
  })
})
