/** The document of a reply while it is put together: a field goes in only where the agent's output schema has a place for it. */
import type { Json, JsonObject } from "../../events/intents.ts"
import type { Carried } from "./Adapter.ts"
import { joined, type Slot } from "./reply.ts"
import { isObject, mismatches } from "./shape.ts"
import type { Rules, Way } from "./ways.ts"

/** The text that stands at a dotted name already. */
const textAt = (document: JsonObject, path: string): string | undefined => {
  const [head = "", ...rest] = path.split(".")
  const found = Object.hasOwn(document, head) ? document[head] : undefined
  if (rest.length > 0) return isObject(found) ? textAt(found, rest.join(".")) : undefined
  return typeof found === "string" ? found : undefined
}

/** Where an agent has one field for two texts, both stand in it: none takes the place of the other. */
const besides = (
  document: JsonObject,
  { at, value: constant }: { at: string; value?: Json },
  value: Json
): Json => {
  const there = constant === undefined && typeof value === "string" ? textAt(document, at) : undefined
  return there === undefined ? (constant ?? value) : joined([there, value as string])
}

/** The document with one more field, by dotted name; the original stays as it is. */
const withField = (document: JsonObject, path: string, value: Json): JsonObject => {
  const dot = path.indexOf(".")
  if (dot < 0) return { ...document, [path]: value }
  const head = path.slice(0, dot)
  return { ...document, [head]: withField((document[head] ?? {}) as JsonObject, path.slice(dot + 1), value) }
}

export interface Draft {
  readonly carried: Partial<Record<Slot, Carried>>
  readonly refuse: (slot: Slot, undeliverable: string, instead?: "block") => void
  readonly put: (slot: Slot, way: Way, value: Json, note?: string) => void
  /** Whether anything is in the document. */
  readonly isFilled: () => boolean
  readonly document: () => JsonObject
}

/** `marks` are fields that the agent wants in `hookSpecificOutput` whenever there is one. */
export const makeDraft = (output: Rules["output"], marks: JsonObject): Draft => {
  const carried: Partial<Record<Slot, Carried>> = {}
  let document: JsonObject | undefined

  const refuse: Draft["refuse"] = (slot, undeliverable, instead) => {
    carried[slot] = { undeliverable, ...(instead === undefined ? {} : { instead }) }
  }

  const put = (slot: Slot, way: Way, value: Json, note?: string) => {
    if ("no" in way) refuse(slot, way.no)
    else if ("unsaid" in way) carried[slot] = { channel: `nothing to say: ${way.unsaid}` }
    else if ("exit" in way) refuse(slot, "only a block travels by exit code")
    else {
      let next = withField(document ?? {}, way.at, besides(document ?? {}, way, value))
      for (const [path, constant] of Object.entries(way.with ?? {})) next = withField(next, path, constant)
      if (Object.hasOwn(next, "hookSpecificOutput"))
        for (const [field, constant] of Object.entries(marks))
          next = withField(next, `hookSpecificOutput.${field}`, constant)
      const wrong = output === undefined ? [way.at] : mismatches(output, next)
      if (wrong.length > 0) refuse(slot, `the agent's output schema has no place for ${wrong.join(", ")}`)
      else {
        document = next
        carried[slot] = { channel: `stdout: ${way.at}`, ...(note === undefined ? {} : { note }) }
      }
    }
  }

  return { carried, refuse, put, isFilled: () => document !== undefined, document: () => document ?? {} }
}
