/** Whether what happens gets where its user wants it sent. */
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { readSinks, type Sink, sinksFile } from "../../../tools/shipping/Sink.ts"
import { readTrouble } from "../../../tools/shipping/trouble.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

const name = "ship"

const checkSink = (state: string, sink: Sink): Check => {
  const trouble = readTrouble(state, sink.name)
  if (trouble === undefined) return ok(name, `${sink.name} is sent what happens`)
  const since = new Date(trouble.at).toISOString()
  return warn(
    name,
    `${sink.name} was not reached at ${since}: ${printable(trouble.error)}`,
    'It is tried again by itself; "hooktape ship status" says how much waits.'
  )
}

/** Nothing where nothing is sent. */
export const checkShipping = (state: string): readonly Check[] => {
  try {
    return readSinks(state).map((sink) => checkSink(state, sink))
  } catch (cause) {
    const reason = `${sinksFile(state)} cannot be read: ${printable(messageOf(cause))}`
    return [fail(name, reason, "Remove it, and add your sinks again.")]
  }
}
