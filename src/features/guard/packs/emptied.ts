/** Files outside the project that are emptied by writing nothing to them: what `truncate -s 0` says in one word. */
import { type Call, type Rule, readOptions, shown, textsOf } from "../Call.ts"
import { isKeptSecret } from "../emptiedHere.ts"
import { type Argument, argumentsOf, expand, first } from "../expand.ts"
import { within } from "../folders.ts"
import { judge } from "../paths.ts"
import { plainText, type Redirect, type Stage } from "../script.ts"
import type { ShellState } from "../shellState.ts"
import { unwrap } from "../unwrap.ts"

const isNull = (text: string): boolean => text === "/dev/null"

export const readsNull = (redirects: readonly Redirect[]): boolean =>
  redirects.some(({ operator, target }) => operator === "<" && isNull(plainText(target) ?? ""))

/** They print nothing, whatever they are given. */
const silent = /^(?::|true|false)$/

/** Whether a command prints nothing at all; of most nobody can tell. */
const printsNothing = (name: string, texts: readonly string[], redirects: readonly Redirect[]): boolean => {
  if (silent.test(name)) return true
  if (name === "cat") return texts.length === 0 ? readsNull(redirects) : texts.every(isNull)
  if (name === "echo") return /^-[eE]*n/.test(texts[0] ?? "") && texts.slice(1).every((text) => text === "")
  return name === "printf" && texts.length === 1 && texts[0] === ""
}

export const isSilent = (stage: Stage | undefined, state: ShellState): boolean => {
  if (stage === undefined || stage.inner !== undefined || stage.words.length === 0) return false
  const { args = [], name = "" } = unwrap(argumentsOf(stage.words, state), state.budget) ?? {}
  return printsNothing(name, textsOf(args), stage.redirects)
}

/** The values of words that are written to, one by one. */
const valuesOf = (args: readonly (Argument | undefined)[]): readonly string[] =>
  args.flatMap((arg) => arg?.values ?? [])

/** What is emptied by the shell before the command begins. */
const redirected = (call: Call): readonly string[] => {
  const { args, name, redirects, state, words = [] } = call
  const isAlone = words.length === 0 && call.group !== true
  if (!isAlone && !printsNothing(name, textsOf(args), redirects)) return []
  return redirects.flatMap(({ operator, target }) =>
    /^(?:&?>|>\|)$/.test(operator) ? expand(target, state) : []
  )
}

/** What is emptied by a command that copies what there is nothing in. */
const copied = (call: Call): readonly string[] => {
  const { args, name, redirects, state, upstream } = call
  const texts = textsOf(args)
  switch (name) {
    case "cp": {
      const { operands } = readOptions(args, "tS")
      return operands.length === 2 && isNull(first(operands[0] as Argument)) ? valuesOf([operands[1]]) : []
    }
    case "dd": {
      const isKept = texts.some((text) => /^conv=.*notrunc/.test(text))
      const from = texts.find((text) => text.startsWith("if="))?.slice(3)
      const isEmpty = from === undefined ? readsNull(redirects) : isNull(from)
      return isKept || !isEmpty
        ? []
        : texts
            .filter((text) => text.startsWith("of="))
            .map((text) => text.slice(3).replace(/^~(?=\/|$)/, state.place.home))
    }
    case "tee": {
      const adds = texts.some((text) => /^-(?:\w*a|-append)/.test(text))
      const isEmpty = readsNull(redirects) || isSilent(upstream.at(-1), state)
      return adds || !isEmpty ? [] : valuesOf(readOptions(args).operands)
    }
    default:
      return []
  }
}

const isCached = (path: string, { place }: ShellState): boolean =>
  ["/.cache", "/Library/Caches"].some((folder) => within(path, `${place.home}${folder}`))

export const emptied: Rule = (call) => {
  const { state } = call
  if (state.remote || state.container !== undefined) return undefined
  for (const value of [...redirected(call), ...copied(call)]) {
    if (isKeptSecret(value, state))
      return { rule: "overwrite", reason: `${shown(value)} is emptied, and no commit holds what is in it.` }
    const found = value.startsWith("/dev/") ? undefined : judge(value, state)
    if (found === undefined || found.shared || found.rule !== "delete-outside") continue
    if (!isCached(found.path, state))
      return { rule: "overwrite", reason: `${shown(found.path)} is emptied: nothing is written to it.` }
  }
  return undefined
}
