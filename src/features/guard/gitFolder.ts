/** `delete-project`: what the history of a project stands on, file by file. Locks, hooks and what a merge leaves are not among it. */
import { type Call, type Rule, readOptions, shown } from "./Call.ts"
import { expand } from "./expand.ts"
import { absolute, isTemporary } from "./paths.ts"
import type { Verdict } from "./rule.ts"
import { unknown } from "./script.ts"

const vital =
  /\/\.git\/(?:HEAD|config|index|packed-refs|shallow|\*|(?:objects|refs|logs|modules|worktrees)(?:\/.*)?)$/

const judged = (value: string, { state }: Call, how: string): Verdict | undefined => {
  if (state.remote || value.startsWith(unknown)) return undefined
  const path = absolute(value, state)
  if (path === undefined || !vital.test(path) || path.endsWith(".lock")) return undefined
  const isMade = [...state.made].some((folder) => path.startsWith(`${folder}/`))
  if (isMade || isTemporary(path, state)) return undefined
  return {
    rule: "delete-project",
    action: "ask",
    reason: `${how} takes away ${shown(path)}, on which the history of a project stands.`
  }
}

/** Which of its operands a command takes away or overwrites. */
const goneOf = (call: Call): readonly string[] => {
  const operands = readOptions(call.args, call.name === "truncate" ? "sr" : "").operands.flatMap(
    ({ values }) => values
  )
  switch (call.name) {
    case "rm":
    case "unlink":
    case "shred":
    case "truncate":
    case "rimraf":
      return operands
    case "mv":
      return operands.length > 1 ? operands : []
    case "cp":
    case "install":
    case "ln":
      return operands.length > 1 ? operands.slice(-1) : []
    case "tee":
      return call.args.some(({ values }) => /^-\w*a|^--append/.test(values[0] ?? "")) ? [] : operands
    case "dd":
      return operands.filter((text) => text.startsWith("of=")).map((text) => text.slice(3))
    default:
      return []
  }
}

export const gitFolder: Rule = (call) => {
  for (const { operator, target } of call.redirects) {
    if (!/^(?:&?>|>\||<>)$/.test(operator)) continue
    for (const path of expand(target, call.state)) {
      const found = judged(path, call, "What is written there")
      if (found) return found
    }
  }
  for (const value of goneOf(call)) {
    const found = judged(value, call, `\`${call.name}\``)
    if (found) return found
  }
  return undefined
}
