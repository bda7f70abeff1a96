/** One firing of one hook, from the first byte of its payload to its exit code. */
import { assign, setup } from "xstate"
import type { InvocationFact, Planned } from "../events/facts.ts"
import {
  blockingFeedback,
  diagnostic,
  type Intent,
  type JsonObject,
  modelContext
} from "../events/intents.ts"
import type { Machine } from "./step.ts"

/** What the machine asks of the driver. */
export type InvocationCommand =
  | { readonly type: "BUFFER"; readonly deadlineMs: number }
  | { readonly type: "PLAN" }
  | { readonly type: "START_HANDLER"; readonly planned: Planned; readonly attempt: number }
  | {
      readonly type: "RUN_HANDLER"
      readonly planned: Planned
      readonly attempt: number
      readonly metadata: JsonObject
    }
  | {
      readonly type: "DELIVER"
      readonly intents: readonly Attributed[]
      /** What was written to standard error during handling: shown before the reason on a blocking exit. */
      readonly noise: string
    }
  | { readonly type: "EXIT"; readonly code: number }

/** An intent and who wanted it: a handler's name, or `hooktape` for what the runtime itself has to say. */
export interface Attributed {
  readonly handler: string
  readonly intent: Intent
}

export interface InvocationContext {
  readonly phase: "new" | "opened" | "planned" | "delivered"
  /** The handlers that have not started yet. */
  readonly queue: readonly Planned[]
  /** The index of the handler that runs. */
  readonly current: number | undefined
  readonly intents: readonly Attributed[]
  /** Patched by each handler for those after it. */
  readonly metadata: JsonObject
  /** What handlers wrote to standard error, as far as it is kept. */
  readonly noise: string
  readonly exitCode: number
}

const own = "hooktape"

/** What a handler's failure says, by its policy. */
const failed = (handler: string, policy: "allow" | "block" | "ask", what: string): readonly Attributed[] => {
  const operator: Attributed = { handler, intent: diagnostic("error", `hook ${handler} ${what}`) }
  if (policy === "block") {
    return [
      operator,
      { handler, intent: blockingFeedback(`The hook ${handler} ${what}. Its policy is to block.`) }
    ]
  }
  if (policy === "ask") return [operator, { handler, intent: modelContext({ permission: "ask" }) }]
  return [operator]
}

/** What a fact adds to the reply. */
const intentsOf = (fact: InvocationFact): readonly Attributed[] => [...ownIntentsOf(fact), ...rescuedBy(fact)]

/** What a hook's `onError` wanted, after what its policy says. */
const rescuedBy = (fact: InvocationFact): readonly Attributed[] => {
  if (fact.type !== "HANDLER_FAILED" && fact.type !== "HANDLER_TIMED_OUT") return []
  const { handler, intents = [], onError } = fact
  const wanted = intents.map((intent): Attributed => ({ handler, intent }))
  return onError === undefined
    ? wanted
    : [
        ...wanted,
        { handler, intent: diagnostic("error", `hook ${handler} failed in onError too: ${onError.message}`) }
      ]
}

const ownIntentsOf = (fact: InvocationFact): readonly Attributed[] => {
  switch (fact.type) {
    case "HANDLERS_PLANNED":
      return (fact.notices ?? []).map((intent) => ({ handler: own, intent }))
    case "HANDLER_SUCCEEDED":
      return fact.intents.map((intent) => ({ handler: fact.handler, intent }))
    case "HANDLER_FAILED":
      return failed(fact.handler, fact.policy, `failed: ${fact.error.message}`)
    case "HANDLER_TIMED_OUT":
      return failed(fact.handler, fact.policy, `did not finish within ${fact.deadlineMs} ms`)
    case "HANDLER_SKIPPED":
      return fact.policy === undefined || fact.policy === "allow"
        ? [
            {
              handler: fact.handler,
              intent: diagnostic("warn", `hook ${fact.handler} was skipped: ${fact.reason}`)
            }
          ]
        : failed(fact.handler, fact.policy, `was skipped: ${fact.reason}`)
    case "PAYLOAD_REJECTED":
      return [
        { handler: own, intent: diagnostic("warn", `payload rejected (${fact.reason}): ${fact.detail}`) }
      ]
    default:
      return []
  }
}

const next = (context: InvocationContext): InvocationCommand =>
  context.queue[0] === undefined
    ? { type: "DELIVER", intents: context.intents, noise: context.noise }
    : { type: "START_HANDLER", planned: context.queue[0], attempt: 1 }

const deliver = {
  type: "command",
  params: ({ context }: { context: InvocationContext }): InvocationCommand => ({
    type: "DELIVER",
    intents: context.intents,
    noise: context.noise
  })
} as const

const proceed = {
  type: "command",
  params: ({ context }: { context: InvocationContext }): InvocationCommand => next(context)
} as const

