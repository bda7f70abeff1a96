/** guard-destructive and feedback as they ship: real hook calls of three agents, a host, and what is kept. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it } from "vitest"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
})

const furnished = async (settings: object = {}): Promise<Station> => {
  const place = await station()
  delete place.env["HOOKTAPE_DEFAULTS"]
  place.putUser("config.json", JSON.stringify({ hooks: settings }))
  await Effect.runPromise(buildHooks({ state: place.state, userFolder: place.userFolder, defaults: true }))
  return place
}

const shell = (command: string) => ({ tool_name: "Bash", tool_input: { command } })
const agents = [
  { agent: "claude-code", event: "PreToolUse", call: shell },
  { agent: "codex", event: "PreToolUse", call: shell },
  {
    agent: "gemini-cli",
    event: "BeforeTool",
    call: (command: string) => ({ tool_name: "run_shell_command", tool_input: { command } })
  }
]

describe("guard-destructive", () => {
  it.each(agents)(
    "stops the tool of $agent, says why, and lets others pass",
    async ({ agent, call, event }) => {
      const place = await furnished()
      const fire = (command: string) => place.fire({ agent, event, input: payloadOf(event, call(command)) })
      const blocked = await fire("cd / && rm -rf home")
      const said = "guard-destructive (delete-outside): `rm -r` deletes /home"
      if (agent === "gemini-cli") {
        expect(blocked).toMatchObject({ code: 0, stderr: "" })
        expect(JSON.parse(blocked.stdout)).toEqual({
          decision: "deny",
          reason: expect.stringContaining(said)
        })
      } else {
        expect(blocked).toMatchObject({ code: 0, stderr: "" })
        expect(JSON.parse(blocked.stdout).hookSpecificOutput).toMatchObject({
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining(said)
        })
      }
      const passed = await fire("rm -rf dist && echo 'rm -rf /'")
      expect(passed).toMatchObject({ code: 0, stderr: "" })
    }
  )

  it("has its settings from its user", async () => {
    const place = await furnished({
      "guard-destructive": { settings: { off: ["force-push"], allow: ["/data"] } }
    })
    const fire = (command: string) =>
      place.fire({ event: "PreToolUse", input: payloadOf("PreToolUse", shell(command)) })
    expect(await fire("git push -f && rm -rf /data/x")).toMatchObject({ code: 0, stderr: "" })
    expect((await fire("git push -f && rm -rf /srv")).stdout).toContain('"permissionDecision":"deny"')
  })
})

describe.skipIf(!existsSync(shippedClient()))("feedback", () => {
  it("is kept as a note after the reply, with what it is about", async () => {
    const place = await furnished()
    await equip(place)
    host = await startHost(place)
    const prompt = "No, that's wrong. Look at `src/a.ts` again."
    const input = payloadOf("UserPromptSubmit", { prompt })
    expect(await place.fire({ event: "UserPromptSubmit", input })).toMatchObject({ code: 0 })
    const recorded = await Effect.flatMap(EventLog, (log) =>
      Stream.runHead(log.follow(0, { types: ["NOTE_RECORDED"] }))
    ).pipe(
      Effect.provide(
        Layer.fresh(layerSqlite({ file: join(place.state, "log.sqlite"), source: "test", pollMs: 20 }))
      ),
      Effect.runPromise
    )
    expect(Option.getOrThrow(recorded)).toMatchObject({
      session: "s-1",
      data: {
        kind: "feedback",
        tags: ["negative"],
        source: "hook feedback",
        text: `Corrected: src/a.ts\n\n${prompt}`
      }
    })
  })

  it("is told from what came before, where its words alone say nothing", async () => {
    const place = await furnished()
    await equip(place)
    host = await startHost(place)
    const fire = async (event: string, more: object) =>
      expect(await place.fire({ event, input: payloadOf(event, { ...more }) })).toMatchObject({ code: 0 })
    await fire("SessionStart", { source: "startup" })
    // Of the work of others nothing is kept.
    await fire("UserPromptSubmit", { prompt: "The login page is broken on Safari." })
    await fire("PostToolUse", { ...shell("npm run build"), tool_response: { stdout: "built" } })
    const prompt = "the second button seems to be missing"
    await fire("UserPromptSubmit", { prompt })
    const recorded = await Effect.flatMap(EventLog, (log) =>
      Stream.runHead(log.follow(0, { types: ["NOTE_RECORDED"] }))
    ).pipe(
      Effect.provide(
        Layer.fresh(layerSqlite({ file: join(place.state, "log.sqlite"), source: "test", pollMs: 20 }))
      ),
      Effect.runPromise
    )
    expect(Option.getOrThrow(recorded)).toMatchObject({
      session: "s-1",
      data: { kind: "feedback", tags: ["negative"], text: `Corrected: ${prompt}` }
    })
  })
})
