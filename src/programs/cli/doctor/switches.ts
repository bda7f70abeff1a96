/** Which hooks somebody switched off with `hooktape hooks disable`: of a guard that is easily forgotten. */
import { isGuard } from "../../../features/instant.ts"
import { readSwitches, switchedBy } from "../../../history/switches.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Check, ok, warn } from "./Check.ts"

interface Off {
  readonly hook: string
  /** What switches it on where it is off. */
  readonly remedy: string
}

const hooksOff = (state: string, project: string): readonly Off[] => {
  const switches = readSwitches(state)
  return [...new Set(switches.map(({ hook }) => hook))]
    .filter((hook) => switchedBy(switches, hook, { project, session: null })?.enabled === false)
    .map((hook) => {
      const isHere = switches.some(
        (one) => one.hook === hook && one.scope === "project" && one.project === project
      )
      return { hook, remedy: `hooktape hooks enable ${hook}${isHere ? " --scope project" : ""}` }
    })
}

/** Everywhere, or in this project; none where that cannot be read, which `checkSwitches` tells. */
export const switchedOff = (state: string, project: string): ReadonlySet<string> => {
  try {
    return new Set(hooksOff(state, project).map(({ hook }) => hook))
  } catch {
    return new Set()
  }
}

export const checkSwitches = (state: string, project: string): readonly Check[] => {
  try {
    const off = hooksOff(state, project)
    if (off.length === 0) return []
    const said = `switched off with "hooktape hooks disable": ${off.map(({ hook }) => printable(hook)).join(", ")}`
    const guards = off.filter(({ hook }) => isGuard(hook))
    return [
      guards.length === 0
        ? ok("switches", said)
        : warn(
            "switches",
            said,
            guards.map(({ hook, remedy }) => `"${remedy}" has ${hook} guard again.`).join(" ")
          )
    ]
  } catch (cause) {
    return [warn("switches", messageOf(cause), 'Run "hooktape hooks list".')]
  }
}
