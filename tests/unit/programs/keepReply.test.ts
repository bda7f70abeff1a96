/** What is told to whoever outlives a call in process: enough to answer for it, should it stand still. */
import { describe, expect, it } from "vitest"
import type { Planned } from "../../../events/facts.ts"
import { newFactId, type Sources } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { noMarks } from "../../../events/Recorded.ts"
import { invocation } from "../../../machines/invocation.ts"
import { evolve, start } from "../../../machines/step.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import type { Held, Hold } from "../../../src/programs/entry/hold.ts"
import { keepReply } from "../../../src/programs/entry/keepReply.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { makeEdge } from "../../../src/runtime/Edge.ts"
import { bash } from "../../support/entrypoint.ts"
import { opened } from "../../support/facts.ts"

const sources: Sources = { now: () => 1, random: (count) => new Uint8Array(count) }

const planned = (onFailure: Planned["onFailure"]): Planned => ({
  handler: "own-guard",
  event: "tool.before",
  index: 0,
  priority: 0,
  onFailure,
  deadlineMs: 1000
})

const told = (outlives: boolean, onFailure: Planned["onFailure"]) => {
  const kept: Held[] = []
  const waits: number[] = []
  const answering: number[] = []
  const hold: Hold = {
    outlives,
    begins: () => undefined,
    keep: (held, leftMs) => {
      waits.push(leftMs)
      return kept.push(held) > 0
    },
    answering: (code) => answering.push(code) > 0,
    say: () => undefined,
    give: () => undefined
  }
  const reply = keepReply({
    hold,
    adapter: adapters["claude-code"],
    agentEvent: "PreToolUse",
    logLevel: undefined,
    sources,
    deadlineMs: 5000,
    marginMs: 4000,
    elapsed: () => 0,
    spool: "x.ndjson",
    isForeign: () => false,
    hasRescue: () => false
  })
  return { kept, waits, answering, hold, reply, planned: planned(onFailure) }
}

const facts = (one: Planned) =>
  [
    opened({ agent: "claude-code", agentEvent: "PreToolUse" }),
    {
      type: "PAYLOAD_BUFFERED",
      bytes: 2,
      payload: bash("ls"),
      session: null,
      toolUseId: null,
      cwd: null,
      events: [{ event: "tool.before" }],
      drift: []
    },
    { type: "HANDLERS_PLANNED", handlers: [one], left: [] }
  ] as const

const follow = (world: ReturnType<typeof told>) => {
  let { snapshot } = start(invocation)
  const sink = world.reply.sink({ append: () => undefined, close: () => undefined, complaint: () => "" })
  for (const fact of facts(world.planned)) {
    const step = evolve(invocation, snapshot, fact as never)
    expect(step.refused).toBe(false)
    ;({ snapshot } = step)
    const id = newFactId(1, sources.random)
    const marks = noMarks
    sink.append([
      redactDraft(makeDraft(fact as never, { id, stream: "invocation/x", at: 1, cause: null, marks }))
    ])
    world.reply.follow(fact as never, snapshot)
  }
}

describe("a guard of our own", () => {
  it("has its policy held as soon as it is planned, where a process outlives this one", () => {
    const world = told(true, "block")
    follow(world)
    expect(world.kept).toHaveLength(1)
    // Not a moment longer than the call itself is waited for: the agent gives up a second later.
    expect(world.waits).toEqual([9000])
    expect(world.kept[0]).toMatchObject({ code: 0, instead: { code: 2 } })
    expect(world.kept[0]?.stdout).toContain('"permissionDecision":"deny"')
    expect(world.kept[0]?.undelivered).toContain("DELIVERY_FAILED")
  })

  it.each([
    [true, "allow"],
    [false, "block"]
  ] as const)("is not held otherwise (outlives: %s, %s)", (outlives, policy) => {
    const world = told(outlives, policy)
    follow(world)
    expect(world.kept).toEqual([])
  })

  it("is told that it is answered, and how it ended where that was said the other way", () => {
    const world = told(true, "block")
    follow(world)
    const gone = makeEdge((stream) => (stream === "stdout" ? new Error("ENOSPC") : undefined))
    const encoded = {
      stdout: "{}",
      stderr: "",
      exitCode: 0,
      carried: {},
      otherwise: { stderr: "no\n", exitCode: 2 }
    }
    expect(world.reply.edge(gone).deliver(encoded, "")).toMatchObject({ exitCode: 2 })
    expect(world.answering).toEqual([0, 2])
  })
})
