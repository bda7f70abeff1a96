/** All that reads commands by the shell's grammar, in one: a build keeps it in a file of its own, loaded when a command needs it. */
import { classifyLooking, gitStatus } from "./guard/look.ts"
import { explanation, placeOf } from "./guard/settings.ts"
import { weakenedByShell } from "./ownGuards/weakenedByShell.ts"

export const shellGuards = { classifyLooking, explanation, gitStatus, placeOf, weakenedByShell }
