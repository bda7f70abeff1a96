/** What is looked for in the end: hooks see it before and may rewrite it. */
import type { Attributed } from "../../../machines/replyIntents.ts"
import { dispatchIfHooked } from "../../runtime/dispatch/dispatch.ts"

export interface Question {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly query: string
  readonly session?: string | undefined
}

export interface Rewritten {
  readonly query: string
  readonly intents: readonly Attributed[]
  /** Who does not want it looked for, and why. */
  readonly refused?: { readonly handler: string; readonly reason: string }
}

/** Where no hook wants to know nothing is recorded: who looks whether something was forgotten would put it on the log again. */
export const ask = async ({ query, ...place }: Question): Promise<Rewritten> => {
  const reply = await dispatchIfHooked({ ...place, event: "search.before", data: { query } })
  if (reply === undefined) return { query, intents: [] }
  const { blocks, intents, metadata } = reply
  const [refused] = blocks
  if (refused !== undefined) return { query, intents, refused }
  const { query: rewritten } = metadata
  return { query: typeof rewritten === "string" ? rewritten : query, intents }
}
