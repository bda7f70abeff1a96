/** A file of the user's own that holds a secret is read by nobody else. */
import { type Stats, statSync } from "node:fs"

/** As PostgreSQL has it for keys: root's may be read by its group, as those are that a container is given. */
const tooOpen = ({ mode, uid }: Stats): boolean => (mode & (uid === 0 ? 0o027 : 0o077)) !== 0

/** Why a secret is none there; undefined also where files have no such rights. Throws where nothing is there. */
export const exposure = (path: string): string | undefined => {
  // A pipe has rights too, and is nowhere: what a shell hands over as a file.
  const stat = statSync(path)
  return process.getuid !== undefined && stat.isFile() && tooOpen(stat)
    ? `can be read or written by others: run chmod 600 '${path}'`
    : undefined
}
