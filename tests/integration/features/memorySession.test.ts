/** Two sessions of one project with a host: what the first leaves behind by itself, and what the second is told of it. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { afterEach, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { backupsFolder } from "../../../src/features/memory/backUp.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { notesIn } from "../../../src/runtime/services/Note.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
})

/** Follows the log until so many facts of a type are there. */
const until = (at: Station, type: string, many: number): Promise<readonly Recorded[]> =>
  Effect.flatMap(EventLog, (log) =>
    Stream.runCollect(Stream.take(log.follow(0, { types: [type] }), many))
  ).pipe(
    Effect.map((found) => [...found]),
    Effect.provide(Layer.fresh(layerSqlite({ file: join(at.state, "log.sqlite"), source: "here" }))),
    Effect.runPromise
  )

it("a session is summed up, backed up and judged after its turn, and the next one is told", {
  timeout: 180_000
}, async () => {
  const at = await station()
  await Effect.runPromise(buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true }))
  await equip(at)
  host = await startHost(at)
  const transcript = at.put("../transcript.jsonl", '{"type":"user"}\n')
  const fire = (event: string, payload: object) =>
    at.fire({ event, input: JSON.stringify({ session_id: "s-1", transcript_path: transcript, ...payload }) })

  await fire("UserPromptSubmit", { prompt: "Make the redis tests pass" })
  const shell = { tool_name: "Bash", tool_input: { command: "npm run redis" } }
  await fire("PostToolUseFailure", { ...shell, error: "Exit code 1\nconnect ECONNREFUSED" })
  await fire("PostToolUse", { ...shell, tool_response: { stdout: "ok", stderr: "" } })
  await fire("Stop", { stop_hook_active: false, last_assistant_message: "Redis has to run." })

  // Six after the turn, and of the checkpoint what is learnt and what is measured.
  await until(at, "JOB_SUCCEEDED", 8)
  const facts = await at.facts()
  expect(facts.filter(({ type }) => type === "JOB_FAILED")).toEqual([])
  const [summary] = notesIn(facts)
  expect(summary).toMatchObject({ kind: "summary", session: "s-1", source: "hook session-summary" })
  expect(summary?.text).toMatch(/^Goal: Make the redis tests pass\n[\s\S]*Ended with: Redis has to run\.$/)
  expect(facts.find(({ type }) => type === "CHECKPOINT_RECORDED")?.data).toMatchObject({
    trigger: "turn.stop",
    validated: true
  })
  expect(readdirSync(backupsFolder(at.state))).toHaveLength(1)

  const { stdout } = await fire("SessionStart", { session_id: "s-2", source: "startup" })
  const said = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }
  expect(said.hookSpecificOutput.additionalContext).toContain("Goal: Make the redis tests pass")

  // The host makes past material ready when it has time: asked in ever new sessions until it had some.
  let context = ""
  for (let nth = 0; context === ""; nth++) {
    // It has none while calls follow on each other.
    await pause(300)
    const asked = await fire("UserPromptSubmit", {
      session_id: `later-${nth}`,
      prompt: "the redis tests are red"
    })
    context =
      asked.stdout === ""
        ? ""
        : (JSON.parse(asked.stdout) as typeof said).hookSpecificOutput.additionalContext
  }
  expect(context).toMatch(/an earlier session: Goal: Make the redis tests pass|fixed before: `npm run redis`/)
})
