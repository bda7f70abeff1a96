/** What facts and a machine's context hold, in words: whoever steps through a call reads no JSON. Pure. */
import { count, oneLine, span } from "./format.ts"

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null

/** `fromUs` and `deadlineMs` are times, `ms` as well. */
const time = /^(?:ms|us)$|(?<=[a-z])(?:Ms|Us)$/

const own: Readonly<Record<string, string>> = { ms: "took", fromUs: "started at" }

/** A field's name: its unit stands with the value. */
export const labelOf = (name: string): string =>
  (own[name] ?? name.replace(time, "")).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const timeWords = (name: string, value: number): string => {
  const ms = /us$/i.test(name) ? value / 1000 : value
  return ms < 999.95 ? `${ms.toFixed(1)} ms` : span(ms)
}

const longest = 220

/** Cut between two words, where there are any. */
const clipped = (text: string): string => {
  const line = oneLine(text)
  if (line.length <= longest) return line
  const cut = line.slice(0, longest)
  const space = cut.lastIndexOf(" ")
  return `${cut.slice(0, space > longest / 2 ? space : longest)}…`
}

const most = 8

const listed = (name: string, values: readonly unknown[]): string => {
  const shown = values.slice(0, most).map((one) => valueWords(name, one))
  const others = values.length - shown.length
  return others > 0 ? `${shown.join(", ")} and ${others} more` : shown.join(", ")
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Things that have a name are told by it, and by what is worth a word besides. */
const named = (members: Members): string | undefined => {
  const { channel, data, event, handler, intent, kind, message, name, planned, reason, spentMs, type } =
    members
  if (isMembers(planned)) {
    const spent =
      typeof spentMs === "number" && spentMs > 0 ? `, ${timeWords("ms", spentMs)} spent before` : ""
    return `${textOf(planned["handler"])}${spent}`
  }
  if (textOf(handler) !== undefined) {
    const wish = isMembers(intent) ? textOf(intent["type"]) : textOf(intent)
    if (wish !== undefined) return `${handler}: ${wish}${channel === undefined ? "" : ` → ${channel}`}`
    return reason === undefined ? textOf(handler) : `${handler} (${reason})`
  }
  if (textOf(name) !== undefined && textOf(message) !== undefined) return `${name}: ${message}`
  if (textOf(name) !== undefined && textOf(kind) !== undefined) {
    const aim = textOf(members["command"]) ?? textOf(members["path"])
    return aim === undefined ? textOf(name) : `${name} ${aim}`
  }
  if (textOf(event) !== undefined && data !== undefined) return textOf(event)
  const said = textOf(reason) ?? textOf(members["text"])
  return type === undefined || said === undefined ? textOf(type) : `${type}: ${said}`
}

/** `name` is the field that holds it. */
export const valueWords = (name: string, value: unknown): string => {
  if (value === undefined || value === null) return "none"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number")
    return time.test(name) ? timeWords(name, value) : Number.isInteger(value) ? count(value) : String(value)
  if (typeof value === "string") return value.trim() === "" ? "empty" : clipped(value)
  if (Array.isArray(value)) return value.length === 0 ? "empty" : clipped(listed(name, value))
  const members = value as Members
  const entries = Object.entries(members)
  if (entries.length === 0) return "empty"
  return clipped(
    named(members) ??
      entries
        .map(([key, one]) => `${labelOf(key)} ${valueWords(time.test(name) ? name : key, one)}`)
        .join(", ")
  )
}
