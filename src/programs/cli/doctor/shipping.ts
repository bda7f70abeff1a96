/** Whether what happens gets where its user wants it sent, and how far that is behind. */
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Backlog } from "../../../tools/shipping/position.ts"
import { readSinks, type Sink, sinksFile } from "../../../tools/shipping/Sink.ts"
import { readTrouble } from "../../../tools/shipping/trouble.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

const name = "ship"

/** Batches wait for some time to be worth a request, and a host for the next call: what waits longer is stuck. */
const patienceMs = 1_800_000

/** What waits for each sink, at `now`, in milliseconds since 1970. */
export interface Backlogs {
  readonly now: number
  readonly backlogs: ReadonlyMap<string, Backlog>
}

const stamp = (at: number): string => new Date(at).toISOString()

const waitingOf = ({ facts, more, since }: Backlog): string =>
  since === undefined
    ? ": nothing waits"
    : `: ${facts}${more ? "+" : ""} ${facts === 1 && !more ? "fact waits" : "facts wait"} since ${stamp(since)}`

const withPayloads = ({ payloads }: Sink): string =>
  payloads === undefined ? "" : `, with payloads, as was decided at ${stamp(payloads.decided)}`

const checkSink = (state: string, sink: Sink, known: Backlogs | undefined): Check => {
  const trouble = readTrouble(state, sink.name)
  const backlog = known?.backlogs.get(sink.name)
  const waiting = backlog === undefined ? "" : waitingOf(backlog)
  if (trouble !== undefined)
    return warn(
      name,
      `${sink.name} was not reached at ${stamp(trouble.at)}, ${printable(trouble.error)}${withPayloads(sink)}${waiting}`,
      'It is tried again by itself; "hooktape ship status" says how much waits.'
    )
  const since = backlog?.since
  return known !== undefined && since !== undefined && known.now - since > patienceMs
    ? warn(
        name,
        `${sink.name} is not sent what happens${withPayloads(sink)}${waiting}`,
        'A host sends it: "hooktape host status" says whether one runs.'
      )
    : ok(name, `${sink.name} is sent what happens${withPayloads(sink)}${waiting}`)
}

/** Nothing where nothing is sent. Without a log that can be read it is not known what waits. */
export const checkShipping = (state: string, known?: Backlogs): readonly Check[] => {
  try {
    return readSinks(state).map((sink) => checkSink(state, sink, known))
  } catch (cause) {
    const reason = `${sinksFile(state)} cannot be read: ${printable(messageOf(cause))}`
    return [fail(name, reason, "Remove it, and add your sinks again.")]
  }
}
