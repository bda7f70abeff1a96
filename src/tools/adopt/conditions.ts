/** What an agent's matcher says, as the conditions of a hook: told apart, put together, and without each other. */
import { type ExternalDefinition, listedIn, matches } from "../../hooks/external.ts"
import type { InstallAgent } from "../install/dialects.ts"

export const isPattern = (text: string): boolean => {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

/** Events at which agents look at no matcher. */
const unmatched =
  /^(?:UserPromptSubmit|PostToolBatch|Stop|TeammateIdle|TaskCreated|TaskCompleted|MessageDisplay|CwdChanged|BeforeAgent|AfterAgent|BeforeModel|AfterModel)$/

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** For which calls of its event a hook runs: all where it says nothing. */
export type Conditions = Pick<ExternalDefinition, "when" | "matcher">

const named = (names: readonly string[]): Conditions =>
  names.length === 1 ? { when: { toolName: names[0] } } : { when: { toolName: names } }

/** A matcher as conditions, as its agent reads it. */
export const conditionsOf = (agent: InstallAgent, event: string, matcher: string | undefined): Conditions => {
  if (matcher === undefined || unmatched.test(event)) return {}
  const isTool = /Tool|Permission/.test(event)
  if (!isTool)
    return {
      matcher: agent === "gemini-cli" ? `^(?:${escaped(matcher)})$` : matcher
    }
  const listed = agent === "claude-code" ? listedIn(matcher) : undefined
  if (listed !== undefined) return named(listed)
  if (!isPattern(matcher)) return named([matcher])
  // A patch is called by the names of the other agents' tools as well.
  const isPatch = agent === "codex" && ["Edit", "Write"].some((name) => new RegExp(matcher).test(name))
  return { when: { toolName: isPatch ? `/(?:${matcher})|^apply_patch$/` : `/${matcher}/` } }
}

const patternOf = (name: string): string => /^\/(.*)\/$/s.exec(name)?.[1] ?? `^${escaped(name)}$`

/** Of tools; between slashes a pattern. */
type Names = readonly string[]

const isPlain = (name: string): boolean => !name.startsWith("/")
const namesOf = ({ when }: Conditions): Names => [(when?.["toolName"] ?? []) as string | Names].flat()

/** For which calls either holds. */
export const either = (one: Conditions, other: Conditions): Conditions => {
  if (one.matcher !== undefined && other.matcher !== undefined)
    return { matcher: `(?:${one.matcher})|(?:${other.matcher})` }
  if (one.when === undefined || other.when === undefined) return {}
  const all = [...new Set([one, other].flatMap(namesOf))]
  return all.every(isPlain)
    ? named(all)
    : { when: { toolName: `/${all.map((name) => `(?:${patternOf(name)})`).join("|")}/` } }
}

/** As it stands in a look ahead from the beginning: any of the names, or anything that one of the patterns finds. */
const ahead = (names: Names): string =>
  names.every(isPlain)
    ? `(?:${names.map(escaped).join("|")})$`
    : `[^]*(?:${names.map((name) => `(?:${patternOf(name)})`).join("|")})`

/** Any of `some`, of everything where there are none, and none of `others`. */
const onlyOf = (some: Names, others: Names): string =>
  `^(?!${ahead(others)})${some.length === 0 ? "" : `(?=${ahead(some)})`}`

const isAmong = (name: string, others: Names): boolean =>
  others.some((other) => new RegExp(patternOf(other)).test(name))

const namesBeyond = (one: Conditions, other: Conditions): Conditions | undefined => {
  const [some, others] = [namesOf(one), namesOf(other)]
  if (some.length === 0 || !some.every(isPlain)) return { when: { toolName: `/${onlyOf(some, others)}/` } }
  const rest = some.filter((name) => !isAmong(name, others))
  return rest.length === 0 ? undefined : named(rest)
}

/** What a matcher of an event that is about no tool lets through, as names and patterns are written for tools. */
const toldBy = (matcher: string): Names => listedIn(matcher) ?? [`/${matcher}/`]

const matcherBeyond = (matcher: string | undefined, other: string): Conditions | undefined => {
  const some = matcher === undefined ? [] : toldBy(matcher)
  if (some.length === 0 || !some.every(isPlain)) return { matcher: onlyOf(some, toldBy(other)) }
  const rest = some.filter((name) => !matches(other, name))
  return rest.length === 0 ? undefined : { matcher: rest.join("|") }
}

/** For which calls the one holds and the other does not; undefined where that is none. */
export const beyond = (one: Conditions, other: Conditions): Conditions | undefined => {
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined
  if (other.matcher !== undefined) return matcherBeyond(one.matcher, other.matcher)
  return other.when === undefined ? undefined : namesBeyond(one, other)
}
