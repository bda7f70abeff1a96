/** Names of spool files, by which they are read: what one process writes first is read first, also within a millisecond. */
import type { InvocationId } from "../../../events/ids.ts"
import { invocationId, type Sources } from "../../../events/ids.ts"

let last = 0

export const spoolName = ({ now, random }: Sources): InvocationId => {
  last = Math.max(now(), last + 1)
  return invocationId({ now: () => last, random })
}
