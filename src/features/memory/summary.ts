/** What a session did, in a text for the next one: told from its facts alone, the same facts giving the same text. Pure. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { oneLine, pathIn } from "../../state/terminalText.ts"
import { commandKey, hasFailed } from "../search/documents.ts"

/** As much of a fact as is needed, wherever it was read. */
export interface SeenFact {
  readonly type: string
  readonly data: unknown
}

export interface SessionSummary {
  /** The first thing that was asked for. */
  readonly goal: string | undefined
  /** The last thing, where it is another. */
  readonly asked: string | undefined
  /** Edited files in the order of their last edit, the newest last. */
  readonly files: readonly string[]
  /** Commands that were run, with how often and how the last went. */
  readonly commands: readonly { readonly command: string; readonly times: number; readonly failed: boolean }[]
  /** What went wrong and has not gone well since: the command or tool, and what it said. */
  readonly open: readonly { readonly what: string; readonly error: string }[]
  /** The last thing the model said. */
  readonly response: string | undefined
}

const text = (data: JsonObject, name: string): string => {
  const value = data[name]
  return typeof value === "string" ? value : ""
}

const payloads = function* (facts: Iterable<SeenFact>) {
  for (const { data, type } of facts) {
    if (type !== "PAYLOAD_BUFFERED" || typeof data !== "object" || data === null) continue
    const { events, tool } = data as { readonly events?: unknown; readonly tool?: Tool }
    if (Array.isArray(events)) yield { events: events as readonly Dispatched[], tool }
  }
}

/** The newest last. */
const touch = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key)
  map.set(key, value)
}

/** `facts` in the order of the log. */
export const summarise = (facts: Iterable<SeenFact>): SessionSummary => {
  const prompts: string[] = []
  const files = new Map<string, true>()
  const commands = new Map<string, { readonly times: number; readonly failed: boolean }>()
  const open = new Map<string, string>()
  let response: string | undefined
  for (const { events, tool } of payloads(facts)) {
    const error = events.find(({ event }) => event === "error.observed")
    for (const { data, event } of events) {
      if (event === "prompt.submit" && text(data, "prompt").trim() !== "")
        prompts.push(text(data, "prompt").trim())
      if (event === "file.edited") touch(files, text(data, "path"), true)
      if (event === "response.given") response = text(data, "text").trim() || response
      if (event === "command.ran") {
        const command = commandKey(text(data, "command"))
        const times = (commands.get(command)?.times ?? 0) + 1
        touch(commands, command, { times, failed: hasFailed(data, events, tool) })
      }
      if (event !== "tool.after" && event !== "tool.failure") continue
      const what = tool?.command === undefined ? (tool?.name ?? "a tool") : `\`${commandKey(tool.command)}\``
      if (error === undefined) open.delete(what)
      else touch(open, what, text(error.data, "message"))
    }
  }
  const asked = prompts.at(-1)
  return {
    goal: prompts[0],
    asked: prompts.length > 1 ? asked : undefined,
    files: [...files.keys()],
    commands: [...commands].map(([command, how]) => ({ command, ...how })),
    open: [...open].map(([what, error]) => ({ what, error })),
    response
  }
}

/** Nobody asked for anything, and nothing was done. */
export const isEmpty = ({ commands, files, goal }: SessionSummary): boolean =>
  goal === undefined && files.length === 0 && commands.length === 0

const maxFiles = 20
const maxCommands = 12
const maxOpen = 6

const listed = (items: readonly string[], most: number): readonly string[] =>
  items.length <= most
    ? items.map((one) => `- ${one}`)
    : [`- … and ${items.length - most} before`, ...items.slice(-most).map((one) => `- ${one}`)]

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines]

export const summaryText = (summary: SessionSummary, project: string): string => {
  const { asked, commands, files, goal, open, response } = summary
  return [
    ...(goal === undefined ? [] : [`Goal: ${oneLine(goal, 400)}`]),
    ...(asked === undefined ? [] : [`Last asked: ${oneLine(asked, 300)}`]),
    ...section(
      "Files changed",
      listed(
        files.map((path) => oneLine(pathIn(project, path), 200)),
        maxFiles
      )
    ),
    ...section(
      "Commands",
      listed(
        commands.map(
          ({ command, failed, times }) =>
            `\`${oneLine(command, 120)}\`${times > 1 ? ` ${times} times` : ""}${failed ? ", failed" : ""}`
        ),
        maxCommands
      )
    ),
    ...section(
      "Unresolved",
      listed(
        open.map(({ error, what }) => `${oneLine(what, 120)}: ${oneLine(error, 200)}`),
        maxOpen
      )
    ),
    ...(response === undefined ? [] : [`Ended with: ${oneLine(response, 400)}`])
  ].join("\n")
}
