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
const terminal = /shell|bash|terminal|exec|console|stdin|send[_-]?keys|tmux/i

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

/** The guards read other languages too, as an interpreter is given them: which one makes no difference to them. */
const programIn = (text: string, { lang, language = lang }: JsonObject): string =>
  typeof language === "string" && shells.test(language) ? text : `python3 -c ${quoted(text)}`

const textIn = (tool: string, name: string, value: string, input: JsonObject): readonly string[] => {
  if (started.test(name)) return [value + behind(input)]
  if (code.test(name)) return [programIn(value, input)]
  return typed.test(name) && terminal.test(tool) ? [value] : []
}

const commandsIn = (tool: string, input: Json | undefined, depth = 0): readonly string[] => {
  if (typeof input !== "object" || input === null || depth > deepest) return []
  if (!isObject(input)) return (input as readonly Json[]).flatMap((one) => commandsIn(tool, one, depth + 1))
  return Object.entries(input).flatMap(([name, value]) => {
    if (typeof value === "string") return textIn(tool, name, value, input)
    if (started.test(name) && isTexts(value)) return [lineOf(name, value)]
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
