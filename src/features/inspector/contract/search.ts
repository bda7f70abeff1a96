/** Search everywhere: a word, a command, a hook, a reason, an id. */
import * as Schema from "effect/Schema"
import { Call } from "./call.ts"
import { SessionRow } from "./session.ts"
import { Count, List, Text } from "./shared.ts"

export const SearchQuery = Schema.Struct({ text: Text })
export const Found = Schema.Struct({
  /** The newest 20; behind them the newest 10 that only a transcript tells of. */
  calls: List(Call),
  /** Of hooks. */
  totalCalls: Count,
  sessions: List(SessionRow),
  hooks: List(Text)
})
export type Found = typeof Found.Type
