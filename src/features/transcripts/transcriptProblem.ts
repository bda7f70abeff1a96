/** Whether the file that an agent names as its transcript is one to read: a plain one, and the user's own. */
import { lstatSync, type Stats } from "node:fs"
import { isAbsolute } from "node:path"

/** None for what cannot be the name of a file that is there: too long, through a file, with a NUL. */
const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

export const transcriptProblem = (transcript: string): string | undefined => {
  if (!isAbsolute(transcript)) return "the agent names no transcript"
  const stat = statOf(transcript)
  if (stat === undefined) return "there is no transcript at this place"
  if (!stat.isFile()) return "the transcript is not a plain file"
  const uid = process.getuid?.()
  if (uid !== undefined && stat.uid !== uid) return "the transcript belongs to another user"
  return stat.size === 0 ? "the transcript is empty" : undefined
}
