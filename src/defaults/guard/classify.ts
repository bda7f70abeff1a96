/** The entrance: a command line and its place in, the rule that it breaks out. Pure, and linear in the command's length. */
import { parse } from "./parse.ts"
import type { Place, Verdict } from "./rule.ts"
import { beginning } from "./shellState.ts"
import { type Wanted, walk } from "./walk.ts"

/** Text within text is read again; all of it together may be so many times what was given. */
const budgetOf = (command: string) => ({ left: 200_000 + 20 * command.length })

/** The first rule that a command breaks where it is to run, if any. */
export const classify = (command: string, place: Place): Verdict | undefined => {
  const off = new Set(place.off ?? [])
  const wanted: Wanted = (verdict) => (verdict !== undefined && off.has(verdict.rule) ? undefined : verdict)
  const budget = budgetOf(command)
  return walk(parse(command, budget), beginning(place, budget), wanted)
}