const machine = setup({
  types: {} as { context: InvocationContext; events: InvocationFact },
  actions: {
    command: (_, _command: InvocationCommand) => {
      throw new Error("a command is interpreted by the driver, never executed by the machine")
    },
    open: assign({ phase: "opened" }),
    plan: assign(({ context, event }) =>
      event.type === "HANDLERS_PLANNED"
        ? {
            phase: "planned" as const,
            queue: event.handlers,
            intents: [...context.intents, ...intentsOf(event)]
          }
        : {}
    ),
    begin: assign(({ context, event }) =>
      event.type === "HANDLER_STARTED" ? { current: event.index, queue: context.queue.slice(1) } : {}
    ),
    settle: assign(({ context, event }) => ({
      current: undefined,
      intents: [...context.intents, ...intentsOf(event)],
      metadata:
        event.type === "HANDLER_SUCCEEDED" && event.patch !== undefined
          ? { ...context.metadata, ...event.patch }
          : context.metadata
    })),
    skip: assign(({ context, event }) => ({
      queue: context.queue.slice(1),
      intents: [...context.intents, ...intentsOf(event)]
    })),
    reject: assign(({ context, event }) => ({ intents: [...context.intents, ...intentsOf(event)] })),
    hear: assign(({ context, event }) =>
      event.type === "NOISE_CAPTURED"
        ? { noise: event.stream === "stderr" ? context.noise + event.text : context.noise }
        : {}
    ),
    /** What a handler asked the world for decides nothing: its outcome does. */
    keep: assign({}),
    leave: assign(({ event }) =>
      "exitCode" in event ? { phase: "delivered" as const, exitCode: event.exitCode } : {}
    )
  },
  guards: {
    isNew: ({ context }) => context.phase === "new",
    isOpened: ({ context }) => context.phase === "opened",
    isUnplanned: ({ context }) => context.phase === "opened",
    isEmptyPlan: ({ context, event }) =>
      context.phase === "opened" && event.type === "HANDLERS_PLANNED" && event.handlers.length === 0,
    isUndelivered: ({ context }) => context.phase !== "delivered",
    isDelivered: ({ context }) => context.phase === "delivered",
    isNext: ({ context, event }) =>
      context.current === undefined && "index" in event && context.queue[0]?.index === event.index,
    isLastSkip: ({ context, event }) =>
      context.current === undefined &&
      context.queue.length === 1 &&
      "index" in event &&
      context.queue[0]?.index === event.index,
    isCurrent: ({ context, event }) => "index" in event && context.current === event.index,
    isLast: ({ context, event }) =>
      context.queue.length === 0 && "index" in event && context.current === event.index
  }
}).createMachine({
  id: "invocation",
  initial: "buffering",
  context: {
    phase: "new",
    queue: [],
    current: undefined,
    intents: [],
    metadata: {},
    noise: "",
    exitCode: 0
  },
  on: { NOISE_CAPTURED: { actions: "hear" } },
  states: {
    buffering: {
      on: {
        INVOCATION_OPENED: {
          guard: "isNew",
          actions: [
            "open",
            { type: "command", params: ({ event }) => ({ type: "BUFFER", deadlineMs: event.deadlineMs }) }
          ]
        },
        PAYLOAD_BUFFERED: {
          guard: "isOpened",
          target: "handling",
          actions: { type: "command", params: { type: "PLAN" } }
        },
        PAYLOAD_REJECTED: { guard: "isOpened", target: "emitting", actions: ["reject", deliver] }
      }
    },
    handling: {
      on: {
        HANDLERS_PLANNED: [
          { guard: "isEmptyPlan", target: "emitting", actions: ["plan", deliver] },
          { guard: "isUnplanned", actions: ["plan", proceed] }
        ],
        HANDLER_STARTED: {
          guard: "isNext",
          actions: [
            {
              type: "command",
              params: ({ context, event }) => ({
                type: "RUN_HANDLER",
                // The guard has seen that the head of the queue is the handler that started.
                planned: context.queue[0] as Planned,
                attempt: event.attempt,
                metadata: context.metadata
              })
            },
            "begin"
          ]
        },
        SERVICE_CALLED: { guard: "isCurrent", actions: "keep" },
        HANDLER_SUCCEEDED: [
          { guard: "isLast", target: "emitting", actions: ["settle", deliver] },
          { guard: "isCurrent", actions: ["settle", proceed] }
        ],
        HANDLER_FAILED: [
          { guard: "isLast", target: "emitting", actions: ["settle", deliver] },
          { guard: "isCurrent", actions: ["settle", proceed] }
        ],
        HANDLER_TIMED_OUT: [
          { guard: "isLast", target: "emitting", actions: ["settle", deliver] },
          { guard: "isCurrent", actions: ["settle", proceed] }
        ],
        HANDLER_SKIPPED: [
          { guard: "isLastSkip", target: "emitting", actions: ["skip", deliver] },
          { guard: "isNext", actions: ["skip", proceed] }
        ]
      }
    },
    emitting: {
      on: {
        REPLY_DELIVERED: {
          guard: "isUndelivered",
          actions: [
            "leave",
            { type: "command", params: ({ event }) => ({ type: "EXIT", code: event.exitCode }) }
          ]
        },
        DELIVERY_FAILED: {
          guard: "isUndelivered",
          actions: [
            "leave",
            { type: "command", params: ({ event }) => ({ type: "EXIT", code: event.exitCode }) }
          ]
        },
        EXITED: { guard: "isDelivered", target: "exiting" }
      }
    },
    exiting: { type: "final" }
  }
})

export const invocation: Machine<InvocationFact, InvocationCommand> = {
  id: "invocation",
  definition: machine
}
