/** The launcher never says 2 by itself: agents read that as a block. */
import { spawnSync } from "node:child_process"
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { countUnreachable, currentUnreachable } from "../../../src/log/spool/unreachable.ts"
import { hostScript } from "../../../src/tools/install/hostScript.ts"
import { launcher } from "../../../src/tools/install/launcher.ts"
import { scratch } from "../../support/child.ts"

const loader = `
  const { readdirSync, writeSync } = require("node:fs")
  const answer = process.env.HOOKTAPE_NOISE ? 3 : 1
  console.log("noise")
  try { writeSync(answer, "answer\\n") } catch {}
`

const installed = ({ run = true, amended = (script: string) => script } = {}) => {
  const state = scratch()
  mkdirSync(join(state, "bin"))
  if (run) mkdirSync(join(state, "run"))
  writeFileSync(join(state, "bin", "load.cjs"), loader)
  const hook = join(state, "bin", "hook")
  writeFileSync(hook, amended(launcher({ node: process.execPath, state })))
  return (redirection = "", env: NodeJS.ProcessEnv = {}) =>
    spawnSync("/bin/sh", ["-c", `/bin/sh "$0" agent Event ${redirection}`, hook], {
      encoding: "utf8",
      input: "{}",
      env: { ...process.env, ...env }
    })
}

describe("the launcher", () => {
  it("keeps noise from the agent and hands the answer on", () => {
    expect(installed()()).toMatchObject({ status: 0, stdout: "answer\n", stderr: "" })
  })

  it.each(["2>&-", ">&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"])(
    "does not block where the agent gave it %s",
    (closed) => {
      expect(installed()(closed).status).toBe(0)
    }
  )

  it.each(["false", 'echo "$nobody_has_set_this"'])("goes no further after %s", (line) => {
    const amended = (script: string) => script.replace("unset NODE", `${line}\nunset NODE`)
    const { status, stdout } = installed({ amended })()
    expect(stdout).toBe("")
    expect(status).not.toBe(0)
  })

  it("has no pipe whose first part could fail unseen, nor has what starts a host", () => {
    const node = "/usr/bin/node"
    for (const script of [
      launcher({ node, state: "/s" }),
      hostScript({ node, state: "/s", host: "/h.cjs" })
    ]) {
      expect(script).toMatch(/^#!\/bin\/sh\nset -eu\n/)
      expect(script.replaceAll("||", "").replaceAll(/case [\s\S]*?esac/g, "")).not.toContain("|")
    }
  })

  it("still answers where noise cannot be kept, and lets none of it out", () => {
    expect(installed({ run: false })()).toMatchObject({ status: 0, stdout: "answer\n", stderr: "" })
  })

  it("says what is gone, counts it with what others counted, and is loud at the threshold", () => {
    const state = scratch()
    mkdirSync(join(state, "run"), { mode: 0o700 })
    const hook = join(state, "hook")
    writeFileSync(hook, launcher({ node: "/nowhere/node", state }))
    const fire = (env: NodeJS.ProcessEnv = {}, call: readonly string[] = ["agent", "SessionStart"]) => {
      const options = { encoding: "utf8", input: "{}", env: { ...process.env, ...env } } as const
      const { status, stdout, stderr } = spawnSync("/bin/sh", [hook, ...call], options)
      return { status, stdout, stderr }
    }
    const gone = {
      status: 1,
      stdout: "",
      stderr: 'hooktape: /nowhere/node is gone. Run "hooktape install" again.\n'
    }
    const loud = (count: number) => ({
      status: 2,
      stdout: "",
      stderr: `hooktape: worker unreachable for ${count} consecutive hooks. Run "hooktape doctor".\n`
    })
    expect(fire()).toEqual(gone)
    expect(currentUnreachable(state)).toMatchObject([{ threshold: 3, why: "no-runtime" }])
    countUnreachable(state, "1700000000.1", "no-host", 3)
    expect(fire()).toEqual(loud(3))
    expect(fire({ HOOKTAPE_FAIL_LOUD_THRESHOLD: "9" })).toEqual(gone)
    const message = 'hooktape: worker unreachable for 5 consecutive hooks. Run "hooktape doctor".'
    expect(fire({}, ["codex", "Stop"])).toEqual({
      status: 0,
      stdout: `${JSON.stringify({ systemMessage: message })}\n`,
      stderr: ""
    })
    expect(fire({}, ["codex", "SessionEnd"])).toEqual({ status: 0, stdout: "", stderr: "" })
    for (const text of ["", "0", "-1", "x", "2.5", " 1", "9999999999"])
      expect(fire({ HOOKTAPE_FAIL_LOUD_THRESHOLD: text }).status).toBe(2)
    expect(fire({ HOOKTAPE_FAIL_LOUD_THRESHOLD: "0000015" })).toEqual(gone)
    expect(currentUnreachable(state)).toHaveLength(14)
    // Where nothing can be counted, or not by us, it stays with the line.
    renameSync(join(state, "run"), join(state, "elsewhere"))
    expect(fire()).toEqual(gone)
    symlinkSync(join(state, "elsewhere"), join(state, "run"))
    expect(fire()).toEqual(gone)
  })

  it("drains its input and says nothing when it is switched off", () => {
    expect(installed()("", { HOOKTAPE: "0" })).toMatchObject({ status: 0, stdout: "", stderr: "" })
  })
})
