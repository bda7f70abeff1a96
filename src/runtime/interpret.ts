/** How the commands of an invocation are carried out: the one interpreter for every way a hook call comes in. */
import * as Micro from "effect/Micro"
import type { InvocationFact } from "../../events/facts.ts"
import type { InvocationCommand } from "../../machines/invocation.ts"
import type { Attributed } from "../../machines/replyIntents.ts"
import type { Adapter, Decoded, Transport } from "../agents/Adapter.ts"
import type { FailureHints } from "../history/failureHints.ts"
import { answer } from "./answer.ts"
import { repeated } from "./clip.ts"
import type { Edge } from "./Edge.ts"
import { errorOf } from "./errors.ts"
import { makeFailureTelling } from "./failureHint.ts"
import { type Handling, isHandling, round } from "./handling.ts"
import { type Parsed, parsePayload } from "./payload.ts"
import type { ReceivedPayload } from "./stdin.ts"

/** What the world is to one invocation. */
export interface Surroundings {
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly transport: Transport
  readonly handling: Handling
  /** Read where it can be waited for, handed over where it was. */
  readonly read: (deadlineMs: number) => ReceivedPayload
  /** What came of it, where somebody looked at it already. */
  readonly parse?: ((received: ReceivedPayload) => Parsed) | undefined
  readonly digest: (bytes: Uint8Array) => string
  readonly edge: Edge
  /** The least level of a diagnostic that is shown; all are recorded. Default `info`. */
  readonly logLevel?: string | undefined
  /** Of which failures the human was told before; without it the human is told of none. */
  readonly failureHints?: FailureHints | undefined
  /** Monotonic, milliseconds. */
  readonly elapsed: () => number
}

export const makeInterpreter = (world: Surroundings) => {
  let decoded: Decoded | undefined
  const summary = { planned: 0, started: 0, succeeded: 0 }
  const ms: Record<string, number> = {}
  let entered = 0
  const failures = makeFailureTelling(world)

  /** Closes a state's share of the invocation's time. */
  const recordStateTime = (state: string) => {
    const now = world.elapsed()
    ms[state] = round(now - entered)
    entered = now
  }

  const count = (facts: readonly InvocationFact[]): readonly InvocationFact[] => {
    for (const fact of facts) {
      if (fact.type === "HANDLERS_PLANNED") summary.planned = fact.handlers.length
      if (fact.type === "HANDLER_STARTED" && fact.attempt === 1) summary.started++
      if (fact.type === "HANDLER_SUCCEEDED") summary.succeeded++
    }
    return facts
  }

  const buffer = (deadlineMs: number): readonly InvocationFact[] => {
    const received = world.read(deadlineMs)
    recordStateTime("buffering")
    const parsed = (world.parse ?? parsePayload)(received)
    if ("rejected" in parsed) {
      const { rejected: reason, detail, excerpt } = parsed
      return [
        {
          type: "PAYLOAD_REJECTED",
          reason,
          detail,
          bytes: received.kind === "too-large" ? received.total : received.bytes.length,
          digest: world.digest(received.bytes),
          ...(excerpt === undefined ? {} : { excerpt })
        }
      ]
    }
    const { text } = parsed
    decoded = world.adapter.decode(world.agentEvent, parsed.payload)
    world.handling.take({ text, decoded })
    return [
      {
        type: "PAYLOAD_BUFFERED",
        bytes: received.bytes.length,
        payload: text,
        ...repeated(decoded)
      }
    ]
  }

  const deliver = (
    intents: readonly Attributed[],
    noise: string,
    held: string | undefined
  ): readonly InvocationFact[] => {
    const { encoded, channels } = answer(world, intents, decoded?.tool, held)
    recordStateTime("handling")
    const after = world.handling.drainNoise()
    const { stdout, stderr, exitCode, error } = world.edge.deliver(encoded, noise)
    const told = { stdout, stderr, exitCode, channels }
    failures.settle(channels, error === undefined)
    return error
      ? [...after, { type: "DELIVERY_FAILED", ...told, error: errorOf(error) }]
      : [...after, { type: "REPLY_DELIVERED", ...told }]
  }

  const interpret = (command: InvocationCommand): Micro.Micro<readonly InvocationFact[]> => {
    if (command.type === "RUN_HANDLER")
      return Micro.map(world.handling.interpret(command), (facts) =>
        count(failures.mark(facts, command, decoded?.session))
      )
    if (isHandling(command)) return Micro.map(world.handling.interpret(command), count)
    switch (command.type) {
      case "BUFFER":
        return Micro.sync(() => buffer(command.deadlineMs))
      case "DELIVER":
        return Micro.sync(() => deliver(command.intents, command.noise, command.held))
      case "EXIT":
        return Micro.sync(() => {
          recordStateTime("emitting")
          return [...world.handling.drainNoise(), { type: "EXITED", code: command.code, ms, summary }]
        })
    }
  }

  return { interpret }
}
