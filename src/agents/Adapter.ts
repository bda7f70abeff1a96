/** One agent's dialect: what it sends, decoded once; what it accepts, encoded once. Pure. */
import type {
  Agent,
  CanonicalEvent,
  Dispatched,
  OwnEvent,
  PassedEvent,
  Tool
} from "../../events/agentEvents.ts"
import type { SessionId } from "../../events/ids.ts"
import type { JsonObject } from "../../events/intents.ts"
import type { Reply, Slot } from "./reply.ts"

/** What a payload amounts to. Decoding never fails: a field of an unexpected shape is reported as drift and left out. */
export interface Decoded {
  readonly session: SessionId | null
  /** The payload's own working directory, where it has one. */
  readonly cwd: string | null
  readonly toolUseId: string | null
  readonly tool: Tool | undefined
  /** The agent's event first, then what was derived from it, in order. */
  readonly events: readonly [Dispatched, ...Dispatched[]]
  /** Dotted names of fields that were there but not of the documented shape. */
  readonly drift: readonly string[]
}

/** Who performs the reply: a process (entry and socket alike) or an HTTP answer. */
export type Transport = "command" | "http"

/** A channel, with what the agent does to it on the way if that matters, or why there is none. */
export type Carried =
  | { readonly channel: string; readonly note?: string }
  | { readonly undeliverable: string; readonly instead?: "block" }

/** The exact bytes of a reply, and for each slot that the reply fills where it went. */
export interface Encoded {
  /** One JSON document with a newline, or nothing. */
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly carried: Partial<Record<Slot, Carried>>
  /** What still blocks where nothing can be written to standard output. */
  readonly otherwise?: { readonly stderr: string; readonly exitCode: number }
}

/** What is known of one native event before any payload came. */
export interface NativeEvent {
  readonly event: CanonicalEvent | OwnEvent | PassedEvent
  /**
   * Whether an installation registers a hook for it: `on demand` where it fires per token or per model call, `never` where the
   * agent hands its own work over to whoever listens.
   */
  readonly register: "always" | "on demand" | "never"
  /** For each slot and transport the channel it would take, or why it cannot: the delivery table is made of this. */
  readonly carries: (slot: Slot, transport: Transport) => Carried
}

export interface Adapter {
  readonly agent: Agent
  /** By the agent's own event name. */
  readonly events: Readonly<Record<string, NativeEvent>>
  /** For an event the adapter does not know: recorded as `agent.<Name>` and answered with the neutral reply. */
  readonly decode: (nativeEvent: string, payload: JsonObject) => Decoded
  /**
   * Law: `encode(event, transport, empty)` is the agent's neutral reply. The tool is the one of the payload: an agent that
   * replaces a tool's whole input needs the original to merge a change over.
   */
  readonly encode: (nativeEvent: string, transport: Transport, reply: Reply, tool?: Tool) => Encoded
}
