/** What is looked for in the end: hooks see it before and may rewrite it. */
import type { Attributed } from "../../../machines/replyIntents.ts"
import { dispatch } from "../../runtime/dispatch/dispatch.ts"
import { isAnswered } from "../../runtime/dispatch/hooksFor.ts"

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
  if (!isAnswered(place.state, place.project, "search.before")) return { query, intents: [] }
  const { blocks, intents, metadata } = await dispatch({ ...place, event: "search.before", data: { query } })
  const [refused] = blocks
  if (refused !== undefined) return { query, intents, refused }
  const { query: rewritten } = metadata
  return { query: typeof rewritten === "string" ? rewritten : query, intents }
}
