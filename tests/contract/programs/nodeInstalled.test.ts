/** A state directory as it is made ready on Windows, on this machine: nothing in it needs a shell, and Node starts all of it. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, expect, it } from "vitest"
import { commandOf } from "../../../src/programs/cli/launch.ts"
import { prepareState } from "../../../src/programs/cli/prepare.ts"
import { hostStart } from "../../../src/state/startedFiles.ts"
import { answering } from "../../support/host.ts"

const home = realpathSync(mkdtempSync(join(homedir(), "node-installed-")))
const state = join(home, "it's a state")
const prepare = () => Effect.runPromise(prepareState(state, { platform: "win32" }))
const env = { HOME: home, HOOKTAPE_HOME: state, HOOKTAPE_HOST: "off", PATH: process.env["PATH"] }
const started: number[] = []
afterEach(() => {
  for (const pid of started.splice(0)) process.kill(pid)
})

it("holds scripts for Node alone, keeps them, and rights nothing that is right", async () => {
  await prepare()
  const files = () => readdirSync(join(state, "bin")).sort()
  expect(files()).toEqual(["build", "hook.cjs", "host.cjs", "load.cjs", "shipped"])
  for (const name of ["hook.cjs", "host.cjs", "load.cjs"])
    expect(readFileSync(join(state, "bin", name), "latin1")).not.toMatch(/^#!/)
  const inodes = () => ["hook.cjs", "host.cjs"].map((name) => statSync(join(state, "bin", name)).ino)
  const before = inodes()
  await prepare()
  expect([files().length, inodes()]).toEqual([5, before])
})

it("answers a call by the shipped guards, as `hooktape run` would make it there", async () => {
  await prepare()
  const call = { state, agent: "claude-code", agentEvent: "PreToolUse" }
  const [program, args] = commandOf(call, "win32")
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: "s-1",
    tool_name: "Bash",
    tool_input: { command: "rm -rf ~" }
  }
  const input = JSON.stringify(payload)
  const { status, stdout } = spawnSync(program, args, { cwd: home, env, input, encoding: "utf8" })
  expect(status).toBe(0)
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny")
  expect(readdirSync(join(state, "run")).filter((name) => name.startsWith("noise"))).toEqual([])
})

it("starts the host", async () => {
  await prepare()
  const [program, args] = hostStart(state, "win32")
  const { pid } = spawn(program, args, { env, stdio: "ignore" })
  if (pid !== undefined) started.push(pid)
  expect((await answering(state)).pid).toBe(pid)
})
