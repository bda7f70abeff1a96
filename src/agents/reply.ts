/** Intents of all handlers of one invocation, folded into the one thing an adapter encodes. */
import type { Diagnostic, IfCannotAsk, Intent, Json, JsonObject } from "../../events/intents.ts"
import { isObject } from "./shape.ts"

/** The parts of a reply that travel separately: one intent may fill several. */
export type Slot = "context" | "permission" | "input" | "output" | "hint" | "block" | "diagnostic" | "exit"

/** A question that a hook wants its user to be asked. */
export interface Ask {
  /** Why, for the human. */
  readonly reason: string | undefined
  readonly ifCannotAsk: IfCannotAsk
}

/** What the intents of one invocation amount to. A value of the monoid `(empty, combine)`. */
export interface Reply {
  /** Text for the model, in handler order. */
  readonly contexts: readonly string[]
  /** The strictest wish short of a block. */
  readonly permission: "none" | "allow" | "ask"
  /** The questions of those who wish to ask, in handler order. */
  readonly asks: readonly Ask[]
  /** Later keys over earlier, from the last one on that is the whole input. */
  readonly updatedInput: JsonObject | undefined
  /** Whether it is the whole input, or goes over the tool's own. */
  readonly replacesInput: boolean
  /** The last one. */
  readonly updatedOutput: { readonly value: Json } | undefined
  readonly hints: readonly string[]
  /** Why the action must stop; blocks when there is at least one. */
  readonly blocks: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** The last one asked for. */
  readonly exit: number | undefined
}

export const empty: Reply = {
  contexts: [],
  permission: "none",
  asks: [],
  updatedInput: undefined,
  replacesInput: false,
  updatedOutput: undefined,
  hints: [],
  blocks: [],
  diagnostics: [],
  exit: undefined
}

const strictness = { none: 0, allow: 1, ask: 2 } as const

/** Associative, with `empty` as identity on both sides. */
export const combine = (first: Reply, second: Reply): Reply => ({
  contexts: [...first.contexts, ...second.contexts],
  permission:
    strictness[second.permission] > strictness[first.permission] ? second.permission : first.permission,
  asks: [...first.asks, ...second.asks],
  updatedInput:
    first.updatedInput && second.updatedInput && !second.replacesInput
      ? { ...first.updatedInput, ...second.updatedInput }
      : (second.updatedInput ?? first.updatedInput),
  replacesInput: first.replacesInput || second.replacesInput,
  updatedOutput: second.updatedOutput ?? first.updatedOutput,
  hints: [...first.hints, ...second.hints],
  blocks: [...first.blocks, ...second.blocks],
  diagnostics: [...first.diagnostics, ...second.diagnostics],
  exit: second.exit ?? first.exit
})

/** The reply of a single intent. */
export const of = (intent: Intent): Reply => {
  switch (intent.type) {
    case "DIAGNOSTIC":
      return { ...empty, diagnostics: [intent] }
    case "MODEL_CONTEXT":
      return {
        ...empty,
        contexts: intent.text === undefined ? [] : [intent.text],
        permission: intent.permission ?? "none",
        asks:
          intent.permission === "ask"
            ? [{ reason: intent.reason, ifCannotAsk: intent.ifCannotAsk ?? "block" }]
            : [],
        updatedInput: intent.updatedInput,
        replacesInput: intent.updatedInput !== undefined && intent.replacesInput === true,
        updatedOutput: intent.updatedOutput === undefined ? undefined : { value: intent.updatedOutput }
      }
    case "USER_HINT":
      return { ...empty, hints: [intent.text] }
    case "BLOCKING_FEEDBACK":
      return { ...empty, blocks: [intent.reason] }
    case "EXIT_SIGNAL":
      return { ...empty, exit: intent.code }
  }
}

/** The tool's whole input with what a reply changes of it; undefined where neither says it. */
export const changedInput = (
  { replacesInput, updatedInput }: Pick<Reply, "replacesInput" | "updatedInput">,
  input: Json | undefined
): JsonObject | undefined => {
  if (updatedInput === undefined) return undefined
  if (replacesInput) return updatedInput
  return isObject(input) ? { ...input, ...updatedInput } : undefined
}

export const fold = (intents: Iterable<Intent>): Reply => {
  let reply = empty
  for (const intent of intents) reply = combine(reply, of(intent))
  return reply
}

/** The slots an intent fills: what `channels` of a delivered reply is told by. */
export const slotsOf = (intent: Intent): readonly Slot[] => {
  switch (intent.type) {
    case "DIAGNOSTIC":
      return ["diagnostic"]
    case "MODEL_CONTEXT": {
      const slots: Slot[] = []
      if (intent.text !== undefined) slots.push("context")
      if (intent.permission !== undefined) slots.push("permission")
      if (intent.updatedInput !== undefined) slots.push("input")
      if (intent.updatedOutput !== undefined) slots.push("output")
      return slots
    }
    case "USER_HINT":
      return ["hint"]
    case "BLOCKING_FEEDBACK":
      return ["block"]
    case "EXIT_SIGNAL":
      return ["exit"]
  }
}

/** Contexts, hints and reasons join with a blank line. */
export const joined = (texts: readonly string[]): string => texts.join("\n\n")
