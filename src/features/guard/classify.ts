/** The entrance: a command line and its place in, the rule that it breaks out. Pure, and linear in the command's length. */
import type { Rule } from "./Call.ts"
import { textOf } from "./input.ts"
import { pathsListed } from "./listed.ts"
import { mentioned, notRead } from "./mentioned.ts"
import { parse } from "./parse.ts"
import { type Action, actionOf, type Place, ruleIds, type Verdict } from "./rule.ts"
import { rules as known } from "./rules.ts"
import { type Budget, budgetOf } from "./script.ts"
import { beginning } from "./shellState.ts"
import { shippedRules } from "./shippedRules.ts"
import { type Wanted, walk } from "./walk.ts"

export interface Judged extends Verdict {
  readonly action: Action
}

/** Fail closed: a command that cannot be read is never treated as a safe one. */
const read = (command: string, place: Place, budget: Budget, wanted: Wanted): Verdict | undefined => {
  try {
    return walk(
      parse(command, budget),
      beginning(place, budget, { outputOf: textOf, listedBy: pathsListed }),
      wanted
    )
  } catch {
    budget.unread = true
    return undefined
  }
}

/** The rules that do not count: those that are off, and those of packs that are off. */
const offIn = ({ off = [], packs = {} }: Place): readonly string[] => [
  ...off,
  ...ruleIds.filter((id) => Object.hasOwn(packs, known[id].pack) && packs[known[id].pack] === "off")
]

/**
 * The first rule that stops the command, else the first that asks about it. With `look` in it the answer depends on a working tree:
 * ask again with that tree in `place.trees`.
 */
export const classify = (
  command: string,
  place: Place,
  rules: readonly Rule[] = shippedRules
): Judged | undefined => {
  let asked: Judged | undefined
  const verdict = (found: Verdict | undefined): Judged | undefined => {
    if (found === undefined || off.includes(found.rule)) return undefined
    const judged = { ...found, action: actionOf(found, place) }
    // What nobody has looked at yet may turn out to be nothing.
    if (judged.action === "block" && judged.look === undefined) return judged
    if (asked === undefined || (asked.look !== undefined && judged.look === undefined)) asked = judged
    return undefined
  }
  let off: readonly string[] = place.off ?? []
  const budget = budgetOf(command)
  try {
    off = offIn(place)
    // A place whose parts cannot be read is judged letter by letter, as is a command.
    const found = read(command, { ...place, off }, budget, { rules, verdict }) as Judged | undefined
    if (found !== undefined) return found
  } catch {
    budget.unread = true
  }
  if (budget.left >= 0 && budget.unread !== true) return asked
  const beyond = budget.beyond === true || budget.left < 0
  const found = (mentioned(command, place, verdict) ?? verdict(beyond ? notRead : undefined)) as
    | Judged
    | undefined
  return found ?? asked
}
