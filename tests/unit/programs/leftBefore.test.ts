/** A host takes in what a session left before it opens a call of it: no Post stands before its Pre. */
import { expect, it } from "vitest"
import { adapters } from "../../../src/agents/adapters.ts"
import { makeCallCounts } from "../../../src/programs/host/Activity.ts"
import { makeAnswering } from "../../../src/programs/host/answering.ts"
import { makeReception } from "../../../src/programs/host/reception.ts"
import { sessionOf } from "../../../src/programs/host/sessionOf.ts"
import { makeSources } from "../../../src/programs/host/sources.ts"
import { makeRegistry } from "../../../src/runtime/actors/registry.ts"
import { makeArriving } from "../../../src/runtime/leftCalls/arrivingPayload.ts"
import type { Manifest } from "../../../src/state/manifest.ts"

const manifest = {
  build: "b",
  dir: "/b",
  default: "default.cjs",
  events: {},
  natives: { "claude-code": { Notification: "notify" } },
  withheld: []
} as unknown as Manifest

const served = (hasLeft: boolean, before: (session: string) => Promise<unknown>) => {
  const happened: string[] = []
  const answering = makeAnswering({
    shared: {
      adapters,
      state: "/nowhere",
      lackingGuards: () => () => false,
      atWork: undefined as never,
      workers: undefined as never,
      factStore: {
        commit: async (drafts) => void happened.push(...drafts.map(({ type }) => type)),
        complaint: ({ message }) => message,
        missed: () => undefined
      },
      sources: makeSources(),
      key: Buffer.from("key"),
      afterwards: () => undefined,
      actors: makeRegistry({ now: () => 0 })
    },
    builds: {
      serving: async () => ({ project: "/p", found: { manifest, rebuilt: false, warnings: [], hints: [] } })
    },
    routes: { asked: ({ directory }) => void happened.push(`asked in ${directory}`) },
    progress: async () => "unknown",
    touched: () => void happened.push("touched")
  })
  const reception = makeReception({
    answer: answering.answer,
    calls: makeCallCounts(() => undefined),
    hasLeft: () => hasLeft,
    sessionOf: (head, payload) => sessionOf(adapters, head, payload),
    before: async (session) => {
      happened.push(`takes in ${session}`)
      await before(session)
      happened.push("took in")
    },
    token: "t",
    most: 8,
    control: async () => ({ exitCode: 0, stdout: "", stderr: "" })
  })
  const payload = makeArriving(1_000_000)
  payload.chunk(Buffer.from('{"session_id":"s-1","hook_event_name":"Notification","message":"m"}'))
  payload.end()
  const environment = { get: () => undefined, all: () => ({}) }
  const head = {
    token: "t",
    agent: "claude-code",
    agentEvent: "Notification",
    call: "",
    cwd: "/p",
    build: "b",
    environment
  }
  const peer = { isDisconnected: () => false, expect: () => undefined }
  return {
    happened,
    answer: () => reception.serve(head, payload, peer, "socket"),
    left: () => answering.takeLeft(head, payload, true)
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it("is waited for", async () => {
  const { answer, happened } = served(true, turn)
  await answer()
  expect(happened.filter((one) => !/^asked|^(?:PAY|HAND|REP|EX)/.test(one))).toEqual([
    "takes in s-1",
    "took in",
    "INVOCATION_OPENED"
  ])
})

it("is not looked for where nothing was left, nor for a call that was left itself", async () => {
  const one = served(false, turn)
  await one.answer()
  expect(one.happened).not.toContain("takes in s-1")
  const other = served(true, turn)
  await other.left()
  expect(other.happened).toContain("INVOCATION_OPENED")
  expect(other.happened).not.toContain("takes in s-1")
})

it("keeps no call waiting for ever", async () => {
  const { answer, happened } = served(true, () => new Promise(() => undefined))
  await answer()
  expect(happened).toContain("EXITED")
}, 10_000)

it("makes a route of what was asked, and of nothing that was left", async () => {
  const one = served(false, turn)
  await one.answer()
  await turn()
  expect(one.happened).toContain("asked in /p")
  const other = served(false, turn)
  await other.left()
  await turn()
  expect(other.happened).not.toContain("asked in /p")
})
