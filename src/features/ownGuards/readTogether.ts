/** A command of a shell, gone through once for both guards: to read it costs more than to ask either of them. */
import type { Rule } from "../guard/Call.ts"
import { textOf } from "../guard/input.ts"
import { pathsListed } from "../guard/listed.ts"
import { isNothingWanted, unseen } from "../guard/look.ts"
import { parse } from "../guard/parse.ts"
import type { Place } from "../guard/rule.ts"
import { budgetOf, type Script } from "../guard/script.ts"
import { beginning, type ShellState } from "../guard/shellState.ts"
import { shippedRules } from "../guard/shippedRules.ts"
import { walk } from "../guard/walk.ts"
import { type GuardedPlace, lookingOnce } from "./guarded.ts"
import { readingOf, weakenedByShell } from "./weakenedByShell.ts"

export interface ReadTogether {
  /** As `weakenedByShell` says it. */
  readonly weakened: string | undefined
  /** `guard-destructive` has no word on it, as `isCleared` says it. Where it may have one it reads by itself. */
  readonly isCleared: boolean
}

/**
 * What one guard alone knows, and so may lead the other elsewhere: what commands print and list, and where the shell was before. Whether
 * it was asked for is told.
 */
const asked = (environment: Place["environment"]) => {
  let wasTold = false
  const noted = <A>(value: A, isTold: boolean): A => {
    wasTold ||= isTold
    return value
  }
  const { OLDPWD: before } = environment ?? {}
  return {
    wasTold: () => wasTold,
    outputOf: (script: Script, state: ShellState) => {
      const text = textOf(script, state)
      return noted(text, text !== undefined)
    },
    listedBy: (script: Script, state: ShellState) => {
      const paths = pathsListed(script, state)
      return noted(paths, paths.length > 0)
    },
    environment:
      before === undefined
        ? environment
        : {
            ...environment,
            get OLDPWD() {
              return noted(before, true)
            }
          }
  }
}

/** Every rule until the first has a word: what they say of the rest is for a reading of its own. */
const untilFound =
  (isFound: () => boolean): Rule =>
  (call) => {
    if (isFound()) return undefined
    for (const rule of shippedRules) {
      const verdict = rule(call)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }

/** `place`: of both, with nothing switched off and nothing allowed. */
export const readTogether = (command: string, own: GuardedPlace, place: Place): ReadTogether =>
  lookingOnce(() => {
    const budget = budgetOf(command)
    const apart = (): ReadTogether => ({ weakened: weakenedByShell(command, own), isCleared: false })
    // A home that is none to one of them.
    if (own.home !== place.home) return apart()
    let script: Script
    try {
      script = parse(command, budget)
    } catch {
      return apart()
    }
    const read = { ...budget }
    const nothing = unseen()
    const known = asked(place.environment)
    const { environment, listedBy, outputOf } = known
    const reading = readingOf(command, own)
    let isFound = false
    const ofOwn: Rule = (call) => {
      // What it would be asked about is not what it would have seen.
      if (!known.wasTold()) reading.rule(call)
      return undefined
    }
    try {
      const begun = { ...place, ...nothing, ...(environment === undefined ? {} : { environment }) }
      walk(script, beginning(begun, budget, { outputOf, listedBy }), {
        rules: [untilFound(() => isFound), ofOwn],
        verdict: (verdict) => {
          isFound ||= verdict !== undefined
          return undefined
        }
      })
    } catch {
      budget.unread = true
    }
    // Each has so much to spend for itself, and what is left unread is judged by each in its way.
    const isWhole = budget.left >= 0 && budget.unread !== true
    return {
      weakened:
        isWhole && !known.wasTold()
          ? reading.found(budget)
          : weakenedByShell(command, own, read, () => script),
      isCleared: isWhole && !isFound && isNothingWanted(nothing)
    }
  })
