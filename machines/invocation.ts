/** One firing of one hook, from the first byte of its payload to its exit code. */
import { assign, setup } from "xstate"
import type { InvocationFact, Planned } from "../events/facts.ts"
import { diagnostic, type JsonObject } from "../events/intents.ts"
import { type Attributed, intentsOf } from "./replyIntents.ts"
import { again, givenUp, type Retrying, type Running } from "./retry.ts"
import type { Machine } from "./step.ts"
import { holding, type Stops } from "./stops.ts"

/** What the machine asks of the driver. */
export type InvocationCommand =
  | { readonly type: "BUFFER"; readonly deadlineMs: number }
  | { readonly type: "PLAN" }
  | {
      readonly type: "START_HANDLER"
      readonly planned: Planned
      readonly attempt: number
      /** How long to wait first. */
      readonly delayMs?: number
    }
  | {
      readonly type: "RUN_HANDLER"
      readonly planned: Planned
      readonly attempt: number
      readonly metadata: JsonObject
      /** What of the handler's deadline earlier attempts have used. */
      readonly spentMs?: number
    }
  | {
      readonly type: "DELIVER"
      readonly intents: readonly Attributed[]
      /** What was written to standard error during handling: shown before the reason on a blocking exit. */
      readonly noise: string
      /** Why what would keep the agent from stopping is not passed on. */
      readonly held?: string
    }
  | { readonly type: "EXIT"; readonly code: number }

export interface InvocationContext {
  readonly phase: "new" | "opened" | "planned" | "delivered"
  /** The handlers that have not started yet. */
  readonly queue: readonly Planned[]
  /** The index of the handler that runs. */
  readonly current: number | undefined
  /** The handler that runs, and what of its time its earlier attempts have used. */
  readonly running: Running | undefined
  /** Of the handler at the head of the queue, between two attempts. */
  readonly retrying: Retrying | undefined
  readonly stops: Stops | undefined
  readonly intents: readonly Attributed[]
  /** Patched by each handler for those after it. */
  readonly metadata: JsonObject
  /** What handlers wrote to standard error, as far as it is kept. */
  readonly noise: string
  readonly exitCode: number
}

const next = (context: InvocationContext): InvocationCommand => {
  const { queue, retrying } = context
  if (queue[0] === undefined) return { type: "DELIVER", ...holding(context) }
  return retrying === undefined
    ? { type: "START_HANDLER", planned: queue[0], attempt: 1 }
    : {
        type: "START_HANDLER",
        planned: queue[0],
        attempt: retrying.attempt,
        delayMs: retrying.delayMs
      }
}

const deliver = {
  type: "command",
  params: ({ context }: { context: InvocationContext }): InvocationCommand => ({
    type: "DELIVER",
    ...holding(context)
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
            stops: event.stops,
            intents: [...context.intents, ...intentsOf(event)]
          }
        : {}
    ),
    begin: assign(({ context, event }) =>
      event.type === "HANDLER_STARTED"
        ? {
            current: event.index,
            running: context.queue[0] && {
              planned: context.queue[0],
              spentMs: context.retrying?.spentMs ?? 0
            },
            retrying: undefined,
            queue: context.queue.slice(1)
          }
        : {}
    ),
    defer: assign(({ context, event }) => {
      const retrying = again(context.running, event)
      const { running } = context
      if (event.type !== "HANDLER_FAILED" || retrying === undefined || running === undefined) return {}
      const { handler, error } = event
      const told = `hook ${handler} failed: ${error.message}; it is tried again`
      return {
        current: undefined,
        running: undefined,
        retrying,
        queue: [running.planned, ...context.queue],
        intents: [...context.intents, { handler, intent: diagnostic("warn", told) }]
      }
    }),
    settle: assign(({ context, event }) => ({
      current: undefined,
      running: undefined,
      intents: [...context.intents, ...intentsOf(event, context.running?.planned)],
      metadata:
        event.type === "HANDLER_SUCCEEDED" && event.patch !== undefined
          ? { ...context.metadata, ...event.patch }
          : context.metadata
    })),
    skip: assign(({ context, event }) => ({
      queue: context.queue.slice(1),
      retrying: undefined,
      intents: [
        ...context.intents,
        ...(context.retrying ? givenUp(context.retrying, event) : intentsOf(event, context.queue[0]))
      ]
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
    isTriedAgain: ({ context, event }) =>
      "index" in event && context.current === event.index && again(context.running, event) !== undefined,
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
    running: undefined,
    retrying: undefined,
    stops: undefined,
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
                metadata: context.metadata,
                ...(context.retrying === undefined ? {} : { spentMs: context.retrying.spentMs })
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
          { guard: "isTriedAgain", actions: ["defer", proceed] },
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
