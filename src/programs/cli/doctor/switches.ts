/** Which hooks somebody switched off with `hooktape hooks disable`: of a guard that is easily forgotten. */
import { isGuard } from "../../../features/instant.ts"
import { readSwitches, switchedBy } from "../../../history/switches.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Check, ok, warn } from "./Check.ts"

const hooksOff = (state: string, project: string): readonly string[] => {
  const switches = readSwitches(state)
  return [...new Set(switches.map(({ hook }) => hook))].filter(
    (hook) => switchedBy(switches, hook, { project, session: null })?.enabled === false
  )
}

/** Everywhere, or in this project; none where that cannot be read, which `checkSwitches` tells. */
export const switchedOff = (state: string, project: string): ReadonlySet<string> => {
  try {
    return new Set(hooksOff(state, project))
  } catch {
    return new Set()
  }
}

export const checkSwitches = (state: string, project: string): readonly Check[] => {
  try {
    const off = hooksOff(state, project)
    if (off.length === 0) return []
    const said = `switched off with "hooktape hooks disable": ${off.map(printable).join(", ")}`
    const guards = off.filter(isGuard)
    return [
      guards.length === 0
        ? ok("switches", said)
        : warn(
            "switches",
            said,
            guards.map((guard) => `"hooktape hooks enable ${guard}" has it guard again.`).join(" ")
          )
    ]
  } catch (cause) {
    return [warn("switches", messageOf(cause), 'Run "hooktape hooks list".')]
  }
}
