/** What a tool call would do to the guards of the agent that makes it, in words; nothing for almost every call. */
import { dirname, resolve } from "node:path"
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { patchedFiles } from "../../adapters/toolCall.ts"
import { isOwn, weakening } from "../../trust/weakening.ts"
import type { Rule } from "../guard/Call.ts"
import { parse } from "../guard/parse.ts"
import type { Budget } from "../guard/script.ts"
import { beginning } from "../guard/shellState.ts"
import { walk } from "../guard/walk.ts"
import { ordered } from "./commands.ts"
import { fold, type GuardedPlace, guardedAt, meant } from "./guarded.ts"
import { mentions, touched } from "./touched.ts"

const assignment = new RegExp(
  `\\b(${Object.keys(weakening)
    .filter(isOwn)
    .sort((a, b) => b.length - a.length)
    .join("|")})\\s{0,3}[=:]`
)

/** Files from which a shell or an agent takes variables. */
const ofVariables =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.envrc|\.(?:bash|zsh)(?:rc|env|_profile|_login|profile|login)|\.profile|config\.fish)$/

const pathsIn = (input: Json): readonly string[] =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.entries(input).flatMap(([key, value]) => {
        if (!/path|file|dest|source|target|uri|from|to/i.test(key)) return []
        return (Array.isArray(value) ? value : [value]).filter(
          (one): one is string => typeof one === "string"
        )
      })
    : []

const textIn = (input: Json): string =>
  typeof input === "string"
    ? input
    : Object.values(input ?? {})
        .filter((one) => typeof one === "string")
        .join("\n")

const editedPaths = (tool: Tool): readonly string[] => [
  ...(tool.path === undefined ? [] : [tool.path]),
  ...(tool.paths ?? []),
  ...(tool.name === "apply_patch"
    ? patchedFiles(textIn(tool.input)).flatMap(({ from, path }) =>
        from === undefined ? [path] : [from, path]
      )
    : []),
  ...(tool.kind === "mcp" ? pathsIn(tool.input) : [])
]

const byEdit = (tool: Tool, place: GuardedPlace): string | undefined => {
  const guarded = guardedAt(place)
  for (const path of new Set(editedPaths(tool))) {
    const whole = resolve(place.cwd, path.replace(/^file:\/\//, "").replace(/^~(?=\/)/, place.home))
    const what = meant(whole, guarded)
    if (what !== undefined) return `would change ${what} (${path})`
    const variable = ofVariables.test(whole) ? assignment.exec(textIn(tool.input))?.[1] : undefined
    if (variable !== undefined)
      return `would set ${variable} in ${path}, which can leave an agent without its hooks`
  }
  return undefined
}

const byShell = (command: string, place: GuardedPlace): string | undefined => {
  const guarded = guardedAt(place)
  const paths = guarded.map(({ path }) => path)
  const look = {
    guarded,
    known: [...new Set([...paths, ...paths.map(dirname)].map(fold))].filter((path) => path !== place.home)
  }
  const budget: Budget = { left: 200_000 + 20 * command.length }
  let found: string | undefined
  let acts = false
  const rule: Rule = (call) => {
    if (found === undefined) {
      const what = touched(call, look)
      found = ordered(call) ?? (what === undefined ? undefined : `would change ${what}`)
    }
    acts ||=
      !/^(?:|grep|rg|cat|less|head|tail|echo|printf|git|cd|ls|wc|sed|awk|find)$/.test(call.name) ||
      call.redirects.some(({ operator }) => operator.includes(">"))
    return undefined
  }
  try {
    walk(parse(command, budget), beginning(place, budget), { rules: [rule], verdict: () => undefined })
  } catch {
    budget.unread = true
  }
  if (found !== undefined) return found
  const plain = command.replace(/["'\\]/g, "")
  const variable = acts ? assignment.exec(plain)?.[1] : undefined
  if (variable !== undefined && isWeakeningIn(plain, variable))
    return `sets ${variable}, which can leave an agent without its hooks`
  return (budget.left < 0 || budget.unread === true) && mentions(command)
    ? "names what guards an agent, and is too long or nested too deep to be read to its end"
    : undefined
}

/** `HOOKTAPE=1` switches nothing off. */
const isWeakeningIn = (text: string, name: string): boolean => {
  const { when } = weakening[name] ?? {}
  if (when === undefined) return true
  const value = new RegExp(`\\b${name}\\s{0,3}[=:]\\s{0,3}([^\\s;&|]{0,20})`).exec(text)?.[1] ?? ""
  return when.test(value) || /[$`]/.test(value)
}

export const weakenedBy = (tool: Tool, place: GuardedPlace): string | undefined =>
  tool.kind === "shell" ? byShell(tool.command ?? "", place) : byEdit(tool, place)
