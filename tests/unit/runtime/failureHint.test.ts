/** A hook that fails is told to the human once a session, by every agent that has a way to say it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { type Agent, agents } from "../../../events/agentEvents.ts"
import { blockingFeedback, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { failureHintsFor, hintedBefore, makeFailureHints } from "../../../src/history/failureHints.ts"
import { forgetSessions } from "../../../src/history/ledger.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import { registered, tell, type World } from "../../support/world.ts"

let state: string
beforeEach(() => {
  state = mkdtempSync(join(homedir(), "failure-hints-"))
})

const boom = () => {
  throw new Error("boom\nand more of it")
}
const text = 'hooktape: hook a failed: boom. "hooktape log --failed" shows it.'

const fails = (more: Partial<HookDefinition> = {}, world: World = {}) =>
  tell({
    payload: { session: "s" },
    failureHints: makeFailureHints(state),
    registry: registered({ a: { run: boom, ...more } }),
    ...world
  })

const hintsIn = ({ find }: Awaited<ReturnType<typeof fails>>) =>
  find("REPLY_DELIVERED")[0]?.channels.filter(({ intent }) => intent === "USER_HINT")

describe("a hook that fails", () => {
  it("is told to the human once a session, and each session again", async () => {
    const first = await fails()
    expect(first.delivered[0]?.stdout).toBe(`${JSON.stringify({ hint: text })}\n`)
    expect(first.find("HANDLER_FAILED")[0]).toMatchObject({ hinted: true })
    const second = await fails()
    expect(second.delivered[0]?.stdout).toBe("")
    expect(second.find("HANDLER_FAILED")[0]).not.toHaveProperty("hinted")
    expect((await fails({}, { payload: { session: "t" } })).delivered[0]?.stdout).toContain("boom")
  })

  it("is told of by its own name, each of several once", async () => {
    const { delivered } = await fails({}, { registry: registered({ a: boom, b: boom, c: boom }) })
    for (const name of ["a", "b", "c"])
      expect(delivered[0]?.stdout.split(`hook ${name} failed`)).toHaveLength(2)
  })

  it("is told also where it was not done in time", async () => {
    const { delivered } = await fails({ deadline: 5, run: () => new Promise<void>(() => {}) })
    expect(delivered[0]?.stdout).toContain("hook a did not finish within 5 ms")
  })

  it.each<[string, Partial<HookDefinition>, World]>([
    ["has a policy to block, which is seen", { onFailure: "block" }, {}],
    ["has a policy to ask, which is seen", { onFailure: "ask" }, {}],
    ["says it itself", { onError: () => userHint("ask Ada") }, {}],
    ["is of no session", {}, { payload: {} }],
    ["is one of a test of hooks", {}, { failureHints: failureHintsFor("/nowhere", "off") }]
  ])("is not told of a second time where it %s", async (_, more, world) => {
    const told = await fails(more, world)
    expect(told.find("HANDLER_FAILED")[0]).not.toHaveProperty("hinted")
    expect(JSON.stringify(told.delivered)).not.toContain("log --failed")
  })

  it("is told once it is not tried again", async () => {
    const { find } = await fails({ retry: 2 })
    expect(find("HANDLER_FAILED").map((fact) => fact.hinted)).toEqual([undefined, true])
  })

  it("is told at the next failure where another hook's block took the way", async () => {
    const block = registered({ a: boom, b: () => blockingFeedback("no") })
    const blocked = await fails({}, { registry: block })
    expect(hintsIn(blocked)).toMatchObject([{ channel: "undeliverable" }])
    expect(hintsIn(await fails())).toMatchObject([{ channel: "stdout" }])
    expect(hintsIn(await fails())).toEqual([])
  })

  it("is told in a replay where it was told then", async () => {
    const again = { failureHints: hintedBefore(["a"]) }
    expect((await fails({}, again)).delivered[0]?.stdout).toContain("boom")
    expect((await fails({}, { failureHints: hintedBefore([]) })).delivered[0]?.stdout).toBe("")
  })
})

describe("what was told", () => {
  it("is known to all processes, and forgotten with its session", () => {
    expect([makeFailureHints(state), makeFailureHints(state)].map(({ enter }) => enter("a", "s"))).toEqual([
      true,
      false
    ])
    forgetSessions(state, Date.now() + 60_000)
    expect(makeFailureHints(state).enter("a", "s")).toBe(true)
  })

  it("is told again rather than never where it cannot be kept", () => {
    rmSync(state, { recursive: true })
    mkdirSync(state, { mode: 0o700 })
    writeFileSync(join(state, "limits"), "")
    const hints = makeFailureHints(state)
    expect([hints.enter("a", "s"), hints.enter("a", "s")]).toEqual([true, true])
  })
})

describe("each agent", () => {
  const payload = { session_id: "s", conversation_id: "s", trajectory_id: "s" }

  const failsAt = (agent: Agent, agentEvent: string, transport: "command" | "http") => {
    const adapter = adapters[agent]
    const on = adapter.decode(agentEvent, payload).events[0].event as HookDefinition["on"]
    return fails({ on }, { adapter, agentEvent, payload, transport })
  }

  it("is told where it has a channel for the human, and nothing is used up where it has none", async () => {
    const told = new Map<Agent, number>()
    for (const agent of agents.filter((name) => name !== "raw"))
      for (const [agentEvent, { carries }] of Object.entries(adapters[agent].events))
        for (const transport of ["command", "http"] as const) {
          rmSync(join(state, "limits"), { recursive: true, force: true })
          const { delivered, find } = await failsAt(agent, agentEvent, transport)
          const place = `${agent} ${agentEvent} ${transport}`
          const expected = "channel" in carries("hint", transport)
          expect(find("HANDLER_FAILED")[0]?.hinted ?? false, place).toBe(expected)
          expect(delivered[0]?.stdout.includes("log --failed"), place).toBe(expected)
          expect(delivered[0]?.exitCode, place).toBe(0)
          expect(makeFailureHints(state).enter("a", "s"), place).toBe(!expected)
          told.set(agent, (told.get(agent) ?? 0) + (expected ? 1 : 0))
        }
    expect(Object.fromEntries([...told].map(([agent, count]) => [agent, count > 0]))).toEqual({
      "claude-code": true,
      codex: true,
      "qwen-code": true,
      copilot: false,
      opencode: true,
      droid: true,
      vscode: true,
      kiro: false,
      cline: false,
      cursor: true,
      "gemini-cli": true,
      windsurf: false
    })
  })
})
