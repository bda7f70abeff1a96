/** What a command reads from standard input or from `<(…)`, where the line itself says it. */
import type { Call } from "./Call.ts"
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { filtered } from "./filters.ts"
import { formatted, unescaped } from "./formatted.ts"
import { generatedSql, sqlClients } from "./packs/sql.ts"
import { parse } from "./parse.ts"
import { absolute } from "./paths.ts"
import {
  type Pipeline,
  passOver,
  plainText,
  type Redirect,
  type Script,
  type Stage,
  unknown,
  type Word
} from "./script.ts"
import { copyOf, type ShellState, valuesOf } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

/** A text that goes through more commands than these is not followed. */
const maxStages = 30
/** Text within text within text, beyond this, is not followed. */
const maxDepth = 10
/** Each stage that is looked at costs the walk so much. */
const costOfLook = 20

/** As long as a command may be. */
const longestDecoded = 131_072

const decodes = ([option = ""]: readonly string[]): boolean => /^-\w*[dD]\w*$|^--decode$/.test(option)

const decoded = (text: string): string | undefined => {
  const plain = text.replaceAll(/\s/g, "")
  if (!/^[\w+/]+=*$/.test(plain) || plain.length > longestDecoded) return undefined
  return Buffer.from(plain, "base64").toString("utf8")
}

/** What comes out of a command that the text is piped into: the text itself, or what it stands for. */
const passed = (text: string, { words }: Stage, state: ShellState): string | undefined => {
  const { name = "", args = [] } = unwrap(argumentsOf(words, state), state.budget) ?? {}
  const texts = args.map(first)
  if (name === "base64") return decodes(texts) ? decoded(text) : undefined
  if (name === "tee") return text
  if (name === "cat") return texts.every((one) => one.startsWith("-")) ? text : undefined
  // A client prints what comes of a query: statements to be run, perhaps.
  if (sqlClients.has(name)) return generatedSql(text)
  state.budget.left -= text.length
  return filtered(name, texts, text)
}

const cat: Word = [{ kind: "text", text: "cat", quoted: false }]

/** What several commands in brackets are given is as if it were piped into them. */
export const givenTo = (redirects: readonly Redirect[]): Pipeline | undefined => {
  const given = redirects.filter(({ operator }) => operator.startsWith("<") && operator !== "<&")
  return given.length === 0 ? undefined : [{ assigns: [], words: [cat], redirects: given }]
}

/** What this command line wrote into a file. */
export const writtenText = (file: string, state: ShellState): string | undefined => {
  const path = state.written.size === 0 ? undefined : absolute(file, state)
  return path === undefined ? undefined : state.written.get(path)
}

export const fileOrWritten = (target: Word, state: ShellState): string | undefined =>
  fileText(target, state) ?? writtenText(expand(target, state)[0] ?? "", state)

/** What a shell is told behind `-c`. */
const toldToShell = (name: string, words: readonly string[]): string | undefined =>
  /^(?:ba|da|z|k)?sh$/.test(name) && /^-\w*c$/.test(words[0] ?? "") ? words[1] : undefined

/** Where a program lies: as good as its name. */
const locatedBy = ([name, option, ...more]: readonly string[]): string | undefined => {
  if (name === "which") return option?.startsWith("-") ? more[0] : option
  if (name === "command") return option === "-v" ? more[0] : undefined
  return name === "type" && /^-[pP]$/.test(option ?? "") ? more[0] : undefined
}

