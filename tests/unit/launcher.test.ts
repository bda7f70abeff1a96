/** The launcher never says 2 by itself: agents read that as a block. */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { launcher } from "../../src/entry/launcher.ts"
import { scratch } from "../support/child.ts"

const loader = `
  const { readdirSync, writeSync } = require("node:fs")
  const answer = process.env.HOOKTAPE_NOISE ? 3 : 1
  console.log("noise")
  try { writeSync(answer, "answer\\n") } catch {}
`

const installed = ({ run = true } = {}) => {
  const state = scratch()
  mkdirSync(join(state, "bin"))
  if (run) mkdirSync(join(state, "run"))
  writeFileSync(join(state, "bin", "load.cjs"), loader)
  const hook = join(state, "bin", "hook")
  writeFileSync(hook, launcher({ node: process.execPath, state }))
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

  it("still answers where noise cannot be kept apart", () => {
    expect(installed({ run: false })()).toMatchObject({ status: 0, stdout: "noise\nanswer\n", stderr: "" })
  })

  it("drains its input and says nothing when it is switched off", () => {
    expect(installed()("", { HOOKTAPE: "0" })).toMatchObject({ status: 0, stdout: "", stderr: "" })
  })
})
