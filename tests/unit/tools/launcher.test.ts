/** The launcher never says 2 by itself: agents read that as a block. */
import { spawnSync } from "node:child_process"
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { countUnreachable, currentUnreachable } from "../../../src/log/spool/unreachable.ts"
import { hostScript } from "../../../src/tools/install/hostScript.ts"
import { launcher } from "../../../src/tools/install/launcher.ts"
import { scratch } from "../../support/child.ts"
import { entryProgram } from "../../support/entrypoint.ts"

const loader = `
  const { readdirSync, writeSync } = require("node:fs")
  const answer = process.env.HOOKTAPE_NOISE ? 3 : 1
  console.log("noise")
  try { writeSync(answer, "answer\\n") } catch {}
`

/** The launcher of a shell, and the one that is for Windows. */
const kinds = ["entry", "hook.cjs"] as const
type Kind = (typeof kinds)[number]

const nodeLauncher = await entryProgram("nodeLauncher")

const interpreterOf = (kind: Kind): string => (kind === "entry" ? "/bin/sh" : process.execPath)

interface Installing {
  readonly run?: boolean
  readonly kind?: Kind
  readonly load?: string
  readonly amended?: (script: string) => string
}

const installed = ({
  run = true,
  kind = "entry",
  load = loader,
  amended = (script) => script
}: Installing = {}) => {
  const state = scratch()
  mkdirSync(join(state, "bin"))
  if (run) mkdirSync(join(state, "run"))
  writeFileSync(join(state, "bin", "load.cjs"), load)
  const hook = join(state, "bin", kind)
  writeFileSync(hook, kind === "entry" ? amended(launcher({ node: process.execPath, state })) : nodeLauncher)
  return (redirection = "", env: NodeJS.ProcessEnv = {}) =>
    spawnSync("/bin/sh", ["-c", `'${interpreterOf(kind)}' "$0" agent Event ${redirection}`, hook], {
      encoding: "utf8",
      input: "{}",
      env: { ...process.env, ...env }
    })
}

/** Ends as its first argument says, or tells what it finds of a variable. */
const telling = `
  const [, , how] = process.argv
  if (/^SIG/.test(process.env.ENDS ?? "")) process.kill(process.pid, process.env.ENDS)
  else {
    const { NODE_OPTIONS, LD_PRELOAD, HOOKTAPE_HOLD, HOOKTAPE_LAUNCHER, KEPT } = process.env
    const launched = [process.pid, process.ppid].map(String).includes(HOOKTAPE_LAUNCHER)
    require("node:fs").writeSync(3, JSON.stringify({ NODE_OPTIONS, LD_PRELOAD, HOOKTAPE_HOLD, KEPT, launched, how }))
    process.exitCode = Number(process.env.ENDS)
  }
`

describe.each(kinds)("a launcher, as %s", (kind) => {
  it("keeps noise from the agent and hands the answer on", () => {
    expect(installed({ kind })()).toMatchObject({ status: 0, stdout: "answer\n", stderr: "" })
  })

  it.each(["2>&-", ">&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"])(
    "does not block where the agent gave it %s",
    (closed) => {
      expect(installed({ kind })(closed).status).toBe(0)
    }
  )

  it("still answers where noise cannot be kept, and lets none of it out", () => {
    expect(installed({ kind, run: false })()).toMatchObject({ status: 0, stdout: "answer\n", stderr: "" })
  })

  it("keeps from what it starts whatever loads code into it, marks it, and ends as it does", () => {
    const fire = installed({ kind, load: telling })
    const env = { NODE_OPTIONS: "--no-warnings", LD_PRELOAD: "", HOOKTAPE_HOLD: "5.x", KEPT: "kept" }
    for (const ends of ["0", "2", "7"]) {
      const { status, stdout } = fire("", { ...env, ENDS: ends })
      expect(status).toBe(Number(ends))
      expect(JSON.parse(stdout)).toEqual({ KEPT: "kept", launched: true, how: "agent" })
    }
  })

  it("is ended by what ended what it started", () => {
    const { signal, status, stdout } = installed({ kind, load: telling })("", { ENDS: "SIGKILL" })
    // Its shell tells of a signal by a number, where it is not in its place.
    expect(signal === "SIGKILL" || status === 137).toBe(true)
    expect(stdout).toBe("")
  })

  it("drains its input and says nothing when it is switched off", () => {
    expect(installed({ kind })("", { HOOKTAPE: "0" })).toMatchObject({ status: 0, stdout: "", stderr: "" })
  })

  it("says what is gone, counts it with what others counted, and is loud at the threshold", () => {
    const state = scratch()
    for (const name of ["bin", "run"]) mkdirSync(join(state, name), { mode: 0o700 })
    const hook = join(state, "bin", kind)
    writeFileSync(hook, kind === "entry" ? launcher({ node: process.execPath, state }) : nodeLauncher)
    const fire = (...call: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(interpreterOf(kind), [hook, ...call], {
        encoding: "utf8",
        input: "{}"
      })
      return { status, stdout, stderr }
    }
    const gone = {
      status: 1,
      stdout: "",
      stderr: `hooktape: ${join(state, "bin", "load.cjs")} is gone. Run "hooktape install" again.\n`
    }
    const message = (count: number) =>
      `hooktape: worker unreachable for ${count} consecutive hooks. Run "hooktape doctor".`
    expect(fire("agent", "SessionStart")).toEqual(gone)
    expect(currentUnreachable(state)).toMatchObject([{ threshold: 3, why: "no-runtime" }])
    countUnreachable(state, "1700000000.1", "no-host", 3)
    expect(fire("agent", "SessionStart")).toEqual({ status: 2, stdout: "", stderr: `${message(3)}\n` })
    const told = `${JSON.stringify({ systemMessage: message(4) })}\n`
    expect(fire("codex", "Stop")).toEqual({ status: 0, stdout: told, stderr: "" })
    expect(fire("codex", "SessionEnd")).toEqual({ status: 0, stdout: "", stderr: "" })
    expect(fire("agent", "Stop")).toEqual({ status: 0, stdout: "", stderr: "" })
    // Where nothing can be counted it stays with the line.
    renameSync(join(state, "run"), join(state, "elsewhere"))
    expect(fire("agent", "SessionStart")).toEqual(gone)
  })
})

describe("the launcher of a shell", () => {
  const word = String.raw`(?:'[^']*'|[^\s'()|;]+)`
  const caseLabels = new RegExp(String.raw`(^|;;|\bin)\s*${word}(?:\s*\|\s*${word})*\)`, "gm")
  const withoutLabels = (script: string) => script.replaceAll("||", "").replaceAll(caseLabels, "$1")

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
      // What else has the sign: the word "or", and the labels of a case. What stands behind a label counts.
      expect(withoutLabels(script)).not.toContain("|")
    }
    expect(withoutLabels('case $a in\nx | *[!0-9]*|"") cat a || cat b ;; *) cat c | sort ;;\nesac')).toBe(
      "case $a in cat a  cat b ;; cat c | sort ;;\nesac"
    )
  })

  it("says the same of a Node that is gone, with the threshold that it is told", () => {
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
})
