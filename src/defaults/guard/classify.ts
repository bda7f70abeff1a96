/** The entrance: a command line and its place in, the rule that it breaks out. Pure, and linear in the command's length. */
import { mentioned } from "./mentioned.ts"
import { parse } from "./parse.ts"
import type { Place, Verdict } from "./rule.ts"
import type { Budget } from "./script.ts"
import { beginning } from "./shellState.ts"
import { type Wanted, walk } from "./walk.ts"

/** Text within text is read again; all of it together may be so many times what was given. */
const budgetOf = (command: string): Budget => ({ left: 200_000 + 20 * command.length })

/** Whatever goes wrong while a command is read, it is one that was not read, and not one that is harmless. */
const read = (command: string, place: Place, budget: Budget, wanted: Wanted): Verdict | undefined => {
  try {
    return walk(parse(command, budget), beginning(place, budget), wanted)
  } catch {
    budget.unread = true
    return undefined
  }
}

/** The first rule that a command breaks where it is to run, if any. */
export const classify = (command: string, place: Place): Verdict | undefined => {
  const off = new Set(place.off ?? [])
  const wanted: Wanted = (verdict) => (verdict !== undefined && off.has(verdict.rule) ? undefined : verdict)
  const budget = budgetOf(command)
  const found = read(command, place, budget, wanted)
  if (found !== undefined || (budget.left >= 0 && budget.unread !== true)) return found
  return mentioned(command, wanted)
}
