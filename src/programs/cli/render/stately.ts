/** Steps of actors in the words that Stately's inspector reads: who there is, what came, and where that left it. */
import { machines } from "../../../../machines/machines.ts"
import type { ActorFrame } from "../../../runtime/actors/ActorView.ts"

/** Of the protocol, as @statelyai/inspect counts: the version of that package. */
const protocol = "0.4.0"

/** What its protocol says of every message. */
interface Common {
  readonly rootId: string
  readonly sessionId: string
  /** Milliseconds since 1970, as a text. */
  readonly createdAt: string
  readonly id: string
  readonly _version: string
}

interface Snapshot {
  readonly status: "active" | "done"
  readonly value: string
  readonly context: Readonly<Record<string, unknown>>
}

export type StatelyMessage = Common &
  (
    | {
        readonly type: "@xstate.actor"
        readonly name: string
        /** The machine, as JSON in a text. */
        readonly definition: string
        readonly snapshot: Snapshot
      }
    | { readonly type: "@xstate.event"; readonly event: { readonly type: string } }
    | {
        readonly type: "@xstate.snapshot"
        readonly event: { readonly type: string }
        readonly snapshot: Snapshot
      }
  )

/** Functions of a machine have no text; their names do. */
const named = (_key: string, value: unknown): unknown =>
  typeof value === "function" ? { type: value.name } : value

const definitions = new Map<string, string>()

const definitionOf = (machine: string): string => {
  const known = definitions.get(machine)
  if (known !== undefined) return known
  const definition = JSON.stringify(machines[machine]?.definition.config ?? { id: machine }, named)
  definitions.set(machine, definition)
  return definition
}

const isFinal = (machine: string, state: string): boolean =>
  machines[machine]?.definition.states[state]?.type === "final"

const nameOf = ({ agent, agentEvent, machine, name }: ActorFrame): string =>
  [machine, ...[agent, agentEvent, name].filter((one) => typeof one === "string" && one !== "")].join(" ")

/** An actor that goes on after so many others is introduced again. */
const remembered = 10_000

/** The messages of each frame: an actor that was not seen before is introduced first. */
export const makeStately = () => {
  const introduced = new Set<string>()
  let messages = 0

  return (frame: ActorFrame): readonly StatelyMessage[] => {
    const { after, at, before, fact, machine, refused, stream } = frame
    const common = (): Common => ({
      rootId: stream,
      sessionId: stream,
      createdAt: String(Date.parse(at)),
      id: `${stream}#${++messages}`,
      _version: protocol
    })
    const snapshotOf = (value: string): Snapshot => ({
      status: isFinal(machine, value) ? "done" : "active",
      value,
      // A frame holds nothing of what its fact carries.
      context: {}
    })
    const said: StatelyMessage[] = []
    if (!introduced.has(stream))
      said.push({
        type: "@xstate.actor",
        ...common(),
        name: nameOf(frame),
        definition: definitionOf(machine),
        snapshot: snapshotOf(before)
      })
    const event = { type: fact }
    said.push({ type: "@xstate.event", ...common(), event })
    if (!refused) said.push({ type: "@xstate.snapshot", ...common(), event, snapshot: snapshotOf(after) })
    if (isFinal(machine, after)) introduced.delete(stream)
    else introduced.add(stream)
    if (introduced.size > remembered) introduced.clear()
    return said
  }
}
