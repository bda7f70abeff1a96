/**
 * What a call of a tool asked for and what came back: `{"tool_input": {"command": "cat master.key"}, "tool_response": {"stdout": "…"}}`,
 * in the shapes of all agents, and in lists of messages, where an id holds the two together.
 */
import { holdsBareSecret } from "./bareSecretFiles.ts"
import { secretsPrinted } from "./printedValues.ts"
import { hints, mayBegin, type Output, outputOf } from "./printingCommands.ts"
import { secretName } from "./secretNames.ts"
import { tokenKind } from "./secretTokens.ts"

const commandKey = /^(?:command|cmd|commandLine|command_line|script|shell_command|bash_command)$/
const pathKey = /^(?:file_path|filePath|absolute_path|path|target_file|relative_path|uri|file)$/
const inputKey =
  /^(?:tool_input|toolInput|input|args|arguments|toolArgs|parameters|params|action|tool_info|rawInput|function|invocation|state)$/
const outputKey =
  /^(?:tool_response|toolResponse|tool_result|toolResult|tool_output|toolOutput|response|result|result_json|results?|output|rawOutput|stdout|content|text|aggregated_output|formatted_output|mcp_result|returnDisplay|llmContent|textResultForLlm|text_result_for_llm|functionResponse|data|file|message|postToolUse|metadata|state)$/
const idKey = /^(?:id|call_id|callId|callID|tool_use_id|toolUseId|tool_call_id|toolCallId)$/
const resultIdKey = /^(?:call_id|callId|callID|tool_use_id|toolUseId|tool_call_id|toolCallId)$/

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const longestJson = 50_000
/** Arguments as text that is JSON itself. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== "string") return value
  const first = value.charCodeAt(0)
  if ((first !== 123 && first !== 91) || value.length > longestJson) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const file: Output = { printed: "value", alone: true }
const lastPart = /[^/\\]*$/

/** What such a member asks for: a command, as a text or as a list of its words, or a file. */
const askedBy = (key: string, value: unknown): Output | undefined => {
  if (commandKey.test(key)) {
    if (typeof value === "string") return outputOf(value)
    if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined
    const [, option = "", script = ""] = value as readonly string[]
    return outputOf(value.length === 3 && /^-\w*c$/.test(option) ? script : value.join(" "))
  }
  if (typeof value !== "string" || !pathKey.test(key) || !holdsBareSecret(value)) return undefined
  return secretName(lastPart.exec(value)?.[0] ?? "") === undefined ? undefined : file
}

/** What a call asks for, by its own members or by those of its arguments. */
const askedIn = (members: Members, depth = 0): Output | undefined => {
  for (const [key, value] of Object.entries(members)) {
    const asked = askedBy(key, value)
    if (asked !== undefined) return asked
    const inner = depth < 2 && inputKey.test(key) ? parsed(value) : undefined
    const within = isObject(inner) ? askedIn(inner, depth + 1) : undefined
    if (within !== undefined) return within
  }
  return undefined
}

/** What agents write around it. */
const framing =
  /^(?:<\/?[\w-]{1,40}>|<exited with[^\n]*|(?:Process Group PGID|Exit Code|Exit code|Wall time|Command|Directory|Error|Signal|Background PIDs|Chunk ID|Process exited with code[^\n:]*|Original token count|Total output lines)(?::[^\n]*)?|Output:[ \t]*|Stdout:[ \t]*)$\n?/gim
const label = /^(?:Output|Stdout): (?=\S)/gm

const mostTexts = 500

/** The texts in what came back, with those in JSON within them, each with the text of the payload that it is in. */
const textsIn = (root: unknown): readonly (readonly [text: string, whole: string])[] => {
  const texts: (readonly [string, string])[] = []
  const queue: (readonly [value: unknown, whole: string | undefined])[] = [[root, undefined]]
  for (let next = queue.pop(); next !== undefined && texts.length < mostTexts; next = queue.pop()) {
    const [value, whole] = next
    const inner = parsed(value)
    if (typeof inner === "string") texts.push([inner, whole ?? inner])
    else if (typeof inner === "object" && inner !== null) {
      const within = typeof value === "string" ? (whole ?? value) : whole
      for (const one of Object.values(inner)) queue.push([one, within])
    }
  }
  return texts
}

