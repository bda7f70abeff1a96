/** Whether the file that an agent names as its transcript is one to read: a plain one, and the user's own. */
import { lstatSync } from "node:fs"
import { isAbsolute } from "node:path"

export const transcriptProblem = (transcript: string): string | undefined => {
  if (!isAbsolute(transcript)) return "the agent names no transcript"
  const stat = lstatSync(transcript, { throwIfNoEntry: false })
  if (stat === undefined) return "there is no transcript at this place"
  if (!stat.isFile()) return "the transcript is not a plain file"
  const uid = process.getuid?.()
  if (uid !== undefined && stat.uid !== uid) return "the transcript belongs to another user"
  return stat.size === 0 ? "the transcript is empty" : undefined
}
