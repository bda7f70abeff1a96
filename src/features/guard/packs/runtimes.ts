/** Pack `processes`: programs that a machine has many of, ended by nothing but their name, whoever started them. */
import { type Call, textsOf } from "../Call.ts"
import { type Argument, argumentsOf, first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import type { Pipeline, Word } from "../script.ts"
import type { ShellState } from "../shellState.ts"
import { unwrap } from "../unwrap.ts"
import { choosesNothing } from "./everyProcess.ts"

/** What runs other programs, editors and agents among them, and servers that hold data. A pattern may hide from itself: `[n]ode`. */
const runtime =
  /^\^?(?:node(?:js)?|bun|deno|npm|npx|python[\d.]*|ruby|perl|php(?:-fpm)?|java|dotnet|bash|sh|zsh|postgres|postmaster|mysqld|mariadbd|mongod|redis-server|docker|dockerd|containerd|tmux(?:: server)?|screen|code|chrome|firefox)\$?$/

const isRuntime = (text: string): boolean => runtime.test(text.replace(/^\[(\w)\]/, "$1").trim())

const killsAtOnce = (texts: readonly string[]): boolean =>
  texts.some(
    (text, at) =>
      /^-(?:9|KILL|SIGKILL)$|^--signal=(?:9|(?:SIG)?KILL)$/.test(text) ||
      (/^(?:9|(?:SIG)?KILL)$/.test(text) && /^(?:-s|-n|--signal)$/.test(texts[at - 1] ?? ""))
  )

/** Which of them are meant is said by more than the name: a parent, a terminal, a session. */
const chooses = /^-[PtgG]$|^--(?:parent|terminal|session|pgroup|group|ns)\b/

const withoutValues = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, at) => !text.startsWith("-") && !/^(?:-s|-n|--signal)$/.test(texts[at - 1] ?? ""))

const said = (how: string, name: string): Verdict => ({
  rule: "kill-all",
  action: "ask",
  reason: `\`${how}\` ends every \`${name}\` that runs here, whoever started it.`
})

/** `pkill -f node` finds the word in every command line; `-9` leaves none of them time to save what they have. */
export const killsByName = ({ args, name }: Call): Verdict | undefined => {
  const texts = textsOf(args)
  if (texts.some((text) => chooses.test(text) || /^-(?:0|l|L)$/.test(text))) return undefined
  const isWide = name === "pkill" && texts.some((text) => /^-[a-zA-Z]*f$|^--full$/.test(text))
  if (!isWide && !killsAtOnce(texts)) return undefined
  const named = withoutValues(texts).find(isRuntime)
  return named === undefined ? undefined : said(name, named)
}

/** `ps -u me -o pid=`: whatever somebody has. */
const ofUser = /(?:^| )(?:-[uU] ?|--[uU]ser[= ])(\S+)/

/** Whose processes a pipeline lists, where it lists them all. */
const listedUser = ([source, ...further]: Pipeline, state: ShellState): string | undefined => {
  const { args = [], name } = (source && unwrap(argumentsOf(source.words, state), state.budget)) ?? {}
  if (name !== "ps" || !further.every(choosesNothing)) return undefined
  return ofUser.exec(textsOf(args).join(" "))?.[1]
}

/** `$(…)`, alone or in quotes. */
const pipelineIn = (word: Word): Pipeline | undefined => {
  const [part, another] = word.filter((one) => one.kind !== "text" || one.text !== "")
  const [pipeline, second] = part?.kind === "output" && another === undefined ? part.script : []
  return second === undefined ? pipeline : undefined
}

const userIn = ({ word }: Argument, state: ShellState): string | undefined => {
  const pipeline = pipelineIn(word)
  return pipeline === undefined ? undefined : listedUser(pipeline, state)
}

/** What most start several of themselves, and look for by its name when it hangs. */
const ownWork = /^\^?(?:node(?:js)?|bun|deno|npm|npx|python[\d.]*|ruby|perl|php(?:-fpm)?|dotnet)\$?$/

const patternIn = (texts: readonly string[]): string =>
  texts
    .filter((text) => !text.startsWith("-"))
    .join(" ")
    .replace(/^\[(\w)\]/, "$1")
    .toLowerCase()

/** `ps aux | grep java | awk …`, `pgrep -f java`: what they are all called, where nothing more is said of them. */
const listedRuntime = ([source, ...further]: Pipeline, state: ShellState): string | undefined => {
  const { args = [], name } = (source && unwrap(argumentsOf(source.words, state), state.budget)) ?? {}
  const texts = textsOf(args)
  const patterns: string[] = []
  if (name === "pgrep" && !texts.some((text) => chooses.test(text))) patterns.push(patternIn(texts))
  else if (name !== "ps") return undefined
  for (const stage of further) {
    const { args: given = [], name: filter = "" } =
      unwrap(argumentsOf(stage.words, state), state.budget) ?? {}
    const told = textsOf(given)
    const [, named] = /^\s*\/([^/]*)\/\s*\{/.exec(told.at(-1) ?? "") ?? []
    if (/^[ef]?grep$/.test(filter)) {
      if (!told.some((text) => /^-\w*v/.test(text))) patterns.push(patternIn(told))
    } else if (/^g?m?awk$/.test(filter) && named !== undefined) patterns.push(patternIn([named]))
    else if (!choosesNothing(stage)) return undefined
  }
  const [only = "", another] = patterns
  return another === undefined && isRuntime(only) && !ownWork.test(only) ? only : undefined
}

const runtimeIn = ({ word }: Argument, state: ShellState): string | undefined => {
  const pipeline = pipelineIn(word)
  return pipeline === undefined ? undefined : listedRuntime(pipeline, state)
}

/** `ps -u me -o pid= | xargs kill -9`: of what is found by a program's name most know what they mean. */
export const killsListed = ({ args, fed, state, upstream }: Call): Verdict | undefined => {
  if (!killsAtOnce(args.map(first))) return undefined
  let user = fed ? listedUser(upstream, state) : undefined
  for (const arg of args) user ??= userIn(arg, state)
  let named = fed ? listedRuntime(upstream, state) : undefined
  for (const arg of args) named ??= runtimeIn(arg, state)
  if (user === undefined && named !== undefined) return said("kill", named)
  return user === undefined ? undefined : said("kill", `process of ${user}`)
}
