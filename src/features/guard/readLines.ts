/** What `read` and `mapfile` put into variables: the lines of what they are given, where that is known. */
import { type Call, textsOf } from "./Call.ts"
import { between } from "./expand.ts"
import { standardInput } from "./input.ts"
import { pathsIn } from "./listed.ts"
import { listsAll } from "./packs/everyProcess.ts"
import { followList, gitListOf } from "./packs/gitListed.ts"
import { originOf } from "./packs/remoteCode.ts"
import { firstOf, type Pipeline, unknown } from "./script.ts"
import { type ShellState, setOrigin, setVariable } from "./shellState.ts"

const valued = /^-\w*[adinNptuC]$/

const namesIn = (texts: readonly string[]): readonly string[] => {
  const names = texts.filter((text, at) => !text.startsWith("-") && !valued.test(texts[at - 1] ?? ""))
  const array = texts.findIndex((text) => /^-\w*a$/.test(text))
  const [one] = array < 0 ? [] : texts.slice(array + 1)
  if (one !== undefined) return [...names, one]
  return names.length === 0 ? ["REPLY"] : names
}

/** What is piped into a loop, or given to it as `< <(…)`. */
const givenPipeline = ({ redirects, upstream }: Call): Pipeline => {
  const [source, next] = upstream
  const given = [...redirects, ...(next === undefined ? (source?.redirects ?? []) : [])]
  const [part] = given.find(({ operator }) => operator === "<")?.target ?? []
  return (part?.kind === "output" ? part.script[0] : undefined) ?? upstream
}

/** The word at this place of a line; the last variable has the rest of it. */
const wordAt = (line: string, at: number, isLast: boolean, state: ShellState): string => {
  const words = line.trim().split(between(state))
  return isLast ? words.slice(at).join(" ") : (words[at] ?? "")
}

export const readLines = (call: Call): void => {
  const { name, redirects, state, upstream } = call
  const texts = textsOf(call.args)
  const names = name === "read" ? namesIn(texts) : texts.filter((text) => !text.startsWith("-")).slice(-1)
  const text = standardInput(call)
  const unread = listsAll(givenPipeline(call)) ? "every-process" : "unread-lines"
  const isGiven = upstream.length > 0 || redirects.some(({ operator }) => operator.startsWith("<"))
  for (const [at, variable] of names.entries()) {
    if (text === undefined) {
      followList(variable, gitListOf(givenPipeline(call), state), state)
      setVariable(state, variable, [...pathsIn(givenPipeline(call), state), unknown])
      setOrigin(state, variable, isGiven ? (originOf(upstream, state) ?? unread) : undefined)
      continue
    }
    const lines = firstOf(text.split("\n"), state.budget)
      .filter((line) => line !== "")
      .map((line) => (name === "read" ? wordAt(line, at, at === names.length - 1, state) : line))
    followList(variable, undefined, state)
    setVariable(state, variable, lines)
    setOrigin(state, variable, undefined)
  }
}
