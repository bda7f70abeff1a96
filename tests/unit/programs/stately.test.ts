/** Steps of actors as Stately's inspector reads them. */
import { describe, expect, it } from "vitest"
import { machines } from "../../../machines/machines.ts"
import { makeStately, type StatelyMessage } from "../../../src/programs/cli/render/stately.ts"
import type { ActorFrame } from "../../../src/runtime/actors/ActorView.ts"

const frame = (given: Partial<ActorFrame>): ActorFrame => ({
  at: "2026-01-01T00:00:00.000Z",
  stream: "invocation/1",
  machine: "invocation",
  agent: "codex",
  agentEvent: "PreToolUse",
  fact: "INVOCATION_OPENED",
  before: "buffering",
  after: "buffering",
  command: "BUFFER",
  refused: false,
  ...given
})

const brief = (message: StatelyMessage): string => {
  const { sessionId, type } = message
  if (type === "@xstate.actor") return `${sessionId} ${type} ${message.name} ${message.snapshot.value}`
  return type === "@xstate.event"
    ? `${sessionId} ${type} ${message.event.type}`
    : `${sessionId} ${type} ${message.event.type} ${message.snapshot.value} ${message.snapshot.status}`
}

describe("a step", () => {
  it("introduces its actor once, with its machine, then says what came and where it stands", () => {
    const messages = makeStately()
    const first = messages(frame({}))
    expect(first.map(brief)).toEqual([
      "invocation/1 @xstate.actor invocation codex PreToolUse buffering",
      "invocation/1 @xstate.event INVOCATION_OPENED",
      "invocation/1 @xstate.snapshot INVOCATION_OPENED buffering active"
    ])
    const next = messages(frame({ fact: "PAYLOAD_BUFFERED", after: "handling" }))
    expect(next.map(brief)).toEqual([
      "invocation/1 @xstate.event PAYLOAD_BUFFERED",
      "invocation/1 @xstate.snapshot PAYLOAD_BUFFERED handling active"
    ])
    expect(first[0]).toMatchObject({ rootId: "invocation/1", createdAt: "1767225600000" })
    const ids = [...first, ...next].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("that was refused moves nothing", () => {
    expect(makeStately()(frame({ refused: true })).map(({ type }) => type)).toEqual([
      "@xstate.actor",
      "@xstate.event"
    ])
  })

  it("into a final state says that the actor is done", () => {
    const [, , last] = makeStately()(frame({ fact: "EXITED", before: "emitting", after: "exiting" }))
    expect(last).toMatchObject({ snapshot: { status: "done", value: "exiting" } })
  })

  it("carries nothing of its fact but the type", () => {
    const [, event] = makeStately()(frame({}))
    expect(event).toMatchObject({ event: { type: "INVOCATION_OPENED" } })
    expect(Object.keys((event as { event: object }).event)).toEqual(["type"])
  })
})

describe("a machine", () => {
  it.each(Object.keys(machines))("%s is told whole: every state that it has", (machine) => {
    const [actor] = makeStately()(frame({ machine }))
    const { id, states } = JSON.parse((actor as { definition: string }).definition) as {
      id: string
      states: object
    }
    expect(id).toBe(machines[machine]?.definition.id)
    expect(Object.keys(states)).toEqual(Object.keys(machines[machine]?.definition.states ?? {}))
  })
})
