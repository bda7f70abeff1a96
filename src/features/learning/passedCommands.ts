/** What a project is tested, built and checked with, told by commands that went well. Pure. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import { outcomeOf, type Purpose, recognise } from "../checkpoints/commands.ts"
import { commandKey, hasFailed } from "../search/documents.ts"
import type { Pattern } from "./patternsIn.ts"

const sentences: Readonly<Record<Purpose, (command: string) => string>> = {
  tests: (command) => `Tests pass with \`${command}\`.`,
  build: (command) => `The build passes with \`${command}\`.`,
  types: (command) => `Types are checked with \`${command}\`.`,
  lint: (command) => `Lint passes with \`${command}\`.`
}

const longest = 80

/** One command that another session can run as it is: no shell around it, and not for a single file. */
const isPlain = (command: string): boolean =>
  command.length <= longest &&
  /^[\w./@:+-]+(?: [\w./@:=,+-]+)*$/.test(command) &&
  !/ \S*\/\S*|=\S*\/| \S+\.\w{1,5}(?= |$)/.test(command)

const textIn = (value: unknown): string => (typeof value === "string" ? value : "")

/** `data`: of payloads in the order of the log. What failed the last time is left out. */
export const passedCommands = (data: Iterable<unknown>): readonly Pattern[] => {
  const passed = new Map<string, Purpose>()
  for (const one of data) {
    const { events, tool } = (one ?? {}) as { readonly events?: unknown; readonly tool?: Tool }
    const all = Array.isArray(events) ? (events as readonly Dispatched[]) : []
    for (const { data: ran, event } of all) {
      if (event !== "command.ran") continue
      const command = commandKey(textIn(ran["command"]))
      const [known, ...others] = recognise(command)
      if (known === undefined || others.length > 0 || !isPlain(command)) continue
      const exitCode = typeof ran["exitCode"] === "number" ? ran["exitCode"] : undefined
      const isPassed = outcomeOf(known.isMasked, exitCode, hasFailed(ran, all, tool), textIn(ran["output"]))
      passed.delete(command)
      if (isPassed === true) passed.set(command, known.purpose)
    }
  }
  return [...passed].map(([command, purpose]) => ({
    about: "convention",
    text: sentences[purpose](command)
  }))
}
