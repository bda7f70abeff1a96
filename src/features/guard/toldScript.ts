/** Scripts on the disk that a shell is told to run: the walk notes them, and whoever judges the command reads them. */
import { isWithin } from "../../state/within.ts"
import type { Call } from "./Call.ts"
import { type Argument, expand, first } from "./expand.ts"
import { passedOn, readFrom, standsFor } from "./passedOn.ts"
import { placesOf } from "./paths.ts"
import { startedRecipe } from "./recipes/startedRecipe.ts"
import { type StartedScript, scriptKey, type Verdict } from "./rule.ts"
import { passOver, unknown } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { isPlaceHolder } from "./texts.ts"

/** More scripts than these nobody starts with one command. */
const maxScripts = 200
/** Nor more recipes than these, with one command or in one package. */
const maxRecipes = 40
/** Nor more than these in all packages together. */
const mostOfPackages = 2000

/** By its name alone, wherever it lies. */
const named = /\.(?:sh|bash|zsh|ksh)$/
const packaged = /(?:^|\/)(?:node_modules|\.?venv)\//

/** Others may be scripts as well: those of the project. A system's and a package's are no agent's. */
const isNearby = (path: string, { place }: ShellState): boolean =>
  !packaged.test(path) && (!path.startsWith("/") || isWithin(path, place.project))

const isInput = (text: string): boolean => /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(text)

const standardInput = ({ redirects, state, upstream }: Call): readonly string[] => {
  const text = redirects.find(({ operator }) => operator === "<<<")
  if (text !== undefined) return standsFor(text.target, state)
  const read = readFrom(redirects, state)
  if (read !== undefined) return [read]
  return upstream.length === 0 ? [] : passedOn(upstream, state)
}

/** Letters that take a value of their own: `-o pipefail`, `-euo pipefail`, `-O extglob`. */
const valued = /^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/

const operandAt = (texts: readonly string[]): number => {
  let at = 0
  while (at < texts.length && /^[-+]./.test(texts[at] ?? "")) {
    if (texts[at] === "--") return at + 1
    at += valued.test(texts[at] ?? "") ? 2 : 1
  }
  return at
}

/** The files that a command runs the text of, and what that text is given. */
interface Told {
  readonly files: readonly string[]
  readonly given: readonly Argument[]
}

const told = (files: readonly string[], given: readonly Argument[] = []): Told => ({ files, given })

/** The file whose lines `xargs` hands over. */
const handedFile = (call: Call): readonly string[] => {
  const texts = (call.words ?? []).map((word) => expand(word, call.state)[0] ?? "")
  const named = texts.filter((_, at) => /^(?:-a|--arg-file)$/.test(texts[at - 1] ?? ""))
  return named.length > 0 ? named : standardInput(call)
}

/** Of a shell that is started, of `source` and of `eval`. */
const toldBy = (call: Call, isShell: boolean): Told => {
  const { args, name, path = "", state } = call
  if (name === "eval") return told(args.length === 1 ? standsFor(args[0]?.word, state) : [])
  const isSource = name === "source" || name === "."
  if (!isShell && !isSource)
    return told(path.includes("/") && (named.test(path) || isNearby(path, state)) ? [path] : [], args)
  const texts = args.map(first)
  const at = isShell ? operandAt(texts) : 0
  const options = texts.slice(0, at)
  // It only reads them, or says something of itself.
  if (options.some((text) => /^-[a-zA-Z]*n|^--(?:version|help)$/.test(text))) return told([])
  const operand = args[at]
  const given = args.slice(at + 1)
  // What is handed over is the text.
  if (
    call.fed &&
    options.some((text) => /^-[a-z]*c[a-z]*$/.test(text)) &&
    isPlaceHolder(operand && first(operand))
  )
    return told(handedFile(call))
  // Behind a text its own name comes first.
  if (options.some((text) => /^-[a-z]*c[a-z]*$/.test(text)))
    return told(standsFor(operand?.word, state), given.slice(1))
  const reads = operand === undefined || options.some((text) => /^-[a-z]*s[a-z]*$/.test(text))
  if (reads) return told(isShell ? standardInput(call) : [], args.slice(at))
  if (isInput(first(operand))) return told(standardInput(call), given)
  const printed = standsFor(operand.word, state)
  if (printed.length > 0) return told(printed, given)
  return told(operand.values, given)
}

/** None where one of them is not known: it may be any. */
const wordsOf = (given: readonly Argument[]): { readonly args?: readonly string[] } =>
  given.length === 0 || given.some((arg) => isDynamic(arg) || first(arg).includes(unknown))
    ? {}
    : { args: given.map(first) }

/** What a script finds set. */
const setFor = ({ set = [] }: Call): { readonly set?: readonly string[] } => {
  const known = set.filter((arg) => !isDynamic(arg) && !first(arg).includes(unknown)).map(first)
  return known.length === 0 ? {} : { set: known }
}

const isDynamic = (arg: Argument | undefined): boolean => arg === undefined || arg.values.length !== 1

const tooMany: Verdict = {
  rule: "hidden-code",
  reason: "The command starts more scripts or recipes than are read before they run."
}

/** Only on this machine, and where it is known in which folder. */
export const scriptDoes = (call: Call, isShell: boolean): Verdict | undefined => {
  const { copied, cwd, place, remote, written } = call.state
  const { scripts } = place
  if (scripts === undefined || remote || cwd === undefined) return undefined
  const { files, given } = toldBy(call, isShell)
  const words = { ...wordsOf(given), ...setFor(call) }
  const read = files.flatMap((file): readonly StartedScript[] => {
    if (file === "" || file.includes(unknown)) return []
    return placesOf(file, call.state)
      .filter((path) => !/^\/(?:dev|proc)\//.test(path) && !written.has(path))
      .map((path) => ({ path: copied.get(path) ?? path, cwd, ...words }))
  })
  const mostRecipes = Math.min(mostOfPackages, maxRecipes * (scripts.ofPackages ?? 1))
  let found: Verdict | undefined
  for (const started of [...read, ...recipeOf(call)]) {
    const key = scriptKey(started)
    if (call.state.budget.forgotten) passOver(call.state.budget)
    const seen = scripts.seen.get(key)
    const most = started.recipe === undefined ? Math.max(maxScripts, mostRecipes) : mostRecipes
    if (seen === undefined && scripts.wanted.size < most) scripts.wanted.set(key, started)
    else if (seen === undefined && !scripts.wanted.has(key)) found ??= tooMany
    found ??= seen ?? undefined
  }
  return found
}

const recipeOf = (call: Call): readonly StartedScript[] => {
  const { args = [], folders = [], recipe } = startedRecipe(call) ?? {}
  if (recipe === undefined) return []
  const given = { ...(args.length === 0 ? {} : { args }), ...setFor(call) }
  return folders.map((folder) => ({ path: folder, cwd: folder, recipe, ...given }))
}
