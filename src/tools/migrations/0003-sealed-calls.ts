/** Calls that a client of 0.1 left on disk in clear are sealed: docs/decisions/0025-sealed-calls.md. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { isSealed, sealFrame } from "../../log/sealedFrame.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { writeWhole } from "../../state/files.ts"
import { digestKey, readPrivate } from "../../state/state.ts"

const ending = ".frame"

export const sealedCalls = {
  number: 3,
  about: "Calls that wait in the spool for a host are encrypted.",
  apply: (state: string): void => {
    const spool = spoolDirectory(state)
    for (const name of readdirSync(spool).filter((one) => one.endsWith(ending))) {
      const bytes = readPrivate(join(spool, name))
      if (bytes === undefined || isSealed(bytes)) continue
      writeWhole(join(spool, name), sealFrame(digestKey(state), name.slice(0, -ending.length), bytes))
    }
  }
} as const
