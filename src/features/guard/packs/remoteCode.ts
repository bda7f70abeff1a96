/** Packs `remote-code` and `hidden-code`: what is fetched or decoded and run at once, so that nobody has read it. */
import { type Call, type Rule, textsOf } from "../Call.ts"
import { type Argument, argumentsOf, expand, first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import { type Pipeline, type Script, unknown, type Word } from "../script.ts"
import { type Origin, type ShellState, setOrigin } from "../shellState.ts"
import { unwrap } from "../unwrap.ts"
import { isDownloaded, rememberDownload } from "./downloads.ts"
import { holdsEveryProcess } from "./everyProcess.ts"
import { givesCode, operandAt, runsWhatItIsGiven } from "./interpreterWords.ts"
import { fetchers, localhost, originOfCommand } from "./unreadSources.ts"

const shells = new Set("sh bash zsh dash ksh mksh ash fish csh tcsh source . eval exec".split(" "))
const interpreter =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|ruby|perl|php|lua|tclsh|osascript|pwsh|powershell|iex|invoke-expression|Rscript|julia)$/
/** `read`: what it prints is read as code, so that what a variable holds counts too. */
export const originOf = (pipeline: Pipeline, state: ShellState, read = true): Origin | undefined => {
  let origin: Origin | undefined
  for (const { inner, words } of pipeline) {
    state.budget.left -= 4 + words.length
    if (state.budget.left < 0) return undefined
    if (inner !== undefined) origin = originOfScript(inner, state, read) ?? origin
    const command = unwrap(argumentsOf(words, state), state.budget)
    if (command === undefined) continue
    origin = originOfCommand(command.name, textsOf(command.args)) ?? origin
    const [only, another] =
      read && /^(?:echo|printf)$/.test(command.name)
        ? command.args.filter((arg) => !/^-[neE]+$|^%[sb](?:\\n)?$/.test(first(arg)))
        : []
    if (only !== undefined && another === undefined) origin = originOfVariable(only.word, state) ?? origin
  }
  return origin
}

const originOfScript = (script: Script, state: ShellState, read: boolean): Origin | undefined => {
  for (const pipeline of script) {
    const found = originOf(pipeline, state, read)
    if (found) return found
  }
  return undefined
}

const originOfWord = (word: Word, state: ShellState): Origin | undefined => {
  for (const part of word) {
    const found = part.kind === "output" ? originOfScript(part.script, state, part.file === true) : undefined
    if (found) return found
  }
  return undefined
}

/** Remembers of a variable what it was given: what was fetched, or anything else in its place. */
export const followOrigin = (name: string, words: readonly Word[], state: ShellState): void => {
  let origin: Origin | undefined
  for (let at = 0; at < words.length && origin === undefined; at++) {
    const word = words[at] as Word
    const ids = holdsEveryProcess(word, state) ? "every-process" : undefined
    origin = originOfWord(word, state) ?? originOfVariable(word, state) ?? ids
  }
  setOrigin(state, name, origin)
}

/** Of a word that is a variable and nothing else: where more stands beside it, it is data in somebody's own text. */
const originOfVariable = (word: Word, state: ShellState): Origin | undefined => {
  if (state.origins.size === 0) return undefined
  const [part, another] = word.filter((one) => one.kind !== "text" || one.text !== "")
  return part?.kind === "variable" && another === undefined ? state.origins.get(part.name) : undefined
}

/** Of the command itself, where that is what a variable holds: `$x`, `sudo $x`. */
const originOfHead = ({ state, words = [] }: Call): Origin | undefined => {
  if (state.origins.size === 0) return undefined
  const head = words.find((word) => expand(word, state)[0]?.includes(unknown))
  return head === undefined ? undefined : originOfVariable(head, state)
}

/** The words that these take for code, not for what the code is given. */
const codeOf = (call: Call): readonly Word[] => {
  const { args, name, redirects } = call
  const read = redirects.filter(({ operator }) => operator.startsWith("<")).map(({ target }) => target)
  if (name === "eval") return [...read, ...args.slice(0, 1).map(({ word }) => word)]
  const option = args
    .slice(0, operandAt(call))
    .findIndex((arg) => /^-(?:-?eval|-?print|[a-zA-Z]*[ceEr])$/.test(first(arg)))
  const code = option < 0 ? undefined : args[option + 1]
  if (code === undefined) return read
  if (runsWhatItIsGiven(call)) return [...args.slice(option + 1).map(({ word }) => word), ...read]
  // What is read besides is data, unless the option only names what is loaded first.
  return isLoading(name, first(args[option] as Argument)) ? [code.word, ...read] : [code.word]
}

