/**
 * Newer versions of Codex give their model one tool, `exec`, that runs JavaScript, and the others only within it: which of them a script calls,
 * and what their results say, as far as the script and its output tell. Nothing of it is run. Pure.
 */
import type { Json, JsonObject } from "../../../events/intents.ts"
import { isObject } from "../shape.ts"
import { numberAt, textAt } from "../transcripts/rows.ts"

export interface ScriptedCommands {
  readonly commands: readonly string[]
  readonly workdir?: string
}

/** A row may hold megabytes; what a model writes to run commands does not. */
const longestScript = 500_000
/** Each is looked for in all of the script. */
const mostCommands = 100

/** What a script calls, each as often as it stands there. */
export const toolsIn = (code: string): readonly string[] =>
  [...code.matchAll(/\btools\.(\w+)/g)].map(([, name = ""]) => name)

const escaped: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "0": "\0",
  "\n": ""
}

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, unicode?: string, hex?: string, char = "") => {
      const code = unicode ?? hex
      return code === undefined ? (escaped[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16))
    }
  )

const literals = /^(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|`((?:[^`\\]|\\[\s\S])*)`)/

const between = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/
/** With these an expression goes on, on the next line as well. */
const goesOn = new Set("+-*/%.?|&=<>[(`")

/** Whether nothing is put to a text, by what stands behind it. */
const isAll = (rest: string): boolean => {
  const [space = ""] = between.exec(rest) ?? []
  const next = rest[space.length]
  return next === undefined || ",;)}]".includes(next) || (space.includes("\n") && !goesOn.has(next))
}

/** A text that stands in the script; one that is put together as it runs is not known. */
const literalAt = (code: string): string | undefined => {
  const [whole = "", double, single, template] = literals.exec(code) ?? []
  if (template !== undefined && /(?<!\\)\$\{/.test(template)) return undefined
  const text = double ?? single ?? template
  return text === undefined || !isAll(code.slice(whole.length)) ? undefined : unescaped(text)
}

const isSetAgain = (code: string, name: string): boolean =>
  (code.match(new RegExp(`\\b${name}\\s*\\+?=(?![=>])`, "g")) ?? []).length > 1

const constantIn = (code: string, name: string): string | undefined => {
  const found = new RegExp(`\\b(const|let|var)\\s+${name}\\s*=\\s*`).exec(code)
  if (found === null || (found[1] !== "const" && isSetAgain(code, name))) return undefined
  return literalAt(code.slice(found.index + found[0].length))
}

/** Itself, or the constant that is named. */
const valueAt = (code: string, rest: string): string | undefined => {
  const [name] = /^[A-Za-z_]\w*\b(?!\s*[.([+])/.exec(rest) ?? []
  return name === undefined ? literalAt(rest) : constantIn(code, name)
}

const fieldIn = (code: string, call: string, field: string): string | undefined => {
  const found = new RegExp(`[{,\\s]["']?${field}["']?\\s*(?::\\s*|(?=[,}]))`).exec(call)
  if (found === null) return undefined
  return found[0].trimEnd().endsWith(":")
    ? valueAt(code, call.slice(found.index + found[0].length))
    : constantIn(code, field)
}

/** From the name of a tool to the next one. */
const callsOf = (code: string): readonly string[] => code.split(/\btools\.\w+/).slice(1)

/** Where all that a script calls are commands that stand in it. */
export const commandsIn = (code: string): ScriptedCommands | undefined => {
  const tools = toolsIn(code)
  if (code.length > longestScript || tools.length > mostCommands) return undefined
  if (tools.length === 0 || tools.some((name) => name !== "exec_command")) return undefined
  const calls = callsOf(code)
  const commands = calls.flatMap((call) => fieldIn(code, call, "cmd") ?? [])
  if (commands.length < calls.length) return undefined
  const [workdir, ...others] = new Set(calls.map((call) => fieldIn(code, call, "workdir")))
  return { commands, ...(workdir === undefined || others.length > 0 ? {} : { workdir }) }
}

/** Where it does nothing but apply a patch. */
export const patchIn = (code: string): string | undefined => {
  const [tool, ...others] = toolsIn(code)
  if (tool !== "apply_patch" || others.length > 0 || code.length > longestScript) return undefined
  const [call = ""] = callsOf(code)
  return valueAt(code, call.replace(/^\(\s*/, ""))
}

/** Where it does nothing but ask for the output of a process: its number. */
export const pollIn = (code: string): number | undefined => {
  const [tool, ...others] = toolsIn(code)
  if (tool !== "write_stdin" || others.length > 0) return undefined
  const [, digits] = /["']?\bsession_id["']?\s*:\s*(\d+)/.exec(code) ?? []
  return digits === undefined ? undefined : Number(digits)
}

interface CommandResult {
  readonly output: string
  readonly exitCode: number | undefined
  readonly running: number | undefined
}

const resultOf = (value: JsonObject): CommandResult | undefined => {
  const output = textAt(value, "output")
  const exitCode = numberAt(value, "exit_code")
  const running = numberAt(value, "session_id")
  if (output === undefined || (exitCode === undefined && running === undefined)) return undefined
  return { output, exitCode, running: exitCode === undefined ? running : undefined }
}

/** So deep a script puts the results of its commands at most. */
const maxDepth = 4

const resultsIn = (value: Json, depth = 0): readonly CommandResult[] => {
  if (depth > maxDepth || typeof value !== "object" || value === null) return []
  const own = isObject(value) ? resultOf(value) : undefined
  if (own !== undefined) return [own]
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((one) =>
    resultsIn(one as Json, depth + 1)
  )
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** `texts`: each that the script put out. Undefined unless every command has told how it ended, or goes on. */
export const resultsOf = (
  texts: readonly string[],
  commands: number
): { readonly text: string; readonly exitCode?: number; readonly running?: number } | undefined => {
  const results = texts.flatMap((text) => resultsIn(parsed(text)))
  const [first] = results
  if (first === undefined || results.length !== commands) return undefined
  const text = results.map(({ output }) => output).join("\n")
  if (results.some(({ exitCode }) => exitCode === undefined))
    return { text, ...(commands === 1 && first.running !== undefined ? { running: first.running } : {}) }
  return { text, exitCode: results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0 }
}
