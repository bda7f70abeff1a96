/** What calls have in common that differ only in what they are about. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import { readCommand, workOf } from "../../features/checks/commandLine.ts"

const maxParts = 3
const maxOptions = 4
/** A longer command is a script, and shares its shape with nothing. */
const maxLength = 4000

/** Without its value. */
const optionOf = (option: string): string => /^-+[\w-]*/.exec(option)?.[0] ?? ""

/** Programs with what they are told to do and their options, without files, names and revisions. */
export const commandShape = (command: string): string => {
  if (command.length > maxLength) return "a long script"
  const parts = workOf(readCommand(command)).map(({ name, options, task }) =>
    [name, task, ...[...new Set(options.map(optionOf))].sort().slice(0, maxOptions)]
      .filter((word) => word !== "")
      .join(" ")
      .replace(/\s+/g, " ")
  )
  const distinct = [...new Set(parts)].filter((part) => part !== "")
  if (distinct.length === 0) return "nothing but words of the shell"
  const more = distinct.length - maxParts
  return [...distinct.slice(0, maxParts), ...(more > 0 ? [`${more} more`] : [])].join(" · ")
}

const extensionOf = (path: string): string => /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? ""

export const shapeOf = (agentEvent: string, tool: Tool | undefined): string => {
  if (tool === undefined) return agentEvent
  if (tool.command !== undefined) return commandShape(tool.command)
  const path = tool.path ?? tool.paths?.[0]
  return path === undefined ? tool.name : `${tool.name} *${extensionOf(path)}`
}
