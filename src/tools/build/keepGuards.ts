/** Leaves word of a build's guards where it outlives the build. */
import { writeWhole } from "../../state/files.ts"
import type { Guard } from "../../state/manifest.ts"
import { refuseNewer } from "../../state/newerFile.ts"
import { guardsFile } from "../../trust/keptGuards.ts"

/** A project without any says so: the user's are no substitute for what it has. */
export const keepGuards = (state: string, project: string | undefined, guards: readonly Guard[]): void => {
  const file = guardsFile(state, project)
  refuseNewer(file)
  writeWhole(file, `${JSON.stringify({ version: 1, guards })}\n`)
}
