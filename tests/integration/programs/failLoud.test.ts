/** Calls that leave no trace anywhere: handled in silence a few times, then said aloud, then forgotten when one is recorded. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { currentUnreachable } from "../../../src/log/spool/unreachable.ts"
import { bash, dataOf, payloadOf, type Station, station } from "../../support/entrypoint.ts"

const hook = `import { blockingFeedback, defineHook, modelContext } from "hooktape"
export default defineHook({
  name: "noisy",
  on: ["tool.before", "tool.after", "prompt.submit"],
  run: ({ event, tool }) => {
    console.error("noise of", event, process.env.HOOKTAPE_CALL)
    return tool?.command === "forbidden" ? blockingFeedback("REASON") : modelContext("context")
  }
})
`

let place: Station
beforeAll(async () => {
  place = await station()
  place.putUser("hooks/noisy.ts", hook)
  await place.build()
})

const message = (count: number) =>
  `hooktape: worker unreachable for ${count} consecutive hooks. Run "hooktape doctor".\n`

describe("calls that cannot be recorded", () => {
  it("are handled, counted, and from the threshold on said aloud, after what handlers wrote", async () => {
    const spool = join(place.state, "spool")
    if (existsSync(spool)) renameSync(spool, `${spool}.aside`)
    writeFileSync(spool, "")
    for (let at = 1; at < 3; at++) {
      const { code, stdout, stderr } = await place.fire({ input: bash("true") })
      expect(code).toBe(0)
      expect(stdout).toContain("context")
      expect(stderr).toMatch(/^hooktape error: this hook call is not recorded: [^\n]*\n$/)
    }
    const told = await place.fire({ input: bash("true") })
    expect(told.code).toBe(0)
    expect(JSON.parse(told.stdout)).toMatchObject({
      systemMessage: message(3).trimEnd(),
      hookSpecificOutput: { additionalContext: "context" }
    })
    // A hook's own block is not drowned out.
    const blocked = await place.fire({ input: bash("forbidden") })
    expect(blocked.code).toBe(0)
    expect(JSON.parse(blocked.stdout)).toMatchObject({
      systemMessage: message(4).trimEnd(),
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "REASON" }
    })
    expect(await place.fire({ event: "PostToolUse", input: payloadOf("PostToolUse") })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `noise of tool.after undefined\n${message(5)}`
    })
    expect(
      await place.fire({ input: bash("true"), env: { HOOKTAPE_FAIL_LOUD_THRESHOLD: "6" } })
    ).toMatchObject({ code: 0 })
    expect(currentUnreachable(place.state).map(({ why, threshold }) => [why, threshold])).toEqual([
      ...Array.from({ length: 5 }, () => ["no-record", 3]),
      ["no-record", 6]
    ])
    rmSync(spool)
    if (existsSync(`${spool}.aside`)) renameSync(`${spool}.aside`, spool)
  })

  it("are forgotten by the first that is recorded, and stay on the log", async () => {
    const fired = await place.fire({ event: "UserPromptSubmit", input: payloadOf("UserPromptSubmit") })
    expect(fired.code).toBe(0)
    expect(currentUnreachable(place.state)).toEqual([])
    const facts = (await place.facts()).filter(({ stream }) => stream === "breaker/hooks")
    expect(facts.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 6 }, () => "HOST_UNREACHABLE"),
      "HOST_REACHED"
    ])
    expect(readdirSync(join(place.state, "spool")).filter((name) => name.endsWith(".unreachable"))).toEqual(
      []
    )
  })
})

describe("the id that a client gave a call", () => {
  const call = "01a1ff0b-36e7-7b70-9145-63d30efa9bea"

  it("is recorded with it, and not handed to what the hooks start", async () => {
    const fired = await place.fire({ input: bash("true"), env: { HOOKTAPE_CALL: call } })
    const run = await place.runOf(fired)
    expect(dataOf(run, "INVOCATION_OPENED")[0]?.call).toBe(call)
    expect(dataOf(run, "NOISE_CAPTURED").map(({ text }) => text)).toEqual([
      "noise of tool.before undefined\n"
    ])
  })

  it("is left out where it is none", async () => {
    const fired = await place.fire({ input: bash("true"), env: { HOOKTAPE_CALL: "../../etc" } })
    expect(dataOf(await place.runOf(fired), "INVOCATION_OPENED")[0]?.call).toBeUndefined()
  })
})
