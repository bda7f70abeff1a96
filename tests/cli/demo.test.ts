/** The recording of real sessions: played whole, replayed to the same bytes, and every change of it or of a hook found. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Difference } from "../../src/tools/replay/Replayed.ts"
import { type Ended, hooksOfTheDemo, install, readRecording, type Stage, setStage } from "../demo/stage.ts"
import { type LogLine, type Table, tableOf } from "../demo/table.ts"
import { openPlainly } from "../support/log/plainSqlite.ts"

interface Verdict {
  readonly same: boolean
  readonly compared: number
  readonly differences: readonly Difference[]
}

const calls = readRecording()
let home: string
let stage: Stage
let answers: readonly Ended[]
let lines: readonly LogLine[]
let table: Table

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-demo-")))
  stage = setStage(home)
  install(stage)
  answers = calls.map(stage.play)
  lines = stage
    .must(["log", "--json"])
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LogLine)
  table = tableOf(lines)
}, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Ends with 1 exactly where something is not the same. */
const replayed = (
  args: readonly string[],
  on = stage
): { readonly text: string; readonly verdict: Verdict } => {
  const { status, stdout, stderr } = on.hooktape(["replay", ...args, "--json"])
  expect(stderr).toBe("")
  const verdict = JSON.parse(stdout) as Verdict
  expect(status).toBe(verdict.same ? 0 : 1)
  return { text: stdout, verdict }
}

const replay = (args: readonly string[], on = stage): Verdict => replayed(args, on).verdict

const blockedOnes = (): readonly string[] =>
  lines.flatMap(({ invocation, data }) => {
    const { type, channels = [] } = data as { type: string; channels?: readonly { intent: string }[] }
    const isBlocked = channels.some(({ intent }) => intent === "BLOCKING_FEEDBACK")
    return type === "REPLY_DELIVERED" && isBlocked && invocation !== null ? [invocation] : []
  })

describe("the recording", () => {
  it("holds sessions of three agents, and nothing of the machine they ran on", () => {
    expect(calls.length).toBeGreaterThanOrEqual(60)
    expect(new Set(calls.map(({ agent }) => agent))).toEqual(new Set(["claude-code", "codex", "gemini-cli"]))
    const text = calls.map(({ payload }) => payload).join("\n")
    expect(text).not.toMatch(/\/(home|Users|root|tmp\/hooktape)|sk-ant|AIza/)
    for (const { payload } of calls) expect(JSON.parse(payload)).toHaveProperty("session_id")
  })

  it("is answered as agents want to be answered", () => {
    for (const { status, stdout, stderr } of answers) {
      expect([0, 2]).toContain(status)
      if (stdout !== "") expect(JSON.parse(stdout)).toBeTypeOf("object")
      expect(stdout + stderr).not.toContain("noisy:")
      if (status === 2) expect(stderr).toMatch(/^Use --force-with-lease instead of: /)
    }
  })

  it("is on the log to the last call, in its order", () => {
    expect({ calls: table.calls, lost: table.lost }).toEqual({ calls: calls.length, lost: 0 })
    const opened = lines.filter(({ data }) => (data as { type: string }).type === "INVOCATION_OPENED")
    expect(opened.map(({ agent, agentEvent }) => `${agent} ${agentEvent}`)).toEqual(
      calls.map(({ agent, event }) => `${agent} ${event}`)
    )
    expect(blockedOnes()).toHaveLength(3)
  })

  it("fits a terminal, one line for each call", () => {
    const rows = table.lines.filter(({ kind }) => kind !== "heading")
    expect(rows).toHaveLength(calls.length)
    for (const { text } of table.lines) expect(text.length).toBeLessThanOrEqual(160)
  })

  it("is replayed to the same end, twice with the same bytes", () => {
    const [one, two] = [replayed(["--all"]), replayed(["--all"])]
    expect(one.verdict).toEqual({ same: true, compared: calls.length, differences: [] })
    expect(two.text).toBe(one.text)
  })
})

describe("a change", () => {
  it("of no hook makes no difference", () => {
    const [ref = ""] = blockedOnes()
    const again = replay([ref, "--with", hooksOfTheDemo])
    expect(again).toMatchObject({ same: true, compared: 1, differences: [] })
  })

  it("of a hook is told with the first fact that it changes, wherever the hook had run", () => {
    const changed = join(home, "changed")
    cpSync(hooksOfTheDemo, changed, { recursive: true })
    const guard = join(changed, "guard.ts")
    writeFileSync(
      guard,
      readFileSync(guard, "utf8").replace("Use --force-with-lease", "Please use --force-with-lease")
    )
    const { compared, differences, same } = replay(["--all", "--with", changed])
    expect({ same, compared }).toEqual({ same: false, compared: calls.length })
    expect([...new Set(differences.map(({ invocation }) => invocation))]).toEqual(blockedOnes())
    for (const ref of blockedOnes()) {
      const [first, second] = differences.filter(({ invocation }) => invocation === ref)
      expect(first).toMatchObject({
        type: "HANDLER_SUCCEEDED",
        check: "handler",
        at: "intents[0].reason",
        recorded: expect.stringMatching(/^Use /),
        now: expect.stringMatching(/^Please use /)
      })
      expect(second).toMatchObject({ type: "REPLY_DELIVERED", check: "reply", at: "stdout" })
    }
  }, 120_000)

  it("of a recorded fact is found where it was made", () => {
    const state = join(home, "tampered")
    cpSync(stage.state, state, { recursive: true })
    const db = openPlainly(join(state, "log.sqlite"))
    const row = db
      .prepare(
        "SELECT position, stream FROM facts WHERE type = 'REPLY_DELIVERED' AND data LIKE '%Run the tests%' LIMIT 1"
      )
      .get() as { position: number; stream: string }
    db.exec(
      // As one of before there were sums and seals: else it would be left out as damaged before anybody compares it.
      `DELETE FROM seals; UPDATE recorded SET data = replace(data, 'Run the tests', 'Skip the tests'), sum = NULL WHERE position = ${row.position}`
    )
    db.close()
    rmSync(join(state, "log.sqlite.seal"))
    const { compared, differences, same } = replay(["--all"], setStage(home, state))
    expect({ same, compared }).toEqual({ same: false, compared: calls.length })
    expect(differences).toMatchObject([
      {
        invocation: row.stream.replace("invocation/", ""),
        position: row.position,
        type: "REPLY_DELIVERED",
        check: "reply",
        at: "stdout"
      }
    ])
  })
})