const isLoading = (name: string, option: string): boolean => name !== "php" && option.endsWith("r")

/** The words of a call that are code, or name it, as far as its options say so: what a script is given is not. */
const codeWords = (call: Call): readonly Word[] => {
  const { args, name, redirects } = call
  const read = redirects.map(({ target }) => target)
  const all = args.map(({ word }) => word)
  if (!/^(?:(?:ba|z|da|k|mk|a|fi|c|tc)?sh|python[\d.]*|pypy3?|node|nodejs|ruby|perl|php)$/.test(name))
    return [...all, ...read]
  if (runsWhatItIsGiven(call)) return [...all, ...read]
  const at = operandAt(call)
  // Behind the end of the options stands the script.
  const end = /^--?$/.test(first(args[at] ?? nothing)) ? at + 2 : at + 1
  return readsCode(call) ? [...all.slice(0, end), ...read] : all.slice(0, end)
}

const nothing: Argument = { values: [""], word: [] }

type CodeOrigin = Exclude<Origin, "every-process">

const ruleOf = (origin: CodeOrigin) => (origin === "unread-lines" ? "hidden-code" : origin)

const doing: Readonly<Record<CodeOrigin, string>> = {
  "remote-code": "what was fetched from the network, unread",
  "hidden-code": "what was decoded on the way, so that nobody can read it",
  "unread-lines": "each line of what it is given, which nobody has looked at"
}

const said = (origin: CodeOrigin, name: string): Verdict => ({
  rule: ruleOf(origin),
  reason: `\`${name}\` runs ${doing[origin]}.`
})

/** Code that is given leaves standard input to be data. */
const readsCode = (call: Call): boolean => {
  const { args, fed, name } = call
  const texts = textsOf(args)
  // `xargs sh -c` gives what it reads as the code.
  if (fed && /^-\w*[ce]$/.test(texts[0] ?? "") && /^(?:|\{\}|%)$/.test(texts[1] ?? "")) return true
  if (name === "xargs" || name === "iex" || name === "invoke-expression") return true
  const at = operandAt(call)
  const own = texts.slice(0, at)
  if (runsWhatItIsGiven(call)) return true
  if (own.some((text) => givesCode.test(text) && !isLoading(name, text))) return false
  const script = texts[at]
  return (
    script === undefined ||
    script === "-" ||
    /^\/dev\/(?:stdin|fd\/\d+)$/.test(script) ||
    texts.includes("-s") ||
    texts.includes("--")
  )
}

const invokes = String.raw`\b(?:iex|invoke-expression)\b`
const loads = String.raw`(?:\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\b|downloadstring)`
/** PowerShell that runs what it loads. */
const fetchesAndRuns = new RegExp(`${invokes}.{0,200}${loads}|${loads}.{0,300}\\|\\s*${invokes}`, "is")

/** Of the words of an interpreter, those that it runs: its script, and what it loads first. The rest is data for it. */
const scriptsOf = ({ args, name }: Call): readonly Argument[] => {
  if (!interpreter.test(name.toLowerCase())) return args
  const texts = textsOf(args)
  const script = texts.findIndex((text) => !text.startsWith("-"))
  const isRun = /^(?:run|exec|eval)$/.test(texts[script] ?? "")
  return args.filter(
    (_, at) =>
      at === script ||
      (isRun && at > script) ||
      /^(?:-r|--require|--import|--loader|--experimental-loader|-f|-S|-I)$/.test(texts[at - 1] ?? "")
  )
}

/** They print data as it is, without being told to. */
const printers = /^(?:yq|tomlq|xq|dasel|pbpaste|xclip|xsel|wl-paste|sqlite3|psql|mysql|mariadb|redis-cli)$/

/** `jq -r .run data.json | sh`, `git show HEAD:x | sh`: data that is run. */
const isPickedOut = (upstream: Pipeline, state: ShellState): boolean => {
  const { args = [], name = "" } =
    unwrap(argumentsOf(upstream.at(-1)?.words ?? [], state), state.budget) ?? {}
  const texts = textsOf(args)
  if (printers.test(name)) return true
  if (name === "git") return texts.some((text) => /^(?:show|cat-file|log)$/.test(text))
  return /^(?:jq|gojq)$/.test(name) && texts.some((text) => /^-\w*r|^--raw/.test(text))
}

