/** A tool call as a rollout of Codex has it, in the shape in which a hook is given it; and what its output tells. Pure. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { CallEnd } from "../../../events/observedFacts.ts"
import { isObject } from "../shape.ts"
import { stringAt, textOf } from "../toolCall.ts"
import { numberAt, textAt } from "../transcripts/rows.ts"
import { commandsIn, patchIn, pollIn, resultsOf, toolsIn } from "./transcriptScripts.ts"

export interface CodexCall {
  readonly name: string
  readonly input: Json
  readonly workdir?: string
  /** The process, or the script that goes on, whose output it asks for. */
  readonly polls?: string
  /** Of a script: how many commands it runs, and which tools it calls. */
  readonly commands?: number
  readonly tools?: readonly string[]
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

const nameOfProcess = (number: number): string => `process/${number}`

/** What a script comes to, where it does one thing that stands in it; several commands are one line, one below the other. */
const scripted = (code: string): CodexCall => {
  const tools = [...new Set(toolsIn(code))]
  const script = { name: "exec", input: { script: code }, tools }
  const polled = pollIn(code)
  if (polled !== undefined) return { ...script, polls: nameOfProcess(polled), commands: 1 }
  const patch = patchIn(code)
  if (patch !== undefined) return { name: "apply_patch", input: { command: patch }, tools }
  const found = commandsIn(code)
  if (found === undefined) return script
  const { commands, ...place } = found
  return { ...shellCall({ cmd: commands.join("\n"), ...place }), tools, commands: commands.length }
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
    return { name, input: args, ...(polls === undefined ? {} : { polls: nameOfProcess(polls) }) }
  }
  if (name === "wait") {
    const cell = isObject(args) ? textAt(args, "cell_id") : undefined
    return { name, input: args, ...(cell === undefined ? {} : { polls: `cell/${cell}` }) }
  }
  if (name === "exec" && typeof args === "string") return scripted(args)
  return { name: mcpName(textAt(payload, "namespace"), name), input: args }
}

export interface CodexOutput {
  readonly text: string
  readonly exitCode?: number
  /** The process, or the script, that goes on. */
  readonly running?: string
  /** The script ended with an error, whatever its commands did. */
  readonly isBroken?: true
}

const ended =
  /^(?:Chunk ID: \S+\n)?(?:Wall time: [\d.]+ seconds\n)?Process (?:exited with code (-?\d+)|running with session ID (\d+))/m
/** A heading stands at the beginning. */
const longestHeading = 300

const withoutHeading = (text: string): string => {
  const at = text.indexOf("\nOutput:\n")
  return at >= 0 && at < longestHeading ? text.slice(at + 9) : text
}

/** The texts that a script put out, each by itself. */
const textsOf = (output: Json | undefined): readonly string[] =>
  Array.isArray(output) ? output.map((one) => textOf(one)) : [textOf(output)]

const scriptState = /^Script (completed|failed|running with cell ID (\S+))\n/

/** `commands`: how many the script runs. */
const readScript = (
  texts: readonly string[],
  [, state, cell]: RegExpExecArray,
  commands: number
): CodexOutput => {
  const [head = "", ...rest] = texts
  const said = [withoutHeading(head), ...rest].filter((text) => text !== "")
  if (cell !== undefined) return { text: said.join("\n"), running: `cell/${cell}` }
  const results = resultsOf(said, commands)
  if (results !== undefined) {
    const { running, ...told } = results
    return { ...told, ...(running === undefined ? {} : { running: nameOfProcess(running) }) }
  }
  const text = said.join("\n").replace(/^Script error:\n/, "")
  return state === "failed" ? { text, isBroken: true } : { text }
}

/** Whatever the version: a heading over the text, JSON around it, content items, or text alone. */
export const readCodexOutput = (output: Json | undefined, commands = 1): CodexOutput => {
  const texts = textsOf(output)
  const script = scriptState.exec(texts[0] ?? "")
  if (script !== null) return readScript(texts, script, commands)
  const text = isObject(output) && typeof output["content"] === "string" ? output["content"] : textOf(output)
  if (/^\{"(?:output|chunk_id)":/.test(text)) {
    const whole = parsed(text)
    if (isObject(whole) && typeof whole["output"] === "string") {
      const metadata = isObject(whole["metadata"]) ? whole["metadata"] : whole
      const exitCode = numberAt(metadata, "exit_code")
      const running = numberAt(whole, "session_id")
      return {
        text: whole["output"],
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(exitCode === undefined && running !== undefined ? { running: nameOfProcess(running) } : {})
      }
    }
  }
  const state = ended.exec(text.slice(0, longestHeading))
  if (state?.[1] !== undefined) return { text: withoutHeading(text), exitCode: Number(state[1]) }
  if (state?.[2] !== undefined)
    return { text: withoutHeading(text), running: nameOfProcess(Number(state[2])) }
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
  { exitCode, isBroken, text }: CodexOutput
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
  if (isBroken === true) return "failed"
  if (name === "Bash") return failing.test(text) ? "failed" : "untold"
  return failing.test(text) ? "failed" : "ok"
}
