/** What `find` and its relatives start for what they find. */
import type { Call } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { readFind } from "./listed.ts"
import type { Verdict } from "./rule.ts"
import { unknown } from "./script.ts"
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

/**
 * A shell that `find` starts for everything is given, before all else, what it begins at; one that it starts for a name, a file of that
 * name there.
 */
const withRoots = (words: readonly Argument[], args: readonly Argument[]): readonly Argument[] => {
  const { chosen, roots, skips } = readFind(args)
  const name = nameIn(args)
  if (!shells.has(unwrap(words)?.name ?? "") || (name === undefined && (chosen || skips))) return words
  const values = roots
    .flatMap((root) => root.values.map((value) => (name === undefined ? value : `${value}/${name}`)))
    .slice(0, 16)
  return words.map((one) => (first(one) === unknown ? { ...one, values } : one))
}

export const walkExecuted = (call: Call, walker: Walker): Verdict | undefined => {
  const depth = call.state.depth + 1
  if (depth > deepestText) return undefined
  const state = copyOf(call.state, { depth })
  for (const words of executed(call.args, call.name !== "find")) {
    const command = unwrap(call.name === "find" ? withRoots(words, call.args) : words)
    const found =
      command &&
      walker.call({ ...command, state: movedTo(command.folders, state), redirects: [], upstream: [] })
    if (found) return found
  }
  return undefined
}
