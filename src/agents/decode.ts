/** Turns a native payload into the canonical event and what follows from it: one procedure for every agent. */
import type { CanonicalEvent, Dispatched, PassedEvent, Tool } from "../../events/agentEvents.ts"
import type { SessionId } from "../../events/ids.ts"
import type { Json, JsonObject } from "../../events/intents.ts"
import type { Decoded } from "./Adapter.ts"
import { dispatched } from "./derive.ts"
import { type Feedback, feedbackOf } from "./feedback.ts"
import { type Fields, read } from "./shape.ts"

/** A payload's usable fields, looked up without trusting that they are there. */
export interface Given {
  readonly text: (field: string) => string | undefined
  readonly number: (field: string) => number | undefined
  readonly flag: (field: string) => boolean
  readonly json: (field: string) => Json | undefined
}

export const given = (fields: JsonObject): Given => {
  const json = (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined)
  return {
    json,
    text: (field) => {
      const value = json(field)
      return typeof value === "string" ? value : undefined
    },
    number: (field) => {
      const value = json(field)
      return typeof value === "number" ? value : undefined
    },
    flag: (field) => json(field) === true
  }
}

/** What an agent's reader makes of one event. */
export interface Reading {
  readonly event: Dispatched
  readonly tool?: Tool | undefined
  readonly derived?: readonly Dispatched[]
}

export interface Reader {
  /** The described fields of an event the adapter knows. */
  readonly payloads: { readonly [nativeEvent: string]: Fields }
  readonly events: { readonly [nativeEvent: string]: { readonly event: CanonicalEvent | PassedEvent } }
  readonly readEvent: (event: CanonicalEvent | PassedEvent, fields: Given, nativeEvent: string) => Reading
  /** The working directory of a payload that has no `cwd`. */
  readonly cwd?: ((fields: Given) => string | undefined) | undefined
}

/** Older and foreign names under which a session came. */
const sessionKeys = ["session_id", "sessionId", "conversation_id", "thread_id", "trajectory_id"]

/** No agent's name for a session or a call is that long. It would stand as a key in every table, and on every line that names it. */
const longestKey = 512

/** A name that others are found by, or null; one that is too long is reported with what has another shape than documented. */
export const keyOf = (value: string | null, field: string, drift: string[]): string | null => {
  if (value === null || value.length <= longestKey) return value
  drift.push(field)
  return null
}

const firstText = (payload: JsonObject, keys: readonly string[]): string | null => {
  for (const key of keys) {
    const value = Object.hasOwn(payload, key) ? payload[key] : undefined
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

/** The name under which an event is passed through that has no canonical one. */
export const passed = (nativeEvent: string): PassedEvent => `agent.${nativeEvent}`

/** What follows from an event whichever agent it came from. */
const derivedOf = ({ event, data }: Dispatched): readonly Dispatched[] =>
  event === "prompt.submit" ? feedbackGiven(given(data).text("prompt")) : []

export const decodeWith =
  (reader: Reader) =>
  (nativeEvent: string, payload: JsonObject): Decoded => {
    const known = Object.hasOwn(reader.events, nativeEvent) ? reader.events[nativeEvent] : undefined
    const described = known ? reader.payloads[nativeEvent] : undefined
    const { fields, drift } = read(described ?? {}, payload)
    const reading = known
      ? reader.readEvent(known.event, given(fields), nativeEvent)
      : { event: { event: passed(nativeEvent), data: {} } }
    const odd = [...drift]
    return {
      session: keyOf(firstText(payload, sessionKeys), "session_id", odd) as SessionId | null,
      cwd: firstText(payload, ["cwd"]) ?? reader.cwd?.(given(fields)) ?? null,
      toolUseId: keyOf(firstText(payload, ["tool_use_id"]), "tool_use_id", odd),
      tool: reading.tool,
      events: [reading.event, ...(reading.derived ?? []), ...derivedOf(reading.event)],
      drift: odd
    }
  }

/** The last thing the agent said, where it says so. */
export const responseGiven = (text: string | undefined): readonly Dispatched[] =>
  text === undefined || text.trim() === "" ? [] : [dispatched("response.given", { text })]

/** Every handler has the payload decoded for itself: the prompt of a call comes again and again. */
let judged: { readonly prompt: string; readonly feedback: Feedback | undefined } | undefined

/** Praise or correction, where a prompt holds one. */
export const feedbackGiven = (prompt: string | undefined): readonly Dispatched[] => {
  if (prompt === undefined) return []
  if (judged?.prompt !== prompt) judged = { prompt, feedback: feedbackOf(prompt) }
  const { feedback } = judged
  return feedback === undefined ? [] : [dispatched("feedback.given", { ...feedback })]
}

/** Leaves out what is not there: handlers get no undefined. */
export const present = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
