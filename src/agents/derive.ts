/** What follows from a tool call that has run: the events beside the agent's own. */
import type { Dispatched } from "../../events/agentEvents.ts"
import type { EventData } from "../../events/eventData.ts"
import type { JsonObject } from "../../events/intents.ts"
import { languageOf } from "./language.ts"
import { signatureOf } from "./signature.ts"
import type { Call } from "./toolCall.ts"

/** An event with its fields, the compiler holding the two together. */
export const dispatched = <E extends keyof EventData>(event: E, data: EventData[E]): Dispatched => ({
  event,
  data: data as unknown as JsonObject
})

const longestMessage = 4000
const endsOf = (text: string): string =>
  text.length <= longestMessage
    ? text
    : `${text.slice(0, longestMessage / 2)}\n…\n${text.slice(-longestMessage / 2)}`

export const errorObserved = (message: string, tool?: string): Dispatched =>
  dispatched("error.observed", {
    signature: signatureOf(message),
    message: endsOf(message),
    ...(tool === undefined ? {} : { tool })
  })

/** For a call that has run, successfully or not. */
export const derivedFrom = ({ tool, changed, output, error }: Call): readonly Dispatched[] => {
  const events = changed.map((file) =>
    dispatched("file.edited", { ...file, language: languageOf(file.path) })
  )
  if (tool.kind === "shell" && tool.command !== undefined) {
    const { command, exitCode } = tool
    const ended = exitCode === undefined ? {} : { exitCode }
    events.push(dispatched("command.ran", { command, ...ended, output: output ?? "" }))
  }
  if (error !== undefined) events.push(errorObserved(error, tool.name))
  return events
}
