/** Pack `processes`: programs that a machine has many of, ended by nothing but their name, whoever started them. */
import { type Call, textsOf } from "../Call.ts"
import { type Argument, argumentsOf, first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import type { Pipeline } from "../script.ts"
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
  const { args = [], name } = (source && unwrap(argumentsOf(source.words, state))) ?? {}
  if (name !== "ps" || !further.every(choosesNothing)) return undefined
  return ofUser.exec(textsOf(args).join(" "))?.[1]
}

const userIn = ({ word }: Argument, state: ShellState): string | undefined => {
  const [part, another] = word.filter((one) => one.kind !== "text" || one.text !== "")
  const [pipeline, second] = part?.kind === "output" && another === undefined ? part.script : []
  return pipeline === undefined || second !== undefined ? undefined : listedUser(pipeline, state)
}

/** `ps -u me -o pid= | xargs kill -9`: of what is found by a program's name most know what they mean. */
export const killsListed = ({ args, fed, state, upstream }: Call): Verdict | undefined => {
  if (!killsAtOnce(args.map(first))) return undefined
  let user = fed ? listedUser(upstream, state) : undefined
  for (const arg of args) user ??= userIn(arg, state)
  return user === undefined ? undefined : said("kill", `process of ${user}`)
}