/** By the text of a payload: the secrets that a command printed in it. */
export type PrintedTexts = ReadonlyMap<string, ReadonlySet<string>>

const collect = (came: unknown, output: Output, found: Map<string, Set<string>>): void => {
  for (const [text, whole] of textsIn(came)) {
    const shown = text.replace(framing, "").replace(label, "")
    secretsPrinted(shown, output, (from, to) => {
      const secrets = found.get(whole) ?? new Set()
      secrets.add(shown.slice(from, to))
      found.set(whole, secrets)
    })
  }
}

const idOf = (members: Members, key: RegExp): string | undefined => {
  for (const [name, value] of Object.entries(members))
    if (key.test(name) && typeof value === "string") return value
  return undefined
}

const outputsOf = (members: Members): readonly unknown[] =>
  Object.entries(members).flatMap(([key, value]) =>
    outputKey.test(key) && !commandKey.test(key) ? [value] : []
  )

/** The secrets that commands printed, as the calls in a payload tell; nothing where none did. */
export const printedTexts = (root: object): PrintedTexts | undefined => {
  const found = new Map<string, Set<string>>()
  const asked = new Map<string, Output>()
  const results: (readonly [id: string, members: Members])[] = []
  const seen = new Set<object>([root])
  const queue: object[] = [root]
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    for (const value of Object.values(current))
      if (typeof value === "object" && value !== null && !seen.has(value)) {
        seen.add(value)
        queue.push(value)
      }
    if (!isObject(current)) continue
    const output = askedIn(current)
    const id = idOf(current, output === undefined ? resultIdKey : idKey)
    if (output === undefined) {
      if (id !== undefined) results.push([id, current])
      continue
    }
    if (id !== undefined) asked.set(id, output)
    for (const came of outputsOf(current)) collect(came, output, found)
  }
  for (const [id, members] of results) {
    const output = asked.get(id)
    if (output !== undefined) for (const came of outputsOf(members)) collect(came, output, found)
  }
  return found.size === 0 ? undefined : found
}

/** The text with what was printed in it replaced, also where it stands in JSON within it. */
export const withoutPrinted = (
  text: string,
  printed: PrintedTexts,
  mark: (kind: string) => string
): string => {
  let after = text
  for (const secret of printed.get(text) ?? [])
    for (const written of new Set([secret, JSON.stringify(secret).slice(1, -1)]))
      after = after.replaceAll(written, mark(tokenKind(secret) ?? "secret"))
  return after
}

const opening = /\\*"\s?:\s?(\[\s?)?(\\*)"/y

/** The end of the literal from `from` on whose quotes stand behind so many backslashes. */
const literalEnd = (text: string, from: number, slashes: number): number => {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = 0
    while (text.charCodeAt(end - 1 - before) === 92) before++
    if (before <= slashes) return end - before
  }
  return text.length
}

const longestCommand = 2000

/** Whether a call in raw JSON, however often escaped, asks for what may be a secret, for a first look; `at`: behind `command`. */
export const asksForSecret = (text: string, at: number): boolean => {
  opening.lastIndex = at
  const opened = opening.exec(text)
  if (opened === null || !mayBegin(text, opening.lastIndex)) return false
  const from = opening.lastIndex
  const end =
    opened[1] === undefined ? literalEnd(text, from, opened[2]?.length ?? 0) : text.indexOf("]", from)
  const raw = text.slice(from, Math.min(end === -1 ? text.length : end, from + longestCommand))
  if (!hints(raw)) return false
  const plain = raw
    .replace(/\\+"\s?,\s?\\*"|"\s?,\s?"/g, " ")
    .replace(/\\+n/g, "\n")
    .replace(/\\+(["'/\\])/g, "$1")
  return outputOf(plain) !== undefined || outputOf(plain.replaceAll('"', "")) !== undefined
}
