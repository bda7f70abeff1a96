/** What `find` and its relatives start for what they find. */
import type { Call } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { readFind } from "./listed.ts"
import type { Verdict } from "./rule.ts"
import { type Budget, firstOf, passOver, unknown } from "./script.ts"
import { copyOf } from "./shellState.ts"
import { executed, movedTo } from "./texts.ts"
import { unwrap } from "./unwrap.ts"
import { deepestText, shells, type Walker } from "./Walker.ts"

/** A name without a pattern in it that `find` looks for. */
const nameIn = (args: readonly Argument[]): string | undefined => {
  const texts = args.map(first)
  const name = texts[texts.findIndex((text) => /^-i?name$/.test(text)) + 1] ?? ""
  return texts.some((text) => /^-i?name$/.test(text)) && /^[\w.+-]+$/.test(name) ? name : undefined
}

/** What a shell that `find` starts may be given: what it begins at, or files of one name there; undefined where it is chosen otherwise. */
const foundBy = (args: readonly Argument[], budget: Budget): readonly string[] | undefined => {
  const { chosen, roots, skips } = readFind(args)
  const name = nameIn(args)
  if (name === undefined && (chosen || skips)) return undefined
  return firstOf(
    roots.flatMap((root) => root.values.map((value) => (name === undefined ? value : `${value}/${name}`))),
    budget
  )
}

const isShell = (words: readonly Argument[], budget: Budget): boolean =>
  shells.has(unwrap(words, budget)?.name ?? "")

export const walkExecuted = (call: Call, walker: Walker): Verdict | undefined => {
  const depth = call.state.depth + 1
  if (depth > deepestText) return passOver(call.state.budget)
  const state = copyOf(call.state, { depth })
  const commands = executed(call.args, call.name !== "find")
  const started = new Set(
    call.name === "find" ? commands.filter((words) => isShell(words, state.budget)) : []
  )
  const values = started.size === 0 ? undefined : foundBy(call.args, state.budget)
  for (const words of commands) {
    const given =
      values !== undefined && started.has(words)
        ? words.map((one) => (first(one) === unknown ? { ...one, values } : one))
        : words
    const command = unwrap(given, state.budget)
    const found =
      command &&
      walker.call({ ...command, state: movedTo(command.folders, state), redirects: [], upstream: [] })
    if (found) return found
  }
  return undefined
}
