/** All that reads commands by the shell's grammar, in one: a build keeps it in a file of its own, loaded when a command needs it. */

import { readTogether } from "../ownGuards/readTogether.ts"
import { weakenedByShell } from "../ownGuards/weakenedByShell.ts"
import { classifyLooking, gitStatus, isCleared, realFolder } from "./look.ts"
import { fileDoes } from "./lookFile.ts"
import { scriptLook } from "./lookScript.ts"
import { explanation, placeOf } from "./settings.ts"

export const shellGuards = {
  classifyLooking,
  explanation,
  fileDoes,
  gitStatus,
  isCleared,
  placeOf,
  readTogether,
  realFolder,
  scriptLook,
  weakenedByShell
}
