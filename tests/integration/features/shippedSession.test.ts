/** The shipped hooks where agents call them: each of the three writes a file and ends its turn, and the hooks do their work or say why not. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { makeRerun } from "../../../src/tools/replay/rerun.ts"
import { dataOf, type Fired, type Run, type Station, station } from "../../support/entrypoint.ts"
import { probing } from "../../support/probe.ts"

const session = "s-1"
const agents = [
  {
    agent: "claude-code",
    edited: {
      event: "PostToolUse",
      tool_name: "Write",
      tool_use_id: "t",
      tool_input: { file_path: "a.py", content: "x" },
      tool_response: { type: "create", filePath: "a.py" }
    },
    shell: { event: "PreToolUse", tool_name: "Bash", tool_use_id: "t", tool_input: { command: "rm -rf /" } },
    stopped: { event: "Stop", stop_hook_active: false, last_assistant_message: "Done. Shall I go on?" },
    ended: { event: "SessionEnd", reason: "other" }
  },
  {
    agent: "codex",
    edited: {
      event: "PostToolUse",
      tool_name: "apply_patch",
      tool_use_id: "t",
      tool_input: { command: "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch\n" },
      tool_response:
        "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA a.py\n"
    },
    shell: { event: "PreToolUse", tool_name: "Bash", tool_use_id: "t", tool_input: { command: "rm -rf /" } },
    stopped: { event: "Stop", stop_hook_active: false, last_assistant_message: "Done. Shall I go on?" },
    ended: { event: "SessionEnd", reason: "other" }
  },
  {
    agent: "gemini-cli",
    edited: {
      event: "AfterTool",
      tool_name: "write_file",
      tool_input: { file_path: "a.py", content: "x" },
      tool_response: { llmContent: "Successfully created and wrote to new file: a.py." }
    },
    shell: { event: "BeforeTool", tool_name: "run_shell_command", tool_input: { command: "rm -rf /" } },
    stopped: {
      event: "AfterAgent",
      prompt: "x",
      prompt_response: "Done. Shall I go on?",
      stop_hook_active: false
    },
    ended: { event: "SessionEnd", reason: "exit" }
  }
] as const

const furnished = async (): Promise<Station> => {
  const place = await station()
  const bin = join(place.home, "bin")
  mkdirSync(bin)
  writeFileSync(join(bin, "ruff"), '#!/bin/sh\nfor f; do :; done\necho "# $1" >> "$f"\n')
  chmodSync(join(bin, "ruff"), 0o755)
  place.env["PATH"] = `${bin}:${place.env["PATH"]}`
  place.put("a.py", "x = 1\n")
  const { state, userFolder } = place
  await Effect.runPromise(buildHooks({ state, userFolder, defaults: true }))
  return place
}

const fire = (
  place: Station,
  agent: string,
  { event, ...payload }: { readonly event: string },
  env: NodeJS.ProcessEnv = {}
): Promise<Fired> =>
  place.fire({
    agent,
    event,
    env,
    input: JSON.stringify({ session_id: session, cwd: place.project, hook_event_name: event, ...payload })
  })

/** For each run what a replay with the hooks as they are finds. */
const replayed = (place: Station, runs: readonly Run[]) =>
  Effect.gen(function* () {
    place.putUser("hooks/_none.ts", "")
    const rerun = yield* makeRerun(join(place.userFolder, "hooks"), {
      userFolder: join(place.home, "nobody")
    })
    return yield* Effect.forEach(runs, ({ facts }) =>
      Effect.map(rerun(facts), (again) => again?.differences ?? [])
    )
  }).pipe(Effect.scoped, Effect.runPromise)

afterEach(() => void vi.unstubAllEnvs())

describe.each(agents)("the shipped hooks under $agent", ({ agent, edited, ended, shell, stopped }) => {
  it("format what was edited, tell the model, guard, and leave the rest for after the reply", async () => {
    const place = await furnished()
    const formatted = await fire(place, agent, edited)
    expect(formatted.stderr).toBe("")
    expect(readFileSync(join(place.project, "a.py"), "utf8")).toBe("x = 1\n# check\n# format\n")
    expect(formatted.stdout).toContain("a.py was formatted after your edit")
    const run = await place.runOf(formatted)
    expect(dataOf(run, "SERVICE_CALLED").map(({ handler, service }) => `${handler} ${service}`)).toEqual([
      "format-on-edit call inside",
      "format-on-edit call stamp",
      "format-on-edit call may run",
      "format-on-edit run",
      "format-on-edit call may run",
      "format-on-edit run",
      "format-on-edit call stamp"
    ])

    const denied = await fire(place, agent, shell)
    expect(denied.stdout + denied.stderr).toMatch(/rm -rf|root of the file system|deletes/i)

    await fire(place, agent, stopped)
    await fire(place, agent, ended, { HOOKTAPE_SESSION_MONITOR: "true" })
    // No probe's reply would come again with handlers that speak.
    const probed = await fire(place, agent, shell, probing(place.state))
    expect(probed.stdout + probed.stderr).toBe("")
    // The variable alone is no probe: a repository can set it for an agent.
    const pretended = await fire(place, agent, shell, { HOOKTAPE_PROBE: "1" })
    expect(pretended.stdout + pretended.stderr).toMatch(/deletes/i)
    const enqueued = (await place.facts())
      .filter(({ type }) => type === "JOB_ENQUEUED")
      .map(({ data }) => data as { readonly handler?: string; readonly event?: string })
    expect(enqueued).toContainEqual(
      expect.objectContaining({ handler: "response-log", event: "response.given" })
    )
    expect(enqueued).toContainEqual(expect.objectContaining({ handler: "cleanup", event: "session.end" }))
    const plans = (await place.runs()).flatMap((one) => dataOf(one, "HANDLERS_PLANNED"))
    // Whatever did not run has its reason.
    for (const { left } of plans) for (const { reason } of left) expect(reason).not.toBe("")

    // Again from the record, in a world where the file is another and no formatter is.
    writeFileSync(join(place.project, "a.py"), "y = 2\n")
    vi.stubEnv("PATH", dirname(process.execPath))
    vi.stubEnv("HOOKTAPE_DEFAULTS", "on")
    const runs = await place.runs()
    expect(await replayed(place, runs)).toEqual(runs.map(() => []))
    expect(readFileSync(join(place.project, "a.py"), "utf8")).toBe("y = 2\n")
  }, 120_000)
})
