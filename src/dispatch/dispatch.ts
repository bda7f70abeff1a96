/** Fires one of hooktape's own events: an ordinary recorded invocation, in this process, whose reply comes back as a value. */
import * as Micro from "effect/Micro"
import type { OwnEvent } from "../../events/agentEvents.ts"
import type { EventData } from "../../events/eventData.ts"
import type { InvocationFact } from "../../events/facts.ts"
import type { FactId } from "../../events/ids.ts"
import { diagnostic, type Intent, type JsonObject } from "../../events/intents.ts"
import { type InvocationContext, invocation } from "../../machines/invocation.ts"
import type { Attributed } from "../../machines/said.ts"
import { raw } from "../adapters/raw/raw.ts"
import { drive } from "../engine/drive.ts"
import { performed } from "../engine/Edge.ts"
import { monotonic } from "../engine/elapsed.ts"
import { makeHandling } from "../engine/handling.ts"
import { makeInterpreter } from "../engine/interpret.ts"
import { isolate } from "../engine/isolate.ts"
import { captureStreams } from "../engine/noise.ts"
import { payloadLimit } from "../engine/payload.ts"
import { invocationId, makeRecorder } from "../engine/recorder.ts"
import { deadlineOf } from "../entry/deadline.ts"
import { allowedEnvironment } from "../entry/environment.ts"
import { startHost } from "../entry/startHost.ts"
import { jobsOf } from "../jobs/enqueue.ts"
import { digestOf } from "../log/digest.ts"
import { makePast } from "../log/past.ts"
import { makeRecall } from "../log/recall.ts"
import { redact } from "../log/redact.ts"
import { openSpool } from "../log/spoolWriter.ts"
import { digestKey } from "../log/state.ts"
import { makeAid } from "../services/aid.ts"
import { hooksFor } from "./hooksFor.ts"
import { dispatchSources as sources } from "./sources.ts"

export interface Occasion<E extends OwnEvent> {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly event: E
  readonly data: EventData[E]
  readonly session?: string | undefined
}

export interface Dispatched {
  readonly invocation: string
  /** The last fact of it: what is done because of the reply was caused by this one. */
  readonly last: FactId | null
  readonly intents: readonly Attributed[]
  /** What the handlers patched together. */
  readonly metadata: JsonObject
  /** Who wants it stopped, and why. */
  readonly blocks: readonly { readonly handler: string; readonly reason: string }[]
}

const blocksOf = (intents: readonly Attributed[]): Dispatched["blocks"] =>
  intents.flatMap(({ handler, intent }) =>
    intent.type === "BLOCKING_FEEDBACK" ? [{ handler, reason: intent.reason }] : []
  )

/** Runs the hooks for it and records all of that. A hook that fails is a fact; a spool that cannot be written is an error. */
export const dispatch = async <E extends OwnEvent>(occasion: Occasion<E>): Promise<Dispatched> => {
  const { state, project, cwd, event, data, session } = occasion
  const began = monotonic()
  const elapsed = () => monotonic() - began
  const id = invocationId(sources)
  const {
    build,
    config,
    deadlineMs = deadlineOf(event, {}),
    problem,
    registry,
    runEffect
  } = hooksFor(state, project, event)
  const text = JSON.stringify({ ...data, cwd, ...(session === undefined ? {} : { session }) })
  const bytes = Buffer.from(text)
  const notices: readonly Intent[] = problem === undefined ? [] : [diagnostic("warn", problem)]

  const spool = openSpool(state, id)
  const dress = makeRecorder(sources, id, { agent: "raw", agentEvent: event, project })
  let last: FactId | null = null
  let hasJobs = false
  const record = (fact: InvocationFact): void => {
    const draft = dress(fact)
    spool.append(redact(draft))
    last = draft.id
    for (const job of jobsOf(draft)) {
      spool.append(redact(job))
      hasJobs = true
    }
  }

  const noise = captureStreams(process)
  const isolation = isolate((error, owner) => handling.stray(error, owner))
  const handling = makeHandling({
    state,
    invocation: id,
    adapter: raw,
    agentEvent: event,
    cwd,
    project,
    timestamp: new Date(sources.now()).toISOString(),
    deadlineMs,
    registry,
    aid: () => makeAid,
    past: makePast({ state, recall: () => makeRecall }),
    notices,
    noise,
    isolation,
    runEffect,
    elapsed
  })
  const { interpret } = makeInterpreter({
    adapter: raw,
    agentEvent: event,
    transport: "command",
    handling,
    read: () =>
      bytes.length > payloadLimit
        ? { kind: "too-large", bytes, total: bytes.length }
        : { kind: "buffered", bytes },
    digest: (rejected) => digestOf(digestKey(state), rejected),
    edge: { deliver: performed },
    elapsed
  })
  const opened: InvocationFact = {
    type: "INVOCATION_OPENED",
    invocation: id,
    agent: "raw",
    agentEvent: event,
    transport: "entry",
    cwd,
    project,
    env: allowedEnvironment(process.env),
    runtime: `node ${process.version} ${process.platform}-${process.arch}`,
    ...(build === undefined ? {} : { build }),
    ...(config === undefined ? {} : { config }),
    deadlineMs,
    pid: process.pid
  }
  try {
    const driver = {
      record: (fact: InvocationFact) => Micro.sync(() => record(fact)),
      interpret,
      refused: (fact: InvocationFact) =>
        handling.stray(new Error(`the invocation did not take ${fact.type} where it stood`), undefined)
    }
    const ended = await Micro.runPromise(drive(invocation, driver, opened))
    const { intents, metadata } = ended.context as InvocationContext
    return { invocation: id, last, intents, metadata, blocks: blocksOf(intents) }
  } finally {
    isolation.release()
    noise.restore()
    spool.close()
    if (hasJobs && process.env["HOOKTAPE_HOST"] !== "off") startHost(state)
  }
}
