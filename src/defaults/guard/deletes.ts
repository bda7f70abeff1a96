/** `delete-outside` and `delete-project`: recursive deletes that reach further than they should. */

import { type Call, type Rule, readOptions, shown } from "./Call.ts"
import { type Argument, argumentsOf, first } from "./expand.ts"
import { judge } from "./paths.ts"
import type { Verdict } from "./rule.ts"
import { executed } from "./texts.ts"
import { unwrap } from "./unwrap.ts"

const said = (rule: Verdict["rule"], path: string, how: string): Verdict => ({
  rule,
  reason:
    rule === "delete-project"
      ? `${how} deletes ${shown(path)}, which is the project or its history.`
      : `${how} deletes ${shown(path)} and what is in it, outside the project.`
})

const firstJudged = (
  targets: readonly Argument[],
  call: Call,
  how: string,
  chosen = false
): Verdict | undefined => {
  const isOff = (rule: string): boolean => call.state.place.off?.includes(rule) === true
  for (const { values } of targets) {
    for (const value of values) {
      const judged = judge(value, call.state, chosen)
      if (judged && !isOff(judged.rule)) return said(judged.rule, judged.path, how)
    }
  }
  return undefined
}

const choosing =
  /^-(?:i?name|i?path|i?wholename|i?regex|[amc]min|[amc]time|newer.*|size|empty|user|group|perm|inum|links)$/

interface Found {
  readonly roots: readonly Argument[]
  /** It does not take everything. */
  readonly chosen: boolean
  readonly deletes: boolean
}

const deleters = new Set(["rm", "rimraf", "shred", "unlink"])

/** What `find` walks through, and whether it deletes. */
export const readFind = (args: readonly Argument[]): Found => {
  const texts = args.map(first)
  const begin = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text))
  const roots = args.slice(0, begin < 0 ? args.length : begin).filter((arg) => !first(arg).startsWith("-"))
  const tests = begin < 0 ? [] : texts.slice(begin)
  return {
    roots: roots.length > 0 ? roots : [{ values: ["."], word: [] }],
    chosen: tests.some((text) => choosing.test(text)),
    deletes:
      tests.includes("-delete") || executed(args).some((words) => deleters.has(unwrap(words)?.name ?? ""))
  }
}

/** What the pipeline hands to `xargs`. */
const fedTargets = ({
  upstream,
  state
}: Call): { targets: readonly Argument[]; chosen: boolean; all: boolean } => {
  const source = unwrap(argumentsOf(upstream[0]?.words ?? [], state))
  const none = { targets: [], chosen: false, all: false }
  if (source === undefined) return none
  if (source.name === "find") {
    const { roots, chosen } = readFind(source.args)
    return { targets: roots, chosen: chosen || upstream.length > 1, all: true }
  }
  const { flags, operands } = readOptions(source.args)
  if (source.name === "echo" || source.name === "printf") return { ...none, targets: operands }
  // Without -d these are names within, which nobody can tell.
  return source.name === "ls" && flags.has("d") ? { ...none, targets: operands } : none
}

export const deletes: Rule = (call) => {
  const { name, args, fed } = call
  if (name === "find") {
    const { roots, chosen, deletes } = readFind(args)
    return deletes ? firstJudged(roots, call, "`find`", chosen) : undefined
  }
  if (name !== "rm" && name !== "rimraf") return undefined
  const { flags, operands } = readOptions(args)
  const recursive = name === "rimraf" || ["r", "R", "--recursive"].some((flag) => flags.has(flag))
  const how = name === "rm" ? "`rm -r`" : "`rimraf`"
  if (fed) {
    const { targets, chosen, all } = fedTargets(call)
    const found =
      recursive || all ? firstJudged(targets, call, `${how} of what it is given`, chosen) : undefined
    if (found) return found
  }
  return recursive ? firstJudged(operands, call, how) : undefined
}
