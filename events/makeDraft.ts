/** The one builder of drafts: whatever is recorded gets its type, its schema version and its look-up columns here. */
import type { FactId } from "./ids.ts"
import { type Draft, type Marks, noMarks } from "./Recorded.ts"
import { schemaVersion } from "./schemaVersion.ts"

/** Where a fact belongs, and when it happened. */
export interface DraftPlace extends Pick<Draft, "id" | "stream" | "at"> {
  /** None where it is left out. */
  readonly cause?: FactId | null | undefined
  /** Those that are left out are null. */
  readonly marks?: Partial<Marks> | undefined
}

/** The fact as a draft of today's schema version. Pure. */
export const makeDraft = <F extends { readonly type: string }>(
  fact: F,
  { at, cause = null, id, marks = noMarks, stream }: DraftPlace
): Draft<F> => ({
  // Member by member: made for every fact of a call, and a spread costs more than all the rest.
  id,
  stream,
  type: fact.type,
  schemaVersion,
  at,
  cause,
  agent: marks.agent ?? null,
  agentEvent: marks.agentEvent ?? null,
  event: marks.event ?? null,
  session: marks.session ?? null,
  project: marks.project ?? null,
  toolUseId: marks.toolUseId ?? null,
  data: fact
})
