/** Packs `remote-code` and `hidden-code`: what is fetched or decoded and run at once, so that nobody has read it. */
import { type Call, type Rule, textsOf } from "../Call.ts"
import { type Argument, argumentsOf, expand, first } from "../expand.ts"
import { absolute } from "../paths.ts"
import type { Verdict } from "../rule.ts"
import type { Pipeline, Script, Word } from "../script.ts"
import type { ShellState } from "../shellState.ts"
import { unwrap } from "../unwrap.ts"

const fetchers = new Set(
  "curl wget fetch aria2c http https xh lwp-download lwp-request lynx nc ncat iwr irm invoke-webrequest invoke-restmethod".split(
    " "
  )
)
const shells = new Set("sh bash zsh dash ksh mksh ash fish csh tcsh source . eval exec".split(" "))
const interpreter =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|ruby|perl|php|lua|tclsh|osascript|pwsh|powershell|iex|invoke-expression|Rscript|julia)$/
const localhost = /^(?:https?:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[::1\])/

type Origin = "remote-code" | "hidden-code"

const originOfCommand = (name: string, texts: readonly string[]): Origin | undefined => {
  if (fetchers.has(name.toLowerCase()))
    return texts.some((text) => localhost.test(text)) ? undefined : "remote-code"
  const all = ` ${texts.join(" ").slice(0, 500)} `
  switch (name) {
    case "base64":
    case "base32":
    case "basenc":
      return / (?:-\w*[dD]\w*|--decode) /.test(all) ? "hidden-code" : undefined
    case "xxd":
      return / -\w*r/.test(all) ? "hidden-code" : undefined
    case "openssl":
      return / -(?:d|base64) .*-d |^ (?:enc|base64) .*-d /.test(all) ? "hidden-code" : undefined
    case "uudecode":
    case "rev":
    case "gpg":
      return name !== "gpg" || / (?:-d|--decrypt) /.test(all) ? "hidden-code" : undefined
    default:
      return undefined
  }
}

export const originOf = (pipeline: Pipeline, state: ShellState): Origin | undefined => {
  let origin: Origin | undefined
  for (const { inner, words } of pipeline.slice(-8)) {
    state.budget.left -= 4 + words.length
    if (state.budget.left < 0) return undefined
    if (inner !== undefined) origin = originOfScript(inner, state) ?? origin
    const command = unwrap(argumentsOf(words.slice(0, 20), state))
    if (command !== undefined) origin = originOfCommand(command.name, textsOf(command.args)) ?? origin
  }
  return origin
}

const originOfScript = (script: Script, state: ShellState): Origin | undefined => {
  for (const pipeline of script.slice(0, 8)) {
    const found = originOf(pipeline, state)
    if (found) return found
  }
  return undefined
}

const originOfWord = (word: Word, state: ShellState): Origin | undefined => {
  for (const part of word) {
    const found = part.kind === "output" ? originOfScript(part.script, state) : undefined
    if (found) return found
  }
  return undefined
}

const said = (rule: Origin, name: string): Verdict => ({
  rule,
  reason:
    rule === "remote-code"
      ? `\`${name}\` runs what was fetched from the network, unread.`
      : `\`${name}\` runs what was decoded on the way, so that nobody can read it.`
})

/** Code that is given leaves standard input to be data. */
const readsCode = (name: string, args: readonly Argument[]): boolean => {
  const texts = textsOf(args)
  if (name === "xargs" || name === "iex" || name === "invoke-expression") return true
  if (texts.some((text) => /^-(?:-?eval|-?print|m|[a-zA-Z]*[ceErnp])$/.test(text))) return false
  const script = texts.find((text) => !text.startsWith("-") || text === "-")
  return (
    script === undefined ||
    script === "-" ||
    script === "/dev/stdin" ||
    texts.includes("-s") ||
    texts.includes("--")
  )
}

const maxArguments = 200

/** Files that a download was written to. */
const remember = (call: Call): void => {
  const { state } = call
  const texts = textsOf(call.args).slice(0, maxArguments)
  const isNamed = call.name === "wget" || texts.some((one) => /^-\w*O|^--remote-name/.test(one))
  const named = texts.flatMap((text, at) => {
    if (/^(?:-o|--output|-O|--output-document|--out)$/.test(texts[at - 1] ?? "") && !/^-|:\/\//.test(text))
      return [text]
    const inside = /^(?:--output(?:-document)?=|-[sSfLkq]*o(?=.))(.+)/.exec(text)?.[1]
    if (inside !== undefined) return [inside]
    return isNamed && /^https?:\/\//.test(text) ? [text.replace(/[?#].*$/, "").replace(/^.*\//, "")] : []
  })
  const redirected = call.redirects
    .filter(({ operator }) => operator.startsWith(">"))
    .flatMap(({ target }) => expand(target, state))
  for (const file of [...named, ...redirected]) {
    const path = absolute(file, state)
    if (path !== undefined && path !== "/dev/null" && state.fetched.size < 100) state.fetched.add(path)
  }
}

const isFetched = (text: string, { state }: Call): boolean => {
  const path = state.fetched.size === 0 ? undefined : absolute(text, state)
  return path !== undefined && state.fetched.has(path)
}

export const remoteCode: Rule = (call) => {
  const { args, name, redirects, state, upstream, words = [] } = call
  const isOff = (rule: string): boolean => state.place.off?.includes(rule) === true
  const answer = (rule: Origin | undefined): Verdict | undefined =>
    rule === undefined || isOff(rule)
      ? undefined
      : said(rule, name === "" || /\uffff/.test(name) ? "$(…)" : name)
  if (fetchers.has(name)) remember(call)
  if (
    state.fetched.size > 0 &&
    (name === "tar" ||
      isFetched(words[0] === undefined ? "" : (expand(words[0], state)[0] ?? ""), call) ||
      (call.path !== undefined && isFetched(call.path, call)))
  ) {
    if (name !== "tar") return answer("remote-code")
  }
  // What stands at the place of a command is one.
  const head = words[0]?.[0]?.kind === "output" ? originOfWord(words[0], state) : undefined
  if (head) return answer(head)
  if (!shells.has(name) && !interpreter.test(name.toLowerCase())) {
    const [target] = args
    const isPackage =
      /^(?:npx|bunx|pnpx|uvx|pipx)$/.test(name) &&
      args.some((arg) => /^(?:https?:|git\+|git@|github:|gist:)/.test(first(arg)))
    return isPackage && target !== undefined ? answer("remote-code") : undefined
  }
  for (const { word } of [...args.slice(0, 30), ...redirects.map(({ target }) => ({ word: target }))]) {
    const found = answer(originOfWord(word, state))
    if (found) return found
  }
  if (args.some((arg) => isFetched(first(arg), call))) return answer("remote-code")
  if (name === "deno" && args.some((arg) => /^https?:\/\//.test(first(arg)))) return answer("remote-code")
  return upstream.length > 0 && readsCode(name, args) ? answer(originOf(upstream, state)) : undefined
}
