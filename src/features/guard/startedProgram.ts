/** What a program does that is given as a text: in a language of its own, or as a script that says who reads it. */
import { aroundOf } from "./around.ts"
import { awkCommands } from "./awk.ts"
import type { Call } from "./Call.ts"
import { readCode } from "./code.ts"
import type { Verdict } from "./rule.ts"
import { passOver } from "./script.ts"
import { shells, type Walker } from "./Walker.ts"

/** What a program of another language does is asked as if a shell did it. */
export const walkProgram = (program: string, call: Call, walker: Walker): Verdict | undefined => {
  const { name, state } = call
  state.budget.left -= program.length
  if (state.budget.left < 0) return undefined
  const pass = () => passOver(state.budget)
  const { commands: known, found } = readCode(
    program,
    aroundOf(program, call),
    pass,
    /^(?:node(?:js)?|bun|deno|tsx|ts-node)$/.test(name)
  )
  const commands = /^[gmn]?awk$/.test(name) ? [...known, ...awkCommands(program, pass)] : known
  const judged = walker.verdict(
    found && { rule: found.rule, reason: `What \`${name}\` is given ${found.does}.` }
  )
  if (judged) return judged
  for (const command of commands) {
    const inside = walker.text(command, state)
    if (inside) return inside
  }
  return undefined
}

/** A script that is started by its name says in its first line who reads it. */
export const walkScript = (text: string, call: Call, walker: Walker): Verdict | undefined => {
  const [, reader = "sh"] = /^#![^\n]*?([\w.-]+)\s*(?:\n|$)/.exec(text) ?? []
  return shells.has(reader)
    ? walker.text(text, call.state, {}, call.args)
    : walkProgram(text, { ...call, name: reader }, walker)
}
