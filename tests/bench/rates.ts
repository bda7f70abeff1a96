/** How fast the log takes facts in and gives them back. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { InvocationFact } from "../../events/facts.ts"
import type { InvocationId, SessionId } from "../../events/ids.ts"
import { uuidv7 } from "../../events/ids.ts"
import { type Batch, EventLog } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/sqlite/SqliteLog.ts"
import { type RedactedDraft, redactDraft } from "../../src/redact/redact.ts"
import { makeRecorder } from "../../src/runtime/recorder.ts"

export interface Rate {
  readonly name: string
  /** Facts per second. */
  readonly perSecond: number
  readonly facts: number
}

const random = (count: number) => Uint8Array.from({ length: count }, () => Math.random() * 256)
const sources = { now: Date.now, random }

const project = "/home/someone/src/project"
const perSession = 50
let count = 0
let session = ""

/** The facts of one invocation with one handler, as they really are, but for a short payload. */
const oneRun = (): readonly RedactedDraft[] => {
  const invocation = uuidv7(Date.now(), random(10)) as InvocationId
  if (count++ % perSession === 0) session = uuidv7(Date.now(), random(10))
  const toolUseId = `toolu_01${Buffer.from(random(16)).toString("base64url")}`
  const dress = makeRecorder(sources, invocation, {
    agent: "claude-code",
    agentEvent: "PreToolUse",
    project
  })
  const handler = { handler: "guard", event: "tool.before", index: 0, attempt: 1 }
  const payload = `{"session_id":"${session}","tool_name":"Bash","tool_input":{"command":"npm test"},"tool_use_id":"${toolUseId}"}\n`
  const facts: readonly InvocationFact[] = [
    {
      type: "INVOCATION_OPENED",
      invocation,
      agent: "claude-code",
      agentEvent: "PreToolUse",
      transport: "entry",
      cwd: project,
      project,
      env: {},
      runtime: "node",
      deadlineMs: 5000
    },
    {
      type: "PAYLOAD_BUFFERED",
      bytes: payload.length,
      payload,
      session: session as SessionId,
      toolUseId,
      events: [{ event: "tool.before", data: {} }]
    },
    { type: "HANDLERS_PLANNED", handlers: [], left: [] },
    { type: "HANDLER_STARTED", ...handler },
    { type: "HANDLER_SUCCEEDED", ...handler, intents: [{ type: "MODEL_CONTEXT", text: "noted" }], ms: 1 },
    { type: "REPLY_DELIVERED", stdout: "", stderr: "", exitCode: 0, channels: [] },
    { type: "EXITED", code: 0, ms: { buffering: 1, handling: 1, emitting: 1 } }
  ]
  return facts.map((fact) => redactDraft(dress(fact)))
}

const batchesOf = (facts: number): readonly Batch[] => {
  const batches: Batch[] = []
  for (let made = 0; made < facts; ) {
    const drafts = oneRun()
    batches.push({ stream: drafts[0]?.stream ?? "", expected: "any", drafts: drafts as never })
    made += drafts.length
  }
  return batches
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const began = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - began) / 1e9
}

/** Appends in transactions of about a hundred facts, then reads and decodes `facts` of them. */
export const measureRates = async (facts: number): Promise<readonly Rate[]> => {
  const directory = mkdtempSync(join(tmpdir(), "hooktape-rates-"))
  const layer = layerSqlite({ file: join(directory, "log.sqlite"), source: "bench" })
  const rates: Rate[] = []
  try {
    await Effect.runPromise(
      Effect.gen(function* () {
        const log = yield* EventLog
        const hundred = 105
        const perRound = 20 * hundred
        let appended = 0
        let seconds = 0
        // Made just before, not timed: a heap full of waiting drafts would measure the collector.
        for (; appended < Math.min(facts, 200_000); appended += perRound) {
          const ready = Array.from({ length: perRound / hundred }, () => batchesOf(hundred))
          seconds += yield* Effect.promise(() =>
            timed(async () => {
              for (const batches of ready) await Effect.runPromise(log.appendMany(batches))
            })
          )
        }
        rates.push({ name: "log append, batches of 100", facts: appended, perSecond: appended / seconds })
        for (let total = appended; total < facts; total += perRound)
          yield* log.appendMany(batchesOf(perRound))
        let read = 0
        seconds = yield* Effect.promise(() =>
          timed(() =>
            // Not `runForEachChunk`: its sink keeps dead chunks alive until the next full collection.
            Effect.runPromise(
              Stream.runDrain(
                Stream.mapChunks(log.read({ limit: facts }), (chunk) => {
                  for (const { known } of chunk) if (known) read++
                  return Chunk.empty()
                })
              )
            )
          )
        )
        rates.push({ name: "log read and decode", facts: read, perSecond: read / seconds })
      }).pipe(Effect.provide(layer), Effect.scoped)
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  return rates
}
