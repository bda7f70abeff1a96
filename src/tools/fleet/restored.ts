/** A fact as a collector has it, as one that every reader takes: what did not leave the machine is empty, and said to be. */
import * as Schema from "effect/Schema"
import { agents } from "../../../events/agentEvents.ts"
import type { InvocationFact } from "../../../events/facts.ts"
import { Findings } from "../../../events/findings.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { adapters } from "../../agents/adapters.ts"
import { decodeFact, knownTypes } from "../../log/validity.ts"

/** A row of the collector's table. */
export interface ShippedRow {
  /** The installation, by the name of its token. */
  readonly machine: string
  readonly id: string
  readonly stream: string
  readonly type: string
  readonly agent: string | null
  readonly agent_event: string | null
  readonly session: string | null
  readonly project: string | null
  readonly tool_use_id: string | null
  readonly cause: string | null
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

type Fields<T extends InvocationFact["type"]> = Partial<Omit<Extract<InvocationFact, { type: T }>, "type">>
type Restore = (row: ShippedRow) => object

const notShipped = "not shipped"
const failure = { name: "Error", message: notShipped }

/** What the agent reports, in the words that all agents are mapped to. */
export const eventOf = ({
  agent,
  agent_event: native
}: Pick<ShippedRow, "agent" | "agent_event">): string => {
  const known = agents.find((one) => one === agent)
  return (known === undefined ? undefined : adapters[known].events[native ?? ""]?.event) ?? `agent.${native}`
}

const bare: Readonly<Record<string, object>> = {
  DIAGNOSTIC: { level: "info", message: "" },
  USER_HINT: { text: "" },
  BLOCKING_FEEDBACK: { reason: "" },
  EXIT_SIGNAL: { code: 0 }
}

const intentsIn = (intents: unknown): readonly object[] =>
  Array.isArray(intents)
    ? intents.flatMap((one: { readonly type?: unknown } | null) =>
        typeof one?.type === "string" ? [{ ...bare[one.type], ...one }] : []
      )
    : []

/** Names that were too long to be sent are not there. */
const run = { handler: notShipped, event: notShipped }

const planned = (list: unknown, more: object): readonly object[] =>
  Array.isArray(list) ? list.map((one: object) => ({ ...run, onFailure: "allow", ...more, ...one })) : []

const sent = ({ data }: ShippedRow) => ({
  stdout: "",
  stderr: "",
  channels: Array.isArray(data["channels"])
    ? data["channels"].map((one: object) => ({
        intent: notShipped,
        handler: notShipped,
        channel: notShipped,
        ...one
      }))
    : []
})

/** Fields that a fact must have and that are not shipped, by its type. */
const lacking: Readonly<Record<string, Restore>> = {
  INVOCATION_OPENED: ({ agent, agent_event, machine, project, stream }): Fields<"INVOCATION_OPENED"> => ({
    invocation: stream.slice("invocation/".length) as never,
    agent: agent ?? "raw",
    agentEvent: agent_event ?? "",
    cwd: project ?? "",
    project: project ?? "",
    env: {},
    machine
  }),
  PAYLOAD_BUFFERED: (row): Fields<"PAYLOAD_BUFFERED"> => ({
    payload: "",
    missing: notShipped,
    session: row.session as never,
    toolUseId: row.tool_use_id,
    events: [{ event: eventOf(row) as never, data: {} }]
  }),
  PAYLOAD_REJECTED: (): Fields<"PAYLOAD_REJECTED"> => ({ detail: notShipped }),
  HANDLERS_PLANNED: ({ data }) => ({
    left: [],
    handlers: planned(data["handlers"], {}),
    ...(data["background"] === undefined
      ? {}
      : { background: planned(data["background"], { job: notShipped }) })
  }),
  HANDLER_STARTED: () => run,
  HANDLER_SUCCEEDED: ({ data }) => ({ ...run, intents: intentsIn(data["intents"]) }),
  HANDLER_FAILED: (): Fields<"HANDLER_FAILED"> => ({ ...run, error: failure }),
  HANDLER_TIMED_OUT: () => run,
  HANDLER_SKIPPED: (): Fields<"HANDLER_SKIPPED"> => ({ ...run, reason: notShipped }),
  REPLY_DELIVERED: sent,
  DELIVERY_FAILED: (row) => ({ ...sent(row), error: failure })
}

const areFindings = Schema.is(Findings)

/** Findings of another shape than ours would make the fact one that nobody knows. */
const readable = ({ findings, whole: _, ...data }: ShippedRow["data"]): ShippedRow["data"] =>
  areFindings(findings) ? { ...data, findings } : data

/** All of it, where its machine ships payloads. Its findings are beside it. */
const wholeIn = ({ data, machine, type }: ShippedRow): { readonly type: string } | undefined => {
  const { findings, whole } = data
  if (typeof whole !== "object" || whole === null) return undefined
  const told = areFindings(findings) ? { findings } : {}
  const fact = type === "INVOCATION_OPENED" ? { ...whole, type, machine } : { ...whole, type, ...told }
  // A fact of a newer version is kept, and shown as unknown.
  return !knownTypes.includes(type) || decodeFact(type, schemaVersion, fact).known ? fact : undefined
}

/** What was shipped stands as it is, but for lists: theirs are completed one by one. */
export const restored = (row: ShippedRow): { readonly type: string; readonly missing?: string } => {
  const whole = wholeIn(row)
  if (whole !== undefined) return whole
  const more = lacking[row.type]?.(row) ?? {}
  const lists = Object.fromEntries(Object.entries(more).filter(([, value]) => Array.isArray(value)))
  // Of a type that is shipped as a whole or not at all nothing says that it is missing, but this.
  return { type: row.type, missing: notShipped, ...more, ...readable(row.data), ...lists }
}
