/** A block that the same call got past later, unchanged, in its session, was lifted; whose it was is told with its version. */
import { expect, it } from "vitest"
import { blockSums } from "../../../src/features/sums/blockSum.ts"
import type { PlacedFact } from "../../../src/log/KeyedFold.ts"
import { statesBy } from "../../support/sums.ts"

let position = 0
const of = (stream: string, type: string, data: object, session = "s"): PlacedFact => ({
  type,
  data,
  place: { position: ++position, stream, at: position, agent: "claude-code", project: "p", session }
})

interface Called {
  readonly by?: string
  readonly from?: string
  readonly session?: string
  readonly isAsked?: boolean
}

const called = (about: string, { by, from, isAsked = false, session = "s" }: Called = {}) => {
  const stream = `invocation/${position}`
  const moments = [{ kind: "call-started", name: "Bash" }, ...(isAsked ? [{ kind: "permission" }] : [])]
  const channels = by === undefined ? [] : [{ intent: "BLOCKING_FEEDBACK", handler: by, channel: "stdout" }]
  return [
    of(stream, "PAYLOAD_BUFFERED", { findings: { about, moments } }, session),
    ...(by === undefined || from === undefined
      ? []
      : [of(stream, "HANDLER_SUCCEEDED", { handler: by, from }, session)]),
    of(stream, "REPLY_DELIVERED", { exitCode: 0, channels }, session),
    of(stream, "EXITED", { code: 0, ms: {} }, session)
  ]
}

const countsOf = (facts: readonly PlacedFact[], session = "s") =>
  statesBy(blockSums, facts).get(session)?.counts

it("counts blocks, and those that were lifted, for each hook and version", () => {
  const facts = [
    ...called("rm", { by: "guard" }),
    ...called("ls"),
    ...called("rm"),
    // What was lifted is not lifted again.
    ...called("rm"),
    ...called("push", { by: "guard", from: "policy team 1.0.0" }),
    ...called("push", { by: "guard", from: "policy team 1.1.0" })
  ]
  expect(countsOf(facts)).toEqual([
    { hook: "guard", from: null, blocks: 1, lifted: 1 },
    { hook: "guard", from: "policy team 1.0.0", blocks: 1, lifted: 0 },
    { hook: "guard", from: "policy team 1.1.0", blocks: 1, lifted: 0 }
  ])
  expect(countsOf([...facts, ...called("push")])?.map(({ lifted }) => lifted)).toEqual([1, 1, 1])
})

it("of another session, of a call that only asks for leave, and of one that nothing is known of, says nothing", () => {
  const facts = [
    ...called("rm", { by: "guard" }),
    ...called("rm", { session: "other" }),
    ...called("rm", { isAsked: true }),
    of("invocation/unknown", "PAYLOAD_BUFFERED", { bytes: 1 }),
    of("invocation/unknown", "EXITED", { code: 0, ms: {} })
  ]
  expect(countsOf(facts)).toEqual([{ hook: "guard", from: null, blocks: 1, lifted: 0 }])
  expect(statesBy(blockSums, facts).get("s")?.open).toEqual([])
})
