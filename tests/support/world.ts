/** A whole invocation in memory: payload, handlers and edge are values, and the log is an array. */
import * as Micro from "effect/Micro"
import type { Agent, Dispatched } from "../../events/agentEvents.ts"
import type { InvocationFact } from "../../events/facts.ts"
import type { InvocationId, SessionId } from "../../events/ids.ts"
import { type JsonObject, userHint } from "../../events/intents.ts"
import { invocation } from "../../machines/invocation.ts"
import type { Adapter, Encoded } from "../../src/agents/Adapter.ts"
import { joined } from "../../src/agents/reply.ts"
import type { HookDefinition } from "../../src/hooks/defineHook.ts"
import type { Registered } from "../../src/hooks/Registered.ts"
import { drive } from "../../src/runtime/drive.ts"
import type { Delivery, Edge } from "../../src/runtime/Edge.ts"
import { performed } from "../../src/runtime/Edge.ts"
import { monotonic } from "../../src/runtime/elapsed.ts"
import { type HandlingWorld, makeHandling } from "../../src/runtime/handling.ts"
import { makeInterpreter, type Surroundings } from "../../src/runtime/interpret.ts"
import { isolate } from "../../src/runtime/isolate.ts"
import { type Noise, noNoise } from "../../src/runtime/noise.ts"
import { anyHook } from "./anyHook.ts"
import { opened } from "./facts.ts"

const carried = (channel: string) => ({ channel })

/** The simplest dialect there can be: every slot has a channel, and nothing of an agent is in the way. */
export const plainAdapter: Adapter = {
  agent: "raw",
  events: { Fired: { event: "agent.Fired", register: "always", carries: () => carried("stdout") } },
  decode: (nativeEvent, payload) => ({
    session: (payload["session"] ?? null) as SessionId | null,
    cwd: null,
    toolUseId: null,
    tool: undefined,
    events: (payload["events"] as [Dispatched, ...Dispatched[]] | undefined) ?? [
      { event: `agent.${nativeEvent}`, data: payload }
    ],
    drift: []
  }),
  encode: (_event, _transport, reply): Encoded => {
    const { contexts, hints, permission, updatedInput, updatedOutput } = reply
    const blocks = reply.blocks.length > 0
    const document = {
      ...(contexts.length > 0 ? { context: joined(contexts) } : {}),
      ...(hints.length > 0 ? { hint: joined(hints) } : {}),
      ...(permission === "none" ? {} : { permission }),
      ...(updatedInput ? { updatedInput } : {}),
      ...(updatedOutput ? { updatedOutput: updatedOutput.value } : {})
    }
    const stdout = !blocks && Object.keys(document).length > 0 ? `${JSON.stringify(document)}\n` : ""
    const lines = reply.diagnostics.map(({ message }) => `${message}\n`)
    return {
      stdout,
      stderr: [...lines, ...(blocks ? [`${joined(reply.blocks)}\n`] : [])].join(""),
      exitCode: blocks ? 2 : (reply.exit ?? 0),
      carried: {
        ...(blocks
          ? { block: carried("stderr") }
          : { context: carried("stdout"), hint: carried("stdout"), permission: carried("stdout") }),
        diagnostic: carried("stderr"),
        input: { undeliverable: "no such field" },
        exit: carried("exit code")
      }
    }
  }
}

type Handler = Pick<HookDefinition, "run"> & Partial<HookDefinition>

/** Hooks on the event of `plainAdapter`, in the order given. */
export const registered = (
  handlers: Readonly<Record<string, Handler | HookDefinition["run"]>>
): readonly Registered[] =>
  Object.entries(handlers).map(([name, handler]) => ({
    hook: anyHook({
      name,
      on: "agent.Fired",
      ...(typeof handler === "function" ? { run: handler } : handler)
    }),
    source: `${name}.ts`
  }))

type Everything = HandlingWorld & Omit<Surroundings, "handling">

export interface World extends Partial<Omit<Everything, "read">> {
  readonly payload?: JsonObject | string
  readonly read?: Surroundings["read"]
}

export interface Told {
  readonly log: readonly InvocationFact[]
  readonly delivered: readonly Delivery[]
  /** The types of the facts, in order. */
  readonly types: readonly string[]
  readonly find: <T extends InvocationFact["type"]>(
    type: T
  ) => readonly Extract<InvocationFact, { type: T }>[]
}

export const memoryEdge = (delivered: Delivery[], error?: Error): Edge => ({
  deliver: (encoded, noise) => {
    const delivery = { ...performed(encoded, noise), ...(error ? { error } : {}) }
    delivered.push(delivery)
    return delivery
  }
})

/** Noise that a test makes by hand. */
export const handNoise = () => {
  let chunks: { stream: "stdout" | "stderr"; bytes: number; text: string }[] = []
  const noise: Noise = {
    take: () => chunks.splice(0),
    restore: () => {
      chunks = []
    }
  }
  const make = (stream: "stdout" | "stderr", text: string) =>
    void chunks.push({ stream, bytes: Buffer.byteLength(text), text })
  return { noise, make }
}

/**
 * Runs one invocation to its end. The test runner listens for uncaught errors too; while the invocation runs, they are
 * the invocation's.
 */
export const tell = async ({ payload = {}, ...world }: World = {}): Promise<Told> => {
  const log: InvocationFact[] = []
  const delivered: Delivery[] = []
  const bytes = Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload))
  const began = monotonic()
  const foreign = (["uncaughtException", "unhandledRejection"] as const).map(
    (event) => [event, process.listeners(event as "uncaughtException")] as const
  )
  for (const [event] of foreign) process.removeAllListeners(event)
  const isolation = isolate((error, owner) => handling.stray(error, owner))
  const surroundings: Everything = {
    invocation: "01890000-0000-7000-8000-000000000000" as InvocationId,
    adapter: plainAdapter,
    agentEvent: "Fired",
    transport: "command",
    cwd: "/project",
    project: "/project",
    timestamp: "2026-01-01T00:00:00.000Z",
    deadlineMs: 5000,
    registry: [],
    notices: [],
    read: () => ({ kind: "buffered", bytes }),
    digest: () => "digest",
    edge: memoryEdge(delivered),
    noise: noNoise,
    isolation,
    elapsed: () => monotonic() - began,
    ...world
  }
  const handling = makeHandling(surroundings)
  const { interpret } = makeInterpreter({ ...surroundings, handling })
  try {
    await Micro.runPromise(
      drive(
        invocation,
        { record: (fact) => Micro.sync(() => void log.push(fact)), interpret },
        opened({ agent: surroundings.adapter.agent as Agent, agentEvent: surroundings.agentEvent })
      )
    )
  } finally {
    isolation.release()
    for (const [event, listeners] of foreign) for (const listener of listeners) process.on(event, listener)
  }
  return {
    log,
    delivered,
    types: log.map(({ type }) => type),
    find: (type) => log.filter((fact) => fact.type === type) as never
  }
}

/** Runs one handler between two well-behaved ones, and says what became of it. */
export const among = async (run: unknown, world: World = {}) => {
  const told = await tell({
    registry: registered({
      before: () => userHint("before"),
      subject: { run: run as HookDefinition["run"], deadline: 5000 },
      after: () => userHint("after")
    }),
    ...world
  })
  const own = told.log.filter((fact) => "handler" in fact && fact.handler === "subject")
  return { told, own, ended: own.at(-1), stdout: told.delivered[0]?.stdout }
}

/** What `among` delivers when the others were heard as if nothing had happened. */
export const unharmed = `${JSON.stringify({ hint: "before\n\nafter" })}\n`
