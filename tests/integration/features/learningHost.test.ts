/** Learning where a host does it: a session's answer becomes a pattern after the reply, and the part of a host that learning is. */
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { notesIn } from "../../../src/runtime/services/Note.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { type Station, station } from "../../support/entrypoint.ts"
import { dist, equip, type RunningHost, startHost } from "../../support/host.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
})

const furnished = async (): Promise<Station> => {
  const at = await station()
  await Effect.runPromise(buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true }))
  await equip(at)
  host = await startHost(at)
  return at
}

const fire = (at: Station, session: string, event: string, payload: object) =>
  at.fire({ event, input: JSON.stringify({ session_id: session, transcript_path: "", ...payload }) })

const stop = (at: Station, session: string, said: string) =>
  fire(at, session, "Stop", { stop_hook_active: false, last_assistant_message: said })

const briefing = async (at: Station, session: string): Promise<string> => {
  const { stdout } = await fire(at, session, "SessionStart", { source: "startup" })
  if (stdout === "") return ""
  const said = JSON.parse(stdout) as { readonly hookSpecificOutput?: { readonly additionalContext?: string } }
  return said.hookSpecificOutput?.additionalContext ?? ""
}

/** Until so many jobs of a hook are done; the facts of all jobs until then. */
const done = (at: Station, hook: string, many: number): Promise<readonly Recorded[]> =>
  untilJobs(at.state, (facts) => {
    const own = new Set(
      facts.flatMap(({ data, stream, type }) =>
        type === "JOB_ENQUEUED" && (data as { readonly handler?: string }).handler === hook ? [stream] : []
      )
    )
    return facts.filter(({ stream, type }) => type === "JOB_SUCCEEDED" && own.has(stream)).length >= many
  })

const patterns = async (at: Station) => notesIn(await at.facts()).filter(({ kind }) => kind === "pattern")

const pnpm = "This project uses pnpm, not npm."

describe("learning in a host", { timeout: 180_000 }, () => {
  it("keeps what an answer says, counts what follows, and tells the next session", async () => {
    const at = await furnished()
    await fire(at, "s-1", "UserPromptSubmit", { prompt: "Run the tests" })
    const shell = { tool_name: "Bash", tool_input: { command: "npm test" } }
    await fire(at, "s-1", "PostToolUse", { ...shell, tool_response: { stdout: "3 passed", stderr: "" } })
    await stop(at, "s-1", `All done. ${pnpm}`)
    await done(at, "learn-from-checkpoint", 1)
    await fire(at, "s-1", "UserPromptSubmit", { prompt: "Perfect, thank you." })
    const over = await done(at, "learn", 2)
    expect(over.filter(({ type }) => type === "JOB_FAILED")).toEqual([])
    const notes = await patterns(at)
    expect(notes.map(({ text }) => text).sort()).toEqual(["Tests pass with `npm test`.", pnpm])
    const because = notes.find(({ text }) => text === pnpm)?.evidence.map((one) => one.because)
    expect(because?.toSorted()).toEqual(["checkpoint", "praised"])
    expect(await briefing(at, "s-2")).toContain(`- ${pnpm}`)
  })

  it("that cannot read its notes is off with a warning, doctor says so, and hooks run", async () => {
    const at = await furnished()
    expect((await host?.status())?.parts).toMatchObject({ learning: "ready" })
    await stop(at, "s-1", pnpm)
    await done(at, "learn", 1)
    expect(await patterns(at)).toHaveLength(1)
    await host?.stop()
    const db = openPlainly(join(at.state, "log.sqlite"))
    // As one of before there were sums and seals: a damaged one would be left out.
    db.exec(
      "DELETE FROM seals; UPDATE recorded SET data = '{broken', sum = NULL WHERE data LIKE '%\"NOTE_RECORDED\"%'"
    )
    db.close()
    rmSync(join(at.state, "log.sqlite.seal"), { force: true })

    host = await startHost(at)
    expect((await host.status()).parts).toMatchObject({
      log: "ready",
      learning: expect.stringMatching(/^the log cannot be read/)
    })
    expect(readFileSync(join(at.state, "logs", "host.log"), "utf8")).toContain(
      " learning is off: the log cannot"
    )
    const { stdout } = spawnSync(process.execPath, [join(dist, "cli.js"), "doctor", "--json"], {
      env: at.env,
      cwd: at.project,
      encoding: "utf8"
    })
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly object[] }
    expect(checks).toContainEqual(expect.objectContaining({ name: "learning", status: "warn" }))

    const shell = { tool_name: "Bash", tool_input: { command: "rm -rf /" }, hook_event_name: "PreToolUse" }
    expect(await fire(at, "s-2", "PreToolUse", shell)).toMatchObject({
      stdout: expect.stringContaining('"permissionDecision":"deny"')
    })
    expect(await stop(at, "s-2", "This project uses yarn.")).toMatchObject({ code: 0 })
    const over = await done(at, "learn", 2)
    expect(over.filter(({ type }) => type === "JOB_DIED" || type === "JOB_FAILED")).toEqual([])
    expect(JSON.stringify(over.filter(({ type }) => type === "JOB_SUCCEEDED"))).toContain(
      "nothing is learned: the log cannot be read"
    )
  })
})