/** The script of `"$(…)"` or `<(…)` that stands alone in a word. */
const printedIn = (word: Word | undefined): Script | undefined => {
  const [part, another] = word?.filter((one) => one.kind !== "text" || one.text !== "") ?? []
  return part?.kind === "output" && another === undefined ? part.script : undefined
}

/** `bash -c "$(git show HEAD:x)"`, `source <(yq .x f)`: where code is given, what is read besides is data. */
const runsPickedOut = (call: Call): boolean => {
  const { args, name, redirects, state } = call
  const option = args
    .slice(0, operandAt(call))
    .findIndex((arg) => /^-(?:-?eval|[a-zA-Z]*[ce])$/.test(first(arg)))
  const script = args.find((arg) => !first(arg).startsWith("-"))
  const read = redirects.filter(({ operator }) => operator.startsWith("<"))
  const code =
    name === "eval" || name === "source" || name === "."
      ? [args[0]?.word]
      : option >= 0
        ? [args[option + 1]?.word]
        : script === undefined
          ? read.map(({ target }) => target)
          : [script.word]
  return code.some((word) => {
    const [pipeline, another] = printedIn(word) ?? []
    return pipeline !== undefined && another === undefined && isPickedOut(pipeline, state)
  })
}

export const remoteCode: Rule = (call) => {
  const { args, name, redirects, state, upstream, words = [] } = call
  const isOff = (rule: string): boolean => state.place.off?.includes(rule) === true
  const answer = (origin: Origin | undefined): Verdict | undefined =>
    origin === undefined || origin === "every-process" || isOff(ruleOf(origin))
      ? undefined
      : said(origin, name === "" || /\uffff/.test(name) ? "$(…)" : name)
  if (fetchers.has(name)) rememberDownload(call)
  if (
    state.fetched.size > 0 &&
    (name === "tar" ||
      isDownloaded(words[0] === undefined ? "" : (expand(words[0], state)[0] ?? ""), call) ||
      (call.path !== undefined && isDownloaded(call.path, call)))
  ) {
    if (name !== "tar") return answer("remote-code")
  }
  // What stands at the place of a command is one.
  const path = call.path ?? ""
  if (/^(?:https?:|git\+|github:|gist:)/.test(path) && name !== path && !localhost.test(path))
    return answer("remote-code")
  // Who reads code from a descriptor that was opened elsewhere reads what nobody sees here.
  if (
    shells.has(name) &&
    args.length === 0 &&
    redirects.some(({ operator, target }) => operator === "<&" && expand(target, state)[0] !== "0")
  )
    return answer("unread-lines")
  const head = words[0]?.[0]?.kind === "output" ? originOfWord(words[0], state) : undefined
  if (head) return answer(head)
  const held = /\uffff/.test(name) ? originOfHead(call) : undefined
  if (held) return answer(held)
  if (!shells.has(name) && !interpreter.test(name.toLowerCase())) {
    const [target] = args
    const isPackage =
      /^(?:npx|bunx|pnpx|uvx|pipx)$/.test(name) &&
      args.some((arg) => /^(?:https?:|git\+|git@|github:|gist:)/.test(first(arg)))
    return isPackage && target !== undefined ? answer("remote-code") : undefined
  }
  for (const word of codeWords(call)) {
    const found = answer(originOfWord(word, state))
    if (found) return found
  }
  for (const word of codeOf(call)) {
    const found = answer(originOfVariable(word, state))
    if (found) return found
  }
  if (scriptsOf(call).some((arg) => isDownloaded(first(arg), call))) return answer("remote-code")
  if (/^(?:pwsh|powershell)(?:\.exe)?$/i.test(name) && fetchesAndRuns.test(textsOf(args).join(" ")))
    return answer("remote-code")
  if (name === "deno" && args.some((arg) => /^https?:\/\//.test(first(arg)))) return answer("remote-code")
  if (runsPickedOut(call)) return answer("unread-lines")
  if (upstream.length === 0 || !readsCode(call)) return undefined
  return answer(originOf(upstream, state) ?? (isPickedOut(upstream, state) ? "unread-lines" : undefined))
}
