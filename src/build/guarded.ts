/** Which events a hook stands guard at: one whose own failure is to stop the agent, or to make it ask. */
import type { FoundHook } from "./check.ts"
import { type Plan, settingsOf } from "./generate.ts"

const isGuard = (hook: FoundHook, settings: Plan["settings"]): boolean => {
  const own = settingsOf(settings, hook)
  const policy = own?.onFailure ?? hook.fields["onFailure"] ?? "allow"
  // One that says itself that it is off may be switched on at any time.
  return (own?.enabled !== false || !hook.enabled) && policy !== "allow"
}

export const guardedEvents = (hooks: readonly FoundHook[], settings: Plan["settings"]): readonly string[] => [
  ...new Set(hooks.filter((hook) => isGuard(hook, settings)).flatMap(({ on }) => on))
]
