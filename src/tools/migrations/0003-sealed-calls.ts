/** Calls that a client of 0.1 left on disk in clear are sealed: docs/decisions/0025-sealed-calls.md. */
import { basename, join } from "node:path"
import { isSealed, openFrame, sealFrame } from "../../log/sealedFrame.ts"
import { deferredCalls, frameEnding } from "../../log/spool/deferredFiles.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { digestKey, readPrivate } from "../../state/state.ts"
import type { FileChange, Migration } from "./Migration.ts"

const callOf = (file: string): string => basename(file, frameEnding)

export const sealedCalls: Migration = {
  number: 3,
  name: "sealed-calls",
  from: "0.1.0",
  to: "0.2.0",
  of: "calls",
  about: "Calls that wait in the spool for a host are encrypted.",
  plan: ({ project, state }) => {
    if (project !== undefined) return []
    const spool = spoolDirectory(state)
    return deferredCalls(spool).flatMap((name): FileChange[] => {
      const file = join(spool, name)
      const bytes = readPrivate(file)
      if (bytes === undefined || isSealed(bytes)) return []
      // A copy in clear would be what this is to end.
      return [{ kind: "file", file, next: sealFrame(digestKey(state), callOf(file), bytes), kept: "itself" }]
    })
  },
  restore: ({ state }, file, bytes) => openFrame(digestKey(state), callOf(file), Buffer.from(bytes))
}