const printedBy = (stage: Stage, state: ShellState): string | undefined => {
  if (stage.inner !== undefined) return stage.defines === undefined ? textOf(stage.inner, state) : undefined
  const heredoc = stage.redirects.find(({ operator }) => operator.startsWith("<<"))
  if (heredoc !== undefined) return passed(expand(heredoc.target, state)[0] ?? "", stage, state)
  const given = argumentsOf(stage.words, state)
  const located = locatedBy(given.map(first))
  if (located !== undefined) return located
  const { name = "", args = [] } = unwrap(given, state.budget) ?? {}
  const words = args.map(first)
  if (name === "cat") {
    const read = stage.redirects.find(({ operator }) => operator === "<")
    const known = words.filter((word) => !word.startsWith("-")).map((word) => writtenText(word, state))
    if (read !== undefined) known.push(fileOrWritten(read.target, state))
    return known.length === 0 || known.includes(undefined) ? undefined : known.join("\n")
  }
  if (name === "echo") {
    const text = words.filter((word) => !/^-[neE]+$/.test(word)).join(" ")
    return words.some((word) => /^-n?e/.test(word)) ? unescaped(text, "\n") : text
  }
  // It reads nothing then: what it prints stands in its filter.
  if (name === "jq" && words.some((word) => /^-\w*n|^--null-input/.test(word)))
    return filtered("jq", words, "null")
  if (sqlClients.has(name)) return generatedSql(words.join("\n"))
  const told = name === "eval" ? words.join(" ") : toldToShell(name, words)
  if (told !== undefined) return textOf(parse(told, state.budget), copyOf(state, { depth: state.depth + 1 }))
  if (name === "printenv" && words.length === 1) return valuesOf(state, words[0] as string)?.[0]
  return name === "printf" && words[0] !== "-v" ? printedByFormat(words) : undefined
}

/**
 * Where its format cannot be read, all that is in it, for some of that will be printed. The same beside what is printed where a part of
 * that may be a comment: not every shell makes of a format what we make of it, and what we take for a comment nobody judges.
 */
const printedByFormat = (words: readonly string[]): string => {
  const text = formatted(words[0] === "--" ? words.slice(1) : words, "\n")
  const all = unescaped(words.join(" ").replace(/^(?:%[sb](?:\\n)?)+ /, ""), "\n")
  if (text === unknown) return all
  return text.includes("#") && text.trimEnd() !== all ? `${text}\n${all}` : text
}

export const pipedText = (pipeline: Pipeline, state: ShellState): string | undefined => {
  const [source, ...further] = pipeline
  state.budget.left -= costOfLook * pipeline.length
  if (source === undefined || state.budget.left < 0) return undefined
  if (further.length > maxStages) return passOver(state.budget)
  let text = printedBy(source, state)
  for (const stage of further)
    text = stage.inner === undefined ? passedBy(text, stage, state) : grouped(text, stage, state)
  return text
}

const passedBy = (text: string | undefined, stage: Stage, state: ShellState): string | undefined =>
  text === undefined ? undefined : passed(text, stage, state)

/** `… | { cat; echo more; } | …`: what is given may go through, and more is put to it. */
const grouped = (text: string | undefined, { inner = [] }: Stage, state: ShellState): string | undefined => {
  const known = [text, textOf(inner, state)].filter((one) => one !== undefined)
  return known.length === 0 ? undefined : known.join("\n")
}

/** All that these commands print, as far as it is known: a shell runs every line of it. */
export const textOf = (script: Script, state: ShellState): string | undefined => {
  if (state.depth > maxDepth) return passOver(state.budget)
  const texts = script.flatMap((pipeline) => pipedText(pipeline, state) ?? [])
  return texts.length === 0 ? undefined : texts.join("\n")
}

/** What stands in the file of `<(…)`. */
export const fileText = (word: Word, state: ShellState): string | undefined => {
  const [part, another] = word
  return part?.kind === "output" && part.file === true && another === undefined
    ? textOf(part.script, state)
    : undefined
}

export const standardInput = ({ redirects, state, upstream }: Call): string | undefined => {
  const given = redirects.find(({ operator }) => operator.startsWith("<<"))
  if (given) return expand(given.target, state)[0]
  const file = redirects.find(({ operator }) => operator === "<")
  if (file === undefined) return pipedText(upstream, state)
  return fileOrWritten(file.target, state)
}

/** What `xargs` is given to hand on: from standard input, or behind `-a`. */
export const handedText = (call: Call): string | undefined => {
  const { state, words = [] } = call
  const at = words.findIndex((word) => /^(?:-\w*a|--arg-file)$/.test(plainText(word) ?? ""))
  const file = at < 0 ? undefined : words[at + 1]
  return file === undefined ? standardInput(call) : fileOrWritten(file, state)
}

const isInput = (text: string): boolean => /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(text)

/** The text of the script that a shell is given as a file, where that is what it reads or `<(…)`. */
export const scriptText = (call: Call, given: Argument | undefined): string | undefined => {
  if (given === undefined || isInput(first(given))) return standardInput(call)
  return fileText(given.word, call.state) ?? writtenText(first(given), call.state)
}
