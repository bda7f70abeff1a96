/** Programs that start scripts of packages and are no package manager: what they start of which packages. */
import { type Options, readWords } from "./commandWords.ts"
import type { Reach } from "./Recipe.ts"

export interface RunScripts {
  readonly names: readonly string[]
  readonly args?: readonly string[]
  readonly reach?: Reach
}

const noOptions: Options = { letters: "", longs: [] }

const operandsOf = (texts: readonly string[], longs: string, letters = ""): readonly string[] =>
  readWords(texts, { letters, longs: longs.split(" ") }).operands

const inAll = (names: readonly string[]): RunScripts | undefined =>
  names.length === 0 ? undefined : { names, reach: "all" }

const allOf = (texts: readonly string[]): RunScripts => ({
  names: texts.filter((text) => !text.startsWith("-"))
})

const firstOf = ([name, ...args]: readonly string[]): RunScripts | undefined =>
  name === undefined || name.startsWith("-") ? undefined : { names: [name], args }

/** `npm:build`: a script, in what is a line of a shell otherwise. */
const prefixed = (texts: readonly string[]): RunScripts | undefined => {
  const names = texts.flatMap((text) => /^(?:npm|pnpm|yarn|bun|node):(\S+)/.exec(text)?.[1] ?? [])
  return names.length === 0 ? undefined : { names }
}

const lerna = (texts: readonly string[]): RunScripts | undefined => {
  const [verb, name] = operandsOf(texts, "scope ignore since concurrency loglevel npm-client")
  return verb === "run" && name !== undefined ? inAll([name]) : undefined
}

const ofTurbo =
  /^(?:run|watch|prune|login|logout|link|unlink|daemon|bin|ls|query|info|config|telemetry|scan|gen|generate|docs|devtools|boundaries|completion|clone)$/
const turbo = (texts: readonly string[]): RunScripts | undefined => {
  const names = operandsOf(
    texts,
    "filter scope ignore since cwd token team api concurrency cache-dir global-deps env-mode log-order output-logs",
    "F"
  )
  const [verb = ""] = names
  if (/^(?:run|watch)$/.test(verb)) return inAll(names.slice(1).map(unqualified))
  return ofTurbo.test(verb) ? undefined : inAll(names.map(unqualified))
}

/** `web#build`, `//#build`. */
const unqualified = (name: string): string => name.slice(name.indexOf("#") + 1)

const ofNx =
  /^(?:run|run-many|affected|exec|graph|dep-graph|show|list|report|generate|g|new|init|import|add|migrate|repair|reset|daemon|watch|connect|connect-to-nx-cloud|login|logout|view-logs|fix-ci|record|start-ci-run|sync|sync:check|release|format|format:check|format:write|format-check|format-write|lint-workspace|workspace-lint|workspace-generator|create-nx-plugin|print-affected|mcp|configure-ai-agents|completion|help)$/
const nx = (texts: readonly string[]): RunScripts | undefined => {
  const longs =
    "target targets t project projects p configuration c exclude parallel runner base head files output-style"
  const { operands, options } = readWords(texts, { letters: "tpc", longs: longs.split(" ") })
  const [verb = "", target = ""] = operands
  const told = options
    .filter(({ name }) => /^(?:-t|--targets?)$/.test(name))
    .flatMap(({ value = "" }) => value.split(","))
  if (/^(?:run-many|affected)$/.test(verb))
    return inAll([...told, ...(told.length > 0 ? operands.slice(1) : [])])
  if (verb === "run") return inAll(target.split(":").slice(1, 2))
  return ofNx.test(verb) || verb === "" ? undefined : inAll([verb])
}

const runners: Readonly<Record<string, (texts: readonly string[]) => RunScripts | undefined>> = {
  "run-s": allOf,
  "run-p": allOf,
  "npm-run-all": allOf,
  "npm-run-all2": allOf,
  rushx: firstOf,
  nr: firstOf,
  concurrently: prefixed,
  conc: prefixed,
  lerna,
  turbo,
  nx,
  wsrun: (texts) => inAll(readWords(texts, noOptions).operands.slice(0, 1))
}

export const scriptsByOthers = (name: string, texts: readonly string[]): RunScripts | undefined =>
  Object.hasOwn(runners, name) ? runners[name]?.(texts) : undefined
