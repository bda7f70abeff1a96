/** Commands that stand in variables, in git's settings and in its aliases, and that are started by whoever reads those. */
import type { Call } from "./Call.ts"
import type { Argument } from "./expand.ts"
import { fileOrWritten } from "./input.ts"
import { isKnown } from "./interpreters.ts"
import { aliasSet } from "./packs/git.ts"
import { readGit } from "./packs/gitCall.ts"
import { parse } from "./parse.ts"
import type { Verdict } from "./rule.ts"
import { isReadFirst, runCommands, settingCommand } from "./runVariables.ts"
import type { Part, Word } from "./script.ts"
import { setFunction } from "./shellState.ts"
import type { Walker } from "./Walker.ts"

/** Of `NAME=…` what stands behind the sign, as it was written. */
const behindName = ([head, ...rest]: Word): Word =>
  head?.kind === "text" ? [{ ...head, text: head.text.replace(/^\w+=/, "") }, ...rest].filter(hasText) : rest

const hasText = (part: Part): boolean => part.kind !== "text" || part.text !== ""

/** What is set for a command, or from here on, and run by whoever reads it. */
export const walkRunVariables = (
  args: readonly Argument[],
  { state }: Call,
  walker: Walker
): Verdict | undefined => {
  for (const { values, word } of args) {
    const [text = ""] = values
    const equals = text.indexOf("=")
    const name = text.slice(0, Math.max(0, equals))
    const read = isReadFirst(name) ? fileOrWritten(behindName(word), state) : undefined
    const commands = [...runCommands(name, [text.slice(equals + 1)]), ...(read === undefined ? [] : [read])]
    for (const command of commands) {
      const found = isKnown(command) ? walker.text(command, state) : undefined
      if (found) return found
    }
  }
  return undefined
}

/** An alias that this command line set before: `git config alias.x …; git x`. */
export const walkGitAlias = (call: Call, walker: Walker): Verdict | undefined => {
  const [alias, body] = aliasSet(call) ?? []
  if (alias !== undefined && body !== undefined)
    setFunction(call.state, `git ${alias}`, parse(`git ${body} "$@"`, call.state.budget))
  const { args, settings = [], verb } = readGit(call) ?? {}
  for (const setting of settings) {
    const [, given = "", does = ""] = /^alias\.([\w-]+)=([^!].*)$/s.exec(setting) ?? []
    if (given !== "" && given === verb)
      setFunction(call.state, `git ${given}`, parse(`git ${does} "$@"`, call.state.budget))
    const command = settingCommand(setting)
    const found = command === undefined || !isKnown(command) ? undefined : walker.text(command, call.state)
    if (found) return found
  }
  return args === undefined ? undefined : walker.definition({ ...call, name: `git ${verb}`, args })
}
