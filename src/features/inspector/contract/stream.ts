/**
 * Server-sent events of `GET /api/v1/stream`, read by `fetch`. `id:` is the position up to which the reader knows the log: it comes back
 * as `after`, and nothing is missed. Several facts at once are one event; a look at the log, of which there are at most 33 a second, is one event of each topic.
 */
import * as Schema from "effect/Schema"
import { Actors } from "./actors.ts"
import { Call } from "./call.ts"
import { Status } from "./live.ts"
import { FactRow } from "./log.ts"
import { Count, IfKnown, List, Text } from "./shared.ts"

export const StreamQuery = Schema.Struct({
  /** The position that the reader knows; from now on where it is missing. */
  after: IfKnown(Schema.NumberFromString),
  /** Of `calls`, `facts`, `actors`, with commas between; `calls` where it is missing. */
  topics: IfKnown(Text),
  session: IfKnown(Text)
})

/** `event:` is the name, `data:` the JSON. */
export const StreamEvents = {
  /** First of all. `missed`: facts since `after`; where there are more than 1,000 they do not follow: read anew. */
  hello: Schema.Struct({ position: Count, missed: Count, status: Status }),
  /** Calls that began, moved on or ended; each as it stands now. */
  calls: Schema.Struct({ position: Count, calls: List(Call) }),
  facts: Schema.Struct({ position: Count, facts: List(FactRow) }),
  /** At most two a second. */
  actors: Actors,
  /** When something in it changed, at most one a second. */
  status: Status,
  /** Whoever serves ends: ask again in a moment. */
  bye: Schema.Struct({ reason: Text })
} as const
export type StreamEvents = { readonly [K in keyof typeof StreamEvents]: (typeof StreamEvents)[K]["Type"] }
