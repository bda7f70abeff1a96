/** Leaves word of a build's guards where it outlives the build. */
import { writeWhole } from "../../state/files.ts"
import type { Guard } from "../../state/manifest.ts"
import { guardsFile } from "../../trust/keptGuards.ts"

/** A project without any says so: the user's are no substitute for what it has. */
export const keepGuards = (state: string, project: string | undefined, guards: readonly Guard[]): void =>
  writeWhole(guardsFile(state, project), `${JSON.stringify({ version: 1, guards })}\n`)
