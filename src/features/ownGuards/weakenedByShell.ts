/** What a command would do to the guards of the agent that runs it, in words. */
import { dirname } from "node:path"
import { weakening } from "../../trust/weakening.ts"
import { type Call, type Rule, textsOf } from "../guard/Call.ts"
import { expand } from "../guard/expand.ts"
import { parse } from "../guard/parse.ts"
import { absolute } from "../guard/paths.ts"
import { type Budget, budgetOf, type Script } from "../guard/script.ts"
import { beginning } from "../guard/shellState.ts"
import { walk } from "../guard/walk.ts"
import { assignment } from "./assignment.ts"
import { ordered } from "./commands.ts"
import {
  fold,
  type Guarded,
  type GuardedPlace,
  guardedAt,
  lookingOnce,
  meant,
  stateWords
} from "./guarded.ts"
import type { Look } from "./meaning.ts"
import { mentions, mentionsHolder, touched } from "./touched.ts"

/** What lies there answers for the agent's own calls: by hand it can be told that a session is over. */
const startedOf = (
  { args, fed, path = "", redirects, state, upstream }: Call,
  guarded: readonly Guarded[]
): string | undefined => {
  // Without anything to read it does nothing.
  if (!fed && upstream.length === 0 && redirects.length === 0) return undefined
  const own = guarded.filter(({ what }) => what === stateWords)
  const isOurs = [path, ...textsOf(args)].some((text) => {
    if (!/(?:^|\/)(?:hook|entry|host|load\.cjs)$/.test(text)) return false
    const whole = absolute(text, state)
    return whole !== undefined && meant(whole, own) !== undefined
  })
  return isOurs ? "calls hooktape in the name of an agent" : undefined
}

const onlyTells = /^(?:|grep|rg|cat|less|head|tail|echo|printf|git|gh|glab|cd|ls|wc|sed|awk|find|tee)$/
/** Nobody takes variables from these: they are read by people, or by nobody. */
const isDocument = (path: string): boolean => /\.(?:md|mdx|txt|rst|adoc)$|^\/dev\/null$/i.test(path)

/** Whether what it names may be set for somebody: it starts something, or writes what may be read for that. */
const mayAct = ({ args, name, redirects, state }: Call): boolean => {
  const written = redirects
    .filter(({ operator }) => operator.includes(">") && !operator.endsWith("&"))
    .flatMap(({ target }) => expand(target, state))
  const told = name === "tee" ? textsOf(args).filter((text) => !text.startsWith("-")) : []
  return !onlyTells.test(name) || ![...written, ...told].every(isDocument)
}

/** What is looked for in such a place; the same as long as nothing else is guarded there. */
const looks = new WeakMap<readonly Guarded[], Look>()

const lookAt = (place: GuardedPlace): Look => {
  const guarded = guardedAt(place)
  const before = looks.get(guarded)
  if (before !== undefined) return before
  const paths = guarded.flatMap(({ path }) => (path === "" ? [] : [path]))
  const look = {
    guarded,
    known: [...new Set([...paths, ...paths.map(dirname)].map(fold))].filter((path) => path !== place.home)
  }
  looks.set(guarded, look)
  return look
}

/** What is asked about each command as somebody goes through the line, and what it comes to once that is done. */
export interface ShellReading {
  readonly rule: Rule
  readonly found: (budget: Budget) => string | undefined
}

/** For a single walk, within one look at the disk. */
export const readingOf = (command: string, place: GuardedPlace): ShellReading => {
  const look = lookAt(place)
  let told: string | undefined
  let acts = false
  return {
    rule: (call) => {
      if (told === undefined) {
        const what = touched(call, look)
        told =
          ordered(call) ??
          startedOf(call, look.guarded) ??
          (what === undefined ? undefined : `would change ${what}`)
      }
      acts ||= mayAct(call)
      return undefined
    },
    found: (budget) => {
      if (told !== undefined) return told
      const plain = command.replace(/["'\\]/g, "")
      const variable = acts ? assignment.exec(plain)?.[1] : undefined
      if (variable !== undefined && isWeakeningIn(plain, variable))
        return `sets ${variable}, which can leave an agent without its hooks`
      // Length and depth somebody may have chosen, to put a name behind them.
      const beyond = budget.left < 0 || budget.beyond === true
      const isNamed = beyond
        ? mentions(command) || mentionsHolder(plain)
        : budget.unread === true && mentions(command)
      return isNamed
        ? "names what guards an agent, and is too long or nested too deep to be read to its end"
        : undefined
    }
  }
}

/** `read`: its commands, where somebody has read them already. */
export const weakenedByShell = (
  command: string,
  place: GuardedPlace,
  budget: Budget = budgetOf(command),
  read: () => Script = () => parse(command, budget)
): string | undefined =>
  lookingOnce(() => {
    const { found, rule } = readingOf(command, place)
    try {
      walk(read(), beginning(place, budget), { rules: [rule], verdict: () => undefined })
    } catch {
      budget.unread = true
    }
    return found(budget)
  })

/** `HOOKTAPE=1` switches nothing off. */
const isWeakeningIn = (text: string, name: string): boolean => {
  const { when } = weakening[name] ?? {}
  if (when === undefined) return true
  const value = new RegExp(`\\b${name}\\s{0,3}[=:]\\s{0,3}([^\\s;&|]{0,20})`).exec(text)?.[1] ?? ""
  return when.test(value) || /[$`]/.test(value)
}
