/** What a transcript holds, within bounds: outputs and files may be megabytes. What went wrong stands near one of the ends. Pure. */
import type { Json } from "../../../events/intents.ts"

/** Characters of one text; of an answer, which only has to be understood, less. */
export const longestInput = 65_536
export const longestText = 16_384

const marked = (left: number): string => `\n… [${left} characters left out] …\n`

export interface Clipped<A> {
  readonly value: A
  /** Characters that were left out. */
  readonly omitted: number
}

export const clipText = (text: string, most = longestText): Clipped<string> => {
  if (text.length <= most) return { value: text, omitted: 0 }
  const head = Math.floor(most / 3)
  const tail = most - head
  const omitted = text.length - head - tail
  return { value: text.slice(0, head) + marked(omitted) + text.slice(-tail), omitted }
}

/** Fields that repeat a whole file beside the change. */
const bulky: ReadonlySet<string> = new Set(["originalFile", "originalContent", "base64"])
const deepest = 12
const maxMembers = 2000

/** Every text in it is cut, and what is nested too deep is left out. */
export const clipJson = (value: Json, most = longestText): Clipped<Json> => {
  let omitted = 0
  let members = 0
  const clip = (one: Json, depth: number): Json => {
    if (typeof one === "string") {
      const text = clipText(one, most)
      omitted += text.omitted
      return text.value
    }
    if (typeof one !== "object" || one === null) return one
    if (depth > deepest || members > maxMembers) {
      omitted += 1
      return null
    }
    if (Array.isArray(one)) {
      members += one.length
      return one.map((item) => clip(item, depth + 1))
    }
    const entries = Object.entries(one)
    members += entries.length
    return Object.fromEntries(
      entries.flatMap(([name, item]): readonly (readonly [string, Json])[] => {
        if (typeof item === "string" && bulky.has(name) && item.length > 1000) {
          omitted += item.length
          return []
        }
        return [[name, clip(item, depth + 1)]]
      })
    )
  }
  return { value: clip(value, 0), omitted }
}
