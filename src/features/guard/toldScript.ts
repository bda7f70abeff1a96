/** Scripts on the disk that a shell is told to run: the walk notes them, and whoever judges the command reads them. */
import type { Call } from "./Call.ts"
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { absolute } from "./paths.ts"
import { scriptKey, type Verdict } from "./rule.ts"
import { type Redirect, type Script, type Stage, unknown } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

/** More scripts than these nobody starts with one command. */
const maxScripts = 4

/** By its name alone: any program may be a script, and hardly any is written to be run once. */
const named = /\.(?:sh|bash|zsh|ksh)$/

const readFrom = (redirects: readonly Redirect[], state: ShellState): string | undefined => {
  const from = redirects.find(({ operator }) => operator === "<")
  return from && expand(from.target, state)[0]
}

/** The one file that goes through `cat`, or through nothing: `cat x.sh`, `cat <x.sh`, `<x.sh`. */
const passedOn = ([stage, another]: readonly Stage[], state: ShellState): string | undefined => {
  if (stage === undefined || another !== undefined || stage.inner !== undefined) return undefined
  const { name, args = [] } = unwrap(argumentsOf(stage.words, state)) ?? {}
  if (name !== undefined && name !== "cat") return undefined
  const files = args.map(first).filter((text) => !text.startsWith("-"))
  return files.length === 0 ? readFrom(stage.redirects, state) : files.length === 1 ? files[0] : undefined
}

const printedBy = ([pipeline, another]: Script, state: ShellState): string | undefined =>
  pipeline === undefined || another !== undefined ? undefined : passedOn(pipeline, state)

/** `eval "$(cat x.sh)"`. */
const evaluated = ({ args: [arg, another], state }: Call): string | undefined => {
  // What quotes bring is an empty text.
  const [part, more] = arg?.word.filter((one) => one.kind !== "text" || one.text !== "") ?? []
  return part?.kind === "output" && more === undefined && another === undefined
    ? printedBy(part.script, state)
    : undefined
}

/** The file that a shell is given, by name or to read, or that is started as a script. */
const fileOf = (call: Call, isShell: boolean): string | undefined => {
  const { args, name, path = "", redirects, state, upstream } = call
  if (name === "eval") return evaluated(call)
  if (!isShell && name !== "source" && name !== ".")
    return path.includes("/") && named.test(path) ? path : undefined
  const texts = args.map(first)
  const at = texts.findIndex((text) => !/^[-+]./.test(text))
  const options = at < 0 ? texts : texts.slice(0, at)
  if (options.some((text) => /^-[a-z]*c[a-z]*$/.test(text))) return undefined
  const reads = texts[at] === "-" || at < 0 || options.some((text) => /^-[a-z]*s[a-z]*$/.test(text))
  if (reads) return isShell ? (readFrom(redirects, state) ?? passedOn(upstream, state)) : undefined
  return isDynamic(args[at]) ? undefined : texts[at]
}

const isDynamic = (arg: Argument | undefined): boolean => arg === undefined || arg.values.length !== 1

/** Only on this machine, and where it is known in which folder. */
export const scriptDoes = (call: Call, isShell: boolean): Verdict | undefined => {
  const { cwd, place, remote, written } = call.state
  const { scripts } = place
  if (scripts === undefined || remote || cwd === undefined) return undefined
  const file = fileOf(call, isShell)
  const path =
    file === undefined || file === "-" || file.includes(unknown) ? undefined : absolute(file, call.state)
  if (path === undefined || path.startsWith("/dev/") || path.startsWith("/proc/") || written.has(path))
    return undefined
  const started = { path, cwd }
  const key = scriptKey(started)
  const seen = scripts.seen.get(key)
  if (seen === undefined && scripts.wanted.size < maxScripts) scripts.wanted.set(key, started)
  return seen ?? undefined
}
