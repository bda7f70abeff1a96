/** The command lines that a tool call carries, whatever kind of tool it is: a monitor, or a server's tool, starts them as a shell does. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { isObject } from "../../agents/shape.ts"
import { quoted, shellWords } from "../../state/shellWord.ts"

/** Under these names stands what is to be started; behind it, perhaps, what that is given. */
const started =
  /^(?:(?:shell|bash|sh|terminal)?[_-]?(?:commands?|cmds?|scripts?)(?:[_-]?(?:line|text|string))?|cmd[_-]?line|argv|run|exec|shell|bash|program|executable)$/i
const given = /^(?:args?|arguments|argv|params|parameters)$/i

/** A program's text; in which language, the field beside it may say. */
const code = /^(?:(?:source|program|script|python|js|javascript)?[_-]?code|source|snippet|program[_-]?text)$/i
const shells = /^(?:(?:ba|z|da|k)?sh|shell(?:script)?|terminal|console)$/i
/** What is typed into something that runs already, where the tool's name says that this is a shell. */
const typed = /^(?:input|stdin|chars|keys|text|data|line)$/i
const terminal =
  /shell|bash|terminal|exec|console|stdin|send[_-]?keys|tmux|(?:^|[^a-z])(?:i?term2?|pty|tty|ssh|zsh|repl)(?![a-z])/i

/** What is asked of a database, where the tool's name says that this is one, or the field's own. */
const statement = /^(?:sql|sql[_-]?(?:query|text|statement)|query|statements?)$/i
const database =
  /sql|postgres|maria|supabase|neon|snowflake|big_?query|clickhouse|duckdb|cockroach|(?:^|[^a-z])(?:db|pg|database)(?![a-z])/i
const named = /^(?:db|dbname|database|schema)(?:_?name)?$/i

/** By its own name a tool looks something up or writes something down, whatever its server is called. */
const onlySays =
  /(?:^|[^a-z])(?:search|find|look[_-]?up|docs?|notes?|explain|describe|comment|annotate|summari[sz]e|suggest|remember)(?![a-z])/
/** What it does first counts: `send_note` sends. */
const types = /^(?:send|write|type|run|exec|execute|eval|submit|paste|press)(?![a-z])/

const isSaying = (tool: string): boolean => {
  const own = tool
    .slice(tool.lastIndexOf("__") + (tool.includes("__") ? 2 : 1))
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
  return onlySays.test(own) && !types.test(own)
}

/** Deeper is no tool's command. */
const deepest = 6
/** Each is read by itself, up to here. */
const maxApart = 20

const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")

/** A list is one command in words; or, if its first cannot be the name of a program, several command lines. A plural may mean both. */
const lineOf = (name: string, texts: readonly string[]): string => {
  const lines = texts.join("\n")
  if (/\s/.test(texts[0] ?? "")) return lines
  return /s$/i.test(name) ? `${lines}\n${shellWords(texts)}` : shellWords(texts)
}

const behind = (input: JsonObject): string => {
  const [, words] = Object.entries(input).find(([name]) => given.test(name)) ?? []
  if (typeof words === "string") return ` ${words}`
  return isTexts(words) ? ` ${shellWords(words)}` : ""
}

const shellCell = /^\s*%%(?:ba|z|k)?(?:sh|script.*|system|sx)/
const shellLine =
  /^\s*(?:[\w.,[\]'" ]{1,80}=\s?)?(?:!{1,2}|%(?:sx|system|bash|alias\s{1,9}\w{1,40})\s)\s*([\w./~$"'\\].*)$/

/** Lines of a notebook that a shell runs, `!cmd`, `%sx cmd`, and cells that are all its own: `%%bash`, perhaps below comments. */
const shellLines = (text: string): readonly string[] => {
  const all = text.split("\n")
  const start = all.findIndex((line) => !/^\s*(?:#|$)/.test(line))
  if (shellCell.test(all[start] ?? "")) return [all.slice(start + 1).join("\n")]
  const lines = all.flatMap((line) => shellLine.exec(line)?.[1] ?? [])
  return lines.length === 0 ? [] : [lines.join("\n")]
}

/** The guards read other languages too, as an interpreter is given them: which one makes no difference to them. */
const programsIn = (text: string, { lang, language = lang }: JsonObject): readonly string[] => {
  if (typeof language === "string" && shells.test(language)) return [text]
  const isNotebook = typeof language !== "string" || /^i?python/i.test(language)
  return [`python3 -c ${quoted(text)}`, ...(isNotebook ? shellLines(text) : [])]
}

/** As a client is told it, with the name of the database where that is said. */
const asked = (text: string, input: JsonObject): string => {
  const [, where] = Object.entries(input).find(([name]) => named.test(name)) ?? []
  return `psql ${typeof where === "string" ? `-d ${quoted(where)} ` : ""}-c ${quoted(text)}`
}

const isStatement = (tool: string, name: string): boolean =>
  statement.test(name) && (/^sql/i.test(name) || (database.test(tool) && !isSaying(tool)))

const textIn = (tool: string, name: string, value: string, input: JsonObject): readonly string[] => {
  if (started.test(name)) return [value + behind(input)]
  if (code.test(name)) return programsIn(value, input)
  if (isStatement(tool, name)) return [asked(value, input)]
  return typed.test(name) && terminal.test(tool) && !isSaying(tool) ? [value] : []
}

const commandsIn = (tool: string, input: Json | undefined, depth = 0): readonly string[] => {
  if (typeof input !== "object" || input === null || depth > deepest) return []
  if (!isObject(input)) return (input as readonly Json[]).flatMap((one) => commandsIn(tool, one, depth + 1))
  return Object.entries(input).flatMap(([name, value]) => {
    if (typeof value === "string") return textIn(tool, name, value, input)
    if (started.test(name) && isTexts(value)) return [lineOf(name, value)]
    if (isTexts(value) && isStatement(tool, name)) return value.map((one) => asked(one, input))
    return commandsIn(tool, value, depth + 1)
  })
}

/** None for almost every call that is none of a shell. */
export const commandsOf = ({ command, input, kind, name }: Tool): readonly string[] => {
  if (kind === "edit") return []
  if (command !== undefined) return [command]
  const found = commandsIn(name, input).filter((one) => one !== "")
  return found.length > maxApart ? [found.join("\n")] : found
}
