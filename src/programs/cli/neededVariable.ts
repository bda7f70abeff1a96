/** Which shipped hooks are on and do nothing all the same, because the environment of the agent does not ask for them. */
import { enabledVariable, isEnabled } from "../../features/monitor/settings.ts"

const asked = ["session-monitor", "session-monitor-analysis"]

/** The variable that has to be `true` where the agent runs; undefined where it is so here, or the hook needs none. */
export const neededVariable = (
  hook: string,
  env: Readonly<Record<string, string | undefined>>
): string | undefined => (asked.includes(hook) && !isEnabled(env) ? enabledVariable : undefined)
