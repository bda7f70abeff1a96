/** A tool call as a rollout of Codex has it, in the shape in which a hook is given it; and what its output tells. Pure. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { CallEnd } from "../../../events/observedFacts.ts"
import { isObject } from "../shape.ts"
import { stringAt, textOf } from "../toolCall.ts"
import { numberAt, textAt } from "../transcripts/rows.ts"

export interface CodexCall {
  readonly name: string
  readonly input: Json
  readonly workdir?: string
  /** The process whose output it asks for. */
  readonly polls?: number
  /** What came could not be read as arguments. */
  readonly isUnreadable?: true
}

const shells: ReadonlySet<string> = new Set([
  "exec_command",
  "shell",
  "shell_command",
  "container.exec",
  "local_shell"
])

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** `["bash", "-lc", "npm test"]` is the command line itself. */
export const commandOf = (words: Json | undefined): string => {
  if (typeof words === "string") return words
  if (!Array.isArray(words)) return ""
  const texts = words.filter((word): word is string => typeof word === "string")
  return texts.length === 3 && /sh$/.test(texts[0] ?? "") && /^-\w*c$/.test(texts[1] ?? "")
    ? (texts[2] as string)
    : texts.join(" ")
}

const shellCall = (args: JsonObject): CodexCall => {
  const workdir = textAt(args, "workdir")
  return {
    name: "Bash",
    input: { command: commandOf(args["cmd"] ?? args["command"]) },
    ...(workdir === undefined ? {} : { workdir })
  }
}

/** A string literal of JavaScript with double quotes is one of JSON, or nearly. */
const literalAfter = (code: string, before: RegExp): string | undefined => {
  const found = before.exec(code)
  if (found === null) return undefined
  const rest = code.slice(found.index + found[0].length)
  const literal = /^"(?:[^"\\\n]|\\.)*"/.exec(rest)?.[0]
  const value = literal === undefined ? undefined : parsed(literal)
  return typeof value === "string" ? value : undefined
}

/** A script that does nothing but call one tool is that call. */
const scripted = (code: string): CodexCall | undefined => {
  const tools = code.match(/\btools\.\w+/g) ?? []
  if (tools.length !== 1) return undefined
  if (tools[0] === "tools.exec_command") {
    const cmd = literalAfter(code, /\bcmd\s*:\s*/)
    const workdir = literalAfter(code, /\bworkdir\s*:\s*/)
    return cmd === undefined ? undefined : shellCall({ cmd, ...(workdir === undefined ? {} : { workdir }) })
  }
  if (tools[0] !== "tools.apply_patch") return undefined
  const patch = literalAfter(code, /\btools\.apply_patch\(\s*/) ?? literalAfter(code, /\bpatch\s*=\s*/)
  return patch === undefined ? undefined : { name: "apply_patch", input: { command: patch } }
}

const mcpName = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}__${name.replace(/^_+/, "")}`

/** `payload`: of a `function_call`, a `custom_tool_call` or a `local_shell_call`. */
export const readCodexCall = (payload: JsonObject): CodexCall => {
  const name = textAt(payload, "name") ?? (payload["type"] === "local_shell_call" ? "local_shell" : "")
  const text = textAt(payload, "arguments")
  const args = text === undefined ? (payload["input"] ?? payload["action"] ?? null) : parsed(text)
  if (args === undefined) return { name, input: text ?? null, isUnreadable: true }
  if (shells.has(name))
    return isObject(args) ? shellCall(args) : { name: "Bash", input: { command: commandOf(args) } }
  if (name === "apply_patch") {
    const patch = typeof args === "string" ? args : (stringAt(args, "input") ?? stringAt(args, "patch") ?? "")
    return { name, input: { command: patch } }
  }
  if (name === "write_stdin") {
    const polls = isObject(args) ? numberAt(args, "session_id") : undefined
    return { name, input: args, ...(polls === undefined ? {} : { polls }) }
  }
  if (name === "exec" && typeof args === "string") return scripted(args) ?? { name, input: { script: args } }
  return { name: mcpName(textAt(payload, "namespace"), name), input: args }
}

export interface CodexOutput {
  readonly text: string
  readonly exitCode?: number
  /** The number of the process that goes on. */
  readonly running?: number
}

const ended =
  /^(?:Chunk ID: \S+\n)?(?:Wall time: [\d.]+ seconds\n)?Process (?:exited with code (-?\d+)|running with session ID (\d+))/m
/** A heading stands at the beginning. */
const longestHeading = 300

const withoutHeading = (text: string): string => {
  const at = text.indexOf("\nOutput:\n")
  return at >= 0 && at < longestHeading ? text.slice(at + 9) : text
}

/** Whatever the version: a heading over the text, JSON around it, content items, or text alone. */
export const readCodexOutput = (output: Json | undefined): CodexOutput => {
  let text = isObject(output) && typeof output["content"] === "string" ? output["content"] : textOf(output)
  if (text.startsWith("Script ")) text = withoutHeading(text)
  if (/^\{"(?:output|chunk_id)":/.test(text)) {
    const whole = parsed(text)
    if (isObject(whole) && typeof whole["output"] === "string") {
      const metadata = isObject(whole["metadata"]) ? whole["metadata"] : whole
      const exitCode = numberAt(metadata, "exit_code")
      const running = numberAt(whole, "session_id")
      return {
        text: whole["output"],
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(exitCode === undefined && running !== undefined ? { running } : {})
      }
    }
  }
  const state = ended.exec(text.slice(0, longestHeading))
  if (state?.[1] !== undefined) return { text: withoutHeading(text), exitCode: Number(state[1]) }
  if (state?.[2] !== undefined) return { text: withoutHeading(text), running: Number(state[2]) }
  const plain = /^Exit code: (-?\d+)/m.exec(text.slice(0, 60))
  if (plain !== null) return { text: withoutHeading(text), exitCode: Number(plain[1]) }
  return { text: withoutHeading(text) }
}

const refused =
  /^(?:exec_command failed|write_stdin failed|Rejected\b|rejected by user|Command blocked by PreToolUse hook|Tool call blocked by PreToolUse hook)/i
const stopped = /^(?:aborted by user|command was aborted|turn aborted)/i
const failing = /^(?:failed\b|error\b|unable\b|execution error|tool call error|err:)/i

/** How a call ended, by what is known of it. */
export const codexEnd = (
  { isUnreadable, name }: Pick<CodexCall, "isUnreadable" | "name">,
  { exitCode, text }: CodexOutput
): CallEnd => {
  if (isUnreadable === true || text.startsWith("failed to parse function arguments")) return "rejected"
  if (stopped.test(text)) return "stopped"
  if (/^(?:Command|Tool call) blocked by PreToolUse hook/.test(text)) return "denied"
  if (refused.test(text)) return name === "Bash" || name === "apply_patch" ? "rejected" : "failed"
  if (name === "apply_patch") {
    if (exitCode !== undefined) return exitCode === 0 ? "ok" : "rejected"
    return text.startsWith("Success") ? "ok" : text === "{}" || text === "" ? "untold" : "rejected"
  }
  if (exitCode !== undefined) return exitCode === 0 ? "ok" : "failed"
  if (name === "Bash") return failing.test(text) ? "failed" : "untold"
  return failing.test(text) ? "failed" : "ok"
}
