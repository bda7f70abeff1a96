/** What learning needs of the log: that the notes can be read. A part of the host says so at its start; hooks ask again each time. */
import { openReader } from "../../log/reader.ts"
import { noteFacts } from "../../runtime/services/Note.ts"

const maxLookedAt = 1000

/** Throws why nothing can be learned. */
export const checkLearning = (state: string, from: string): void => {
  const reader = openReader(state, { from })
  try {
    const { problem, unreadable } = reader.facts({ ...noteFacts, newestFirst: true, limit: maxLookedAt })
    if (unreadable) throw new Error(problem)
  } finally {
    reader.close()
  }
}
