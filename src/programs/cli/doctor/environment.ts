/** What of the environment can weaken guards: set here, or by files that this repository carries. */

import { printable } from "../../../state/terminalText.ts"
import { weakenedBySettings, weakenedText } from "../../../trust/weakenedBySettings.ts"
import { howItWeakens, isOwn } from "../../../trust/weakening.ts"
import { type Check, ok, warn } from "./Check.ts"

/** They have checks of their own: `switch`, `state`, `host`. HOME, PATH and the like are set for everybody. */
const toldElsewhere = new Set(["HOOKTAPE", "HOOKTAPE_HOME", "HOOKTAPE_HOST"])

export const checkEnvironment = (project: string, env: NodeJS.ProcessEnv): readonly Check[] => {
  const here = Object.entries(env).flatMap(([name, value = ""]) => {
    if (!isOwn(name) || toldElsewhere.has(name)) return []
    const how = howItWeakens(name, value)
    return how === undefined
      ? []
      : [warn("environment", `${name} is set here, which ${how}`, `Unset ${name}.`)]
  })
  const carried = weakenedBySettings(project).map((one) =>
    warn(
      "environment",
      printable(weakenedText(one)),
      one.name === undefined
        ? "Look at it yourself, or take it out of the repository."
        : `Take ${one.name} out of it, unless you put it there.`
    )
  )
  return here.length + carried.length === 0
    ? [ok("environment", "nothing here weakens a guard")]
    : [...here, ...carried]
}
